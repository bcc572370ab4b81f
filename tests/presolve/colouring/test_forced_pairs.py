import itertools

import numpy as np
import pytest

from pcsos.presolve.colouring.forced_pairs import forced_pairs
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.params import ColouringParams
from tests.presolve.colouring.brute_force import clique, colourings, cycle, random_edges
from tests.slow import shares


def check(size: int, edges: np.ndarray, k: int) -> list[tuple[str, int, int, list[int]]]:
    adjacent = ConflictGraph.build(size, edges).adjacency()
    every = colourings(size, edges, k)
    found = forced_pairs(ConflictGraph.build(size, edges), k)
    for kind, i, j, witness in found:
        assert i < j
        assert not adjacent[i, j]
        assert all(adjacent[a, b] for a, b in itertools.combinations(witness, 2))
        if kind == "ML":
            assert len(witness) == k - 1
            assert adjacent[i, witness].all()
            assert adjacent[j, witness].all()
            assert (every[:, i] == every[:, j]).all()
        else:
            assert kind == "CL"
            assert len(witness) == k
            assert (adjacent[i, witness] | adjacent[j, witness]).all()
            assert (every[:, i] != every[:, j]).all()
    return found


@pytest.mark.parametrize("seeds", shares(80, 400))
def test_every_forced_pair_holds_in_all_colourings(seeds: range) -> None:
    kinds = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        size, k = int(rng.integers(2, 9)), int(rng.integers(1, 5))
        kinds += [pair[0] for pair in check(size, random_edges(rng, size, rng.choice([0.3, 0.5, 0.7])), k)]
    assert kinds.count("ML") > 0.25 * len(seeds)


def test_two_nodes_beside_an_edge_of_a_triangle() -> None:
    assert [p[:3] for p in check(5, np.array([(0, 1), (0, 2), (1, 2), (3, 1), (3, 2)]), 3)] == [("ML", 0, 3)]


def test_a_clique_covered_by_two_nodes() -> None:
    """Node 3 sees node 0 of a triangle, node 4 the other two; as node 4 then shares the colour of node 0: forced."""
    edges = np.vstack([clique(4), [(4, 0), (4, 1), (5, 2), (5, 3)]])
    assert [p[:3] for p in check(6, edges, 4)] == [("CL", 4, 5)]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_for_two_clusters_an_even_cycle_falls_into_its_two_sides(size: int) -> None:
    found = check(size, cycle(size), 2)
    assert len(found) == size - 2
    graph = ConflictGraph.build(size, [(i, j) for _, i, j, _ in found])
    assert graph.num_components == 2
    assert graph.component.tolist() == [0, 1] * (size // 2)


def test_nothing_to_force() -> None:
    assert forced_pairs(ConflictGraph.build(5, []), 3) == []
    assert forced_pairs(ConflictGraph.build(5, [(0, 1)]), 1) == []
    assert forced_pairs(ConflictGraph.build(5, cycle(5)), 3) == []


def test_labels_all_given_collapse_to_one_node_a_cluster() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(6, size=300)
    edges = np.argwhere(np.triu(labels[:, None] != labels))
    found = forced_pairs(ConflictGraph.build(300, edges), 6)
    assert len(found) == 300 - 6
    assert all(kind == "ML" and labels[i] == labels[j] for kind, i, j, _ in found)


def test_a_small_allowance_returns_fewer_pairs_but_valid_ones() -> None:
    """Disjoint cliques, each covered by two nodes of its own: without must-links every pair is found."""
    block = np.vstack([clique(4), [(4, 0), (4, 1), (5, 2), (5, 3)]])
    edges = np.vstack([block + 6 * t for t in range(8)])
    graph = ConflictGraph.build(48, edges)
    assert len(forced_pairs(graph, 4)) == 8
    few = forced_pairs(graph, 4, ColouringParams(forced_intersections=1))
    assert 1 <= len(few) < 8
    assert all(kind == "CL" and j == i + 1 and i % 6 == 4 for kind, i, j, _ in few)
