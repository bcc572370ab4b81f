"""What multipliers prove, of a node or of decisions, and how a run file stores it: bases of kinds that have them."""

from dataclasses import dataclass
from typing import Self

from pcsos.evidence.decision import Decision
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class MultipliedClosing:
    """Every partition of the state costs at least ``lower_bound``, as the multipliers show."""

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


@dataclass(frozen=True, eq=False)
class MultipliedStep:
    """Decisions whose opposites cost at least ``lower_bound`` each, as the multipliers show."""

    multipliers: Multipliers
    decisions: tuple[Decision, ...]
    lower_bound: float

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {
            "decisions": write.decisions(self.decisions),
            "multipliers": write.multipliers(self.multipliers),
            "lower_bound": write.number(self.lower_bound),
        }

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        decisions = read.decisions(columns["decisions"])
        bound = read.number(columns["lower_bound"], "the bound of a step")
        return cls(read.multipliers(columns["multipliers"]), decisions, bound)
