"""Each tier by itself: folding of trees, search, linear assignment, integer program."""

import numpy as np
import pytest

from pcsos.presolve.colouring.branch_and_bound import NO_COLOURING, SEARCHED, UNDECIDED, search_colouring
from pcsos.presolve.colouring.dual_ascent import ascend
from pcsos.presolve.colouring.local_search import improve_colouring
from pcsos.presolve.colouring.minimum_cost import colour_hard_region
from pcsos.problem.conflict_graph import ConflictGraph
from tests.presolve.colouring.brute_force import (
    cheapest,
    clique,
    colourings,
    cycle,
    is_proper,
    random_edges,
    random_tree,
)


@pytest.mark.parametrize("seed", range(120))
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


@pytest.mark.parametrize("seed", range(60))
def test_dual_ascent_bounds_all_colourings(seed: int) -> None:
    """For any labels, the excess of all nodes together is paid; and the labels kept are as cheap as it says."""
    rng = np.random.default_rng(seed)
    size, k = int(rng.integers(2, 8)), int(rng.integers(2, 5))
    edges = random_edges(rng, size, rng.choice([0.4, 0.7]))
    costs = rng.random((size, k))
    if seed % 4 == 0:
        costs[rng.random((size, k)) < 0.2] = np.inf
        costs[:, 0] = rng.random(size)
    graph = ConflictGraph.build(size, edges)
    labels = np.full(size, -1, np.intp)
    lower, upper, potential = ascend(costs, graph.edges, graph.indptr, graph.indices, 60, 1e-12, labels)
    every = colourings(size, edges, k)
    values = costs[np.arange(size), every].sum(axis=1)
    assert (lower <= values + 1e-9).all()
    if np.isfinite(lower) and np.isfinite(values).any():
        excess = (potential - potential.min(axis=1, keepdims=True))[np.arange(size), every].sum(axis=1)
        possible = np.isfinite(values)
        assert (lower + excess[possible] <= values[possible] + 1e-9).all()
    if np.isfinite(upper):
        assert is_proper(labels, edges)
        assert costs[np.arange(size), labels].sum() == pytest.approx(upper, rel=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_dual_ascent_is_tight_on_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges, costs = random_tree(rng, 7), rng.random((7, 3))
    graph = ConflictGraph.build(7, edges)
    labels = np.full(7, -1, np.intp)
    lower, upper, _ = ascend(costs, graph.edges, graph.indptr, graph.indices, 500, 1e-12, labels)
    best = cheapest(costs, colourings(7, edges, 3))
    assert upper == pytest.approx(best, rel=1e-9)
    assert lower == pytest.approx(best, rel=1e-3)


@pytest.mark.parametrize("seed", range(20))
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
