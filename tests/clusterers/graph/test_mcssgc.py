import networkx as nx
import numpy as np
import pytest

from pcsos.clusterers import MCSSGC
from pcsos.clusterers.graph.mcssgc import cut_between_ends, offending_parts, separating_threshold
from pcsos.clusterers.graph.side_information import SideInformation
from pcsos.heuristics.neighbours import SharedNeighbourGraph
from pcsos.problem.conditions.pairs import Constraints
from tests.clusterers.graph.oracle import draw_problem
from tests.clusterers.graph.test_against_literal_loops import fit
from tests.slow import first_few, shares


def drawn_graph(seed: int) -> SharedNeighbourGraph:
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(np.triu(rng.random((30, 30)) < 0.1, 1))
    return SharedNeighbourGraph(30, pairs, rng.integers(0, 6, len(pairs)))


def side_information(n: int, seeds: dict[int, int], cannot_link: list[tuple[int, int]]) -> SideInformation:
    classes = np.full(n, -1)
    for point, label in seeds.items():
        classes[point] = label
    return SideInformation.of(Constraints(n, (), cannot_link), classes)


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_the_ends_of_a_cannot_link_are_separated_at_the_least_cost(seed: int) -> None:
    graph = drawn_graph(seed)
    whole = graph.components(0)
    one, other = np.flatnonzero(whole == np.bincount(whole).argmax())[[0, -1]]
    part = cut_between_ends(graph, 0, side_information(30, {}, [(one, other)]))
    assert part[one] != part[other]
    between = part[graph.edges[:, 0]] != part[graph.edges[:, 1]]
    network = nx.Graph()
    network.add_weighted_edges_from((i, j, weight + 1) for (i, j), weight in zip(graph.edges, graph.weights))  # noqa: B905
    least = nx.minimum_cut_value(network, one, other, capacity="weight")
    assert (graph.weights[between] + 1).sum() == least
    assert part.max() == whole.max() + 1


def test_two_dense_groups_are_parted_at_their_bridge_and_nothing_falls_to_pieces() -> None:
    groups = [[(i, j) for i in nodes for j in nodes if i < j] for nodes in (range(5), range(5, 10))]
    edges = np.array([*groups[0], *groups[1], (4, 5)])
    weights = np.array([2] * 20 + [3])  # the bridge is the heaviest edge, so that thresholds leave it to the last
    graph, side = SharedNeighbourGraph(10, edges, weights), side_information(10, {}, [(0, 9)])
    assert cut_between_ends(graph, 0, side).tolist() == [0] * 5 + [1] * 5
    assert cut_between_ends(graph, 3, side).tolist() == [0, 1, 2, 3, 4, 4, 5, 6, 7, 8]


def test_ends_in_two_parts_of_one_label_are_separated_from_its_seeds() -> None:
    graph = SharedNeighbourGraph(6, np.array([[0, 1], [1, 2], [3, 4], [4, 5]]), np.array([1, 3, 3, 1]))
    side = side_information(6, {0: 7, 3: 7}, [(2, 5)])
    assert cut_between_ends(graph, 0, side).tolist() == [0, 1, 1, 2, 2, 3]
    with_seed = side_information(6, {0: 7, 3: 7, 5: 7}, [(2, 5)])
    assert cut_between_ends(graph, 0, with_seed).tolist() == [0, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("numbers", shares(60, 200))
def test_no_cannot_link_is_left_on_drawn_problems(numbers: range) -> None:
    for number in numbers:
        problem = draw_problem(number)
        model = fit(MCSSGC(4, split="minimum_cut"), problem)
        assert model.n_violations_ == 0, number
        assert model.threshold_ == fit(MCSSGC(4), problem).threshold_, number


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_several_cannot_links_leave_no_offending_part(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = drawn_graph(seed)
    pairs = [tuple(sorted(pair)) for pair in rng.choice(30, (8, 2)).tolist() if pair[0] != pair[1]]
    seeds = {int(point): int(label) for point, label in zip(range(0, 30, 9), [1, 1, 2, 2], strict=True)}
    pairs = [pair for pair in pairs if seeds.get(pair[0], -1) != seeds.get(pair[1], -2)]
    for known in ({}, seeds):
        side = side_information(30, known, pairs)
        threshold = separating_threshold(graph, side.labels)
        part = cut_between_ends(graph, threshold, side)
        assert not offending_parts(part, side).any()
        whole = graph.components(threshold)
        assert all(np.unique(whole[part == number]).size == 1 for number in range(part.max() + 1))
