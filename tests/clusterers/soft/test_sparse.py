"""Sparse clustering: weights of features, and the search that alternates them with clusters."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from pcsos.clusterers.soft.descent import Passes, descend
from pcsos.clusterers.soft.pairs import Penalties, WeightedPairs, by_feature, without_costs
from pcsos.clusterers.soft.sparse import sparse_search, sparse_weights
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from tests.clusterers.soft.literal import bisected_weights, broken_costs, literal_assignment, random_case, within
from tests.slow import first_few


@pytest.mark.parametrize("seed", first_few(16, range(60)))
def test_the_exact_threshold_is_that_of_a_bisection(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 30))
    gains = rng.normal(size=p) * 10.0 ** rng.integers(-8, 8)
    gains[rng.integers(p)] = abs(gains).max() * 1.01
    for s in (1.0, 1.0 + 0.999 * rng.random() * (np.sqrt(p) - 1.0), np.sqrt(p)):
        weights = sparse_weights(gains, float(s))
        np.testing.assert_allclose(weights, bisected_weights(gains, float(s)), atol=2e-7)
        assert weights.sum() <= s * (1 + 1e-12)
        assert (weights**2).sum() <= 1 + 1e-12
        assert weights.min() >= 0.0


def test_equal_largest_gains_share_a_bound_that_no_threshold_reaches() -> None:
    weights = sparse_weights(np.array([2.0, 2.0, 1.0, 2.0]), 1.2)
    np.testing.assert_allclose(weights, [0.4, 0.4, 0.0, 0.4], rtol=1e-15)


@pytest.mark.parametrize("rounding", [1.0, 1.0 - 2.0**-53, 1.0 - 2.0**-50])
def test_gains_that_rounding_tells_apart_give_weights_within_the_bounds(rounding: float) -> None:
    weights = sparse_weights(np.array([1.0, rounding, rounding, 0.3]), 1.3)
    assert weights.sum() == pytest.approx(1.3, rel=1e-12)
    assert (weights**2).sum() <= 1 + 1e-12


PASSES = Passes(25)


def total(points: np.ndarray) -> np.ndarray:
    return ((points - points.mean(axis=0)) ** 2).sum(axis=0)


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_the_gain_is_that_of_labels_and_weights(seed: int) -> None:
    case = random_case(seed, n=50, p=6, n_pairs=30)
    found = sparse_search(case.points, by_feature(case.points, case.pairs), 1.6, case.points[:3], PASSES)
    gains = total(case.points) - within(case.points, found.labels) - broken_costs(case, found.labels)
    assert found.objectives[-1] == pytest.approx(found.weights @ gains, rel=1e-10)
    assert found.weights.sum() <= 1.6 * (1 + 1e-12)
    assert (found.weights**2).sum() <= 1 + 1e-12


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_algorithm_as_printed(seed: int) -> None:
    """Step 2 begins with the means of the last round and with nobody in a cluster."""
    case = random_case(seed, n=14, n_pairs=12)
    found = sparse_search(case.points, by_feature(case.points, case.pairs), 1.4, case.points[:3], PASSES)
    weights, centres = np.full(3, 3**-0.5), case.points[:3]
    for _ in range(25):
        labels = np.full(14, -1)
        for _ in range(25):
            before = labels
            labels = literal_assignment(case, centres, weights, range(14), labels)
            centres = np.array([case.points[labels == h].mean(axis=0) for h in range(3)])
            if np.array_equal(before, labels):
                break
        new = bisected_weights(total(case.points) - within(case.points, labels) - broken_costs(case, labels), 1.4)
        change, weights = np.abs(new - weights).sum() / weights.sum(), new
        if change < 1e-4:
            break
    assert found.num_refilled == 0
    np.testing.assert_array_equal(found.labels, labels)
    np.testing.assert_allclose(found.weights, weights, atol=1e-7)


def test_penalties_in_the_weights_change_clusters_of_real_data() -> None:
    """Where labels are carried from one round of weights to the next, they never do."""
    points, classes = load_wine(return_X_y=True)
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    starts = points[[0, 70, 150]]
    differ = 0
    for seed in range(5):
        must, cannot = constraints_from_labels(classes, n_must_link=50, n_cannot_link=100, seed=seed)
        penalties = by_feature(points, WeightedPairs(must, cannot, np.ones(50), np.ones(100)))
        on, off = (
            sparse_search(points, penalties, 2.3, starts, PASSES, penalise_weights=flag).labels
            for flag in (True, False)
        )
        differ += not np.array_equal(on, off)
    assert differ >= 3


def test_with_equal_weights_it_is_one_descent() -> None:
    case = random_case(2, n=50, p=6, n_pairs=30)
    penalties = by_feature(case.points, case.pairs)
    found = sparse_search(case.points, penalties, None, case.points[:3], PASSES)
    alone = descend(case.points, penalties, np.ones(6), case.points[:3], PASSES)
    np.testing.assert_array_equal(found.labels, alone.labels)
    np.testing.assert_allclose(found.weights, 6**-0.5, rtol=1e-15)
    assert len(found.objectives) == 1


@pytest.mark.parametrize("seed", range(10))
def test_the_weights_are_the_best_ones_for_the_clusters_with_and_without_penalties(seed: int) -> None:
    case = random_case(seed, n=50, p=6, n_pairs=30)
    for penalise in (True, False):
        found = sparse_search(
            case.points, by_feature(case.points, case.pairs), 1.6, case.points[:3], PASSES, penalise_weights=penalise
        )
        gains = total(case.points) - within(case.points, found.labels)
        gains -= broken_costs(case, found.labels) if penalise else 0.0
        np.testing.assert_allclose(found.weights, bisected_weights(gains, 1.6), atol=1e-7)


def test_broken_pairs_that_cost_more_than_all_gains_leave_the_weights_with_a_remark() -> None:
    points = np.random.default_rng(0).normal(size=(12, 2))
    pairs = np.array([(0, 1)])
    hopeless = Penalties(12, pairs, pairs, np.full((1, 2), 1e3), np.full((1, 2), 1e3))
    found = sparse_search(points, hopeless, 1.2, points[:2], PASSES)
    assert found.remark.startswith("no feature gains more than the broken pairs cost")
    np.testing.assert_allclose(found.weights, 2**-0.5)
    assert found.objectives[-1] < 0.0


def test_constant_features_weigh_nothing() -> None:
    points = np.column_stack([np.zeros(30), gaussian_mixture(30, 2, 3, seed=0)[0]])
    found = sparse_search(points, without_costs(30, 3), np.sqrt(3.0), points[:3], PASSES)
    assert found.weights[0] == 0.0
    assert found.weights[1:].min() > 0.0
