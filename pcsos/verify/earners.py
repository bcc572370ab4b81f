"""Earners: prices, weights and coordinates become integers of the search, by shifts of their digits alone.

A double is a mantissa of 53 digits times a power of two, so whatever is a product with powers of two is a shift of the
mantissa, and its logarithm an exponent. All is exact but for what is shifted out, which is lost to the safe side.
"""

from typing import NamedTuple

import numpy as np

from pcsos.verify.boxes import RATE_BITS, REACH_BITS, SCALE
from pcsos.verify.doubles import DIGITS
from pcsos.verify.integers import Integers

GUARD_BITS = 2  # of a coordinate beyond its units
LARGEST_SHIFT = 60


class Units(NamedTuple):
    """Units of length and of profit, powers of two: their exponents."""

    length: int
    profit: int


class Digits(NamedTuple):
    """Numbers ``mantissa 2^exponent``; mantissas have 53 digits, or are 0."""

    mantissa: Integers
    exponent: Integers


def quarters_of(numbers: Digits, units: Units) -> Integers:
    """Return coordinates in quarters of units of length, rounded down, modulo 2^64."""
    up = numbers.exponent - (units.length - GUARD_BITS)
    larger = np.where(up < 64, numbers.mantissa << np.clip(up, 0, 63), 0)
    return np.where(up < 0, _shifted(numbers.mantissa, -up), larger)


def places_of(quarters: Integers, lowest: int) -> Integers:
    """Return how far coordinates are from the lowest one, in units of length: at least 0, and off by at most 3/4.

    Both are in quarters of units, rounded down modulo 2^64, which their difference, off by less than a quarter, is less
    than by far. It is rounded to the nearest unit. Where it is a whole number of quarters it is exact, so that
    no place is beyond the first unit above the highest coordinate.
    """
    apart = quarters - np.full_like(quarters, modulo(lowest))
    return (apart + (1 << (GUARD_BITS - 1))) >> GUARD_BITS


def values_of(price: Digits, weight: Digits, units: Units, num_features: int) -> Integers:
    """Return price, mantissa of the weight per 4^s, its exponent beyond SCALE, and s, of positive numbers: (4, n).

    A weight e is lowered until ``2^52 e 4^s <= p`` for some s >= 0 (RATE_BITS); prices p are raised by
    ``2 d p / 2^(26 + s)``, both rounded up.
    """
    worth, cost = price.exponent - units.profit, weight.exponent + 2 * units.length - units.profit
    rate = worth - RATE_BITS
    is_heavy = (cost > rate) | ((cost == rate) & (weight.mantissa > price.mantissa))
    mantissa, cost = np.where(is_heavy, price.mantissa, weight.mantissa), np.where(is_heavy, rate, cost)
    shift = np.minimum((rate - cost - (price.mantissa < mantissa)) // 2, LARGEST_SHIFT)
    raised = -_shifted(-price.mantissa, -worth)
    raised -= _shifted(-num_features * price.mantissa, RATE_BITS // 2 - 1 + shift - worth)
    cost = cost + 2 * shift
    exponent = np.minimum(REACH_BITS - DIGITS - cost, SCALE + 62)
    return np.array([raised, _shifted(mantissa, -cost - exponent), exponent - SCALE, shift])


def modulo(number: int) -> int:
    """Return the number of 64 digits with a sign that is left of any integer modulo 2^64."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def _shifted(numbers: Integers, by: Integers) -> Integers:
    """Return numbers divided by powers of two, rounded down."""
    return numbers >> np.clip(by, 0, 63)
