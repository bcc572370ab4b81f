"""The blocks of a cover: as wide as they have points, as high as their share of what the partition costs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pcsos.base.typing import Floats
from pcsos.report.cover import Block
from pcsos.report.figures.plot import plot
from pcsos.report.style import colour

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def blocks_figure(blocks: Sequence[Block], whole: float) -> "Figure":
    """Return the blocks side by side.

    Parameters
    ----------
    blocks : sequence of Block
        The blocks, in their order.
    whole : float
        What counts as 100 per cent: the cost of the partition, or the bound where there is none.
    """
    sizes = np.array([block.size for block in blocks], np.float64)
    bounds = np.array([block.lower_bound for block in blocks])
    costs = np.array([block.lower_bound if block.cost is None else block.cost for block in blocks])
    ends = np.cumsum(sizes)
    texts = [_described(number, block) for number, block in enumerate(blocks, 1)]
    middles, unit = ends - sizes / 2.0, 100.0 / whole
    traces = [
        _bars("proved", middles, sizes, bounds * unit, texts, {"color": colour(0)}),
        _bars(
            "not proved", middles, sizes, np.maximum(costs - bounds, 0.0) * unit, texts,
            {"color": colour(1), "pattern": {"shape": "/"}},
        ),
    ]  # fmt: skip
    figure = plot(traces, "points, block by block", "per cent of the sum of squares", 340)
    return figure.update_layout(barmode="stack", bargap=0.0, legend_traceorder="normal")


def _bars(name: str, places: Floats, widths: Floats, heights: Floats, texts: list[str], marker: dict[str, Any]) -> Any:
    from plotly.graph_objects import Bar

    return Bar(
        x=places,
        y=heights,
        width=widths,
        customdata=texts,
        name=name,
        marker=marker | {"line": {"width": 0.5, "color": "rgba(255, 255, 255, 0.8)"}},
        hovertemplate="%{customdata}<extra></extra>",
    )


def _described(number: int, block: Block) -> str:
    cost = "" if block.cost is None else f"<br>the division costs {block.cost:.6g} in it"
    return f"block {number}: {block.size:,} points{cost}<br>at least {block.lower_bound:.6g} is proved"
