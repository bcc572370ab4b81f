"""Tolls beside prices: no cluster weighs more than a capacity, and what it then earns is known from all subsets."""

from fractions import Fraction

import numpy as np
import pytest

from tests.slow import first_few
from tests.verify.test_prices import Case


def drawn(rng: np.random.Generator, *, is_even: bool) -> Case:
    n, d = int(rng.integers(2, 8)), int(rng.integers(1, 4))
    points = rng.normal(size=(n, d)).round(int(rng.integers(1, 4))) * 2.0 ** rng.integers(-20, 20)
    weights = np.ones(n) if is_even else 2.0 ** rng.integers(-6, 6, n) * rng.uniform(1.0, 2.0, n)
    spread = float((points**2).sum(axis=1).mean()) * float(weights.mean()) + 1e-12
    prices = spread * rng.normal(rng.uniform(0.0, 2.0), 1.0, n)
    capacity = float(rng.integers(1, n + 1)) if is_even else float(rng.uniform(weights.max(), weights.sum()))
    apart = [] if is_even or rng.random() < 0.7 else [(0, 1)]
    return Case(points, prices, weights, knots=apart, apart=apart, capacity=capacity)


@pytest.mark.parametrize("seed", first_few(10, range(40)))
def test_what_clusters_earn_within_a_capacity(seed: int) -> None:
    case = drawn(np.random.default_rng([seed, 1]), is_even=True)
    assert case.agrees(int(np.random.default_rng(seed).integers(1, 4)))


def test_a_point_in_the_middle_of_a_box_is_not_looked_at_too_coarsely() -> None:
    """It has no slope along an axis on which the box has to be halved all the same."""
    points = [[1.0, 3.0, 1.0], [4.0, 1.0, 0.0], [2.0, 1.0, 2.0], [0.0, 4.0, 4.0], [4.0, 3.0, 2.0]]
    prices = [61.0, 0.6, 0.4, 11.0, 38.0]
    bound = Fraction(sum(prices)) - 2 * Fraction(94.65)  # the most that is earned is 94.647
    assert Case(points, prices, capacity=2.6850824).proves(bound, 2)


@pytest.mark.parametrize("seed", first_few(10, range(40)))
def test_no_more_is_accepted_with_any_weights(seed: int) -> None:
    case = drawn(np.random.default_rng([seed, 2]), is_even=False)
    assert case.is_sound(int(np.random.default_rng(seed).integers(1, 4)))
