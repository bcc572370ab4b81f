import networkx as nx
import numpy as np
import pytest

from pcsos.clusterers.graph.forest import Forest
from pcsos.clusterers.graph.mcssgc import offending_parts, split_components
from pcsos.clusterers.graph.side_information import SideInformation
from pcsos.heuristics.neighbours import SharedNeighbourGraph
from pcsos.problem.conditions.pairs import Constraints


def drawn_graph(seed: int) -> SharedNeighbourGraph:
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(np.triu(rng.random((30, 30)) < 0.1, 1))
    return SharedNeighbourGraph(30, pairs, rng.integers(0, 6, len(pairs)))


def side_information(n: int, seeds: dict[int, int], cannot_link: list[tuple[int, int]]) -> SideInformation:
    classes = np.full(n, -1)
    for point, label in seeds.items():
        classes[point] = label
    return SideInformation.of(Constraints(n, (), cannot_link), classes)


@pytest.mark.parametrize("seed", range(20))
def test_the_forest_has_the_weight_of_a_maximum_spanning_one_and_the_components_of_the_graph(seed: int) -> None:
    graph = drawn_graph(seed)
    forest, shown = Forest.of(graph), graph.to_networkx()
    assert forest.weights.sum() == nx.maximum_spanning_tree(shown).size(weight="weight")
    assert forest.weights.tolist() == sorted(forest.weights, reverse=True)
    for threshold in range(7):
        kept = nx.Graph([edge for *edge, weight in shown.edges(data="weight") if weight >= threshold])
        kept.add_nodes_from(range(30))
        found = forest.components(threshold)
        expected = sorted(map(sorted, nx.connected_components(kept)))
        assert [np.flatnonzero(found == part).tolist() for part in range(found.max() + 1)] == expected


def path(weights: list[int]) -> Forest:
    """A path with these weights of edges."""
    edges = np.column_stack([np.arange(len(weights)), np.arange(1, len(weights) + 1)])
    return Forest.of(SharedNeighbourGraph(len(weights) + 1, edges, np.array(weights)))


def test_the_threshold_is_one_more_than_what_joins_two_labels() -> None:
    forest = path([5, 2, 4, 3])
    labels = np.array([0, -1, -1, -1, 1])
    assert forest.separating_threshold(labels) == 3
    assert forest.components(3).tolist() == [0, 0, 1, 1, 1]
    assert forest.separating_threshold(np.full(5, -1)) == 0
    assert forest.separating_threshold(np.array([0, -1, 0, -1, 0])) == 0
    assert forest.separating_threshold(np.array([0, 1, -1, -1, -1])) == 6
    assert labels.tolist() == [0, -1, -1, -1, 1]


def test_only_what_offends_is_cut_or_all_of_its_component() -> None:
    forest = path([4, 2, 3, 2, 3])  # the pair 0, 1 is the closest; cutting 2 leaves 01 | 23 | 45
    side = side_information(6, {}, [(0, 1)])
    assert split_components(forest, 0, side, "offending").tolist() == [0, 1, 2, 2, 3, 3]
    assert split_components(forest, 0, side, "literal").tolist() == [0, 1, 2, 3, 4, 5]
    assert split_components(forest, 4, side, "offending").tolist() == [0, 1, 2, 3, 4, 5]


def test_edges_at_the_threshold_are_cut_first() -> None:
    assert split_components(path([2, 2]), 2, side_information(3, {}, [(0, 2)]), "literal").tolist() == [0, 1, 2]


def test_a_cannot_link_between_two_parts_of_one_label_cuts_both() -> None:
    edges = np.array([[0, 1], [2, 3], [3, 4]])
    forest = Forest.of(SharedNeighbourGraph(5, edges, np.array([3, 3, 4])))
    side = side_information(5, {0: 7, 2: 7}, [(1, 4)])
    assert offending_parts(np.array([0, 0, 1, 1, 1]), side).tolist() == [True, True]
    assert split_components(forest, 0, side, "offending").tolist() == [0, 1, 2, 3, 3]
    apart = side_information(5, {0: 7, 2: 8}, [(1, 4)])
    assert split_components(forest, 0, apart, "offending").tolist() == [0, 0, 1, 1, 1]
