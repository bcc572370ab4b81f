"""A generation: every individual is challenged by a trial vector, and k-means follows a success (HDE 8, Algorithm 3).

Mutation, crossover and the acceptance of trials are compiled; all random numbers are drawn before. Strategies are the
scale factors, crossover rates and kinds of crossover that trials are made with.
"""

import math
from typing import NamedTuple, Self

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.differential_evolution.landscape import Landscape, evaluate, k_means

#: The constant n0 of the competition, and how far below equal probability a strategy may fall: 1 / (5 H).
HEAD_START = 2.0
LEAST_SHARE = 0.2


class Pool(NamedTuple):
    """Strategies that compete: ``scales`` F and ``rates`` CR, each of shape (H,), and their successes so far."""

    is_exponential: Flags
    scales: Floats
    rates: Floats
    successes: Floats


def single(_: int) -> Pool:
    """Return the one strategy of DE/rand/1/bin, whatever the dimension: F = CR = 0.8."""
    return Pool(np.zeros(1, np.bool_), np.full(1, 0.8), np.full(1, 0.8), np.zeros(1))


def twelve(dimension: int) -> Pool:
    """Return those of b6e6rl: two scales, and three rates for each kind of crossover.

    HDE leaves the rates open. They are 0, 0.5 and 1 for binomial crossover. For the exponential one they are those that
    change three shares of the components on average, spread between one component and all of them.
    """
    middle = (1.0 + 1.0 / dimension) / 2.0
    shares = ((middle + 1.0 / dimension) / 2.0, middle, (middle + 1.0) / 2.0)
    rates = np.array([(0.0, 0.5, 1.0), [exponential_rate(share, dimension) for share in shares]])
    return Pool(
        is_exponential=np.repeat([False, True], 6),
        scales=np.tile(np.repeat([0.5, 0.8], 3), 2),
        rates=np.repeat(rates, 2, axis=0).ravel(),
        successes=np.zeros(12),
    )


def exponential_rate(share: float, dimension: int) -> float:
    """Return the rate CR at which exponential crossover changes this share p of the d components on average.

    It is the root below 1 of ``CR^d - d p CR + d p - 1 = 0`` (Zaharie, 2009): the mean number of changed components,
    ``1 + CR + ... + CR^(d - 1)``, is d p.

    Examples
    --------
    >>> round(exponential_rate(0.75, 2), 6)  # 1 + CR is 1.5
    0.5
    """
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2.0
        changed = -math.expm1(dimension * math.log(rate)) / (1.0 - rate) if rate < 1.0 else float(dimension)
        low, high = (rate, high) if changed < dimension * share else (low, rate)
    return (low + high) / 2.0


@kernel
def roulette(successes: Floats, draw: float) -> int:
    """Return the strategy that a uniform number chooses; their probabilities are those of HDE eq 10."""
    target = draw * (successes.sum() + successes.size * HEAD_START)
    for h in range(successes.size):
        target -= successes[h] + HEAD_START
        if target < 0.0:
            return h
    return successes.size - 1


@kernel
def reward(successes: Floats, h: int) -> None:
    """Count a success, and forget all of them where that leaves any strategy too small a probability."""
    successes[h] += 1.0
    least = successes.min() + HEAD_START
    if least * successes.size < LEAST_SHARE * (successes.sum() + successes.size * HEAD_START):
        successes[:] = 0.0


#: jDE: probability that a scale factor or a rate is drawn anew before a trial, and the range of scale factors.
RENEWAL = 0.1
LEAST_SCALE, SCALE_RANGE = 0.1, 0.8


class Population(NamedTuple):
    """Individuals, one per row: vectors (N, k d), their labels (N, s) and values (N,), and F and CR of each (N,)."""

    vectors: Floats
    labels: Indices
    values: Floats
    scales: Floats
    rates: Floats

    @classmethod
    def empty(cls, size: int, dimension: int, n_points: int) -> Self:
        """Return one to be written into."""
        labels = np.empty((size, n_points), np.intp)
        return cls(np.empty((size, dimension)), labels, *(np.empty(size) for _ in range(3)))


