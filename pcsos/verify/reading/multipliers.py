"""Multipliers, as run files hold them."""

import math
from typing import NamedTuple

from pcsos.verify.errors import FormatError
from pcsos.verify.reading.arrays import Arrays, Integers
from pcsos.verify.reading.memory import Memory

LARGEST_EXPONENT = 2000
#: Bytes that the matrix of the box takes while it is put together, for each entry.
OF_AN_ENTRY = 32
#: Super-points of which every file may have a matrix: honest multipliers of s of them take some 0.1 to 0.7 s^2 bytes of
#: it, or even fewer.
LARGEST = 10_000


class RawMultipliers(NamedTuple):
    """What multipliers consist of."""

    size: int  #: number s of super-points
    #: N is in units of two to the power of the first, mu of the second
    box_exponent: int
    cut_exponent: int
    triangle: Integers  #: shape (s (s + 1) / 2,): the upper triangle of N, row by row
    #: for each run of cuts centres and members, shape (1 + q, t), and mu, shape (t,)
    cuts: list[tuple[Integers, Integers]]


def read_multipliers(arrays: Arrays, most: int, memory: Memory, size: int | None = None) -> RawMultipliers:
    """Return the multipliers that come next, of so many super-points, or of at most so many."""
    arrays.turn_to("multipliers", memory)
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
    return RawMultipliers(s, box_exponent, cut_exponent, triangle, cuts)
