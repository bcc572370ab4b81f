"""The incumbent: the best that is known, and who is called when it gets better."""

import math
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from pcsos.base import tolerances


class Costed(Protocol):
    """Anything with an objective: a partition, a solution of a heuristic, what a node has found."""

    @property
    def objective(self) -> float:
        """Its sum of squares."""


T = TypeVar("T", bound=Costed)


class Incumbent(Generic[T]):
    """The best of what is offered, and of what others are known to have.

    Parameters
    ----------
    objective : float
        What others are known to have.
    on_improvement : callable, optional
        Called with everything that is taken over.

    Attributes
    ----------
    best : object or None
        The best that was offered, None while nothing was better than ``objective``.
    """

    def __init__(self, objective: float = math.inf, on_improvement: Callable[[T], object] | None = None) -> None:
        self.best: T | None = None
        self.objective = objective
        self._on_improvement = on_improvement

    def is_beaten_by(self, objective: float) -> bool:
        """Tell whether this objective is better by more than rounding."""
        return tolerances.is_improvement(objective, self.objective)

    def offer(self, found: T) -> bool:
        """Take it over if it is better, and tell whether it is."""
        if not self.is_beaten_by(found.objective):
            return False
        self.best, self.objective = found, found.objective
        if self._on_improvement is not None:
            self._on_improvement(found)
        return True

    def hear_of(self, objective: float) -> None:
        """Remember the objective of what somebody else has."""
        self.objective = min(self.objective, objective)
