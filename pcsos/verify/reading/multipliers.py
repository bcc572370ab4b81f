"""Multipliers and prices, as run files hold them."""

import math
from typing import NamedTuple

from pcsos.verify.errors import FormatError
from pcsos.verify.reading.arrays import Arrays, Doubles, Integers
from pcsos.verify.reading.memory import Memory

LARGEST_EXPONENT = 2000
#: Bytes that the matrix of the box takes while it is put together, for each entry.
OF_AN_ENTRY = 32
#: Super-points of which every file may have a matrix: honest multipliers of s of them take some 0.1 to 0.7 s^2 bytes of
#: it, or even fewer.
LARGEST = 1 << 12


class RawMultipliers(NamedTuple):
    """What a blob of multipliers holds.

    Parameters
    ----------
    size : int
        Number s of super-points.
    box_exponent, cut_exponent : int
        N is in units of two to the power of the first, mu of the second.
    triangle : ndarray, shape (s (s + 1) / 2,)
        The upper triangle of N, row by row.
    cuts : list of (table, weights)
        For each run of cuts centres and members, shape (1 + q, t), and mu, shape (t,).
    """

    size: int
    box_exponent: int
    cut_exponent: int
    triangle: Integers
    cuts: list[tuple[Integers, Integers]]


def read_multipliers(data: object, most: int, memory: Memory, size: int | None = None) -> RawMultipliers:
    """Return the multipliers of so many super-points, or of at most so many."""
    arrays = Arrays(data, "multipliers", memory)
    box_exponent, cut_exponent, num_runs = arrays.take("<iiI")
    if max(abs(box_exponent), abs(cut_exponent)) > LARGEST_EXPONENT:
        raise FormatError("multipliers: too large an exponent")
    triangle = arrays.integers(1, None if size is None else size * (size + 1) // 2, most * (most + 1) // 2)
    s = (math.isqrt(8 * triangle.size + 1) - 1) // 2
    if s * (s + 1) // 2 != triangle.size:
        raise FormatError("multipliers: N is not a triangle")
    memory.need(s * s * OF_AN_ENTRY, "multipliers")
    cuts, taken = list[tuple[Integers, Integers]](), 0
    for _ in range(num_runs):
        table = arrays.integers(2)
        if not 2 <= len(table) <= s + 1:
            raise FormatError("multipliers: cuts of an impossible size")
        cuts.append((table, arrays.integers(1, table.shape[1])))
        taken += 8 * (table.size + table.shape[1]) + 500
        memory.need(taken, "multipliers")
    arrays.finished()
    return RawMultipliers(s, box_exponent, cut_exponent, triangle, cuts)


#: Axes are in units of two to the power of minus that, and there are so many at most.
AXIS_BITS, MOST_AXES = 30, 16


def read_prices(
    data: object, memory: Memory, *, size: int | None = None, most: int | None = None, num_features: int | None = None
) -> tuple[Doubles, Integers | None]:
    """Return so many prices, or at most so many, and their axes, one per row, or None: there need not be any."""
    arrays = Arrays(data, "prices", memory)
    prices = arrays.doubles(1, size, most)
    if arrays.is_finished:
        return prices, None
    axes = arrays.integers(2, most=None if num_features is None else MOST_AXES * num_features)
    arrays.finished()
    if not 1 <= len(axes) <= min(MOST_AXES, axes.shape[1]):
        raise FormatError(f"prices: {len(axes)} axes of {axes.shape[1]} features, not 1 to {MOST_AXES}, and no more")
    if num_features is not None and axes.shape[1] != num_features:
        raise FormatError(f"prices: axes of {axes.shape[1]} features, where there are {num_features}")
    return prices, axes
