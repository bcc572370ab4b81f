"""The role of a heuristic: a reduced problem and a seed in, the best solution found and a record out."""

from collections.abc import Callable
from typing import Any, Protocol

from pcsos.heuristics.record import Record, Solution
from pcsos.reduction import Reduced


class Heuristic(Protocol):
    """Anything that looks for good partitions of the super-points and proves nothing."""

    def __call__(
        self,
        reduced: Reduced,
        *,
        seed: int,
        time_limit: float | None,
        should_stop: Callable[[], bool] | None,
        on_improvement: Callable[[Solution], None] | None,
        **options: Any,
    ) -> tuple[Solution | None, Record]:
        """Run until nothing is left to do, the seconds are over, or ``should_stop`` says so.

        Every new best solution is told to ``on_improvement``; the options are those that the registry names.
        """
