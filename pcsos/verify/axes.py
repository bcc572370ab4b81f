"""Axes: maps of places that lengthen no distance, so that no less is earned (docs/certificate.md, section 12)."""

from collections.abc import Sequence

from flint import fmpq

from pcsos.reading.prices import AXIS_BITS
from pcsos.verify.data import Data
from pcsos.verify.reader import require


class Axes:
    """Super-points at ``U m`` in place of their means m, for a matrix U of integers in units of ``2^-AXIS_BITS``.

    The greatest row sum of the absolute values of ``U U'`` is no less than its greatest eigenvalue, the square of the
    norm of U. If it is at most 1, then ``|U m - U y| <= |m - y|`` for any m and y.
    """

    def __init__(self, data: Data, rows: Sequence[Sequence[int]]) -> None:
        self.data, self.rows = data, rows
        sums = [sum(abs(sum(map(int.__mul__, own, other))) for other in rows) for own in rows]
        require(max(sums) <= 1 << 2 * AXIS_BITS, "prices: axes along which distances may grow")
        words = 1 + (data.points.bits + data.weights.bits) // 64
        self.work = sum(map(len, rows)) * (len(data.points) + len(rows)) * words
        self.unit = data.points.unit * fmpq(1, 1 << AXIS_BITS)

    def super_point(self, group: Sequence[int]) -> tuple[fmpq, list[fmpq]]:
        """Return the weight of some points, and the place of their mean along the axes."""
        if len(group) == 1:
            weight, sums, heavy = 1, self.data.points.integers(group[0]), self.data.weights[group[0]]
        else:
            weight, sums, _ = self.data.moments(group)
            heavy = fmpq(weight) * self.data.weights.unit
        return heavy, [fmpq(sum(map(int.__mul__, row, sums)), weight) * self.unit for row in self.rows]
