import numpy as np
import pytest

from pcsos.heuristics.assignment.greedy import greedy_assign, greedy_without
from pcsos.problem.conflict_graph import ConflictGraph
from tests.presolve.colouring.brute_force import random_edges


def literal_greedy(costs: np.ndarray, edges: np.ndarray) -> list[int]:
    """Algorithm 2 word by word."""
    size, k = costs.shape
    labels: dict[int, int] = {}
    for v in range(size):
        friends = {int(a + b - v) for a, b in edges if v in (a, b)}
        free = [c for c in range(k) if all(labels.get(w) != c for w in friends)] or list(range(k))
        labels[v] = min(free, key=lambda c: costs[v, c])
    return [labels[v] for v in range(size)]


@pytest.mark.parametrize("seed", range(30))
def test_greedy_is_algorithm_2(seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs, edges = rng.random((12, 3)), random_edges(rng, 12, 0.4)
    graph = ConflictGraph.build(12, edges)
    assert greedy_assign(costs, graph).tolist() == literal_greedy(costs, edges)


def test_without_a_cluster_only_its_nodes_move() -> None:
    rng = np.random.default_rng(0)
    costs, edges = rng.random((40, 4)), random_edges(rng, 40, 0.1)
    graph = ConflictGraph.build(40, edges)
    before = greedy_assign(costs, graph)
    after = greedy_without(costs, graph, 2, labels=before)
    assert (before == 2).any()
    assert not (after == 2).any()
    assert (after[before != 2] == before[before != 2]).all()
    assert (greedy_without(costs, graph, 2) == after).all()
    assert (before == greedy_assign(costs, graph)).all()


def test_without_a_cluster_the_kept_nodes_block_theirs() -> None:
    costs = np.array([[0.0, 1.0, 2.0], [9.0, 0.0, 9.0]])
    graph = ConflictGraph.build(2, [(0, 1)])
    assert greedy_without(costs, graph, 0).tolist() == [2, 1]


def test_the_only_cluster_cannot_be_removed() -> None:
    with pytest.raises(ValueError, match="only cluster"):
        greedy_without(np.ones((2, 1)), ConflictGraph.build(2, []), 0)
