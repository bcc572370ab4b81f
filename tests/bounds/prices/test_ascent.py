"""Ascent: what prices prove is true, whatever they are, and close where it should be."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from pcsos.base.control.stop import NEVER, Stop
from pcsos.bounds.prices.ascent import Ascent, Prices, filled
from pcsos.bounds.prices.cells import cells
from pcsos.bounds.prices.profit import Profit
from pcsos.bounds.prices.tree import PointTree
from pcsos.problem.instance import Instance
from pcsos.problem.params import PriceParams
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.search.prices import raising
from pcsos.search.prices.nodes import PriceNode
from pcsos.search.prices.raising import raise_prices
from tests.clouds import clouds
from tests.oracle import enumerate_feasible
from tests.slow import first_few

PARAMS = PriceParams()


def drawn(seed: int) -> Instance:
    """At most nine points with weights and must-links."""
    rng = np.random.default_rng([seed, 5])
    n, d = int(rng.integers(4, 10)), int(rng.integers(1, 5))
    points = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4) + rng.choice([0.0, 1e4])
    if rng.random() < 0.3:
        points = np.round(points)
    weights = np.ones(n) if rng.random() < 0.5 else rng.uniform(0.1, 5.0, n)
    k = int(rng.integers(2, min(n - 1, 4) + 1))
    must = [(0, 1)] if rng.random() < 0.4 else []
    return Instance(points, k, must, [], weights)


def ascent_of(reduced: Reduced, labels: np.ndarray, cutoff: float, rng: np.random.Generator) -> Ascent:
    tree = PointTree.of(reduced.means, reduced.weights, labels)
    return Ascent(reduced, tree, labels[tree.order], cutoff, PARAMS, NEVER, rng)


def raised(
    reduced: Reduced, labels: np.ndarray, cutoff: float, stop: Stop = NEVER, seed: int = 0, params: PriceParams = PARAMS
) -> list[Prices]:
    """All prices of the root on the way."""
    noted: list[list[PriceNode]] = []
    raise_prices(reduced, labels, cutoff, params, stop, seed, noted.append, 1)
    assert all(len(nodes) == 1 and nodes[0].number == 0 for nodes in noted)
    return [nodes[0].best for nodes in noted]


@pytest.mark.parametrize("seed", first_few(6, range(120)))
def test_no_prices_on_the_way_prove_too_much(seed: int) -> None:
    instance = drawn(seed)
    exact = enumerate_feasible(instance)
    if exact.optimum <= 1e-12 * instance.points.var():
        pytest.skip("there is nothing to prove")
    reduced = reduce_instance(instance)
    noted = raised(reduced, reduced.project(exact.best_labels), exact.optimum, seed=seed)
    bounds = [prices.lower_bound for prices in noted]
    assert bounds == sorted(bounds)
    assert bounds[-1] <= exact.optimum * (1.0 + 1e-12) + 1e-12
    assert bounds[-1] >= 0.5 * exact.optimum  # the relaxation over all clusters is close on so few points


def test_first_prices_that_take_too_many_boxes_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Profit(0.0, math.inf, np.empty((0, 2)), np.empty(0), 0)
    monkeypatch.setattr("pcsos.bounds.prices.ascent.greatest_profit", lambda priced, **asked: found)
    reduced = reduce_instance(Instance(np.random.default_rng(0).normal(size=(12, 2)), 3))
    ascent = ascent_of(reduced, np.arange(12) % 3, math.inf, np.random.default_rng(0))
    ascent.round()
    assert ascent.is_done()
    assert ascent.best.lower_bound == -math.inf


@pytest.mark.parametrize("seed", first_few(16, range(60)))
def test_any_prices_prove_something_true(seed: int) -> None:
    instance = drawn(seed)
    exact = enumerate_feasible(instance)
    reduced = reduce_instance(instance)
    rng = np.random.default_rng(seed)
    ascent = ascent_of(reduced, reduced.project(exact.best_labels), exact.optimum, rng)
    for size in (0.0, 0.1, 1.0, 10.0, 1e6):
        ascent.prices = rng.normal(size=reduced.size) * size * exact.optimum / reduced.size
        ascent._judge()
        assert ascent.bound <= exact.optimum * (1.0 + 1e-12) + 1e-12


def test_what_a_cluster_may_earn_at_most_is_left_to_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    points, labels = rng.normal(size=(30, 2)), np.arange(30) % 3
    ascent = ascent_of(reduce_instance(Instance(points, 3)), labels, 0.0, rng)
    roughly = Profit(1.0, 2.0, np.empty((0, 2)), np.empty(0), 1)
    monkeypatch.setattr(ascent, "_profit", lambda *_: roughly)
    ascent._judge()
    assert ascent.bound == ascent._paid(ascent.prices) - 3 * 2.0


def test_clear_clusters_are_proved_closely() -> None:
    points, labels = clouds(0, 600, 6, 2, 30.0)
    reduced = reduce_instance(Instance(points, 6))
    objective = sum(((points[labels == c] - points[labels == c].mean(axis=0)) ** 2).sum() for c in range(6))
    best = raised(reduced, labels, objective * (1 - 1e-5))[-1]
    assert objective * (1 - 1e-5) <= best.lower_bound <= objective


def test_a_point_far_off_does_not_stop_it() -> None:
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(size=(1000, 2)), [[1e4, 2.0]]])
    labels = np.repeat([0, 1], [1000, 1])
    reduced = reduce_instance(Instance(points, 2))
    objective = float(((points[:1000] - points[:1000].mean(axis=0)) ** 2).sum())
    best = raised(reduced, labels, objective * (1 - 1e-3))[-1]
    assert best.lower_bound >= objective * (1 - 1e-3)


@pytest.mark.slow
def test_nodes_in_place_of_points_lead_closer_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    points, labels = clouds(1, 3000, 6, 2, 3.0)
    reduced = reduce_instance(Instance(points, 6))
    objective = sum(((points[labels == c] - points[labels == c].mean(axis=0)) ** 2).sum() for c in range(6))

    def first_bound(coarse: tuple[int, ...]) -> float:
        monkeypatch.setattr(raising, "COARSE", coarse)
        noted = raised(reduced, labels, 0.5 * objective)
        assert max(prices.lower_bound for prices in noted) <= objective
        return noted[0].lower_bound

    assert first_bound((200,)) > first_bound(())
    assert first_bound((4,)) == first_bound(())  # fewer nodes than clusters


@pytest.mark.parametrize("seed", range(5))
def test_runs_lead_on_to_their_super_points(seed: int) -> None:
    """Clusters and cells of runs are those of their super-points, and rates go on along their slopes."""
    rng = np.random.default_rng(seed)
    reduced = reduce_instance(Instance(rng.normal(size=(400, 2)), 3, weights=rng.uniform(0.5, 2.0, 400)))
    labels = np.argmax(reduced.means @ rng.normal(size=(2, 3)), axis=1)
    fine = PointTree.of(reduced.means, reduced.weights, labels)
    begins = cells(fine, 60, rng)
    tree, own = fine.joined(begins), labels[fine.order]
    np.testing.assert_allclose(tree.weights @ tree.means, fine.weights @ fine.means, atol=1e-9)
    assert tree.cost[0] + sum(_cost(fine, *run) for run in zip(begins, [*begins[1:], 400], strict=True)) == (
        pytest.approx(fine.cost[0])
    )
    for first, last, halves in zip(tree.first, tree.last, tree.halves, strict=True):
        parts = [(first, last)] if not halves[0] else [(tree.first[half], tree.last[half]) for half in halves]
        assert parts[0][0] == first
        assert parts[-1][1] == last
        assert last - first == (1 if not halves[0] else sum(end - begin for begin, end in parts))
    coarse = Ascent(
        replace(reduced, means=tree.means, weights=tree.weights, component=np.arange(60)), tree, own[begins],
        math.inf, PARAMS, NEVER, rng,
    )  # fmt: skip
    for _ in range(4):
        coarse.round()
    known = Ascent(reduced, fine, own, math.inf, PARAMS, NEVER, rng, 0.0, coarse, begins)
    assert len(known.clusters) >= len(coarse.clusters)
    run = np.searchsorted(begins, np.arange(400), side="right") - 1
    rates = known.prices / known.weights - known.own
    expected = (coarse.best.prices / coarse.weights - coarse.own)[run]
    np.testing.assert_allclose(np.bincount(run, fine.weights * (rates - expected)), 0.0, atol=1e-9)
    assert set(known.terms.ends) <= {*begins.tolist(), 400}


def _cost(tree: PointTree, begin: int, end: int) -> float:
    weights, means = tree.weights[begin:end], tree.means[begin:end]
    return float(weights @ ((means - weights @ means / weights.sum()) ** 2).sum(axis=1))


def test_first_rates_are_level_but_for_those_near_another_cluster() -> None:
    rates = filled(np.array([0.1, 5.0, 0.2, 5.0]), 10.0, np.array([1.0, 1.0, 2.0, 3.0]))
    np.testing.assert_allclose(rates, [0.1, 2.375, 0.2, 2.375])
    assert rates @ [1.0, 1.0, 2.0, 3.0] == pytest.approx(10.0)
    np.testing.assert_allclose(filled(np.array([1.0, 2.0]), 9.0, np.array([1.0, 2.0])), [7 / 3, 10 / 3])


@pytest.mark.parametrize("scale", [1e-100, 1e-3, 1e100])
def test_units_change_nothing(scale: float) -> None:
    rng = np.random.default_rng(2)
    points, labels = rng.normal(size=(60, 2)), np.arange(60) % 3

    def bound(unit: float) -> float:
        reduced = reduce_instance(Instance(points * unit, 3))
        return raised(reduced, labels, 1e9 * unit * unit)[-1].lower_bound / unit / unit

    assert bound(2.0 ** round(math.log2(scale))) == bound(1.0)


def test_the_same_seed_gives_the_same_prices() -> None:
    rng = np.random.default_rng(3)
    points, labels = rng.normal(size=(80, 3)), np.arange(80) % 4
    reduced = reduce_instance(Instance(points, 4))
    first, second = (raised(reduced, labels, 1e9, seed=7)[-1] for _ in range(2))
    assert first.prices.tobytes() == second.prices.tobytes()
    assert first.lower_bound == second.lower_bound


def test_it_ends_when_asked_with_what_it_has() -> None:
    rng = np.random.default_rng(4)
    points, labels = rng.normal(size=(2000, 3)), np.arange(2000) % 5
    reduced = reduce_instance(Instance(points, 5))
    asked = itertools.count()
    assert raised(reduced, labels, 1e9, Stop(lambda: next(asked) >= 20))
    assert 20 < next(asked) < 25  # of some five hundred


@pytest.mark.parametrize("seed", range(10))
def test_points_at_few_places_end_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 3, (9, 2)).astype(float)
    instance = Instance(points, 3, [], [], rng.integers(1, 10, 9).astype(float))
    reduced, labels = reduce_instance(instance), np.arange(9) % 3
    noted = raised(reduced, labels, 1e9, seed=seed, params=PriceParams(first_cells=2))
    optimum = enumerate_feasible(instance).optimum
    assert 0.0 <= noted[-1].lower_bound <= optimum * (1.0 + 1e-12)
