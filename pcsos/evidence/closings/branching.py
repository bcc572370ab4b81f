"""Divided into two: a pair of points is together in one child and apart in the other."""

from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.evidence.decision import Decision
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class Branching:
    """The node has two children: ``decision`` (a must-link) and its opposite.

    ``multipliers`` and ``penalty`` are where the engine stood: the children start from them, and until they are closed
    the multipliers prove a bound for them.
    """

    how: ClassVar[str] = "branched"
    words: ClassVar[str] = "divided into two"

    decision: Decision
    multipliers: Multipliers | None = None
    penalty: float = 0.0

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        start = None if self.multipliers is None else write.multipliers(self.multipliers)
        pair = {"branch_i": self.decision.i, "branch_j": self.decision.j}
        return {**pair, "multipliers": start, "penalty": write.number(self.penalty)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        start = None if columns["multipliers"] is None else read.multipliers(columns["multipliers"])
        decision = read.decision("ML", columns["branch_i"], columns["branch_j"])
        return cls(decision, start, columns["penalty"] or 0.0)
