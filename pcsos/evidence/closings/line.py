"""Closed by the bound of a line: a single feature without cannot-links."""

from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.evidence.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class LineClosing:
    """A single feature varies and the state has no cannot-links: best clusters are intervals (Mathematics 8).

    With ``F_0 = 0`` and ``F_j = min over i < j of F_i + penalty + cost of the super-points i + 1 .. j`` in the order of
    their means, every partition into k clusters costs at least ``F_s - k penalty``, whatever the penalty.
    """

    how: ClassVar[str] = "line"
    words: ClassVar[str] = "closed by the bound of a line"

    penalty: float
    lower_bound: float

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"closing_bound": write.number(self.lower_bound), "penalty": write.number(self.penalty)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        bound = read.number(columns["closing_bound"], "the bound of a node")
        return cls(read.number(columns["penalty"], "the penalty of a line"), bound)
