"""Left open: the run ended before the node was closed."""

from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.proofs.multipliers import Multipliers
from pcsos.proofs.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class OpenClosing:
    """The run ended before the node was closed; so far every partition of the state costs at least ``lower_bound``."""

    how: ClassVar[str] = "open"
    words: ClassVar[str] = "left open"

    multipliers: Multipliers
    lower_bound: float

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"closing_bound": write.number(self.lower_bound), "multipliers": write.multipliers(self.multipliers)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        bound = read.number(columns["closing_bound"], "the bound of a node")
        return cls(read.multipliers(columns["multipliers"]), bound)
