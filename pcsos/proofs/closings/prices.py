"""Closed by prices of super-points."""

from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.proofs.role import ColumnReader, Columns, ColumnWriter
from pcsos.typing import Floats


@dataclass(frozen=True, eq=False)
class PriceClosing:
    """Each super-point pays its price, and a cluster at any place earns no more than a stated profit (Mathematics 9).

    With prices p_i, a cluster around y earns at most ``sum_i max(p_i - e_i ||m_i - y||^2, 0)``. If that is at most F
    for every y, each partition of the state costs at least ``c_0 + sum_i p_i - k F``, whatever the prices.
    """

    how: ClassVar[str] = "prices"
    words: ClassVar[str] = "closed by prices"

    prices: Floats  #: shape (s,), of the super-points of the state
    lower_bound: float

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"closing_bound": write.number(self.lower_bound), "prices": write.numbers(self.prices)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        bound = read.number(columns["closing_bound"], "the bound of a node")
        return cls(read.numbers(columns["prices"], "prices"), bound)
