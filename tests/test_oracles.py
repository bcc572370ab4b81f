"""The oracles, in fractions and in doubles: against counts, against costs about the centres, against one another."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from pcsos.problem.instance import Instance
from tests import oracle
from tests.exact_oracle import ExactCosts, ExactTruth, integers
from tests.slow import first_few


def about_the_centres(instance: Instance, labels: np.ndarray) -> Fraction:
    """The cost by its definition, from the centres of the clusters."""
    total = Fraction(0)
    for label in np.unique(labels):
        weights = [Fraction(w) for w in instance.weights[labels == label].tolist()]
        for column in instance.points[labels == label].T.tolist():
            values = [Fraction(x) for x in column]
            centre = sum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)
            total += sum(w * (x - centre) ** 2 for w, x in zip(weights, values, strict=True))
    return total


def test_the_optimum_of_the_instance_computed_by_hand(line: Instance) -> None:
    truth = ExactTruth.of(line)
    assert truth.optimum == Fraction(110, 3)
    assert truth.best_labels.tolist() == [0, 0, 1, 1, 1]
    assert truth.cost([0, 0, 0, 0, 0]) == 90
    assert truth.admits([7, 7, 3, 3, 3])
    assert not truth.admits([0, 0, 0, 1, 1])
    assert not truth.admits([0, 0, 1, 1])


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_all_costs_are_those_of_the_definition(seed: int) -> None:
    instance = oracle.random_instance(np.random.default_rng(seed), max_points=6)
    truth, rounded = ExactTruth.of(instance), oracle.enumerate_feasible(instance)
    assert truth.labels.tolist() == rounded.labels.tolist()
    if not truth.feasible:
        assert truth.least() is None
        return
    costs = [about_the_centres(instance, row) for row in truth.labels]
    assert truth.optimum == min(costs)
    assert truth.cost(truth.best_labels) == truth.optimum
    assert truth.cost(truth.worst_labels) == max(costs)
    np.testing.assert_allclose([float(c) for c in costs], rounded.costs, rtol=1e-9, atol=0.0)
    apart = truth.labels[:, 0] != truth.labels[:, -1]
    assert truth.least(apart) == min((c for c, kept in zip(costs, apart, strict=True) if kept), default=None)


def test_nothing_underflows_or_is_absorbed() -> None:
    points = [[0.0], [1e-170], [5e-170], [1.0], [5e-324]]
    truth = ExactTruth(points, [1.0, 1e-140, 1e140, 1.0, 1.0], 3)
    assert 0 < truth.optimum < Fraction(1, 10**300)
    assert ExactTruth(points, np.ones(5), 5).optimum == 0
    far = ExactCosts([[2.0**70], [1.0], [5.0]], [1.0, 0.5, 0.25])
    assert far.cost([0, 1, 1]) == Fraction(8, 3)
    assert far.squared(1, 2) == 16


def test_partitions_that_differ_in_the_last_digit_are_told_apart() -> None:
    """Two pairs of points at distances 1 and 1 + 2^-52, on top of a cost 2^140 times as large."""
    points = [[0.0, 0.0], [0.0, 1.0], [0.0, 2.0 + 2.0**-51], [2.0**70, 0.0], [-(2.0**70), 0.0]]
    truth = ExactTruth(points, np.ones(5), 3, [(3, 4)], [(0, 3), (1, 3), (2, 3)])
    assert truth.optimum == Fraction(2**141) + Fraction(1, 2)
    assert truth.best_labels.tolist() == [0, 0, 1, 2, 2]


def test_a_point_apart_from_itself_leaves_no_partition() -> None:
    assert not ExactTruth(np.zeros(3), np.ones(3), 2, (), [(1, 1)]).feasible


def test_integers_are_the_doubles() -> None:
    numbers, unit = integers([0.75, -3.0, 5e-324])
    assert [Fraction(x, unit) for x in numbers] == [Fraction(3, 4), -3, Fraction(1, 2**1074)]


@pytest.mark.parametrize(("n", "k", "count"), [(1, 1, 1), (4, 2, 7), (5, 5, 1), (7, 3, 301), (9, 4, 7770)])
def test_there_are_stirling_many_partitions_and_all_differ(n: int, k: int, count: int) -> None:
    rows = oracle.all_partitions(n, k)
    assert len(rows) == len({tuple(row) for row in rows}) == count
    assert all(np.unique(row).size == k for row in rows)


def test_matrices_are_projectors_and_reproduce_the_cost() -> None:
    rng = np.random.default_rng(2)
    instance = Instance(rng.standard_normal((6, 3)), 3, weights=rng.uniform(0.2, 4.0, 6))
    truth = oracle.enumerate_feasible(instance)
    q = np.sqrt(instance.weights)[:, None] * instance.points
    y = oracle.y_matrices(truth.labels, instance.weights)
    np.testing.assert_allclose(y @ y, y, atol=1e-12)
    np.testing.assert_allclose(np.trace(y, axis1=1, axis2=2), 3.0)
    np.testing.assert_allclose((q**2).sum() - np.einsum("ij,pij->p", q @ q.T, y), truth.costs, rtol=1e-10)
    z = oracle.z_matrices(truth.labels, instance.weights)
    np.testing.assert_allclose(z @ instance.weights, 1.0)


def test_random_instances_cover_what_they_promise() -> None:
    rng = np.random.default_rng(0)
    instances = [oracle.random_instance(rng) for _ in range(300)]
    feasible = [oracle.enumerate_feasible(instance).feasible for instance in instances]
    assert 50 < sum(feasible) < 250
    assert {(i.n_points, i.n_clusters) for i in instances} >= set(itertools.product([6, 7, 8], [1, 2, 3, 6]))
    assert any(len(np.unique(i.points, axis=0)) < i.n_points for i in instances)
    assert any(np.ptp(i.weights) > 0 for i in instances)
