"""Heuristic: the role of a search that proves nothing; a reduced problem in, its best solution and a record out."""

from collections.abc import Callable
from typing import Any, Protocol

from pcsos.heuristics.record import Record, Solution
from pcsos.presolve.colouring.budget import Budget
from pcsos.problem.reduction import Reduced

#: The best solution found, if any, and the figures of the run.
Returned = tuple[Solution | None, Record]


class Heuristic(Protocol):
    """Anything that looks for good partitions of the super-points and proves nothing."""

    def __call__(
        self,
        reduced: Reduced,
        *,
        seed: int,
        budget: Budget,
        on_improvement: Callable[[Solution], None] | None,
        **options: Any,
    ) -> Returned:
        """Run until nothing is left to do, or the budget's stop says so.

        Every new best solution is handed to ``on_improvement``; the options are those that the registry names.
        """
