import numpy as np

from pcsos.clusterers.graph.base import Placement, place_by_distance, place_by_links
from pcsos.heuristics.neighbours import SharedNeighbourGraph

NO_PAIRS = np.empty((0, 2), np.intp)


def graph(n: int, edges: dict[tuple[int, int], int]) -> SharedNeighbourGraph:
    return SharedNeighbourGraph(n, np.array(list(edges)), np.array(list(edges.values())))


def test_the_sum_of_what_is_shared_decides_and_placed_parts_attract_others() -> None:
    links = graph(6, {(0, 2): 3, (1, 3): 2, (1, 4): 2, (2, 5): 4})
    part = np.array([0, 1, 2, 2, 2, 3])
    placement = Placement(np.array([0, 1, -1, -1]), NO_PAIRS)
    place_by_links(placement, links, part)
    assert placement.labels.tolist() == [0, 1, 1, 1]


def test_cannot_links_send_parts_to_the_next_best_cluster() -> None:
    links = graph(4, {(0, 2): 3, (1, 2): 1, (2, 3): 5})
    placement = Placement(np.array([0, 1, -1, -1]), np.array([[0, 2], [2, 3]]))
    place_by_links(placement, links, np.arange(4))
    assert placement.labels.tolist() == [0, 1, 1, -1]  # the last one shares only with a part that is its rival


def test_sharing_nothing_is_no_link() -> None:
    placement = Placement(np.array([0, -1]), NO_PAIRS)
    place_by_links(placement, graph(2, {(0, 1): 0}), np.arange(2))
    assert placement.labels.tolist() == [0, -1]


def test_parts_join_the_nearest_labelled_point_and_not_one_another() -> None:
    points = np.array([[0.0], [10.0], [4.9], [5.5], [14.0]])
    placement = Placement(np.array([0, 1, -1, -1]), NO_PAIRS)
    assert place_by_distance(placement, points, np.array([0, 1, 2, 3, 3])) == 0
    assert placement.labels.tolist() == [0, 1, 0, 1]


def test_parts_that_may_join_nothing_share_new_clusters_as_far_as_they_may() -> None:
    points = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    apart = np.array([[0, 1], [0, 2], [0, 3], [1, 2]])
    placement = Placement(np.array([0, -1, -1, -1, -1]), apart)
    assert place_by_distance(placement, points, np.arange(5)) == 2
    assert placement.labels.tolist() == [0, 1, 2, 1, 0]
