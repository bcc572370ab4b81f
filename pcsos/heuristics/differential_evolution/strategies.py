"""Strategies: the scale factors, crossover rates and kinds of crossover that trials are made with (HDE 8)."""

import math
from typing import NamedTuple

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Flags, Floats

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
