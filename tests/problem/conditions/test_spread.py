"""Spread: the diameter against all distances, and the variance within clusters against known ones."""

import numpy as np
import pytest

from pcsos.problem.conditions.spread import largest_square, variance_within
from pcsos.problem.instance import Instance
from tests import oracle


@pytest.mark.parametrize("seed", range(30))
def test_the_largest_distance_is_that_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(1, 40), rng.integers(1, 5))) * rng.choice([1.0, 1e-6, 1e6])
    points = points[rng.integers(0, len(points), 40)] if seed % 3 == 0 else points
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    assert largest_square(points) == pytest.approx(squares.max(), rel=1e-14)


def test_points_on_a_circle_are_all_looked_at() -> None:
    angles = 2.0 * np.pi * np.arange(31) / 31
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    assert largest_square(points) == pytest.approx(4.0 * np.cos(np.pi / 62) ** 2, rel=1e-14)


def test_the_variance_of_blobs_is_theirs() -> None:
    rng = np.random.default_rng(0)
    points = 3.0 * rng.normal(size=(3000, 4)) + 200.0 * np.repeat(np.eye(4)[:3], 1000, axis=0)
    assert variance_within(points, np.ones(3000), 3) == pytest.approx(9.0, rel=0.03)


@pytest.mark.parametrize("seed", range(10))
def test_the_variance_is_at_least_that_of_the_best_partition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, weights = rng.normal(size=(8, 2)), rng.uniform(0.5, 2.0, 8)
    best = oracle.enumerate_feasible(Instance(points, 3, weights=weights)).optimum / weights.sum() / 2.0
    found = variance_within(points, weights, 3)
    assert best * (1.0 - 1e-12) <= found <= 2.0 * best


def test_weights_are_copies_and_constant_features_do_not_count() -> None:
    points = np.random.default_rng(1).normal(size=(12, 2))
    weights = np.repeat([1.0, 2.0], 6)
    copies = np.vstack([points, points[6:]])
    wide = np.column_stack([points, np.full(12, 7.0)])
    assert variance_within(wide, weights, 1) == pytest.approx(variance_within(copies, np.ones(18), 1))


def test_there_is_no_variance_where_every_point_has_a_centre() -> None:
    assert variance_within(np.array([[0.0], [1.0], [1.0], [5.0]]), np.ones(4), 3) == 0.0
    assert variance_within(np.zeros((4, 2)), np.ones(4), 2) == 0.0
