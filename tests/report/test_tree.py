import math

import numpy as np

from pcsos.base.events import BlockBounded, BoundImproved, CutRound, IncumbentFound, Notice, RunStarted
from pcsos.evidence.kinds import Bound, Branching, Infeasible, Open
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import Decision, Evidence, NodeRecord
from pcsos.problem.reduction import WeightBound
from pcsos.report.course import Course, Milestone
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


def test_bounds_of_weights_are_said_in_words() -> None:
    bound = WeightBound("lighter", 3, 2.5)
    said = [
        Node.of(NodeRecord(1, 0, own, (Open(Multipliers.none(2), 2.0),))).decision for own in (bound, bound.opposite)
    ]
    assert said == [f"the cluster of point 3 weighs at {side} 2.5" for side in ("most", "least")]


def test_bounds_rise_and_incumbents_fall() -> None:
    course = Course.of(
        [
            RunStarted(9, 2, 3, 9, 0),
            IncumbentFound(12.0, "K", 0.1),
            CutRound(0, 9, 7.0, 0, 0, 0.2),
            CutRound(0, 9, 11.9, 5, 4, 0.3),  # of what is left after pairs were fixed
            CutRound(1, 9, 11.8, 5, 0, 0.4),  # of one node alone
            IncumbentFound(13.0, "M", 0.5),
            IncumbentFound(11.0, "M", 0.6),
            BoundImproved(10.0, 0.7),
            BoundImproved(9.0, 0.8),
            Notice("a note"),
            BlockBounded(3, 0.1, 1, 2, 10.5, 0.05, 0.04, 0.9),
        ]
    )
    assert [step.value for step in course.bounds] == [7.0, 10.0, 10.5]
    assert [step.seconds for step in course.bounds] == [0.2, 0.7, 0.9]
    assert course.incumbents == (
        Milestone(0.1, 12.0, "IPC-k-means from k-means++ centres"),
        Milestone(0.6, 11.0, "S-MDEClust"),
    )


def test_the_clock_of_a_resumed_run_goes_on() -> None:
    start = RunStarted(9, 2, 3, 9, 0)
    course = Course.of([start, BoundImproved(1.0, 5.0), start, BoundImproved(2.0, 1.0), start, BoundImproved(3.0, 1.0)])
    assert [step.seconds for step in course.bounds] == [5.0, 6.0, 7.0]


def test_what_is_no_number_is_left_out() -> None:
    hostile = "<script>"
    course = Course.of(
        [
            IncumbentFound(hostile, hostile, hostile),  # type: ignore[arg-type]
            IncumbentFound(None, "K", math.nan),  # type: ignore[arg-type]
            BoundImproved(math.inf, 1.0),
            BoundImproved(True, 1.0),
            IncumbentFound(4.0, hostile, 1.0),
        ]
    )
    assert course == Course((), (Milestone(1.0, 4.0, "an earlier part of the run"),))
