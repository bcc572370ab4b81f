"""The course of a run over time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pcsos.report.course import Course, Milestone
from pcsos.report.figures.plot import plot
from pcsos.report.style import colour

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def course_figure(course: Course) -> "Figure":
    """Return how the bound rose and the incumbent fell."""
    last = max(step.seconds for step in (*course.bounds, *course.incumbents))
    traces = [
        _steps(course.incumbents, "best division so far", "solid", "circle", 0, last),
        _steps(course.bounds, "proved lower bound", "dash", "triangle-up", 1, last),
    ]
    return plot(
        [trace for trace in traces if trace is not None], "seconds since the run began", "sum of squares", 380
    ).update_yaxes(tickformat=",.10~g")


def _steps(steps: Sequence[Milestone], name: str, dash: str, mark: str, number: int, last: float) -> Any:
    from plotly.graph_objects import Scatter

    if not steps:
        return None
    *_, final = steps
    return Scatter(
        x=[*(step.seconds for step in steps), last],
        y=[*(step.value for step in steps), final.value],
        text=[*(f"<br>{step.source}" if step.source else "" for step in steps), ""],
        mode="lines+markers",
        name=name,
        line={"shape": "hv", "dash": dash, "width": 2, "color": colour(number)},
        marker={"symbol": mark, "size": 7},
        hovertemplate="%{y:.10g} after %{x:.1f} s%{text}<extra>" + name + "</extra>",
    )
