"""A generation: equal to the words of the paper, component by component; parameters that adapt; the box; strategies."""

from typing import Any

import numpy as np
import pytest

from pcsos.heuristics.differential_evolution.generation import (
    Draws,
    Population,
    Rules,
    challenge,
    exponential_rate,
    reward,
    roulette,
    single,
    trial_of,
    twelve,
)
from pcsos.heuristics.differential_evolution.hybrid import VARIANTS
from pcsos.heuristics.differential_evolution.landscape import CRITERIA, Criterion, evaluate, landscape_of
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, reduce_instance
from tests.heuristics.differential_evolution.literal import Individual, Literal
from tests.slow import shares

KINDS = ("rand/1/bin", "jDE", "b6e6rl")


def strategies(kind: str, d: int) -> list[tuple[str, float, float]]:
    if kind != "b6e6rl":
        return [("bin", 0.8, 0.8)]
    probabilities = [((1 + 1 / d) / 2 + 1 / d) / 2, (1 + 1 / d) / 2, ((1 + 1 / d) / 2 + 1) / 2]
    rates = {"bin": [0.0, 0.5, 1.0], "exp": [exponential_rate(p, d) for p in probabilities]}
    return [
        (crossover, scale, rate) for crossover in ("bin", "exp") for scale in (0.5, 0.8) for rate in rates[crossover]
    ]


def random_problem(rng: np.random.Generator) -> Reduced:
    n, p, k = int(rng.integers(7, 25)), int(rng.integers(1, 5)), int(rng.integers(2, 7))
    weights = rng.uniform(0.5, 3.0, n) if rng.random() < 0.5 else None
    return reduce_instance(Instance(rng.standard_normal((n, p)), k, weights=weights))


def random_population(rng: np.random.Generator, reduced: Reduced, literal: Literal, size: int) -> list[Individual]:
    low, high = (np.tile(end, literal.k) for end in (literal.points.min(axis=0), literal.points.max(axis=0)))
    found = []
    for _ in range(size):
        vector = rng.uniform(low, high)
        labels = literal.decode(vector)
        found.append(Individual(vector, labels, literal.value(labels), 0.1 + 0.8 * rng.random(), rng.random()))
    return found


def as_arrays(individuals: list[Individual], landscape: Any) -> Population:
    size = len(individuals)
    population = Population.empty(size, individuals[0].vector.size, individuals[0].labels.size)
    for i, each in enumerate(individuals):
        population.vectors[i], population.scales[i], population.rates[i] = each.vector, each.scale, each.rate
        centres = each.vector.reshape(landscape.n_clusters, -1)
        population.values[i], _, _ = evaluate(landscape, centres, population.labels[i])
    return population


