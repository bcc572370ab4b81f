"""Closed by prices of super-points."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pcsos.base.typing import Floats
from pcsos.evidence.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class PriceClosing:
    """Each super-point pays its price, and a cluster at any place earns no more than a stated profit (Mathematics 9).

    With prices p_i, a cluster around y earns at most ``sum_i max(p_i - e_i ||m_i - y||^2, 0)``. If that is at most F
    for every y, each partition of the state costs at least ``c_0 + sum_i p_i - k F``, whatever the prices. Of a knot of
    super-points a cluster takes some that no cannot-link ties. With axes U, which lengthen no distance, ``U m_i`` stand
    in place of the means m_i: nowhere is less earned then.
    """

    how: ClassVar[str] = "prices"
    words: ClassVar[str] = "closed by prices"

    prices: Floats  #: shape (s,), of the super-points of the state
    lower_bound: float
    knots: tuple[tuple[int, ...], ...] = ()  #: super-points of the state, none of them twice
    axes: NDArray[np.int64] | None = None  #: U, shape (r, d), in units of 2^-30; None: the features

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        listed = [number for knot in self.knots for number in (len(knot), *knot)]
        axes = b"" if self.axes is None else write.integers(self.axes)
        return {
            "closing_bound": write.number(self.lower_bound),
            "prices": write.numbers(self.prices) + axes,
            "search": write.integers(listed) if listed else None,
        }

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        bound = read.number(columns["closing_bound"], "the bound of a node")
        (prices, axes), blob = read.prices(columns["prices"]), columns["search"]
        listed = [] if blob is None else read.integers(blob, "knots", 2 * prices.size).tolist()
        return cls(prices, bound, tuple(_knots(listed)), axes)


def _knots(listed: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield knots of a list in which each begins with its size."""
    at = 0
    while at < len(listed):
        size = listed[at]
        if not 1 < size < len(listed) - at:
            raise ValueError("knots: not a number of super-points and so many of them")
        yield tuple(listed[at + 1 : at + 1 + size])
        at += 1 + size
