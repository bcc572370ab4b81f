"""Narrowing: no place is lost that is the mean of what a cluster takes there."""

import itertools

import numpy as np
import pytest

from pcsos.bounds.prices.narrowing import is_narrowed, slip_of
from pcsos.bounds.prices.tree import PointTree
from tests.bounds.prices.test_profit import bounded
from tests.slow import first_few


def drawn(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    d = int(rng.integers(3, 9))
    means = rng.normal(size=(n, d)) * rng.choice([1.0, 0.1, 0.01], d)
    weights = np.ones(n) if rng.random() < 0.5 else rng.uniform(0.1, 9.0, n)
    return means, weights, weights * (means**2).sum(axis=1).mean() * rng.uniform(-0.1, 1.0, n)


def means_of_what_is_taken(
    means: np.ndarray, weights: np.ndarray, prices: np.ndarray
) -> list[tuple[np.ndarray, float]]:
    """All places that are the mean of what is taken there, and what is earned, by looking at all sets."""
    found = []
    for size in range(1, len(means) + 1):
        for members in itertools.combinations(range(len(means)), size):
            own = list(members)
            place = weights[own] @ means[own] / weights[own].sum()
            worth = prices - weights * ((means - place) ** 2).sum(axis=1)
            if set(np.flatnonzero(worth > 0.0)) == set(members):
                found.append((place, float(worth[own].sum())))
    return found


@pytest.mark.parametrize("seed", first_few(20, range(100)))
def test_no_mean_of_what_is_taken_is_lost(seed: int) -> None:
    rng = np.random.default_rng(seed)
    means, weights, prices = drawn(rng, 9)
    d = means.shape[1]
    places = means_of_what_is_taken(means, weights, prices)
    tree = PointTree.of(means, weights, np.zeros(9, np.intp))
    priced = tree.priced(prices[tree.order])
    slip, narrowed = slip_of(priced, 9.0), 0
    for _ in range(300):
        middle = places[int(rng.integers(len(places)))][0] + rng.normal(size=d) * rng.choice([0.01, 0.1, 1.0])
        half = np.abs(rng.normal(size=d)) * rng.choice([0.001, 0.03, 0.3])
        low, high = middle - half, middle + half
        far = np.maximum(np.abs(tree.means - low), np.abs(tree.means - high))
        near = np.maximum(np.maximum(low - tree.means, tree.means - high), 0.0)
        is_taken = priced.prices >= tree.weights * (far**2).sum(axis=1) * (1.0 + 1e-12)
        is_rim = ~is_taken & (priced.prices > tree.weights * (near**2).sum(axis=1))
        sums = np.zeros(d + 2)
        sums[:d], sums[d] = tree.weights[is_taken] @ tree.means[is_taken], tree.weights[is_taken].sum()
        members = -np.flatnonzero(is_rim).astype(np.int64) - 1
        inside = [place for place, _ in places if ((low <= place) & (place <= high)).all()]
        before, pull = float(np.prod(high - low)), np.zeros((2, d))
        if is_narrowed(priced, members, 0, len(members), sums, slip, low, high, pull):
            narrowed += not low[0] <= high[0] or float(np.prod(high - low)) < before
        assert all(((low <= place) & (place <= high)).all() for place in inside)
    assert narrowed > 0


@pytest.mark.parametrize("seed", first_few(20, range(60)))
def test_the_most_is_found_with_many_features(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    means, weights, prices = drawn(rng, 9)
    most = max(earned for _, earned in means_of_what_is_taken(means, weights, prices))
    scale = float(np.maximum(prices, 0.0).sum())
    found = bounded(means, weights, prices, tolerance=1e-6 * scale)
    assert found.least <= most * (1.0 + 1e-12)
    assert most <= found.most <= most + 1.1e-6 * scale
