"""Closed with one partition left."""

from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.base.typing import Indices
from pcsos.evidence.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class SingleClosing:
    """One partition is left: k groups that are the super-points, or a single cluster (k = 1)."""

    how: ClassVar[str] = "single"
    words: ClassVar[str] = "one partition left"

    labels: Indices  #: of the points of the instance, or of a part of it
    lower_bound: float

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"closing_bound": write.number(self.lower_bound), "labels": write.integers(self.labels)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        bound = read.number(columns["closing_bound"], "the bound of a node")
        return cls(read.integers(columns["labels"], "labels"), bound)
