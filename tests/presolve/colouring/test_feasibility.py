import itertools

import numpy as np
import pytest

from pcsos.base.exceptions import InfeasibleError
from pcsos.presolve.colouring.feasibility import find_colouring
from pcsos.presolve.colouring.k_colouring import GAVE_UP, try_colouring
from pcsos.presolve.colouring.local_search import colour_by_regret
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import Budget
from pcsos.problem.params import ColouringParams
from tests.presolve.colouring.brute_force import Edges, clique, colourings, cycle, is_proper, random_edges


def wheel(spokes: int) -> Edges:
    return np.vstack([cycle(spokes), [(spokes, v) for v in range(spokes)]])


def check_witness(witness: dict[str, object], size: int, edges: Edges, k: int) -> str:
    adjacent = ConflictGraph.build(size, edges).adjacency()
    points = witness.get("points", [])
    assert isinstance(points, list)
    if witness["kind"] == "clique":
        assert len(points) == k + 1
        assert all(adjacent[i, j] for i, j in itertools.combinations(points, 2))
    elif witness["kind"] == "odd_cycle":
        assert k == 2
        assert len(set(points)) == len(points)
        assert len(points) % 2 == 1
        assert all(adjacent[points[t - 1], points[t]] for t in range(len(points)))
    elif witness["kind"] == "too_few_points":
        assert size < k
    else:
        assert witness == {"kind": "colouring"}
    return str(witness["kind"])


def test_find_colouring_equals_brute_force() -> None:
    kinds = set()
    for seed in range(600):
        rng = np.random.default_rng(seed)
        size, k = int(rng.integers(1, 8)), int(rng.integers(1, 5))
        edges = random_edges(rng, size, rng.choice([0.1, 0.3, 0.5, 0.8]))
        exists = len(colourings(size, edges, k, set(range(k)))) > 0
        try:
            labels = find_colouring(ConflictGraph.build(size, edges), k)
        except InfeasibleError as error:
            assert not exists
            kinds.add(check_witness(error.witness, size, edges, k))
        else:
            assert exists
            assert is_proper(labels, edges)
            assert set(labels) == set(range(k))
    assert kinds >= {"clique", "odd_cycle", "too_few_points"}


@pytest.mark.parametrize("ilp", ["gurobi", "highs"])
def test_what_no_clique_shows_is_proved_by_search(ilp: str) -> None:
    budget = Budget(ilp=ilp, params=ColouringParams(quick_steps=0))
    with pytest.raises(InfeasibleError) as caught:
        find_colouring(ConflictGraph.build(10, wheel(7)), 3, budget=budget)
    assert caught.value.witness == {"kind": "colouring"}
    labels = find_colouring(ConflictGraph.build(10, wheel(7)), 4, budget=budget)
    assert is_proper(labels, wheel(7))
    assert set(labels) == {0, 1, 2, 3}


def test_the_program_colours_what_the_searches_miss() -> None:
    budget = Budget(params=ColouringParams(quick_steps=0, tabu_steps=0, refutation_steps=0))
    edges = wheel(6)
    labels = find_colouring(ConflictGraph.build(7, edges), 3, budget=budget)
    assert is_proper(labels, edges)


def test_a_long_odd_cycle_is_named() -> None:
    edges = np.vstack([cycle(31) + 5, [(0, 5), (1, 0)]])
    with pytest.raises(InfeasibleError) as caught:
        find_colouring(ConflictGraph.build(40, edges), 2)
    assert sorted(caught.value.witness["points"]) == list(range(5, 36))  # type: ignore[call-overload]


def test_a_clique_in_a_large_graph_is_named() -> None:
    rng = np.random.default_rng(0)
    nodes = rng.permutation(300)[:7]
    edges = np.vstack([random_edges(rng, 300, 0.03), nodes[clique(7)]])
    with pytest.raises(InfeasibleError) as caught:
        find_colouring(ConflictGraph.build(300, edges), 6)
    assert check_witness(caught.value.witness, 300, edges, 6) == "clique"


def test_tabu_search_finds_a_hidden_colouring_that_dsatur_misses() -> None:
    rng = np.random.default_rng(5)
    hidden = rng.integers(8, size=400)
    edges = random_edges(rng, 400, 0.1)
    edges = edges[hidden[edges[:, 0]] != hidden[edges[:, 1]]]
    graph = ConflictGraph.build(400, edges)
    assert try_colouring(graph, 8, 20_000)[0] == GAVE_UP
    labels = colour_by_regret(np.zeros((400, 8)), graph, 100_000)
    assert labels is not None
    assert is_proper(labels, edges)
    assert is_proper(find_colouring(graph, 8), edges)
