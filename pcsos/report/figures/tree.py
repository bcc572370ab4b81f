"""The tree of a proof."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pcsos.evidence.closings import CLOSINGS
from pcsos.report.figures.plot import MANY, plot
from pcsos.report.style import colour, symbol
from pcsos.report.tree import Node, placed

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def tree_figure(nodes: Sequence[Node]) -> "Figure":
    """Return the tree: the root above, its leaves side by side."""
    from plotly.graph_objects import Scatter, Scattergl

    places = placed(nodes)
    shown = [node for node in nodes if node.number in places]
    across: list[float | None] = []
    down: list[float | None] = []
    for node in shown:
        if node.parent in places:
            own, above = places[node.number], places[node.parent]
            across += [above.across, own.across, None]
            down += [above.depth, own.depth, None]
    line = {"width": 1, "color": "rgba(127, 127, 127, 0.7)"}
    traces = [Scatter(x=across, y=down, mode="lines", line=line, hoverinfo="skip", showlegend=False)]
    kind = Scattergl if len(shown) > MANY else Scatter
    for number, closing in enumerate(kind.words for kind in CLOSINGS):
        own_nodes = [node for node in shown if node.closing == closing]
        if own_nodes:
            traces.append(
                kind(
                    x=[places[node.number].across for node in own_nodes],
                    y=[places[node.number].depth for node in own_nodes],
                    text=[_described(node) for node in own_nodes],
                    mode="markers",
                    name=closing,
                    marker={"size": 9, "color": colour(number), "symbol": symbol(number)},
                    hovertemplate="%{text}<extra>" + closing + "</extra>",
                )
            )
    figure = plot(traces, "", "depth", 380)
    figure.update_yaxes(autorange="reversed", dtick=max(1, max(place.depth for place in places.values()) // 8))
    figure.update_xaxes(visible=False)
    return figure


def _described(node: Node) -> str:
    bound = "" if node.lower_bound is None else f"<br>bound {node.lower_bound:.10g}"
    return f"node {node.number}: {node.decision}{bound}"
