"""Strategies: the rates of exponential crossover, and the competition of b6e6rl."""

import numpy as np
import pytest

from pcsos.heuristics.differential_evolution.strategies import (
    exponential_rate,
    reward,
    roulette,
    single,
    twelve,
)
from pcsos.heuristics.differential_evolution.variants import VARIANTS

#: Roots for the numbers of components of the paper's data sets, to six digits.
RATES = {
    12: (0.740593, 0.878791, 0.951203),
    15: (0.783497, 0.901299, 0.960699),
    18: (0.814237, 0.916760, 0.967101),
    39: (0.906866, 0.960300, 0.984629),
    54: (0.931330, 0.971099, 0.988866),
    66: (0.943256, 0.976264, 0.990878),
}


@pytest.mark.parametrize(("dimension", "rates"), RATES.items())
def test_rates_of_exponential_crossover(dimension: int, rates: tuple[float, ...]) -> None:
    pool = twelve(dimension)
    np.testing.assert_allclose(pool.rates[6:], 2 * rates, atol=6e-7)
    middle = (1 + 1 / dimension) / 2
    for share, rate in zip(((middle + 1 / dimension) / 2, middle, (middle + 1) / 2), pool.rates[6:9], strict=True):
        assert rate < 1
        changed = dimension * share
        assert rate**dimension - changed * rate + changed - 1 == pytest.approx(0.0, abs=1e-12)
        assert sum(rate**j for j in range(dimension)) == pytest.approx(changed)


def test_rates_of_short_and_long_vectors() -> None:
    assert 0.0 <= exponential_rate(1.0, 1) <= 1.0
    assert exponential_rate(0.75, 2) == pytest.approx(0.5)
    assert 1 - 1e-5 < exponential_rate(0.5, 1_000_000) < 1


def test_twelve_strategies() -> None:
    pool = twelve(12)
    assert pool.is_exponential.tolist() == [False] * 6 + [True] * 6
    assert pool.scales.tolist() == 2 * [0.5, 0.5, 0.5, 0.8, 0.8, 0.8]
    assert pool.rates[:6].tolist() == 2 * [0.0, 0.5, 1.0]
    assert pool.successes.tolist() == [0.0] * 12


def test_one_strategy_is_never_forgotten() -> None:
    pool = single(7)
    assert (pool.scales.item(), pool.rates.item(), pool.is_exponential.item()) == (0.8, 0.8, False)
    for _ in range(100):
        reward(pool.successes, 0)
    assert pool.successes.item() == 100


def test_probabilities_grow_with_successes() -> None:
    successes = np.array([3.0, 0.0, 1.0])  # with two more each: 5, 2 and 3 of 10
    draws = (np.arange(1000) + 0.5) / 1000
    chosen = [roulette(successes, draw) for draw in draws]
    assert np.bincount(chosen, minlength=3).tolist() == [500, 200, 300]
    assert roulette(successes, np.nextafter(1.0, 0.0)) == 2


def test_counts_are_forgotten_below_the_least_probability() -> None:
    """With 12 strategies, 2 / (24 + n) falls below 1 / 60 when n passes 96."""
    successes = np.zeros(12)
    for _ in range(96):
        reward(successes, 4)
    assert successes[4] == 96
    reward(successes, 4)
    assert successes.tolist() == [0.0] * 12


def test_twelve_variants() -> None:
    assert len(VARIANTS) == 12
    assert {name.rpartition("-")[0] for name in VARIANTS} == {"rand/1/bin", "jDE", "b6e6rl"}
    for name, variant in VARIANTS.items():
        kind, _, suffix = name.rpartition("-")
        assert (variant.is_hybrid, variant.rearranges) == (suffix[0] == "H", suffix[1] == "G")
        assert variant.is_self_adaptive == (kind == "jDE")
        assert variant.is_localised == (kind == "b6e6rl")
        assert variant.pool_for(5).scales.size == (12 if kind == "b6e6rl" else 1)
