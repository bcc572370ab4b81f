"""The bounder on a line: the best intervals and their proof, which close the root where nothing else is asked.

With cannot-links, soft pairs or more than numbers of points no partition costs less: then they prove a bound beside the
tree, and their clusters count where they keep to all of that.
"""

import math
import time
from collections.abc import Iterator

from pcsos.base.control.subprocess import Channel, try_job
from pcsos.base.events import NodeClosed
from pcsos.base.typing import Indices
from pcsos.bounds.line.intervals import Intervals, best_intervals
from pcsos.evidence.kinds import Line
from pcsos.evidence.node import FinishedTree, NodeRecord
from pcsos.presolve.presolve import Presolved
from pcsos.problem.conditions.conditions import LIMITS
from pcsos.problem.instance import Instance
from pcsos.problem.partition import canonical_labels, cluster_means, violation
from pcsos.search.first_incumbents import offer_from_centres
from pcsos.search.role import Bounder, Context
from pcsos.search.task import Found, Outcome, Task


class ByIntervals(Bounder):
    """Bounds what is on a line, whatever its size; neither relaxation nor presolve play a part."""

    def is_worth_asking(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell whether the points are on a line, and a node may be bounded; there is always time for a partition."""
        return task.is_root and context.options.node_limit != 0 and problem.instance.line is not None

    def bound(self, task: Task, problem: Presolved, context: Context) -> Iterator[Outcome]:
        """Bound the problem, or what its must-links leave of it; a good partition is offered before the best one."""
        begun, instance, primal = time.perf_counter(), problem.instance, context.primal
        is_all, limits = instance.is_line, [own for own in instance.conditions if isinstance(own, LIMITS)]
        free = instance if is_all else instance.with_(cannot_link=(), conditions=limits)

        def offer(labels: Indices, objective: float = math.inf) -> bool:
            keeps_all = is_all or violation(instance, canonical_labels(labels)) is None
            if keeps_all:
                primal.offer(Found(labels, objective, "D"))
            return keeps_all

        best = try_job(_intervals, free, stop=context.end, is_long=False, on_message=offer)
        if best is None:
            return
        bound = best.lower_bound
        if not offer(best.labels, bound) and len(set(best.labels.tolist())) == instance.n_clusters:
            offer_from_centres(problem, cluster_means(free, best.labels), context, "D")
        record = NodeRecord(0, None, None, (Line(best.penalty, bound),), time.perf_counter() - begun)
        if is_all:
            known = max(bound, task.lower_bound)
            context.writer.notify(NodeClosed(0, None, problem.size, known, Line.kind, 0, context.stop.seconds))
        yield Outcome(
            bound, FinishedTree((record,)), is_closed=is_all, num_nodes=int(is_all),
            needs_conditions=not is_all and not len(instance.cannot_link),
        )  # fmt: skip


def _intervals(channel: Channel, instance: Instance) -> Intervals | None:
    """Return the best intervals, if there are any, and send good ones on the way."""
    return best_intervals(instance, channel.stop, channel.send)
