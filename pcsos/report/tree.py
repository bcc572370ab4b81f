"""The tree of a proof: its nodes in words, where each stands in the figure, and the section about it."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pcsos.evidence.kinds import KINDS
from pcsos.evidence.node import NodeRecord
from pcsos.problem.reduction import WeightBound
from pcsos.report.markup import Figure, Figures, Markup, Section, cut_table, drawing, element, folded, join, table
from pcsos.report.plane import colour, symbol
from pcsos.report.plot import MANY, Trace, lines, plot


class Node(NamedTuple):
    """A node of the tree."""

    number: int
    parent: int | None
    decision: str  #: what it adds to its parent, in words
    closing: str  #: how it was closed, in words
    lower_bound: float | None

    @classmethod
    def of(cls, record: NodeRecord) -> "Node":
        """Return what a record of the run says, with plain numbers."""
        decision = record.decision
        words = "all partitions"
        if isinstance(decision, WeightBound):
            side = "most" if decision.kind == "lighter" else "least"
            words = f"the cluster of point {int(decision.point)} weighs at {side} {decision.weight:g}"
        elif decision is not None:
            words = f"points {int(decision.i)} and {int(decision.j)} {'together' if decision.kind == 'ML' else 'apart'}"
        bound = float(record.lower_bound)
        parent = None if record.parent is None else int(record.parent)
        closing = record.end.words
        return cls(int(record.node), parent, words, closing, bound if 0.0 < bound < math.inf else None)


def nodes_of(records: Iterable[NodeRecord]) -> tuple[Node, ...]:
    """Return the nodes of a tree, each as the last of its records says: what was left open may be gone on with."""
    return tuple({record.node: Node.of(record) for record in records}.values())


class Place(NamedTuple):
    """Where a node stands in a drawing: leaves side by side, parents above the middle of their children."""

    across: float
    depth: int


def placed(nodes: Sequence[Node]) -> dict[int, Place]:
    """Return where the nodes stand that the root leads to."""
    children: dict[int | None, list[int]] = {}
    for node in nodes:
        children.setdefault(node.parent, []).append(node.number)
    places: dict[int, Place] = {}
    num_leaves = 0
    stack = [(number, 0, False) for number in children.get(None, [])]
    while stack:
        number, depth, is_below_done = stack.pop()
        own = children.get(number, [])
        if not own:
            places[number] = Place(float(num_leaves), depth)
            num_leaves += 1
        elif is_below_done:
            places[number] = Place(sum(places[child].across for child in own) / len(own), depth)
        else:
            stack.append((number, depth, True))
            stack.extend((child, depth + 1, False) for child in reversed(own))
    return places


def tree_figure(nodes: Sequence[Node]) -> Figure:
    """Return the tree: the root above, its leaves side by side."""
    places = placed(nodes)
    shown = [node for node in nodes if node.number in places]
    across: list[float | None] = []
    down: list[float | None] = []
    for node in shown:
        if node.parent in places:
            here, above = places[node.number], places[node.parent]
            across += [above.across, here.across, None]
            down += [above.depth, here.depth, None]
    traces: list[Trace] = [lines(across, down, {"width": 1, "color": "rgba(127, 127, 127, 0.7)"})]
    for number, closing in enumerate(kind.words for kind in KINDS.values()):
        if own := [node for node in shown if node.closing == closing]:
            traces.append({
                "type": "scattergl" if len(shown) > MANY else "scatter",
                "x": [places[node.number].across for node in own],
                "y": [places[node.number].depth for node in own],
                "text": [_described(node) for node in own],
                "mode": "markers",
                "name": closing,
                "marker": {"size": 9, "color": colour(number), "symbol": symbol(number)},
                "hovertemplate": "%{text}<extra>" + closing + "</extra>",
            })  # fmt: skip
    figure = plot(traces, "", "depth", 380)
    figure.update_yaxes(autorange="reversed", dtick=max(1, max(place.depth for place in places.values()) // 8))
    figure.update_xaxes(visible=False)
    return figure


def _described(node: Node) -> str:
    bound = "" if node.lower_bound is None else f"<br>bound {node.lower_bound:.10g}"
    return f"node {node.number}: {node.decision}{bound}"


ON_A_LINE = (
    "The points lie on a line, where the best clusters are intervals. Point by point from the left, the least cost of "
    "all points so far was computed, with a penalty for each interval; the last of these costs, less the penalties, is "
    "the bound."
)
LEFT_OUT = " Whatever else is asked of clusters was left out: with it no division costs less."
ALONE = "One node, the root, is all that was needed."
NOTE = (
    "Each node stands for all divisions in which certain points are together and others apart. Where one that is "
    "divided has nothing below it, what is below was left open."
)


def tree_section(nodes: Sequence[Node], figures: Figures) -> Section:
    """Return the tree, and how its nodes ended."""
    counted = how_they_ended(nodes)
    content = join([element("p", ALONE), counted]) if len(nodes) == 1 else join([counted, tree(nodes, figures)])
    return Section("tree", "The tree of the proof", content)


def line_section(*, is_all: bool) -> Section:
    """Return what proves the bound on a line, where that is all that is asked or something was left out."""
    return Section("line", "The proof on a line", element("p", ON_A_LINE + ("" if is_all else LEFT_OUT)))


def how_they_ended(nodes: Sequence[Node]) -> Markup:
    """Return how many nodes ended in which way."""
    counts = Counter(node.closing for node in nodes)
    rows = [(kind.words, f"{counts[kind.words]:,}") for kind in KINDS.values() if counts[kind.words]]
    return table("Nodes", ("how they ended", "number"), rows)


def tree(nodes: Sequence[Node], figures: Figures, name: str = "tree-figure") -> Markup:
    """Return the tree in a picture of that name, and as a table."""
    figures[name] = tree_figure(nodes)
    listed = [
        (
            str(node.number),
            "-" if node.parent is None else str(node.parent),
            node.decision,
            node.closing,
            "-" if node.lower_bound is None else f"{node.lower_bound:.10g}",
        )
        for node in nodes
    ]
    header = ("node", "parent", "what it adds", "how it ended", "bound")
    all_nodes = folded("All nodes", cut_table("Nodes in the order of their end", header, listed))
    return join([drawing(name, f"The tree with {len(nodes):,} nodes", NOTE), all_nodes])
