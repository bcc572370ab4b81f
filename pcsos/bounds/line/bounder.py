"""The bounder of an instance on a line: the best intervals and their proof, which close the root at once."""

import math
import time
from dataclasses import replace

from pcsos.bounds.line.intervals import best_intervals
from pcsos.bounds.role import Context, Proved
from pcsos.bounds.tree.task import Found
from pcsos.control.stop import Interrupted
from pcsos.events import BoundImproved, NodeClosed
from pcsos.presolve.presolve import Presolved
from pcsos.proofs.closings import LineClosing
from pcsos.proofs.node import NodeRecord


class ByIntervals:
    """Bounds what is on a line, whatever its size; neither relaxation nor presolve play a part."""

    def suits(self, problem: Presolved, proved: Proved, context: Context) -> bool:
        """Tell whether the points are on a line, and a node may be bounded; there is always time for a partition."""
        return problem.instance.is_line and context.options.node_limit != 0

    def bound(self, problem: Presolved, proved: Proved, context: Context) -> Proved:
        """Close the root; a good partition is offered before the best one."""
        begun, primal = time.perf_counter(), context.primal
        try:
            best = best_intervals(
                problem.instance, context.end, lambda labels: primal.offer(Found(labels, math.inf, "D"))
            )  # fmt: skip
        except Interrupted:
            return self._announced(proved, context)
        closing, seconds = LineClosing(best.penalty, best.lower_bound), time.perf_counter() - begun
        primal.offer(Found(best.labels, best.lower_bound, "D"))
        with context.writer.guarded() as journal:
            journal.add_node(NodeRecord(0, None, None, (), closing, best.lower_bound, seconds))
        bound = max(proved.lower_bound, best.lower_bound)
        context.writer.notify(NodeClosed(0, None, problem.size, bound, "line", 0, context.stop.seconds))
        return self._announced(replace(proved, lower_bound=bound, is_closed=True, nodes=1), context)

    @staticmethod
    def _announced(proved: Proved, context: Context) -> Proved:
        """Announce what is proved of the root, and return it."""
        bound, seconds = proved.lower_bound, context.stop.seconds
        context.writer.notify(BoundImproved(bound, seconds))
        return replace(proved, root_lower_bound=bound, root_seconds=seconds)