class Draws(NamedTuple):
    """The random numbers of a generation: three others for each individual, a component, and uniform numbers."""

    others: Indices
    components: Indices
    uniforms: Floats
    choices: Floats

    @classmethod
    def of(cls, rng: np.random.Generator, size: int, dimension: int) -> Self:
        """Draw them for so many individuals of this dimension."""
        keys = rng.random((size, size))
        np.fill_diagonal(keys, 2.0)  # last in its row
        others = np.argsort(keys, axis=1)[:, :3]
        return cls(others, rng.integers(dimension, size=size), rng.random((size, dimension)), rng.random((size, 4)))


class Rules(NamedTuple):
    """What a trial is made by, and what follows a success; ``low`` and ``high`` (k d,) are the corners of the box."""

    low: Floats
    high: Floats
    is_self_adaptive: bool
    is_localised: bool
    is_hybrid: bool
    tolerance: float
    max_iterations: int


@inner_kernel
def mirrored(value: float, low: float, high: float) -> float:
    """Return a value that lies outside its interval by less than the width of that, mirrored at the end it passed."""
    if value < low:
        value = 2.0 * low - value
    elif value > high:
        value = 2.0 * high - value
    return min(max(value, low), high)  # rounding


@kernel
def trial_of(
    vectors: Floats, i: int, others: Indices, draws: Draws, scale: float, rate: float, exponential: bool, rules: Rules
) -> Floats:
    """Return the crossover of an individual with ``r1 + F (r2 - r3)``, inside the box (HDE eqs 7 and 8).

    Binomial crossover takes each component of the mutant by itself, the exponential one a run of them, around the end.
    """
    trial: Floats = vectors[i].copy()
    for step in range(trial.size):
        j = (draws.components[i] + step) % trial.size
        if step > 0 and draws.uniforms[i, j] > rate:
            if exponential:
                break
            continue
        mutant = vectors[others[0], j] + scale * (vectors[others[1], j] - vectors[others[2], j])
        trial[j] = mirrored(mutant, rules.low[j], rules.high[j])
    return trial


@inner_kernel
def with_the_best_first(others: Indices, values: Floats) -> Indices:
    """Return three individuals, the best of them in the first place, where the mutant starts (random localisation)."""
    ordered, best = others.copy(), 0
    for t in range(1, others.size):
        if values[others[t]] < values[others[best]]:
            best = t
    ordered[0], ordered[best] = others[best], others[0]
    return ordered


@kernel
def challenge(
    landscape: Landscape,
    rules: Rules,
    pool: Pool,
    parents: Population,
    draws: Draws,
    children: Population,
    first: int,
    last: int,
) -> tuple[int, int, int]:
    """Write the children of the individuals from ``first`` to before ``last``, and count what succeeds in the pool.

    Returns the number of trials taken over, the iterations of k-means, and how many empty clusters were filled.
    """
    taken, iterations, filled = 0, 0, 0
    shape = (landscape.n_clusters, landscape.points.shape[1])
    labels = np.empty(landscape.weights.size, np.intp)
    for i in range(first, last):
        choices, h = draws.choices[i], 0
        if rules.is_self_adaptive:
            scale = LEAST_SCALE + SCALE_RANGE * choices[1] if choices[0] < RENEWAL else parents.scales[i]
            rate = choices[3] if choices[2] < RENEWAL else parents.rates[i]
        else:
            h = roulette(pool.successes, choices[0])
            scale, rate = pool.scales[h], pool.rates[h]
        others = with_the_best_first(draws.others[i], parents.values) if rules.is_localised else draws.others[i]
        vector = trial_of(parents.vectors, i, others, draws, scale, rate, pool.is_exponential[h], rules)
        value, means, count = evaluate(landscape, vector.reshape(shape), labels)
        filled += count
        if value <= parents.values[i]:
            taken += 1
            reward(pool.successes, h)
            if rules.is_hybrid:
                value, means, more, count = k_means(
                    landscape, means, value, labels, rules.tolerance, rules.max_iterations
                )
                vector = means.ravel()
                iterations += more
                filled += count
            write(children, i, vector, labels, value, scale, rate)
        else:
            vector, value = parents.vectors[i], parents.values[i]
            write(children, i, vector, parents.labels[i], value, parents.scales[i], parents.rates[i])
    return taken, iterations, filled


@inner_kernel
def write(
    population: Population, i: int, vector: Floats, labels: Indices, value: float, scale: float, rate: float
) -> None:
    """Write an individual."""
    population.vectors[i], population.labels[i] = vector, labels
    population.values[i], population.scales[i], population.rates[i] = value, scale, rate
