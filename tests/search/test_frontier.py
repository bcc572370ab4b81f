"""The frontier: the order of open nodes, and the bound of a run."""

import math
from dataclasses import replace

from pcsos.search.frontier import Frontier
from pcsos.search.task import State, Task


def frontier_of(first: float, *others: float) -> Frontier:
    frontier = Frontier(Task(0, None, None, State(), first))
    for bound in others:
        frontier.push(Task(frontier.new_node(), None, None, State(), bound))
    return frontier


def test_nodes_come_in_the_order_of_their_bounds_and_then_of_their_age() -> None:
    frontier = frontier_of(3.0, 1.0, 2.0, 1.0)
    assert [frontier.pop().node for _ in range(3)] == [1, 3, 2]
    assert frontier.first.node == 0


def test_the_bound_is_the_least_of_what_is_open_and_what_was_closed() -> None:
    frontier = frontier_of(3.0, 2.0)
    assert frontier.lower_bound == 2.0
    frontier.close(frontier.pop().node, math.inf)
    assert (frontier.lower_bound, frontier.closed_bound) == (3.0, math.inf)
    frontier.close(frontier.pop().node, 2.5)
    assert (frontier.lower_bound, frontier.closed_bound, len(frontier)) == (2.5, 2.5, 0)


def test_a_node_that_is_handed_out_stays_open_until_it_is_closed() -> None:
    frontier = frontier_of(3.0, 2.0, 4.0)
    handed_out = frontier.pop()
    assert (len(frontier), frontier.lower_bound, frontier.first_bound) == (3, 2.0, 3.0)
    frontier.close(handed_out.node, 9.0)
    assert (len(frontier), frontier.lower_bound) == (2, 3.0)
    frontier.pop()
    frontier.pop()
    assert (len(frontier), frontier.lower_bound, frontier.first_bound) == (2, 3.0, math.inf)


def test_a_node_that_is_pushed_back_waits_with_what_is_known_of_it_by_then() -> None:
    frontier = frontier_of(3.0, 2.0)
    frontier.push(replace(frontier.pop(), lower_bound=2.5))
    assert (len(frontier), frontier.lower_bound, frontier.first.node) == (2, 2.5, 1)


def test_a_node_is_taken_by_its_number() -> None:
    frontier = frontier_of(1.0, 2.0, 3.0, 4.0)
    taken = frontier.take(0)
    assert taken is not None
    assert taken.node == 0
    assert frontier.take(0) is None
    assert frontier.lower_bound == 1.0
    assert [frontier.pop().node for _ in range(3)] == [1, 2, 3]
