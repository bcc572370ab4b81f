"""Colours by regret are proper, allowed and not far from the cheapest; nothing is claimed where they run out."""

import numpy as np
import pytest

from pcsos.presolve.colouring.local_search import colour_by_regret, colour_in_turn, place_by_ejection
from pcsos.problem.conflict_graph import ConflictGraph
from tests.presolve.colouring.brute_force import cheapest, clique, colourings, random_edges


def random_problem(seed: int) -> tuple[np.ndarray, ConflictGraph]:
    rng = np.random.default_rng(seed)
    s, k = int(rng.integers(1, 8)), int(rng.integers(1, 5))
    costs = rng.random((s, k))
    costs[rng.random((s, k)) < 0.1] = np.inf
    return costs, ConflictGraph.build(s, random_edges(rng, s, 0.4))


def test_colours_are_proper_and_mostly_found_where_there_are_any() -> None:
    found, possible = 0, 0
    for seed in range(300):
        costs, graph = random_problem(seed)
        labels = colour_by_regret(costs, graph)
        least = cheapest(costs, colourings(graph.size, graph.edges, costs.shape[1]))
        possible += np.isfinite(least)
        if labels is None:
            continue
        found += 1
        assert (labels[graph.edges[:, 0]] != labels[graph.edges[:, 1]]).all()
        cost = costs[np.arange(graph.size), labels].sum()
        assert np.isfinite(cost)
        assert cost >= least - 1e-12
    assert found == possible > 100


def test_whoever_finds_no_colour_ejects_neighbours() -> None:
    """Graphs with a hidden colouring, so many edges that colours in turn run out on most of them."""
    stuck = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        s, k = 60, 6
        hidden = rng.permutation(np.arange(s) % k)
        i, j = np.triu_indices(s, 1)
        edges = np.column_stack([i, j])[(hidden[i] != hidden[j]) & (rng.random(i.size) < 0.25)]
        graph, costs = ConflictGraph.build(s, edges), rng.random((s, k))
        in_turn = np.full(s, -1, np.intp)
        stuck += not colour_in_turn(costs, graph.indptr, graph.indices, in_turn)
        i, j = edges.T
        is_coloured = (in_turn[i] >= 0) & (in_turn[j] >= 0)
        assert (in_turn[i] != in_turn[j])[is_coloured].all()
        labels = colour_by_regret(costs, graph)
        assert labels is not None
        assert labels.min() >= 0
        assert (labels[i] != labels[j]).all()
    assert stuck > 20


def test_ejection_is_given_up_where_there_is_no_colouring() -> None:
    graph, labels = ConflictGraph.build(5, clique(5)), np.full(5, -1, np.intp)
    assert not place_by_ejection(np.ones((5, 4)), graph.indptr, graph.indices, labels, 1000)
    assert colour_by_regret(np.full((2, 3), np.inf), ConflictGraph.build(2, [(0, 1)])) is None


def test_nodes_without_neighbours_take_their_cheapest_colour() -> None:
    costs = np.random.default_rng(0).random((9, 4))
    labels = colour_by_regret(costs, ConflictGraph.build(9, []))
    assert labels is not None
    assert labels.tolist() == costs.argmin(axis=1).tolist()


def test_who_would_lose_more_chooses_first() -> None:
    labels = colour_by_regret(np.array([[0.0, 1.0], [0.0, 5.0]]), ConflictGraph.build(2, [(0, 1)]))
    assert labels is not None
    assert labels.tolist() == [1, 0]


@pytest.mark.parametrize("k", [1, 2])
def test_too_few_colours_are_no_colouring(k: int) -> None:
    assert colour_by_regret(np.ones((3, k)), ConflictGraph.build(3, [(0, 1), (1, 2), (0, 2)])) is None
