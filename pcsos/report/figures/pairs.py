"""The pairs of points in a square: certainly together, certainly apart, uncertain or undecided."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pcsos.base.typing import Flags
from pcsos.report.figures.plot import plain_text, plot
from pcsos.report.style import colour

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

#: What a pair may be in the square of certain pairs, in the order of their shades.
PAIRS = ("apart", "undecided", "uncertain", "together")


def certain_figure(matrix: NDArray[np.int8], doubts: Flags, names: Sequence[str]) -> "Figure":
    """Return the pairs of points in a square: certainly together, certainly apart, uncertain or undecided.

    Parameters
    ----------
    matrix : ndarray, shape (m, m)
        1, -1 or 0 for each pair.
    doubts : ndarray of bool, shape (m, m)
        Which of the pairs with a 0 are uncertain.
    names : sequence of str
        What the points are called.
    """
    from plotly.graph_objects import Heatmap

    kinds = np.where(matrix == 0, 1 + doubts, np.where(matrix > 0, 3, 0))
    shades = [colour(1), "#f2f2f2", "#b5b5b5", colour(0)]
    called = [plain_text(name) for name in names]
    square = Heatmap(
        z=kinds,
        zmin=-0.5,
        zmax=3.5,
        colorscale=[[at / 4, shade] for kind, shade in enumerate(shades) for at in (kind, kind + 1)],
        colorbar={
            "tickvals": list(range(4)),
            "ticktext": list(PAIRS),
            "orientation": "h",
            "y": 1.02,
            "yanchor": "bottom",
            "thickness": 16,
            "len": 0.9,
        },
        text=np.array(PAIRS)[kinds],
        customdata=np.array([[f"{one} and {other}" for other in called] for one in called]),
        hovertemplate="%{customdata}: %{text}<extra></extra>",
    )
    figure = plot([square], "points, by cluster", "points, by cluster", 560)
    figure.update_xaxes(showticklabels=False, showgrid=False, ticks="", constrain="domain")
    return figure.update_yaxes(
        showticklabels=False, showgrid=False, ticks="", autorange="reversed", scaleanchor="x", constrain="domain"
    )
