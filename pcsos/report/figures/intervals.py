"""Intervals from what is proved to what is known, over the choices that they are about."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pcsos.report.figures.plot import GREY, plot
from pcsos.report.style import colour

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


class Span(NamedTuple):
    """An interval over a place; what it is about lies between its ends."""

    place: float
    low: float
    high: float | None  #: None or infinite where nothing is known

    @property
    def is_open(self) -> bool:
        """Whether it has no end above."""
        return self.high is None or not math.isfinite(self.high)


def intervals_figure(spans: Sequence[Span], across: str, up: str, *, steps: str | None = None) -> "Figure":
    """Return intervals as marks with bars; one without an end above is a triangle that points there.

    Parameters
    ----------
    spans : sequence of Span
        The intervals.
    across, up : str
        What the axes are.
    steps : {"hv", "vh"}, optional
        How a line leads from one upper end to the next; none by default.
    """
    closed = [span for span in spans if not span.is_open]
    traces = [
        *([_line(sorted(closed), steps)] if steps else []),
        _marks("from the proved bound to the best known", closed, "circle", 0),
        _marks("at least this, with no end above", [span for span in spans if span.is_open], "triangle-up", 1),
    ]
    figure = plot([trace for trace in traces if trace is not None], across, up, 380)
    return figure.update_yaxes(tickformat=",.6~g").update_layout(showlegend=any(span.is_open for span in spans))


def _marks(name: str, spans: Sequence[Span], symbol: str, number: int) -> Any:
    from plotly.graph_objects import Scatter

    if not spans:
        return None
    tops = [span.low if span.is_open else float(span.high or 0.0) for span in spans]
    lows = [span.low for span in spans]
    lacking = [top - low for top, low in zip(tops, lows, strict=True)]
    bars = {"type": "data", "symmetric": False, "array": [0.0] * len(spans), "arrayminus": lacking, "width": 6}
    return Scatter(
        x=[span.place for span in spans],
        y=tops,
        customdata=lows,
        mode="markers",
        name=name,
        marker={"symbol": symbol, "size": 9, "color": colour(number)},
        error_y=bars,
        hovertemplate="%{x:.6~g}: " + ("at least" if number else "%{y:.8~g}, at least") + " %{customdata:.8~g}"
        "<extra></extra>",
    )


def _line(spans: Sequence[Span], shape: str) -> Any:
    from plotly.graph_objects import Scatter

    line = {"shape": shape, "width": 1, "color": GREY}
    places, tops = [span.place for span in spans], [span.high for span in spans]
    return Scatter(x=places, y=tops, mode="lines", line=line, hoverinfo="skip", showlegend=False)
