import itertools

import numpy as np
import pytest

from pcsos.base.exceptions import InfeasibleError
from pcsos.problem.conditions.pairs import connected_components, unique_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, contract, reduce_instance
from tests import oracle


def super_point_cost(reduced: Reduced, labels: np.ndarray) -> float:
    """Offset plus the weighted cost of labels of the super-points, through the oracle's formula."""
    problem = Instance(reduced.means, reduced.n_clusters, weights=reduced.weights)
    return reduced.offset + float(oracle.costs(problem, labels[None])[0])


def test_cannot_links_between_the_same_super_points_become_one() -> None:
    reduced = reduce_instance(Instance(np.arange(5.0), 3, [(0, 1), (2, 3)], [(0, 2), (1, 3), (1, 4)]))
    np.testing.assert_array_equal(reduced.cannot_link, [[0, 1], [0, 2]])


@pytest.mark.parametrize("k", [2, 3])
def test_cannot_links_contract_nothing(k: int) -> None:
    assert reduce_instance(Instance(np.arange(6.0), k, cannot_link=[(0, 1), (1, 2)])).size == 6


def test_lift_and_project_are_inverse() -> None:
    reduced = reduce_instance(Instance(np.arange(6.0), 2, [(0, 3), (3, 5), (1, 4)]))
    labels = np.array([1, 0, 1])
    np.testing.assert_array_equal(reduced.lift(labels), [1, 0, 1, 1, 0, 1])
    np.testing.assert_array_equal(reduced.project(reduced.lift(labels)), labels)


def test_rotated_coordinates_keep_all_distances() -> None:
    rng = np.random.default_rng(0)
    reduced = reduce_instance(Instance(rng.standard_normal((7, 500)), 2, [(0, 1)]))
    assert reduced.coordinates.shape == (6, 6)
    for i, j in itertools.combinations(range(6), 2):
        expected = np.linalg.norm(reduced.means[i] - reduced.means[j])
        assert np.linalg.norm(reduced.coordinates[i] - reduced.coordinates[j]) == pytest.approx(expected, rel=1e-12)


def test_few_features_are_not_rotated() -> None:
    reduced = reduce_instance(Instance(np.arange(8.0).reshape(4, 2), 2))
    assert reduced.coordinates is reduced.means


def test_a_contradiction_names_the_shortest_path_of_must_links() -> None:
    links = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 4)]
    with pytest.raises(InfeasibleError, match=r"points 0 and 4 cannot be linked.*0 - 5 - 4") as caught:
        reduce_instance(Instance(np.arange(6.0), 2, links, [(0, 4)]))
    assert caught.value.witness == {
        "kind": "contradiction",
        "cannot_link": [0, 4],
        "must_link_path": [0, 5, 4],
    }


def test_one_cluster_refuses_any_cannot_link() -> None:
    with pytest.raises(InfeasibleError, match="only one cluster") as caught:
        reduce_instance(Instance(np.arange(3.0), 1, cannot_link=[(1, 2)]))
    assert caught.value.witness == {"kind": "clique", "points": [1, 2]}


def test_must_links_can_leave_too_few_groups() -> None:
    with pytest.raises(InfeasibleError, match=r"leave 2 groups.*3 non-empty") as caught:
        reduce_instance(Instance(np.arange(4.0), 3, [(0, 1), (2, 3)]))
    assert caught.value.witness == {"kind": "too_few_points"}


@pytest.mark.parametrize("length", [3, 5, 7])
def test_two_clusters_refuse_an_odd_cycle_even_behind_a_stem_and_through_must_links(length: int) -> None:
    stem = [(0, 1), (1, 2)]
    cycle = [(2 + i, 2 + (i + 1) % length) for i in range(length)]
    split = 2 + length  # the last point of the cycle, seen as two points that must be together
    cycle[-1] = (split, 2)
    instance = Instance(np.arange(float(split + 1)), 2, [(split - 1, split)], stem + cycle)
    with pytest.raises(InfeasibleError, match="odd cycle") as caught:
        reduce_instance(instance)
    assert sorted(caught.value.witness["points"]) == list(range(2, split))  # type: ignore[call-overload]


class TestContract:
    """A node of the tree is the root's problem with further decisions."""

    reduced = reduce_instance(Instance([0.0, 2.0, 3.0, 9.0, 11.0], 3, [(0, 1)], [(1, 2)]))

    def test_equals_contracting_the_instance_with_all_constraints(self) -> None:
        node = contract(self.reduced, [(2, 3)], [(1, 3)])
        direct = reduce_instance(Instance([0.0, 2.0, 3.0, 9.0, 11.0], 3, [(0, 1), (3, 4)], [(1, 2), (2, 4)]))
        np.testing.assert_array_equal(node.component, direct.component)
        np.testing.assert_array_equal(node.cannot_link, direct.cannot_link)
        np.testing.assert_allclose(node.means, direct.means)
        np.testing.assert_allclose([node.offset, *node.weights], [direct.offset, *direct.weights])

    def test_no_decisions_change_nothing(self) -> None:
        node = contract(self.reduced, [], [])
        np.testing.assert_array_equal(node.means, self.reduced.means)
        assert (node.offset, node.size) == (self.reduced.offset, self.reduced.size)

    def test_refuses_a_contradiction(self) -> None:
        with pytest.raises(InfeasibleError, match="contradict"):
            contract(self.reduced, [(0, 1)], [])
        with pytest.raises(InfeasibleError, match="contradict"):
            contract(self.reduced, [(2, 3)], [(3, 2)])

    def test_refuses_too_few_super_points(self) -> None:
        with pytest.raises(InfeasibleError, match="too few"):
            contract(self.reduced, [(0, 2), (1, 3)], [])


def test_components_are_numbered_by_first_appearance() -> None:
    pairs = np.array([(5, 2), (4, 0), (2, 6)], np.intp)
    np.testing.assert_array_equal(connected_components(7, pairs), [0, 1, 2, 3, 0, 2, 2])


def test_a_long_chain_of_must_links_is_one_component() -> None:
    n = 20_000
    chain = np.column_stack([np.arange(n - 1, 0, -1), np.arange(n - 2, -1, -1)])
    assert connected_components(n, chain).max() == 0


def test_unique_pairs() -> None:
    np.testing.assert_array_equal(unique_pairs(np.array([(3, 1), (1, 3), (0, 2)])), [(0, 2), (1, 3)])
    assert unique_pairs(np.empty((0, 2), np.intp)).shape == (0, 2)


def test_offset_plus_reduced_cost_is_the_cost_with_all_data_far_from_the_origin() -> None:
    rng = np.random.default_rng(5)
    instance = Instance(rng.standard_normal((30, 4)) + 1e6, 3, [(i, i + 1) for i in range(0, 20, 2)])
    reduced = reduce_instance(instance)
    labels = rng.integers(0, 3, reduced.size)
    expected = instance.geometry.cost(reduced.lift(labels))
    assert super_point_cost(reduced, labels) == pytest.approx(expected, rel=1e-10)
