"""The bounder on a line: the best intervals and their proof, which close the root where nothing but k is asked.

With cannot-links, limits of clusters or soft pairs no partition costs less: then they prove a bound beside the tree,
and their clusters count where they keep to all of that.
"""

import math
import time
from dataclasses import dataclass, replace

from pcsos.base.control.subprocess import Channel, try_job
from pcsos.base.events import BoundImproved, NodeClosed
from pcsos.base.typing import Indices
from pcsos.bounds.line.intervals import Intervals, best_intervals
from pcsos.evidence.kinds import Line
from pcsos.evidence.node import NodeRecord
from pcsos.presolve.presolve import Presolved
from pcsos.problem.instance import Instance
from pcsos.problem.partition import canonical_labels, cluster_means, violation
from pcsos.search.first_incumbents import offer_from_centres
from pcsos.search.journal import prove_beside_tree
from pcsos.search.role import Context, Proved
from pcsos.search.tree.task import Found


@dataclass(frozen=True)
class ByIntervals:
    """Bounds what is on a line, whatever its size; neither relaxation nor presolve play a part.

    Parameters
    ----------
    is_before_tree : bool
        Whether a tree comes afterwards, whose root is closed where nothing is left out.
    """

    is_before_tree: bool = True

    def suits(self, problem: Presolved, proved: Proved, context: Context) -> bool:
        """Tell whether the points are on a line, and a node may be bounded; there is always time for a partition."""
        points = problem.instance.points
        return context.options.node_limit != 0 and int((points != points[0]).any(axis=0).sum()) <= 1

    def bound(self, problem: Presolved, proved: Proved, context: Context) -> Proved:
        """Bound the problem, or what its must-links leave of it; a good partition is offered before the best one."""
        if proved.lower_bound > 0.0 and context.is_done(proved):
            return proved
        begun, instance, primal = time.perf_counter(), problem.instance, context.primal
        free = instance if instance.is_free else instance.with_(cannot_link=(), conditions=())

        def offer(labels: Indices, objective: float = math.inf) -> bool:
            keeps_all = free is instance or violation(instance, canonical_labels(labels)) is None
            if keeps_all:
                primal.offer(Found(labels, objective, "D"))
            return keeps_all

        best = try_job(_intervals, free, stop=context.end, is_long=False, on_message=offer)
        if best is None:
            return self._announced(proved, context)
        if not offer(best.labels, best.lower_bound):
            offer_from_centres(problem, cluster_means(free, best.labels), context, "D")
        line, seconds, bound = Line(best.penalty, best.lower_bound), time.perf_counter() - begun, best.lower_bound
        with context.writer.guarded() as journal:
            bound = prove_beside_tree(journal, bound, [NodeRecord(0, None, None, (line,), seconds)])
        known = proved.raised(bound)
        if free is not instance:
            return self._announced(replace(known, needs_conditions=not len(instance.cannot_link)), context)
        context.writer.notify(NodeClosed(0, None, problem.size, known.lower_bound, "line", 0, context.stop.seconds))
        return self._announced(replace(known, is_closed=True, nodes=1), context)

    @staticmethod
    def _announced(proved: Proved, context: Context) -> Proved:
        """Announce what is proved of the root, and return it."""
        bound, seconds = proved.lower_bound, context.stop.seconds
        context.writer.notify(BoundImproved(bound, seconds))
        return replace(proved, root_lower_bound=bound, root_seconds=seconds)


def _intervals(channel: Channel, instance: Instance) -> Intervals:
    """Return the best intervals, and send good ones on the way."""
    return best_intervals(instance, channel.stop, channel.send)
