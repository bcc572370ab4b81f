import numpy as np
import pytest

from pcsos.heuristics.neighbours import SharedNeighbourGraph, closest, nearest_neighbours


def by_sorting(points: np.ndarray, queries: np.ndarray, count: int) -> list[list[int]]:
    squares = ((queries[:, None] - points) ** 2).sum(axis=2)
    return np.argsort(squares, axis=1, kind="stable")[:, :count].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_ties_are_broken_by_index(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(-2, 3, (60, 1 + seed % 12)).astype(float)
    queries = rng.integers(-2, 3, (300, 1 + seed % 12)).astype(float)
    for count in (1, 7, 60):
        assert closest(points, queries, count).tolist() == by_sorting(points, queries, count)


def test_a_centre_with_many_points_around_it_has_the_first_of_them_as_neighbours() -> None:
    angles = np.arange(40) * np.pi / 20
    circle = np.round(np.column_stack([np.cos(angles), np.sin(angles)]), 12)
    corners = np.vstack([np.eye(50), np.zeros((1, 50))])
    assert nearest_neighbours(corners, 3)[-1].tolist() == [0, 1, 2]
    assert sorted(nearest_neighbours(circle, 2)[5]) == [4, 6]


def test_copies_are_neighbours_of_one_another() -> None:
    points = np.array([[0.0], [5.0], [0.0], [-0.0], [0.0], [6.0]])
    assert nearest_neighbours(points, 3).tolist() == [
        [2, 3, 4], [5, 0, 2], [0, 3, 4], [0, 2, 4], [0, 2, 3], [1, 0, 2],
    ]  # fmt: skip


def test_many_copies_cost_no_more_than_other_points() -> None:
    found = nearest_neighbours(np.zeros((50_000, 2)), 3)
    assert found[0].tolist() == [1, 2, 3]
    assert found[1].tolist() == [0, 2, 3]
    assert found[-1].tolist() == [0, 1, 2]


@pytest.mark.parametrize(("name", "value"), [("MOST_FEATURES_OF_A_TREE", 0), ("BATCH", 50)])
def test_a_scan_and_blocks_give_what_one_tree_gives(monkeypatch: pytest.MonkeyPatch, name: str, value: int) -> None:
    points = np.random.default_rng(1).normal(size=(400, 7))
    by_tree = nearest_neighbours(points, 6)
    monkeypatch.setattr(f"pcsos.heuristics.neighbours.{name}", value)
    np.testing.assert_array_equal(nearest_neighbours(points, 6), by_tree)


def test_edges_are_mutual_neighbours_and_weights_what_they_share() -> None:
    points = np.array([[0.0], [1.0], [2.0], [10.0], [12.0]])
    graph = SharedNeighbourGraph.of(points, 2)  # neighbours: 12, 02, 10, 42, 32
    assert graph.edges.tolist() == [[0, 1], [0, 2], [1, 2], [3, 4]]
    assert graph.weights.tolist() == [1, 1, 1, 1]
    assert graph.n_nodes == 5


def test_contraction_drops_loops_and_edges_between_groups_that_must_be_apart() -> None:
    graph = SharedNeighbourGraph(4, np.array([[0, 1], [1, 2], [0, 2], [2, 3]]), np.array([4, 3, 2, 1]))
    contracted = graph.contracted(np.array([0, 0, 1, 2]), 3, np.array([[1, 2]]))
    assert contracted.edges.tolist() == [[0, 1], [0, 1]]
    assert contracted.weights.tolist() == [3, 2]
