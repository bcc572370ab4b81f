"""A corner: a partition on a front."""

from dataclasses import dataclass

from pcsos.base import tolerances
from pcsos.evidence.result import Result


@dataclass(frozen=True, eq=False)
class Corner:
    """A partition on the front.

    Parameters
    ----------
    value : float
        Its diameter, or its split.
    result : Result
        The search that has found it, among the partitions whose value is better than that of the corner before.
    lower_bound : float or None
        No partition whose value is better than that of the corner before costs less.
    """

    value: float
    result: Result
    lower_bound: float | None

    @property
    def objective(self) -> float:
        """What it costs."""
        assert self.result.objective is not None
        return self.result.objective

    @property
    def gap(self) -> float | None:
        """``(objective - lower_bound) / objective``."""
        return None if self.lower_bound is None else tolerances.relative_gap(self.objective, self.lower_bound)
