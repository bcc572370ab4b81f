"""Halving on one side: a place that is the mean of what is taken there stays in a box, down to the finest ones."""

import contextlib
import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from pcsos.verify import VerificationError, boxes, prices
from pcsos.verify.boxes import SCALE, Boxes, Earners, Near, Search, chosen
from pcsos.verify.prices import check_prices
from tests.slow import first_few
from tests.verify.test_prices import Case

Place = list[Fraction]


def given_to_search(case: Case, monkeypatch: pytest.MonkeyPatch) -> tuple[Earners, list[int]]:
    """The integers that points, weights and prices become."""
    given: list[Any] = []

    class Idle(Search):
        def run(self) -> None:
            given.extend([self.earners, self.lasts.ravel().tolist()])

    half = case.total / 2
    with monkeypatch.context() as patch:
        patch.setattr(prices, "Search", Idle)
        check_prices(case.data, case.state, case.payload(), fmpq(half.numerator, half.denominator), 1)
    return given[0], given[1]


def means_of_what_is_taken(earners: Earners) -> list[Place]:
    """All places that are the mean of what is taken there, by looking at all sets, in whole numbers."""
    n, found = earners.price.size, list[Place]()
    exponents = (earners.exponent + SCALE + 2 * earners.shift).tolist()
    weights = [Fraction(mantissa, 1 << by) for mantissa, by in zip(earners.mantissa.tolist(), exponents, strict=True)]
    places = earners.places.T.tolist()
    for size in range(1, n + 1):
        for members in itertools.combinations(range(n), size):
            weight = sum(weights[i] for i in members)
            mean = [sum(weights[i] * places[i][j] for i in members) / weight for j in range(len(places[0]))]
            far = [sum((x - y) ** 2 for x, y in zip(place, mean, strict=True)) for place in places]
            if {i for i in range(n) if int(earners.price[i]) > weights[i] * far[i]} == {*members}:
                found.append(mean)
    return found


class Following(Search):
    """Halves boxes with some places in them, and forgets the others; counts places that are in none any more."""

    places: list[Place]
    num_lost, num_followed = 0, 0

    def inside(self, own: Boxes) -> np.ndarray:
        """Which boxes have which places in them, of shape (places, boxes)."""
        lows, highs = (own.centres - own.half_sides).T.tolist(), (own.centres + own.half_sides).T.tolist()
        return np.array(
            [
                [
                    all(a <= x <= b for a, x, b in zip(low, place, high, strict=True))
                    for low, high in zip(lows, highs, strict=True)
                ]
                for place in self.places
            ]
        )

    def divide(self, boxes: Boxes, rim: Near, known: Any, depth: int) -> None:
        before = self.inside(boxes).any(axis=1)
        super().divide(boxes, rim, known, depth)
        halves = self.waiting[depth + 1] if depth + 1 < len(self.waiting) else []
        after = [self.inside(own) for own in halves]
        self.num_lost += int(np.count_nonzero(before & ~np.any([own.any(axis=1) for own in after], axis=0)))
        self.num_followed += int(np.count_nonzero(before))
        kept = [chosen(own, which.any(axis=0)) for own, which in zip(halves, after, strict=True)]
        self.kept += sum(own.work for own in kept) - sum(own.work for own in halves)
        self.waiting[depth + 1 :] = [[own for own in kept if own.counts.size]]


def followed(seed: int, margin: int | None, monkeypatch: pytest.MonkeyPatch) -> Following:
    """Look at a drawn case as if nothing were ever closed."""
    rng = np.random.default_rng([seed, 5])
    n, d = int(rng.integers(3, 7)), int(rng.integers(1, 4))
    points = rng.normal(size=(n, d)) if rng.random() < 0.5 else rng.integers(0, 5, (n, d)).astype(float)
    points[0] += 2.0 * (points == points[0]).all(axis=0)  # all features vary
    weights = np.ones(n) if rng.random() < 0.5 else 10.0 ** rng.uniform(-2, 2, n)
    spread = float(((points - points.mean(axis=0)) ** 2).sum(axis=1).max())
    case = Case(points, weights * spread * rng.uniform(0.2, 3.0, n), weights)
    earners, sides = given_to_search(case, monkeypatch)
    search = Following(earners, sides, 0)
    search.places = means_of_what_is_taken(earners)
    if margin is not None:
        search.margin = margin

    def require(holds: object, otherwise: str) -> None:
        if not holds and "there is a place" not in otherwise:
            raise VerificationError(otherwise)

    monkeypatch.setattr(boxes, "require", require)
    with contextlib.suppress(VerificationError):  # too fine, as long as there are boxes
        search.run()
    return search


@pytest.mark.parametrize("seed", first_few(8, range(60)))
def test_no_mean_of_what_is_taken_is_lost(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    search = followed(seed, None, monkeypatch)
    assert search.num_followed > 50
    assert search.num_lost == 0


def test_without_its_margin_a_search_loses_some(monkeypatch: pytest.MonkeyPatch) -> None:
    assert any(followed(seed, 0, monkeypatch).num_lost for seed in range(8))
