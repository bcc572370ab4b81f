"""The root of an instance on a line: closed at once, by the best intervals and their proof (:mod:`pcsos.line`)."""

import math
import time
from collections.abc import Callable

from pcsos.control.stop import Interrupted, Stop
from pcsos.instance import Instance
from pcsos.line import best_intervals
from pcsos.proof import LineClosing, NodeRecord
from pcsos.tree.task import Found, Outcome, Task


def process_line(instance: Instance, root: Task, stop: Stop, offer: Callable[[Found], object]) -> Outcome:
    """Close the root; what it needs is in the instance, and neither relaxation nor presolve play a part.

    Parameters
    ----------
    offer : callable
        Told a good partition that is known before the best one.
    """
    begun = time.perf_counter()
    try:
        best = best_intervals(instance, stop, lambda labels: offer(Found(labels, math.inf, "D")))
    except Interrupted:
        return Outcome.left_open(root, root.lower_bound)
    closing, seconds = LineClosing(best.penalty, best.lower_bound), time.perf_counter() - begun
    record = NodeRecord(root.node, None, None, (), closing, best.lower_bound, seconds)
    found = Found(best.labels, best.lower_bound, "D")
    size = int(instance.constraints.groups.max()) + 1
    return Outcome(record, best.lower_bound, math.inf, found, root.state, size, 0)
