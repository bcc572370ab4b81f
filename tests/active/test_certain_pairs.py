"""Certain pairs: all partitions within epsilon agree on them, against all partitions in fractions."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import pcsos
from pcsos import Instance, Partition
from pcsos.active.certain_pairs import CertainPairs, certain_pairs, membership
from pcsos.control.stop import Stop
from pcsos.exceptions import InputError
from tests.conditioned import Conditioned, random_conditioned
from tests.oracle import random_instance

TWO_GROUPS = [0.0, 1.0, 5.0, 9.0, 10.0]


def disagreements(truth: Conditioned, certain: CertainPairs) -> list[tuple[int, int]]:
    """Pairs that are called certain and that a partition within epsilon has the other way round."""
    assert truth.optimum is not None
    most = truth.optimum * (1 + Fraction(certain.epsilon))
    near = np.array([labels for labels, cost in truth.feasible if cost <= most])
    wrong = []
    for i, j in itertools.combinations(range(truth.instance.n_points), 2):
        together = near[:, i] == near[:, j]
        said = certain.relation(i, j)
        if said is not None and (together != said).any():
            wrong.append((i, j))
    return wrong


def best_partition(truth: Conditioned) -> Partition:
    return Partition.of(truth.instance, min(truth.feasible, key=lambda own: own[1])[0])


@pytest.mark.parametrize("seed", range(60))
def test_all_partitions_within_epsilon_agree_on_certain_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = random_instance(rng, max_points=7)
    truth = random_conditioned(seed) if seed % 2 else Conditioned(drawn)
    if not truth.feasible:
        return
    for epsilon in (0.0, 0.05, 0.5):
        certain = certain_pairs(truth.instance, best_partition(truth), epsilon)
        assert not disagreements(truth, certain)
        matrix = certain.matrix()
        pairs = itertools.combinations(range(truth.instance.n_points), 2)
        values = {None: 0, True: 1, False: -1}
        assert all(matrix[i, j] == matrix[j, i] == values[certain.relation(i, j)] for i, j in pairs)
        n = len(matrix)
        assert certain.num_certain == (np.count_nonzero(matrix) - n) // 2
        assert certain.num_certain + certain.num_open == n * (n - 1) // 2


@pytest.mark.parametrize("seed", range(20))
def test_a_worse_partition_makes_fewer_pairs_certain_and_none_wrong(seed: int) -> None:
    truth = random_conditioned(seed)
    if len(truth.feasible) < 2:
        return
    worst = Partition.of(truth.instance, max(truth.feasible, key=lambda own: own[1])[0])
    assert not disagreements(truth, certain_pairs(truth.instance, worst, 0.1))


def test_groups_far_apart_are_certain_whatever_lies_between_them_is_not() -> None:
    certain = pcsos.solve(TWO_GROUPS, 2).certain_pairs(0.1)
    assert certain.relation(0, 1) is True
    assert certain.relation(1, 3) is False
    assert certain.relation(2, 3) is None
    assert certain.groups.tolist() == [0, 0, 1, 2, 2]
    assert not certain.is_unique
    assert certain.lower_bound > 1.1 * 8.5
    assert certain.to_dict()["apart"] == [[0, 3]]


def test_a_unique_partition_is_called_so() -> None:
    certain = pcsos.solve([0.0, 1.0, 9.0, 10.0], 2).certain_pairs(0.5)
    assert certain.is_unique
    assert str(certain) == "no other partition is within 50 % of the best one"


def test_time_that_is_over_leaves_pairs_open() -> None:
    points = np.random.default_rng(0).normal(size=(40, 2))
    result = pcsos.solve(points, 3)
    assert result.instance is not None
    assert result.partition is not None
    certain = certain_pairs(result.instance, result.partition, 0.01, stop=Stop(time_limit=0.0))
    assert certain.num_open > 0


def test_memberships_are_one_and_zero_where_the_relaxation_is_exact_and_between_where_it_is_not() -> None:
    exact = pcsos.solve([0.0, 1.0, 9.0, 10.0], 2).membership()
    assert np.allclose(exact, [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], atol=1e-3)
    torn = pcsos.solve(TWO_GROUPS, 2).membership()
    assert torn.min() >= 0.0
    assert torn.max() <= 1.0
    assert 0.1 < torn[2, 0] < 0.9
    assert np.allclose(torn, torn.T)


@pytest.mark.parametrize("k", [1, 4])
def test_a_single_partition_has_its_own_memberships(k: int) -> None:
    instance = Instance([0.0, 1.0, 2.0, 3.0], k)
    labels = np.zeros(4, np.intp) if k == 1 else np.arange(4)
    shares = membership(instance, Partition.of(instance, labels))
    assert np.array_equal(shares, np.ones((4, 4)) if k == 1 else np.eye(4))
    assert certain_pairs(instance, Partition.of(instance, labels), 1.0).is_unique


@pytest.mark.parametrize("epsilon", [-0.1, float("nan"), float("inf"), "0.1", True])
def test_an_epsilon_that_is_none_gets_one_sentence(epsilon: object) -> None:
    result = pcsos.solve(TWO_GROUPS, 2)
    with pytest.raises(InputError, match=r"epsilon is .*; give a share of the cost, such as 0\.01"):
        result.certain_pairs(epsilon)  # type: ignore[arg-type]


def test_without_a_partition_there_is_nothing_to_compare() -> None:
    result = pcsos.solve(TWO_GROUPS, 1, cannot_link=[(0, 1)])
    with pytest.raises(InputError, match="there is no partition to compare others with: the status is INFEASIBLE"):
        result.certain_pairs()
