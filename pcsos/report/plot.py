"""What all figures of pages share, drawn by Plotly, and the figure of intervals from proved bounds to known costs."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NamedTuple

from pcsos.base.exceptions import InputError
from pcsos.report.markup import Figure
from pcsos.report.plane import colour

#: A trace of a figure, as Plotly has it.
Trace = dict[str, Any]

#: Grey that can be seen on light and on dark ground.
GREY = "rgba(127, 127, 127, 0.8)"
#: Characters of a name that are shown at most.
LONGEST_NAME = 60
#: Marks from which on they are drawn by WebGL.
MANY = 2_000


def require_plotly() -> None:
    """Refuse to go on where Plotly is missing."""
    try:
        import plotly  # noqa: F401
    except ImportError as error:
        raise InputError('a report needs plotly, which is not installed; pip install "pcsos[report]"') from error


def plain_text(text: str) -> str:
    """Return text that Plotly, which knows some tags and fills in braces, shows as it is; cut where it is long."""
    short = text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 3]}..."
    return escape(short, quote=False).replace("{", "&#123;")


def plot(traces: Iterable[Any], across: str, up: str, height: int) -> Figure:
    """Return a figure with titles at its axes and its legend below."""
    from plotly import graph_objects

    figure = graph_objects.Figure(list(traces))
    figure.update_layout(
        template="none",
        height=height,
        margin={"l": 64, "r": 16, "t": 32, "b": 48},
        hovermode="closest",
        legend={"orientation": "h", "yref": "container", "y": 0.0, "yanchor": "bottom", "x": 0.0},
    )
    figure.update_xaxes(title=across, automargin=True, zeroline=False)
    figure.update_yaxes(title=up, automargin=True, zeroline=False)
    return figure


def lines(across: Any, up: Any, look: dict[str, Any], name: str | None = None) -> Trace:
    """Return a trace of lines, which are in the legend by their name, if any, and say nothing under the pointer."""
    named = {"showlegend": False} if name is None else {"name": name}
    return {"type": "scatter", "x": across, "y": up, "mode": "lines", "line": look, "hoverinfo": "skip", **named}


class Span(NamedTuple):
    """An interval over a place; what it is about lies between its ends."""

    place: float
    low: float
    high: float | None  #: None or infinite where nothing is known

    @property
    def is_open(self) -> bool:
        """Whether it has no end above."""
        return self.high is None or not math.isfinite(self.high)


def intervals_figure(spans: Sequence[Span], across: str, up: str, *, steps: str | None = None) -> Figure:
    """Return intervals as marks with bars; one without an end above is a triangle that points there.

    With ``steps``, a line leads from one upper end to the next, first across ("hv") or first up ("vh").
    """
    closed, is_open = [span for span in spans if not span.is_open], [span for span in spans if span.is_open]
    ordered, look = sorted(closed), {"shape": steps, "width": 1, "color": GREY}
    traces = [lines([span.place for span in ordered], [span.high for span in ordered], look)] if steps else []
    traces += [_marks("from the proved bound to the best known", closed, "circle", 0)] if closed else []
    traces += [_marks("at least this, with no end above", is_open, "triangle-up", 1)] if is_open else []
    figure = plot(traces, across, up, 380)
    return figure.update_yaxes(tickformat=",.6~g").update_layout(showlegend=bool(is_open))


def _marks(name: str, spans: Sequence[Span], symbol: str, number: int) -> Trace:
    tops = [span.low if span.is_open else float(span.high or 0.0) for span in spans]
    lows = [span.low for span in spans]
    lacking = [top - low for top, low in zip(tops, lows, strict=True)]
    known = "at least" if number else "%{y:.8~g}, at least"
    return {
        "type": "scatter",
        "x": [span.place for span in spans],
        "y": tops,
        "customdata": lows,
        "mode": "markers",
        "name": name,
        "marker": {"symbol": symbol, "size": 9, "color": colour(number)},
        "error_y": {"type": "data", "symmetric": False, "array": [0.0] * len(spans), "arrayminus": lacking, "width": 6},
        "hovertemplate": f"%{{x:.6~g}}: {known} %{{customdata:.8~g}}<extra></extra>",
    }
