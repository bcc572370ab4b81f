"""What a cluster earns at most within a capacity, against all sets of points."""

import itertools
import math

import numpy as np
import pytest

from pcsos.bounds.prices.clusters import Clusters, taken
from pcsos.bounds.prices.pricing import greatest_profit
from pcsos.bounds.prices.tree import PointTree


@pytest.mark.parametrize("seed", range(10))
def test_no_set_within_the_capacity_earns_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, capacity = 9, int(rng.integers(1, 9))
    means, prices = rng.normal(size=(n, int(rng.integers(1, 4)))), rng.uniform(0.0, 4.0, n)
    tree = PointTree.of(means, np.ones(n), np.zeros(n, np.intp))
    priced = tree.priced(prices[tree.order], capacity=float(capacity))
    most = 0.0
    for size in range(1, capacity + 1):
        for own in map(list, itertools.combinations(range(n), size)):
            most = max(most, prices[own].sum() - ((means[own] - means[own].mean(axis=0)) ** 2).sum())
    found = greatest_profit(
        priced, known=0.0, tolerance=1e-6, floor=math.inf, keep=1, most_boxes=10**6, rounded=float(n)
    )
    assert most <= found.most <= most + 2e-6
    ends, earned = Clusters(tree, rng).climb(priced, means, 0.0)
    assert earned[0] <= most + 1e-9
    assert np.diff(taken(priced, ends[0]), axis=1).sum() <= capacity


@pytest.mark.parametrize("seed", range(6))
def test_of_heavy_super_points_one_is_taken_in_part(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, means, weights, prices = 7, rng.normal(size=(7, 2)), rng.uniform(0.5, 3.0, 7), rng.uniform(2.0, 8.0, 7)
    tree = PointTree.of(means, weights, np.zeros(n, np.intp))
    capacity = 0.4 * float(weights.sum())
    priced = tree.priced(prices[tree.order], capacity=capacity)

    def earned(own: np.ndarray) -> float:
        shares = own * weights
        return float(own @ prices - shares @ ((means - shares @ means / shares.sum()) ** 2).sum(axis=1))

    most = 0.0
    for whole in itertools.product([0.0, 1.0], repeat=n):
        for last in range(n):
            own = np.array(whole)
            own[last] = 0.0
            own[last] = min(max(capacity - own @ weights, 0.0) / weights[last], 1.0)
            if 0.0 < own @ weights <= capacity + 1e-9:
                most = max(most, earned(own))
    found = greatest_profit(priced, known=0.0, tolerance=1e-3, floor=0.0, keep=9, most_boxes=10**5, rounded=float(n))
    assert most - 1e-3 <= found.least <= found.most <= most + 2e-3
    clusters = Clusters(tree, rng)
    assert clusters.add_taken(priced, clusters.climb(priced, found.places, 0.0)[0][0])
    sizes = np.diff(clusters.stretches[0], axis=1).ravel()
    held = np.repeat(clusters.shares, sizes) * tree.weights[stretched(clusters.stretches[0])]
    assert held.sum() == pytest.approx(capacity)
    paid = np.repeat(clusters.shares, sizes) @ priced.prices[stretched(clusters.stretches[0])]
    assert paid - clusters.costs[0] == pytest.approx(most, abs=2e-3)


def test_super_points_at_one_place_are_told_apart_by_what_they_pay() -> None:
    """Their node is as small as can be in any box, and the toll is between what they pay for their weight."""
    means, weights = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), np.array([1.0, 0.625, 0.375])
    tree = PointTree.of(means, weights, np.zeros(3, np.intp))
    priced = tree.priced(np.array([0.1, 0.07, 0.07])[tree.order], capacity=0.875)
    found = greatest_profit(priced, known=0.0, tolerance=1e-4, floor=0.0, keep=9, most_boxes=10**5, rounded=3.0)
    most = 0.07 + 0.5 / 0.625 * 0.07
    assert most - 1e-4 <= found.least <= found.most <= most + 2e-4
    assert found.num_boxes < 1000


def stretched(stretches: np.ndarray) -> np.ndarray:
    return np.concatenate([np.arange(*own) for own in stretches])
