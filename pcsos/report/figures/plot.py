"""What all figures share: axes, margins, lines, and text that is shown as it is."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from pcsos.base.exceptions import InputError

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

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


def plot(traces: Sequence[Any], across: str, up: str, height: int) -> "Figure":
    """Return a figure with titles at its axes and its legend below."""
    from plotly.graph_objects import Figure

    figure = Figure(list(traces))
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
