"""Listening to a run: the lower bound and the incumbent over time, for the suites that tell how fast a gap closes."""

import json
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pcsos.base.events import BlockBounded, BoundImproved, CutRound, Event, IncumbentFound, PricesRaised
from pcsos.base.tolerances import relative_gap

#: A row holds no more points than this of the run that it tells of.
MOST_POINTS = 200


class Point(NamedTuple):
    """What is known after so many seconds; bound and incumbent are infinite as long as there is none."""

    seconds: float
    lower_bound: float
    incumbent: float

    @property
    def gap(self) -> float:
        """The relative gap between the two, infinite where one is missing."""
        return relative_gap(self.incumbent, self.lower_bound)


class Trace:
    """A listener that keeps a point whenever the lower bound of the whole rises or the incumbent falls.

    Parameters
    ----------
    earlier : float
        Seconds that count before those of the run, such as those of a search whose partition is certified.
    """

    def __init__(self, earlier: float = 0.0) -> None:
        self.points: list[Point] = []
        self._earlier = earlier

    def __call__(self, event: Event) -> None:
        """Take one event in."""
        match event:
            case IncumbentFound(objective=objective, seconds=seconds):
                self._note(seconds, -math.inf, objective)
            case CutRound(node=0, num_fixed=0):  # later, what was fixed may cost less
                self._note(event.seconds, event.lower_bound, math.inf)
            case BoundImproved() | PricesRaised() | BlockBounded():
                self._note(event.seconds, event.lower_bound, math.inf)

    def finish(self, seconds: float, lower_bound: float | None, objective: float | None) -> None:
        """Add the point at which the run has ended, as its result has it; None for what it has not.

        Raises
        ------
        ValueError
            If an event told of a higher bound or a cheaper partition than the result.
        """
        end = _point(self._earlier + seconds, lower_bound, objective)
        told = self.points[-1] if self.points else _point(0.0, None, None)
        if min(told.lower_bound, told.incumbent) > end.lower_bound or told.incumbent < end.incumbent:
            raise ValueError(f"events told of {told}, the result of {end}")
        self.points.append(end)

    def _note(self, seconds: float, lower_bound: float, incumbent: float) -> None:
        last = self.points[-1] if self.points else _point(0.0, None, None)
        new = Point(self._earlier + seconds, max(last.lower_bound, lower_bound), min(last.incumbent, incumbent))
        if new[1:] != last[1:]:
            self.points.append(new)


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """Return at most so many of the points, evenly, the first and the last among them.

    Examples
    --------
    >>> thinned([10, 11, 12, 13, 14], 3)
    [10, 12, 14]
    """
    if len(points) <= most:
        return list(points)
    return [points[i] for i in np.linspace(0, len(points) - 1, most).round().astype(int)]


def to_json(points: Sequence[Point]) -> str:
    """Return points for a column, null where nothing is known."""
    return json.dumps([[round(p.seconds, 4), *(v if math.isfinite(v) else None for v in p[1:])] for p in points])


def from_json(text: str) -> list[Point]:
    """Return the points of a column."""
    return [_point(*values) for values in json.loads(text)]


def gap_at(points: Sequence[Point], seconds: float) -> float | None:
    """Return the gap after so many seconds, None where there is none yet; a run that has ended keeps its gap."""
    gaps = [point.gap for point in points if point.seconds <= seconds]
    return gaps[-1] if gaps and math.isfinite(gaps[-1]) else None


def seconds_to(points: Sequence[Point], gap: float) -> float | None:
    """Return the seconds until the gap is at most this, None where it never is."""
    return next((point.seconds for point in points if point.gap <= gap), None)


def _point(seconds: float, lower_bound: float | None, incumbent: float | None) -> Point:
    """Return a point, of which None is not known."""
    return Point(
        seconds, -math.inf if lower_bound is None else lower_bound, math.inf if incumbent is None else incumbent
    )
