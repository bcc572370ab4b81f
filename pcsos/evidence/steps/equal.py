"""Points at the same place, joined."""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.evidence.decision import Decision
from pcsos.evidence.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class EqualStep:
    """Points at the same place, none of them with a cannot-link, together.

    Of the partitions of a state one of the best has them together, as long as no fewer than k super-points are left.
    """

    kind: ClassVar[str] = "equal"
    lower_bound: ClassVar[float] = math.inf

    decisions: tuple[Decision, ...]

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"decisions": write.decisions(self.decisions)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        return cls(read.decisions(columns["decisions"]))
