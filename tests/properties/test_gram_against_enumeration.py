"""Instances of inner products against every partition: costs, bounds and what the factor can be wrong by."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import pcsos
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from tests.exact_oracle import ExactCosts
from tests.gram_instances import exact_cost, feasible_labels, matrix_costs, random_gram_instance
from tests.slow import first_few


@pytest.mark.parametrize("seed", first_few(16, range(150)))
def test_costs_of_matrix_and_points_differ_by_no_more_than_is_said(seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = random_gram_instance(rng)
    assert instance.gram is not None
    error = Fraction(instance.gram_error)
    points = instance.points
    alone = Instance(points, instance.n_clusters, weights=instance.weights)
    labels, costs = feasible_labels(alone), ExactCosts(points, instance.weights)
    for own in labels[rng.permutation(len(labels))[:6]]:
        truth = exact_cost(instance.gram.matrix, instance.weights, own)
        of_points = costs.cost(own)
        assert abs(truth - of_points) <= error
        objective = Fraction(Partition.of(alone, own).objective)
        assert abs(objective - of_points) <= of_points / 2**36


@pytest.mark.parametrize("seed", first_few(16, range(150)))
def test_solve_finds_the_optimum_and_proves_no_more(seed: int) -> None:
    instance = random_gram_instance(np.random.default_rng(1000 + seed), max_points=7)
    result = pcsos.solve(instance, workers=1)
    labels = feasible_labels(instance)
    if not len(labels):
        assert result.status is Status.INFEASIBLE
        return
    best = labels[np.argmin(matrix_costs(instance, labels))]
    optimum = exact_cost(instance.gram.matrix, instance.weights, best)
    assert result.objective is not None
    assert result.lower_bound is not None
    assert Fraction(result.lower_bound) <= optimum
    assert abs(Fraction(result.objective) - exact_cost(instance.gram.matrix, instance.weights, result.labels)) <= (
        abs(optimum) / 2**40
    )
    slack = optimum * Fraction(1e-4) + 2 * Fraction(instance.gram_error)
    assert Fraction(result.objective) <= optimum + slack
    if result.status is Status.OPTIMAL:
        assert result.gap is not None
        assert result.gap <= 1e-4
    else:
        assert result.status is Status.FEASIBLE
        assert "the rounding of the Gram matrix" in result.message
        assert instance.gram_error > 1e-5 * result.objective


@pytest.mark.parametrize("seed", first_few(10, range(25)))
def test_certain_pairs_are_those_of_the_matrix(seed: int) -> None:
    instance = random_gram_instance(np.random.default_rng(5000 + seed), max_points=7)
    labels = feasible_labels(instance)
    result = pcsos.solve(instance, workers=1)
    if not len(labels) or result.objective is None or result.objective <= 0.0:
        return
    costs = matrix_costs(instance, labels)
    close = labels[costs <= (1.0 + 0.2) * costs.min()]
    certain = result.certain_pairs(0.2)
    for i, j in np.argwhere(certain.matrix() != 0).tolist():
        same = close[:, i] == close[:, j]
        assert same.all() if certain.relation(i, j) else not same.any()
    for i, j in itertools.combinations(range(instance.n_points), 2):
        same = close[:, i] == close[:, j]
        assert not certain.is_uncertain(i, j) or (same.any() and not same.all())
