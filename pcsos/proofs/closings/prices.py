"""Closed by prices of super-points."""

from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.proofs.role import ColumnReader, Columns, ColumnWriter
from pcsos.typing import Floats


@dataclass(frozen=True, eq=False)
class PriceClosing:
    """Each super-point pays its price, and a cluster at any place earns no more than a stated profit (Mathematics 9).

    With prices p_i, a cluster around y earns at most ``sum_i max(p_i - e_i ||m_i - y||^2, 0)``. If that is at most F
    for every y, each partition of the state costs at least ``c_0 + sum_i p_i - k F``, whatever the prices. Of a knot of
    super-points a cluster takes some that no cannot-link ties.
    """

    how: ClassVar[str] = "prices"
    words: ClassVar[str] = "closed by prices"

    prices: Floats  #: shape (s,), of the super-points of the state
    lower_bound: float
    knots: tuple[tuple[int, ...], ...] = ()  #: super-points of the state, none of them twice

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        listed = [number for knot in self.knots for number in (len(knot), *knot)]
        return {
            "closing_bound": write.number(self.lower_bound),
            "prices": write.numbers(self.prices),
            "search": write.integers(listed) if listed else None,
        }

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        bound = read.number(columns["closing_bound"], "the bound of a node")
        listed = [] if columns["search"] is None else read.integers(columns["search"], "knots").tolist()
        knots = []
        while listed:
            knots.append(tuple(listed[1 : 1 + listed[0]]))
            del listed[: 1 + max(listed[0], 0)]
        return cls(read.numbers(columns["prices"], "prices"), bound, tuple(knots))
