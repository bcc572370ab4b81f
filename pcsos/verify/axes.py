"""Axes: maps of places that lengthen no distance, so that no less is earned (docs/certificate.md, section 12)."""

from collections.abc import Sequence
from functools import cached_property

from flint import fmpq

from pcsos.verify.data import Data
from pcsos.verify.effort import OF_AN_ITEM, spend
from pcsos.verify.integers import Integers
from pcsos.verify.reader import require
from pcsos.verify.reading.prices import AXIS_BITS

ONE = 1 << AXIS_BITS
HALF = AXIS_BITS // 2
OF_A_RATIONAL, OF_AN_INTEGER = 150, 40  # bytes of them as objects, without the digits of long ones


class Axes:
    """Super-points at ``U m`` in place of their means m, for a matrix U of integers in units of ``2^-AXIS_BITS``.

    The greatest row sum of the absolute values of ``U U'`` is no less than its greatest eigenvalue, the square of the
    norm of U. If it is at most 1, then ``|U m - U y| <= |m - y|`` for any m and y.
    """

    def __init__(self, data: Data, units: Integers) -> None:
        self.data, self.units = data, units
        require(max(_row_sums(units), default=0) <= ONE**2, "prices: axes along which distances may grow")
        self.unit = data.points.unit * fmpq(1, ONE)

    def memory(self, number: int) -> int:
        """Return the bytes that so many super-points take, and the rows."""
        points, weights = self.data.points, self.data.weights
        digits = points.bits - points.exponent + 2 * weights.bits
        return number * (2 + len(self.units)) * (OF_A_RATIONAL + digits // 8) + self.units.size * OF_AN_INTEGER

    @cached_property
    def rows(self) -> list[list[int]]:
        """Rows of the matrix."""
        rows: list[list[int]] = self.units.tolist()
        return rows

    def super_point(self, group: Sequence[int]) -> tuple[fmpq, list[fmpq]]:
        """Return the weight of some points, and the place of their mean along the axes."""
        spend(OF_AN_ITEM * self.units.size * (self.data.points.words + self.data.weights.words))
        if len(group) == 1:
            weight, sums, heavy = 1, self.data.points.integers(group[0]), self.data.weights[group[0]]
        else:
            weight, sums, _ = self.data.moments(group)
            heavy = fmpq(weight) * self.data.weights.unit
        return heavy, [fmpq(sum(map(int.__mul__, row, sums)), weight) * self.unit for row in self.rows]


def _row_sums(units: Integers) -> list[int]:
    """Return the row sums of the absolute values of ``U U'``, or of its diagonal if this has more than 1 in it.

    Where it has not, no product of two rows is more than 1 either, so that sums of 64 digits hold them, whatever is
    lost of digits beyond these on the way.
    """
    if units.min() < -ONE or units.max() > ONE:
        return [ONE**2 + 1]
    high, low = units >> HALF, units & ((1 << HALF) - 1)
    parts = zip(
        *((own * other).sum(axis=1).tolist() for own, other in ((high, high), (high, low), (low, low))), strict=True
    )
    squares = [(a << 2 * HALF) + (b << HALF + 1) + c for a, b, c in parts]
    return squares if max(squares) > ONE**2 else [sum(map(abs, row)) for row in (units @ units.T).tolist()]