def rules_of(kind: str, landscape: Any, *, is_hybrid: bool) -> Rules:
    low, high = (np.tile(end(axis=0), landscape.n_clusters) for end in (landscape.points.min, landscape.points.max))
    variant = VARIANTS[f"{kind}-NN"]
    return Rules(low, high, variant.is_self_adaptive, variant.is_localised, is_hybrid, 1e-4, 500)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("is_hybrid", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seeds", shares(10, 25))
def test_a_generation_is_that_of_the_words_of_the_paper(
    seeds: range, kind: str, is_hybrid: bool, criterion: Criterion
) -> None:
    filled, taken = 0, 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        reduced = random_problem(rng)
        landscape, d = landscape_of(reduced, criterion), reduced.n_clusters * reduced.means.shape[1]
        literal = Literal(
            reduced.means, reduced.weights, reduced.n_clusters, criterion, kind, is_hybrid, strategies(kind, d)
        )
        individuals = random_population(rng, reduced, literal, 8)
        parents, children = as_arrays(individuals, landscape), Population.empty(8, d, reduced.size)
        pool, counts = VARIANTS[f"{kind}-NN"].pool_for(d), [0] * len(literal.strategies)
        for _ in range(3):
            draws = Draws.of(rng, 8, d)
            individuals = literal.generation(individuals, counts, draws)
            counted = challenge(
                landscape, rules_of(kind, landscape, is_hybrid=is_hybrid), pool, parents, draws, children, 0, 8
            )
            parents, children = children, parents
            taken, filled = taken + counted[0], filled + counted[2]
            np.testing.assert_array_equal(parents.labels, [each.labels for each in individuals])
            np.testing.assert_allclose(parents.vectors, [each.vector for each in individuals], rtol=1e-9, atol=1e-12)
            np.testing.assert_array_equal(parents.scales, [each.scale for each in individuals])
            np.testing.assert_array_equal(parents.rates, [each.rate for each in individuals])
            if kind != "jDE":
                assert pool.successes.tolist() == counts
            values = np.array([each.value for each in individuals])
            factor = 1.0
            if criterion == "VRC":
                factor = (reduced.weights.sum() - reduced.n_clusters) / (reduced.n_clusters - 1)
            np.testing.assert_allclose(factor * parents.values, values, rtol=1e-9)
    assert taken > 4 * len(seeds)
    assert filled > 0.4 * len(seeds)


def test_slices_of_a_generation_make_the_whole() -> None:
    rng = np.random.default_rng(3)
    reduced = random_problem(rng)
    landscape, d = landscape_of(reduced, "TRW"), reduced.n_clusters * reduced.means.shape[1]
    literal = Literal(reduced.means, reduced.weights, reduced.n_clusters, "TRW", "b6e6rl", True, [])
    parents, draws = as_arrays(random_population(rng, reduced, literal, 9), landscape), Draws.of(rng, 9, d)
    whole, sliced = (Population.empty(9, d, reduced.size) for _ in range(2))
    rules = rules_of("b6e6rl", landscape, is_hybrid=True)
    counted = challenge(landscape, rules, VARIANTS["b6e6rl-HN"].pool_for(d), parents, draws, whole, 0, 9)
    pool = VARIANTS["b6e6rl-HN"].pool_for(d)
    parts = [challenge(landscape, rules, pool, parents, draws, sliced, first, last) for first, last in ((0, 4), (4, 9))]
    assert counted == tuple(np.sum(parts, axis=0))
    assert counted[1] >= counted[0] > 0, "each success is followed by an iteration of k-means or more"
    for one, other in zip(whole, sliced, strict=True):
        np.testing.assert_array_equal(one, other)


def test_draws_name_three_others() -> None:
    rng = np.random.default_rng(0)
    seen = np.zeros((5, 5), np.intp)
    for _ in range(3000):
        draws = Draws.of(rng, 5, 7)
        assert draws.others.shape == (5, 3)
        for i, others in enumerate(draws.others):
            assert len({i, *others.tolist()}) == 4
            seen[i, others[0]] += 1
        assert draws.components.max() < 7
    away = ~np.eye(5, dtype=bool)
    np.testing.assert_allclose(seen[away] / 3000, 0.25, atol=0.04)


def draws_with(uniforms: list[float], component: int) -> Draws:
    return Draws(np.array([[1, 2, 3]]), np.array([component]), np.array([uniforms]), np.zeros((1, 4)))


def rules_for(d: int) -> Rules:
    return Rules(np.full(d, -100.0), np.full(d, 100.0), False, False, False, 1e-4, 500)


@pytest.mark.parametrize(
    ("uniforms", "component", "rate", "exponential", "changed"),
    [
        ([0.1, 0.5, 0.9, 0.5], 2, 0.5, False, [0, 1, 2, 3]),  # the equal number counts, and so does component l
        ([0.9, 0.9, 0.9, 0.9], 1, 0.0, False, [1]),
        ([0.1, 0.9, 0.9, 0.2], 2, 0.5, True, [2, 3, 0]),  # around the end, until the first number above the rate
        ([0.1, 0.1, 0.1, 0.1], 3, 0.5, True, [0, 1, 2, 3]),
        ([0.9, 0.9, 0.9, 0.9], 3, 0.5, True, [3]),
    ],
)
def test_crossover(uniforms: list[float], component: int, rate: float, exponential: bool, changed: list[int]) -> None:
    vectors = np.array([[0.0] * 4, [1.0] * 4, [5.0] * 4, [3.0] * 4])
    draws = draws_with(uniforms, component)
    trial = trial_of(vectors, 0, draws.others[0], draws, 0.5, rate, exponential, rules_for(4))
    expected = np.zeros(4)
    expected[changed] = 1.0 + 0.5 * (5.0 - 3.0)
    np.testing.assert_array_equal(trial, expected)


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
