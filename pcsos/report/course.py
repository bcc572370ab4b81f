"""The course of a run: how its bound rose and its incumbent fell."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from pcsos.base.events import (
    SOURCES,
    BlockBounded,
    BoundImproved,
    CutRound,
    Event,
    IncumbentFound,
    PricesRaised,
    RunStarted,
)


class Milestone(NamedTuple):
    """A value that was reached at a time."""

    seconds: float
    value: float
    source: str = ""  #: what found it, in words


class Course(NamedTuple):
    """Lower bounds that rise and incumbents that fall, in the order of time."""

    bounds: tuple[Milestone, ...] = ()
    incumbents: tuple[Milestone, ...] = ()

    @classmethod
    def of(cls, events: Iterable[Event]) -> "Course":
        """Return what the events of a run tell; the clock of a part that was resumed goes on from the one before."""
        bounds: list[Milestone] = []
        incumbents: list[Milestone] = []
        before = now = 0.0
        for event in events:
            if isinstance(event, RunStarted):
                before = now
            now = max(now, before + _finite(getattr(event, "seconds", 0.0), 0.0))
            if isinstance(event, IncumbentFound):
                value = _finite(event.objective, math.inf)
                if not incumbents or value < incumbents[-1].value:
                    incumbents.append(
                        Milestone(now, value, SOURCES.get(str(event.source), "an earlier part of the run"))
                    )
            elif is_bound_of_all(event):
                value = _finite(getattr(event, "lower_bound", None), -math.inf)
                if value > (bounds[-1].value if bounds else 0.0):
                    bounds.append(Milestone(now, value))
        finite = (step for step in incumbents if math.isfinite(step.value))
        return cls(tuple(bounds), tuple(finite))


def is_bound_of_all(event: Event) -> bool:
    """Tell whether the bound of an event holds for every partition, not for those of a node alone."""
    if isinstance(event, CutRound):
        return event.node == 0 and event.num_fixed == 0  # later, what was fixed may cost less
    return isinstance(event, BoundImproved | PricesRaised | BlockBounded)


def _finite(value: object, otherwise: float) -> float:
    """Return a number that a file states, if it is one."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf
    return float(value) if is_number else otherwise  # type: ignore[arg-type]
