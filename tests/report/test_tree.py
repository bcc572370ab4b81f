import numpy as np

from pcsos.evidence.kinds import Bound, Branching, Infeasible, Open
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import Decision, Evidence, NodeRecord
from pcsos.report.tree import Node, Place, nodes_of, placed


def node(number: int, parent: int | None) -> Node:
    return Node(number, parent, "", "divided into two", 1.0)


def test_leaves_stand_side_by_side_and_parents_above_their_middle() -> None:
    nodes = [node(0, None), node(1, 0), node(2, 0), node(3, 2), node(4, 2)]
    assert placed(nodes) == {
        0: Place(0.75, 0),
        1: Place(0.0, 1),
        2: Place(1.5, 1),
        3: Place(1.0, 2),
        4: Place(2.0, 2),
    }


def test_nodes_that_no_root_leads_to_have_no_place() -> None:
    assert placed([node(0, None), node(5, 6), node(6, 5), node(7, 99)]) == {0: Place(0.0, 0)}


def test_a_deep_tree_needs_no_deep_recursion() -> None:
    chain = [node(0, None)] + [node(i, i - 1) for i in range(1, 5000)]
    assert placed(chain)[4999] == Place(0.0, 4999)


def test_nodes_that_were_gone_on_with_are_told_once() -> None:
    def record(node: int, *evidence: Evidence) -> NodeRecord:
        return NodeRecord(node, 0 if node else None, Decision("ML", 0, 1) if node else None, evidence)

    some, none = Multipliers.none(2), Infeasible(np.empty(0, np.int64))
    root = record(0, Bound(some, 1.0), Branching(Decision("ML", 0, 1), 0.0))
    left = [record(1, Open(some, 2.0)), record(2, Open(some, 1.5))]
    found = nodes_of([root, *left, record(1, Bound(some, 3.0)), record(2, none)])
    ends = [(node.number, node.closing, node.lower_bound) for node in found]
    assert ends == [(0, Branching.words, 1.0), (1, Bound.words, 3.0), (2, none.words, None)]
