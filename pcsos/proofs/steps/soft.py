"""Soft pairs that become hard."""

from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.proofs.decision import Decision
from pcsos.proofs.multipliers import Multipliers
from pcsos.proofs.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class SoftStep:
    """Soft pairs that become hard: breaking one costs its penalty and what everything costs without penalties.

    With L the bound of ``multipliers`` in the state before, the undecided soft pairs left out, every partition that has
    a pair apart (``ML i j``) or together (``CL i j``) costs at least L and what that pair then pays.
    """

    kind: ClassVar[str] = "soft"

    multipliers: Multipliers
    decisions: tuple[Decision, ...]
    lower_bound: float  #: the least of these costs

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
