"""The tree of a run as people see it: where each node stands, and how it was closed."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from pcsos.evidence.node import NodeRecord


class Node(NamedTuple):
    """A node of the tree."""

    number: int
    parent: int | None
    decision: str  #: what it adds to its parent, in words
    closing: str  #: how it was closed, in words
    lower_bound: float | None

    @classmethod
    def of(cls, record: NodeRecord) -> "Node":
        """Return what a record of the run says; whoever wrote it, its numbers are numbers."""
        decision = record.decision
        words = "all partitions"
        if decision is not None:
            words = f"points {int(decision.i)} and {int(decision.j)} {'together' if decision.kind == 'ML' else 'apart'}"
        bound = float(record.lower_bound)
        parent = None if record.parent is None else int(record.parent)
        closing = record.closing.words
        return cls(int(record.node), parent, words, closing, bound if math.isfinite(bound) else None)


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
