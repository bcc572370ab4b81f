"""The course of a run: how its bound rose and its best partition improved, as values, as a figure and as a section."""

import math
from collections.abc import Iterable, Sequence
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
from pcsos.report.markup import Figure, Figures, Section, cut_table, drawing, folded, join
from pcsos.report.plane import colour
from pcsos.report.plot import Trace, plot


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


#: Events whose bounds hold for every partition.
ABOUT_ALL = (BoundImproved, PricesRaised, BlockBounded)


def is_bound_of_all(event: Event) -> bool:
    """Return whether the bound of an event holds for every partition, not for those of a node alone."""
    return event.is_of_whole if isinstance(event, CutRound) else isinstance(event, ABOUT_ALL)


def _finite(value: object, otherwise: float) -> float:
    """Return a number that a file states, if it is one."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf
    return float(value) if is_number else otherwise  # type: ignore[arg-type]


def course_figure(course: Course) -> Figure:
    """Return how the bound rose and the incumbent fell."""
    last = max(step.seconds for step in (*course.bounds, *course.incumbents))
    found = [_steps(course.incumbents, "best division so far", "solid", "circle", 0, last)] if course.incumbents else []
    proved = [_steps(course.bounds, "proved lower bound", "dash", "triangle-up", 1, last)] if course.bounds else []
    figure = plot([*found, *proved], "seconds since the run began", "sum of squares", 380)
    return figure.update_yaxes(tickformat=",.10~g")


def _steps(steps: Sequence[Milestone], name: str, dash: str, mark: str, number: int, last: float) -> Trace:
    return {
        "type": "scatter",
        "x": [*(step.seconds for step in steps), last],
        "y": [*(step.value for step in steps), steps[-1].value],
        "text": [*(f"<br>{step.source}" if step.source else "" for step in steps), ""],
        "mode": "lines+markers",
        "name": name,
        "line": {"shape": "hv", "dash": dash, "width": 2, "color": colour(number)},
        "marker": {"symbol": mark, "size": 7},
        "hovertemplate": "%{y:.10g} after %{x:.1f} s%{text}<extra>" + name + "</extra>",
    }


TITLE = "Bound and best division over time"


def course_section(course: Course, figures: Figures) -> Section:
    """Return how bound and best partition went."""
    figures["course-figure"] = course_figure(course)
    note = (
        "The sum of squares of the best division known falls, the bound that is proved rises; no division costs less "
        "than the bound. Where they meet, the best division is found and proved. This is the log of the "
        "run; the checker proves where it ends."
    )
    rows = [
        (f"{step.seconds:.1f}", kind, f"{step.value:.10g}", step.source)
        for kind, steps in (("best division", course.incumbents), ("bound", course.bounds))
        for step in steps
    ]
    steps = cut_table("Steps", ("seconds", "what", "sum of squares", "found by"), rows)
    content = [drawing("course-figure", TITLE, note), folded("As a table", steps)]
    return Section("course", TITLE, join(content))
