"""The frontier: the order of open nodes, and the bound of a run."""

import math

from pcsos.tree.frontier import Frontier
from pcsos.tree.task import State, Task


def frontier_of(first: float, *others: float) -> Frontier:
    frontier = Frontier(Task(0, None, None, State(), first))
    for bound in others:
        frontier.push(Task(frontier.new_node(), None, None, State(), bound))
    return frontier


def test_nodes_come_in_the_order_of_their_bounds_and_then_of_their_age() -> None:
    frontier = frontier_of(3.0, 1.0, 2.0, 1.0)
    assert [task.node for task in frontier.pop(3)] == [1, 3, 2]
    assert len(frontier) == 1
    assert frontier.first.node == 0


def test_the_bound_is_the_least_of_what_is_open_and_what_was_closed() -> None:
    frontier = frontier_of(3.0, 2.0)
    assert frontier.lower_bound == 2.0
    frontier.close(2.5)
    frontier.close(math.inf)
    frontier.pop(1)
    assert (frontier.lower_bound, frontier.closed_bound) == (2.5, 2.5)
    frontier.pop(1)
    assert frontier.lower_bound == 2.5


def test_a_node_is_taken_by_its_number() -> None:
    frontier = frontier_of(1.0, 2.0, 3.0, 4.0)
    taken = frontier.take(0)
    assert taken is not None
    assert taken.node == 0
    assert frontier.take(0) is None
    assert [task.node for task in frontier.pop(3)] == [1, 2, 3]
