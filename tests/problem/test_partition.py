import numpy as np
import pytest

from pcsos import Sizes
from pcsos.base.exceptions import InputError
from pcsos.problem.conditions.limits import Limits
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition, canonical_labels, violation
from tests import oracle
from tests.conftest import LINE_OPTIMUM


def test_cost_of_a_partition_computed_by_hand(line: Instance) -> None:
    partition = Partition.of(line, [1, 1, 0, 0, 0])
    assert partition.objective == pytest.approx(LINE_OPTIMUM, rel=1e-15)
    np.testing.assert_array_equal(partition.labels, [0, 0, 1, 1, 1])


def test_costs_equal_the_oracles() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        instance = oracle.random_instance(rng)
        labels = oracle.all_partitions(instance.n_points, instance.n_clusters)
        labels = labels[rng.integers(0, len(labels), 5)]
        expected = oracle.costs(instance, labels)
        ours = [instance.geometry.cost(row) for row in labels]
        np.testing.assert_allclose(ours, expected, rtol=1e-12)


def test_a_far_offset_does_not_cancel_the_cost() -> None:
    far = Instance([1e8, 1e8 + 1.0, 1e8 + 2.0], 1)
    assert far.geometry.cost(np.zeros(3, np.intp)) == 2.0


@pytest.mark.parametrize("labels", [[5, 5, 2, 2, 9], ["b", "b", "a", "a", "c"], [0.5, 0.5, -1.0, -1.0, 3.0]])
def test_clusters_are_numbered_by_first_appearance(labels: list[object]) -> None:
    np.testing.assert_array_equal(canonical_labels(np.array(labels)), [0, 0, 1, 1, 2])


@pytest.mark.parametrize(
    ("labels", "problem"),
    [
        ([0, 0, 1, 1], "labels have shape (4,), but there are 5 points"),
        ([0, 0, 1, 1, 2], "the labels use 3 clusters instead of 2"),
        ([0, 0, 0, 0, 0], "the labels use 1 cluster instead of 2"),
        ([0, 1, 0, 1, 1], "points 0 and 1 must be linked but are apart"),
        ([0, 0, 0, 1, 1], "points 1 and 2 cannot be linked but are together"),
        ([0, 0, 1, 1, 1], None),
    ],
)
def test_violation_names_the_first_thing_broken(line: Instance, labels: list[int], problem: str | None) -> None:
    assert violation(line, np.array(labels)) == problem


def test_infeasible_labels_make_no_partition(line: Instance) -> None:
    with pytest.raises(InputError, match="points 1 and 2 cannot be linked"):
        Partition.of(line, [0, 0, 0, 1, 1])


def test_labels_of_a_partition_are_read_only_and_not_the_callers(line: Instance) -> None:
    labels = np.array([0, 0, 1, 1, 1])
    partition = Partition.of(line, labels)
    labels[0] = 1
    assert partition.labels[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        partition.labels[0] = 1


@pytest.mark.parametrize("labels", [[0, 0, 1, 1, 1], [0, 1, 1, 0, 0]])
def test_a_list_of_sizes_is_kept_by_whichever_cluster_has_which(labels: list[int]) -> None:
    assert (
        Partition.of(Instance(np.arange(5.0), 2, conditions=[Sizes(exactly=[3, 2])]), labels).labels.tolist() == labels
    )


def test_labels_of_other_sizes_than_the_list_are_refused() -> None:
    with pytest.raises(InputError, match="the clusters have 1, 4 points instead of 2, 3"):
        Partition.of(Instance(np.arange(5.0), 2, conditions=[Sizes(exactly=[3, 2])]), [0, 1, 1, 1, 1])
    limits = Limits.of([Sizes(exactly=[1, 3, 3])])  # no size is too small or too large by itself
    assert limits.violation([0, 1, 1, 1, 2, 2, 2], np.ones(7)) is None
    assert limits.violation([0, 0, 1, 1, 2, 2, 2], np.ones(7)) == "the clusters have 2, 2, 3 points instead of 1, 3, 3"
