"""Integers: numbers of 64 bits, in units of which a box counts parts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

PART_BITS = 4
PARTS = 1 << PART_BITS


class Model(NamedTuple):
    """Parts of what is earned over a box, bounded by ``level + sum_j slope_j x_j - curve_j x_j^2``, x_j in [-1, 1]."""

    level: Integers
    slope: Integers
    curve: Integers


def peaks(slope: Integers, curve: Integers) -> Integers:
    """Return at least the maximum of ``slope x - curve x^2`` over -1 <= x <= 1, of numbers below 2^61.

    It is |slope| - curve at an end, as always where the curve is negative, or else ``slope^2 / (4 curve)``, of which 31
    binary digits are used.
    """
    steep = np.abs(slope)
    inside = steep < 2 * curve
    shift = max(int(steep.max(initial=0)).bit_length() - 31, 0)
    short = np.where(inside, (steep >> shift) + 1, 0)
    # Where the curve loses all its digits, slope^2 / (4 curve) < curve < 2^shift, and no less than that is counted.
    top = np.minimum(((short * short // (4 * np.maximum(curve >> shift, 1))) + 1) << shift, steep)
    return np.where(inside, top, steep - curve)
