import numpy as np
import pytest

from pcsos.presolve.colouring.cliques import find_clique
from pcsos.presolve.colouring.integer_program import cover_edges
from pcsos.problem.conflict_graph import ConflictGraph
from tests.presolve.colouring.brute_force import clique, random_edges


def test_duplicates_and_either_order_give_one_edge() -> None:
    graph = ConflictGraph.build(4, [(2, 0), (0, 2), (0, 2), (2, 3)])
    assert graph.indptr.tolist() == [0, 1, 1, 3, 4]
    assert graph.indices.tolist() == [2, 0, 3, 2]
    assert graph.edges.tolist() == [[0, 2], [2, 3]]
    assert graph.degrees.tolist() == [1, 0, 2, 1]


def test_components_leave_out_isolated_nodes() -> None:
    graph = ConflictGraph.build(7, [(5, 1), (2, 6), (6, 0)])
    assert graph.component.tolist() == [0, 1, 0, -1, -1, 1, 0]
    assert graph.num_components == 2


def test_no_edges() -> None:
    graph = ConflictGraph.build(3, np.empty((0, 2), np.intp))
    assert graph.num_components == 0
    assert graph.component.tolist() == [-1, -1, -1]
    assert graph.edges.shape == (0, 2)


def test_subgraph_is_numbered_by_position() -> None:
    graph = ConflictGraph.build(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
    inner = graph.subgraph(np.array([3, 1, 2]))
    assert inner.edges.tolist() == [[0, 2], [1, 2]]


def test_adjacency_is_symmetric_and_holds_all_edges() -> None:
    edges = random_edges(np.random.default_rng(0), 9, 0.4)
    matrix = ConflictGraph.build(9, edges).adjacency()
    assert (matrix == matrix.T).all()
    assert sorted(map(tuple, np.argwhere(np.triu(matrix)))) == sorted(map(tuple, edges))


@pytest.mark.parametrize("density", [0.1, 0.5, 0.9])
def test_the_clique_cover_covers_every_edge_with_cliques(density: float) -> None:
    graph = ConflictGraph.build(25, random_edges(np.random.default_rng(1), 25, density))
    matrix = graph.adjacency()
    covered = np.zeros_like(matrix)
    for nodes in cover_edges(graph):
        covered[np.ix_(nodes, nodes)] = True
        assert matrix[np.ix_(nodes, nodes)].sum() == len(nodes) * (len(nodes) - 1)
    np.fill_diagonal(covered, False)
    assert (covered == matrix).all()


def test_a_planted_clique_is_found() -> None:
    rng = np.random.default_rng(2)
    nodes = rng.permutation(200)[:12]
    graph = ConflictGraph.build(200, np.vstack([random_edges(rng, 200, 0.05), nodes[clique(12)]]))
    found = find_clique(graph, 12)
    assert sorted(found) == sorted(nodes)


def test_a_clique_is_not_grown_beyond_the_target() -> None:
    assert find_clique(ConflictGraph.build(8, clique(8)), 5).size == 5
