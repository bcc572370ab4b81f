"""Pricing: a search in jobs bounds what is earned anywhere, the same whoever does them."""

import math
from dataclasses import astuple

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.base.control.threads import use_threads
from pcsos.bounds.prices import pricing
from pcsos.bounds.prices.profit import Profit
from pcsos.bounds.prices.tree import Priced
from tests.bounds.prices.test_profit import drawn, earned, greatest, priced_tree
from tests.slow import first_few


def plane(seed: int) -> Priced:
    """Super-points of one weight in the plane, of which a cluster takes about a third."""
    means = np.random.default_rng(seed).normal(size=(40, 2))
    return priced_tree(means, np.ones(40), np.full(40, 1.0))


def bits(found: Profit) -> list[bytes]:
    return [np.asarray(value).tobytes() for value in astuple(found)]


@pytest.fixture(autouse=True, params=[39, 500])
def least_to_hand_out(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty super-points are several jobs at first, or one."""
    monkeypatch.setattr(pricing, "FOR_ONE", request.param)


@pytest.mark.parametrize("work", [20, 8_000_000])
@pytest.mark.parametrize("seed", first_few(10, range(100)))
def test_nowhere_more_is_earned(seed: int, work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pricing, "WORK", work)
    means, weights, prices, rng = drawn(seed)
    scale = max(float(np.maximum(prices, 0.0).sum()), 1e-300)
    found = greatest(priced_tree(means, weights, prices), tolerance=1e-2 * scale, floor=0.0, keep=7)
    low, high = means.min(axis=0), means.max(axis=0)
    inside, beyond = rng.uniform(low, high, (2000, low.size)), rng.normal(size=(500, low.size)) * 3
    anywhere = np.concatenate([means, inside, beyond])
    highest = earned(means, weights, prices, anywhere).max()
    assert highest <= found.most <= found.least + 1.001e-2 * scale
    assert found.least >= highest - 2e-2 * scale
    assert len(found.places) <= 7
    assert found.earned.max(initial=0.0) == found.least
    np.testing.assert_allclose(earned(means, weights, prices, found.places), found.earned, atol=1e-9 * scale)
    assert (np.diff(found.earned) <= 0.0).all()


@pytest.mark.parametrize("seed", range(8))
def test_any_number_of_threads_finds_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pricing, "WORK", 100)
    priced = plane(seed)
    options = {"floor": 0.0, "keep": 5, "tolerance": 1e-3 * priced.prices.sum()}
    alone = greatest(priced, **options)
    for number in (2, 3, 7):
        with use_threads(number):
            assert bits(greatest(priced, **options)) == bits(alone)
    assert alone.num_boxes > 32


@pytest.mark.parametrize("work", [1, 8_000_000])
def test_a_search_that_is_given_up_proves_nothing_of_boxes_that_wait(
    work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pricing, "WORK", work)
    priced = plane(3)
    tolerance = 1e-4 * priced.prices.sum()
    whole, few = greatest(priced, tolerance=tolerance), greatest(priced, tolerance=tolerance, most_boxes=50)
    assert 0 < few.num_boxes <= 50 * pricing.FIRST_JOBS < whole.num_boxes
    assert few.least <= whole.most < few.most == math.inf


@pytest.mark.parametrize("number", [1, 2])
def test_what_is_left_when_stopped_counts(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pricing, "WORK", 1)
    priced, questions = plane(3), iter(range(10**9))
    tolerance = 1e-4 * priced.prices.sum()
    whole = greatest(priced, tolerance=tolerance)
    with use_threads(number):
        at_once = greatest(priced, known=0.25, stop=Stop(lambda: True))
        later = greatest(priced, tolerance=tolerance, stop=Stop(lambda: next(questions) > 200))
    assert (at_once.least, at_once.most, at_once.num_boxes) == (0.25, math.inf, 0)
    assert 0 < later.num_boxes < whole.num_boxes
    assert whole.most < later.most
