"""The tree of a proof."""

from collections import Counter
from collections.abc import Sequence

from pcsos.evidence.closings import CLOSINGS, LineClosing
from pcsos.report.figures.tree import tree_figure
from pcsos.report.markup import Markup, element, join, table
from pcsos.report.section import Figures, Section, cut_table, drawing, folded
from pcsos.report.tree import Node

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
    """Return the tree, and how its nodes ended; a line needs none."""
    if is_a_line(nodes):
        return line_section(is_all=True)
    counted = how_they_ended(nodes)
    content = join([element("p", ALONE), counted]) if len(nodes) == 1 else join([counted, tree(nodes, figures)])
    return Section("tree", "The tree of the proof", content)


def is_a_line(nodes: Sequence[Node]) -> bool:
    """Tell whether the bound of a line is the whole tree."""
    return len(nodes) == 1 and nodes[0].closing == LineClosing.words


def line_section(*, is_all: bool) -> Section:
    """Return what proves the bound on a line, where that is all that is asked or something was left out."""
    return Section("line", "The proof on a line", element("p", ON_A_LINE + ("" if is_all else LEFT_OUT)))


def how_they_ended(nodes: Sequence[Node]) -> Markup:
    """Return how many nodes ended in which way."""
    counts = Counter(node.closing for node in nodes)
    rows = [(kind.words, f"{counts[kind.words]:,}") for kind in CLOSINGS if counts[kind.words]]
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
