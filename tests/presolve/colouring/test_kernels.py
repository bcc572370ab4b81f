"""Each tier by itself: search, descents, and colours by regret, which claim nothing where they run out."""

import numpy as np
import pytest

from pcsos.presolve.colouring.branch_and_bound import NO_COLOURING, SEARCHED, UNDECIDED, search_colouring
from pcsos.presolve.colouring.local_search import colour_by_regret, colour_in_turn, improve_colouring
from pcsos.presolve.colouring.minimum_cost import colour_hard_region
from pcsos.problem.conflict_graph import ConflictGraph
from tests.presolve.colouring.brute_force import (
    cheapest,
    clique,
    colourings,
    cycle,
    is_proper,
    random_edges,
)
from tests.slow import first_few


@pytest.mark.parametrize("seed", first_few(16, range(120)))
def test_search_equals_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, k = int(rng.integers(2, 8)), int(rng.integers(1, 5))
    edges = cycle(size) if seed % 4 == 0 and size > 2 else random_edges(rng, size, rng.choice([0.4, 0.7, 1.0]))
    costs = np.round(3 * rng.random((size, k))) if seed % 3 == 0 else rng.random((size, k))
    if seed % 5 == 0:
        costs[rng.random((size, k)) < 0.2] = np.inf
    graph = ConflictGraph.build(size, edges)
    labels = np.empty(size, np.intp)
    status = search_colouring(costs, graph.indptr, graph.indices, 10**7, labels)
    best = cheapest(costs, colourings(size, edges, k))
    if np.isinf(best):
        assert status == NO_COLOURING
    else:
        assert status == SEARCHED
        assert is_proper(labels, edges)
        assert costs[np.arange(size), labels].sum() == pytest.approx(best, rel=1e-12, abs=1e-12)


def test_search_gives_up_when_the_budget_is_used_up() -> None:
    rng = np.random.default_rng(0)
    graph = ConflictGraph.build(30, clique(30))
    status = search_colouring(rng.random((30, 30)), graph.indptr, graph.indices, 10_000, np.empty(30, np.intp))
    assert status == UNDECIDED


def test_an_incumbent_does_not_change_the_optimum() -> None:
    rng = np.random.default_rng(3)
    edges = cycle(7)
    costs = rng.random((7, 4))
    graph = ConflictGraph.build(7, edges)
    every = colourings(7, edges, 4)
    incumbent = every[np.argsort(costs[np.arange(7), every].sum(axis=1))[5]]
    labels = colour_hard_region(costs.copy(), graph, incumbent=incumbent).labels
    assert labels is not None
    assert costs[np.arange(7), labels].sum() == pytest.approx(cheapest(costs, every), rel=1e-12)


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_descent_stays_proper_and_gets_cheaper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges, costs = random_edges(rng, 7, 0.4), rng.random((7, 4))
    every = colourings(7, edges, 4)
    if len(every) == 0:
        pytest.skip("the graph has no colouring")
    labels = every[np.argmax(costs[np.arange(7), every].sum(axis=1))].copy()
    before = costs[np.arange(7), labels].sum()
    graph = ConflictGraph.build(7, edges)
    improve_colouring(costs, graph.indptr, graph.indices, labels)
    assert is_proper(labels, edges)
    assert costs[np.arange(7), labels].sum() < before


def test_descent_makes_a_neighbour_give_way() -> None:
    costs = np.array([[0.0, 10.0], [1.0, 2.0]])
    graph = ConflictGraph.build(2, [(0, 1)])
    labels = np.array([1, 0])
    improve_colouring(costs, graph.indptr, graph.indices, labels)
    assert labels.tolist() == [0, 1]


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


def test_a_tabu_search_colours_what_is_left() -> None:
    """Graphs with a hidden colouring, so many edges that colours in turn run out on most of them."""
    stuck = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        s, k = 60, 6
        hidden = rng.permutation(np.arange(s) % k)
        i, j = np.triu_indices(s, 1)
        edges = np.column_stack([i, j])[(hidden[i] != hidden[j]) & (rng.random(i.size) < 0.25)]
        graph, costs = ConflictGraph.build(s, edges), rng.random((s, k))
        in_turn, urgency = np.full(s, -1, np.intp), np.empty(s)
        stuck += not colour_in_turn(costs, graph.indptr, graph.indices, in_turn, urgency, urgency.view(np.int64))
        i, j = edges.T
        is_coloured = (in_turn[i] >= 0) & (in_turn[j] >= 0)
        assert (in_turn[i] != in_turn[j])[is_coloured].all()
        labels = colour_by_regret(costs, graph)
        assert labels.min() >= 0
        assert (labels[i] != labels[j]).all()
    assert stuck > 20


def test_a_colouring_is_given_up_where_there_is_none() -> None:
    assert colour_by_regret(np.ones((5, 4)), ConflictGraph.build(5, clique(5))) is None
    assert colour_by_regret(np.full((2, 3), np.inf), ConflictGraph.build(2, [(0, 1)])) is None


def test_nodes_without_neighbours_take_their_cheapest_colour() -> None:
    costs = np.random.default_rng(0).random((9, 4))
    labels = colour_by_regret(costs, ConflictGraph.build(9, []))
    assert labels.tolist() == costs.argmin(axis=1).tolist()


def test_who_would_lose_more_chooses_first() -> None:
    labels = colour_by_regret(np.array([[0.0, 1.0], [0.0, 5.0]]), ConflictGraph.build(2, [(0, 1)]))
    assert labels.tolist() == [1, 0]


@pytest.mark.parametrize("k", [1, 2])
def test_too_few_colours_are_no_colouring(k: int) -> None:
    assert colour_by_regret(np.ones((3, k)), ConflictGraph.build(3, [(0, 1), (1, 2), (0, 2)])) is None
