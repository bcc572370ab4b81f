"""The oracle itself, against counts and costs known by other means."""

import itertools

import numpy as np
import pytest

from pcsos.problem.instance import Instance
from tests import oracle
from tests.conftest import LINE_OPTIMUM


@pytest.mark.parametrize(("n", "k", "count"), [(1, 1, 1), (4, 2, 7), (5, 5, 1), (7, 3, 301), (9, 4, 7770)])
def test_there_are_stirling_many_partitions_and_all_differ(n: int, k: int, count: int) -> None:
    rows = oracle.all_partitions(n, k)
    assert len(rows) == len({tuple(row) for row in rows}) == count
    assert all(np.unique(row).size == k for row in rows)


def test_optimum_of_the_instance_computed_by_hand(line: Instance) -> None:
    truth = oracle.enumerate_feasible(line)
    assert truth.optimum == pytest.approx(LINE_OPTIMUM)
    np.testing.assert_array_equal(truth.best_labels, [0, 0, 1, 1, 1])


def test_costs_equal_squared_distances_to_weighted_means() -> None:
    rng = np.random.default_rng(0)
    points, weights = rng.standard_normal((6, 2)), rng.uniform(0.5, 2.0, 6)
    instance = Instance(points, 3, weights=weights)
    truth = oracle.enumerate_feasible(instance)
    for row, cost in zip(truth.labels, truth.costs, strict=True):
        groups = [row == h for h in range(3)]
        by_mean = sum(
            (weights[g] * ((points[g] - np.average(points[g], axis=0, weights=weights[g])) ** 2).sum(axis=1)).sum()
            for g in groups
        )
        assert cost == pytest.approx(by_mean, rel=1e-12)


def test_constraints_filter_partitions() -> None:
    truth = oracle.enumerate_feasible(Instance(np.arange(4.0), 2, [(0, 1)], [(1, 2)]))
    assert {tuple(row) for row in truth.labels} == {(0, 0, 1, 0), (0, 0, 1, 1)}
    assert not oracle.enumerate_feasible(Instance(np.arange(3.0), 2, cannot_link=[(0, 1), (1, 2), (0, 2)])).feasible


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
