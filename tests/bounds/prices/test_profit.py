"""Profit: a bound on what a cluster earns anywhere, against many places and against what is exact; narrowing."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from pcsos.base.control.stop import Interrupted, Stop
from pcsos.bounds.prices import pricing
from pcsos.bounds.prices.narrowing import is_narrowed, slip_of
from pcsos.bounds.prices.pricing import greatest_profit
from pcsos.bounds.prices.profit import Profit
from pcsos.bounds.prices.tree import PointTree, Priced
from tests.slow import first_few


def earned(means: np.ndarray, weights: np.ndarray, prices: np.ndarray, places: np.ndarray) -> np.ndarray:
    """What a cluster earns at each place, by its definition."""
    squares = ((places[:, None, :] - means[None]) ** 2).sum(axis=2)
    return np.maximum(prices - weights * squares, 0.0).sum(axis=1)


def priced_tree(means: np.ndarray, weights: np.ndarray, prices: np.ndarray) -> Priced:
    tree = PointTree.of(means, weights, np.arange(len(means)) % 2)
    return tree.priced(prices[tree.order])


def greatest(priced: Priced, **options: Any) -> Profit:
    values = {"known": 0.0, "tolerance": 1e-6, "floor": math.inf, "keep": 1, "most_boxes": 10**7}
    return greatest_profit(priced, **{"rounded": len(priced.means), **values, **options})


def bounded(means: np.ndarray, weights: np.ndarray, prices: np.ndarray, **options: Any) -> Profit:
    return greatest(priced_tree(means, weights, prices), **options)


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 40)), int(rng.integers(1, 5))
    means = rng.normal(size=(n, d)) * rng.choice([1e-3, 1.0, 50.0])
    weights = rng.choice([np.ones(n), rng.uniform(0.1, 9.0, n), 10.0 ** rng.integers(-6, 6, n)])
    prices = rng.normal(size=n) * rng.choice([0.1, 1.0, 10.0]) * (weights * (means**2).sum(axis=1)).mean()
    return means, weights, prices, rng


@pytest.mark.parametrize("seed", range(8))
def test_nowhere_more_is_earned_whenever_a_search_is_stopped(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    means, weights, prices, rng = drawn(seed)
    low, high = means.min(axis=0), means.max(axis=0)
    highest = earned(means, weights, prices, rng.uniform(low, high, (2000, means.shape[1]))).max()
    scale = float(np.maximum(prices, 0.0).sum())
    whole = bounded(means, weights, prices, tolerance=1e-7 * scale)
    monkeypatch.setattr(pricing, "WORK", 1)
    for number in range(1, 40, 3):
        asked = iter(range(number))
        stop = Stop(lambda asked=asked: next(asked, None) is None)
        found = bounded(means, weights, prices, tolerance=1e-7 * scale, stop=stop)
        assert found.num_boxes <= number + 1
        assert found.most >= max(highest, whole.least)


def test_a_tree_is_not_built_when_the_run_has_to_end() -> None:
    with pytest.raises(Interrupted):
        PointTree.of(np.zeros((5, 2)), np.ones(5), np.zeros(5, np.intp), Stop(lambda: True))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_nowhere_more_is_earned_where_nodes_stay_whole(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = 4000, int(rng.integers(1, 4))
    means = (rng.normal(size=(n, d)) + rng.choice([0.0, 3.0])) * rng.choice([1e-3, 1.0, 50.0])
    weights = rng.choice([np.ones(n), rng.uniform(0.1, 9.0, n)])
    squares = ((means - means.mean(axis=0)) ** 2).sum(axis=1)
    prices = weights * squares.mean() * rng.uniform(0.2, 1.0) * (1.0 + 0.3 * np.sin(means[:, 0]))
    scale = float(prices.sum())
    found = bounded(means, weights, prices, tolerance=1e-5 * scale)
    anywhere = np.concatenate([means[:500], rng.uniform(means.min(axis=0), means.max(axis=0), (500, d))])
    highest = earned(means, weights, prices, anywhere).max()
    assert found.most >= highest
    assert found.least <= found.most <= found.least + 1.01e-5 * scale
    assert found.least >= highest - 1e-5 * scale


def test_nothing_is_earned_without_positive_prices() -> None:
    found = bounded(np.array([[0.0, 0.0], [1.0, 1.0]]), np.ones(2), np.array([-1.0, 0.0]))
    assert 0.0 <= found.most < 1e-12


@pytest.mark.parametrize("most_boxes", [0, 1, 5, 40])
def test_a_search_that_gives_up_still_bounds(most_boxes: int) -> None:
    means, weights, prices, rng = drawn(11)
    found = bounded(means, weights, prices, tolerance=0.0, most_boxes=most_boxes)
    places = rng.uniform(means.min(axis=0), means.max(axis=0), (3000, means.shape[1]))
    assert found.most >= earned(means, weights, prices, places).max()


def test_places_that_earn_more_than_asked_for_are_returned() -> None:
    means = np.array([[0.0, 0.0], [0.1, 0.0], [9.0, 9.0], [9.0, 9.1]])
    found = bounded(means, np.ones(4), np.ones(4), floor=1.5, keep=100)
    assert len(found.places) == len(found.earned) > 0
    np.testing.assert_allclose(earned(means, np.ones(4), np.ones(4), found.places), found.earned, rtol=1e-12)
    assert found.earned.min() > 1.5


@pytest.mark.parametrize("far", [1e17, 1.92e17, 2.5e17])
def test_boxes_much_larger_than_the_points_forget_none(far: float) -> None:
    # Forty points about 0, and two that weigh nothing so far away that half a box rounds the others off.
    away, price = {1e17: (0.275, 0.162812), 1.92e17: (0.55, 0.65125), 2.5e17: (0.55, 0.65125)}[far]
    means = np.concatenate([np.full(20, away), np.full(20, -away), [far, -far]])[:, None]
    weights = np.concatenate([np.ones(40), [1e-40, 1e-40]])
    prices = np.concatenate([np.full(40, price), [1e-20, 1e-20]])
    found = bounded(means, weights, prices, tolerance=1e-9)
    assert found.most >= 40.0 * (price - away * away) * (1.0 - 1e-12)
    assert found.most >= earned(means, weights, prices, np.zeros((1, 1)))[0]


def drawn_prices(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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


@pytest.mark.parametrize("seed", first_few(10, range(100)))
def test_no_mean_of_what_is_taken_is_lost(seed: int) -> None:
    rng = np.random.default_rng(seed)
    means, weights, prices = drawn_prices(rng, 9)
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


@pytest.mark.parametrize("seed", first_few(10, range(60)))
def test_the_most_is_found_with_many_features(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    means, weights, prices = drawn_prices(rng, 9)
    most = max(earned for _, earned in means_of_what_is_taken(means, weights, prices))
    scale = float(np.maximum(prices, 0.0).sum())
    found = bounded(means, weights, prices, tolerance=1e-6 * scale)
    assert found.least <= most * (1.0 + 1e-12)
    assert most <= found.most <= most + 1.1e-6 * scale
