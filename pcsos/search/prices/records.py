"""Records: what nodes prove, as a run file holds it: prices of the super-points of each state."""

from collections.abc import Mapping

import numpy as np

from pcsos.base.typing import Indices
from pcsos.evidence.closings import Branching, PriceClosing
from pcsos.evidence.node import Decision, NodeRecord
from pcsos.problem.conditions.pairs import connected_components
from pcsos.problem.reduction import Reduced
from pcsos.search.prices.nodes import PriceNode

#: What groups cost inside counts a little less: where that is far more than they pay, rounding must not hide a share of
#: all prices. Whoever pays more than that earns more by a tiny share of it, far less than a stated bound leaves.
FEWER = 1.0 - 2.0**-40


def lower_bound_of(nodes: Mapping[int, PriceNode]) -> float:
    """Return what all leaves together prove."""
    return min(node.best.lower_bound for node in nodes.values() if node.pair is None)


def records_of(nodes: Mapping[int, PriceNode], reduced: Reduced, seconds: float) -> tuple[NodeRecord, ...]:
    """Return the records of a tree whose nodes share these seconds."""
    return tuple(_record(nodes, node, reduced, seconds / len(nodes)) for node in nodes.values())


def _record(nodes: Mapping[int, PriceNode], node: PriceNode, reduced: Reduced, seconds: float) -> NodeRecord:
    bound, decision = node.best.lower_bound, None
    if node.parent is not None and node.kind is not None:
        decision = _decision(node.kind, nodes[node.parent].pair, reduced)
    if node.pair is not None:
        branching = Branching(_decision("ML", node.pair, reduced))
        return NodeRecord(node.number, node.parent, decision, (), branching, bound, seconds)
    group = connected_components(reduced.size, _together(nodes, node))
    closing = PriceClosing(
        _prices(node, reduced, group),
        bound,
        tuple(tuple(group[knot].tolist()) for knot in node.knots if len(knot) > 1),
        node.best.axes,
    )
    return NodeRecord(node.number, node.parent, decision, (), closing, bound, seconds)


def _decision(kind: str, pair: tuple[int, int] | None, reduced: Reduced) -> Decision:
    """Return the decision about points that stand for two super-points."""
    assert pair is not None
    i, j = sorted(int(reduced.representative[one]) for one in pair)
    return Decision("ML" if kind == "ML" else "CL", i, j)


def _together(nodes: Mapping[int, PriceNode], node: PriceNode) -> Indices:
    """Return the pairs of super-points that are together in a node, shape (m, 2)."""
    pairs = []
    while node.parent is not None:
        above = nodes[node.parent]
        if node.kind == "ML":
            pairs.append(above.pair)
        node = above
    return np.array(pairs, np.intp).reshape(-1, 2)


def _prices(node: PriceNode, reduced: Reduced, group: Indices) -> np.ndarray:
    """Return the prices of groups of super-points: theirs together, less what they cost inside."""
    weights = np.bincount(group, reduced.weights)
    means = np.column_stack([np.bincount(group, reduced.weights * column) for column in reduced.means.T])
    away = reduced.means - (means / weights[:, None])[group]
    inside = reduced.weights * (away**2).sum(axis=1) * (np.bincount(group)[group] > 1)
    return np.asarray(np.bincount(group, node.best.prices) - FEWER * np.bincount(group, inside))
