"""Clusters and the tree: stretches, climbs and what nodes hold, against what is written out."""

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.bounds.prices import clusters
from pcsos.bounds.prices.clusters import Clusters, stretches_of, taken
from pcsos.bounds.prices.tree import PointTree
from tests.slow import first_few


def drawn(seed: int, n: int = 400) -> tuple[PointTree, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    means = np.round(rng.normal(size=(n, int(rng.integers(1, 4)))), int(rng.integers(0, 9)))
    tree = PointTree.of(means, rng.choice([np.ones(n), rng.uniform(0.1, 3.0, n)]), rng.integers(0, 4, n))
    return tree, rng.normal(size=n), rng


@pytest.mark.parametrize("seed", first_few(6, range(20)))
def test_nodes_hold_what_they_say(seed: int) -> None:
    tree, prices, _ = drawn(seed)
    assert sorted(tree.order.tolist()) == list(range(tree.size))
    priced = tree.priced(prices)
    for node in range(len(tree.first)):
        own = slice(int(tree.first[node]), int(tree.last[node]))
        means, weights = tree.means[own], tree.weights[own]
        assert len(means) > 0
        assert (tree.low[node] <= means).all()
        assert (means <= tree.high[node]).all()
        centre = weights @ means / weights.sum()
        np.testing.assert_allclose(tree.weight[node], weights.sum())
        np.testing.assert_allclose(tree.moment[node], weights @ means, atol=1e-9)
        np.testing.assert_allclose(tree.square[node], weights @ (means**2).sum(axis=1))
        np.testing.assert_allclose(tree.cost[node], weights @ ((means - centre) ** 2).sum(axis=1), atol=1e-9)
        np.testing.assert_allclose(priced.paid[node], prices[own].sum(), atol=1e-9)
        assert priced.least[node] == (prices[own] / weights).min()
        assert priced.most[node] == (prices[own] / weights).max()
        low, high = tree.halves[node]
        assert low == high == 0 or (tree.first[low], tree.last[high], tree.last[low]) == (
            tree.first[node], tree.last[node], tree.first[high],
        )  # fmt: skip


def test_clusters_are_told_apart_first() -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 5, 300)
    tree = PointTree.of(rng.normal(size=(300, 2)), np.ones(300), labels)
    assert (np.diff(labels[tree.order]) != 0).sum() == 4


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_a_cluster_takes_what_is_worth_it(seed: int) -> None:
    tree, prices, rng = drawn(seed)
    place = rng.normal(size=tree.means.shape[1])
    worth = prices - tree.weights * ((tree.means - place) ** 2).sum(axis=1)
    found = taken(tree.priced(prices), place)
    np.testing.assert_array_equal(found, stretches_of(np.flatnonzero(worth > 0.0)))


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_climbs_end_higher_and_earn_what_they_say(seed: int) -> None:
    tree, prices, rng = drawn(seed)
    priced, clusters = tree.priced(prices), Clusters(tree, rng)

    def earned(places: np.ndarray) -> np.ndarray:
        squares = ((places[:, None, :] - tree.means[None]) ** 2).sum(axis=2)
        return np.asarray(np.maximum(prices - tree.weights * squares, 0.0).sum(axis=1))

    starts = rng.normal(size=(20, tree.means.shape[1]))
    ends, profits = clusters.climb(priced, starts, 0.0)
    np.testing.assert_allclose(profits, earned(ends), atol=1e-9)
    assert (np.diff(profits) <= 0.0).all()
    assert profits[0] >= earned(starts).max() - 1e-9


def test_climbs_in_small_steps_end_at_the_same_places_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, prices, rng = drawn(2)
    priced, found = tree.priced(prices), Clusters(tree, rng)
    starts = rng.normal(size=(20, tree.means.shape[1]))
    ends, profits = found.climb(priced, starts, 0.0)
    monkeypatch.setattr(clusters, "CLIMBS", 3)
    for own, other in zip(found.climb(priced, starts, 0.0), (ends, profits), strict=True):
        np.testing.assert_array_equal(own, other)
    first = found.climb(priced, starts[:3], 0.0)
    for own, other in zip(found.climb(priced, starts, 0.0, Stop(lambda: True)), first, strict=True):
        np.testing.assert_array_equal(own, other)


def test_a_cluster_is_added_once_and_costs_what_it_costs() -> None:
    tree, _, rng = drawn(5)
    clusters = Clusters(tree, rng)
    members = np.flatnonzero(rng.random(tree.size) < 0.4)
    assert clusters.add(stretches_of(members))
    assert not clusters.add(stretches_of(members))
    assert not clusters.add(stretches_of(np.empty(0, np.intp)))
    means, weights = tree.means[members], tree.weights[members]
    centre = weights @ means / weights.sum()
    assert clusters.costs[0] == pytest.approx(float(weights @ ((means - centre) ** 2).sum(axis=1)))
    np.testing.assert_allclose(clusters.missed(np.array([0.25]))[members], 0.75)


def test_rounding_takes_clusters_that_overlap_little() -> None:
    tree, _, rng = drawn(6)
    clusters = Clusters(tree, rng)
    n = tree.size
    for members in (np.arange(n // 2), np.arange(n // 2 - 5), np.arange(n // 2, n)):
        clusters.add(stretches_of(members))
    rounded = clusters.rounded(np.array([0.9, 0.8, 0.1]), 2)
    np.testing.assert_array_equal(rounded, [clusters.centres[0], clusters.centres[2]])
