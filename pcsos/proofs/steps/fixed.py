"""Pairs fixed by multipliers."""

from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.proofs.decision import Decision
from pcsos.proofs.multipliers import Multipliers
from pcsos.proofs.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class FixedStep:
    """Pairs fixed by multipliers: each opposite decision, added to the state before, is closed by the bound.

    With the bound L of ``multipliers`` in that state, N = box and M_i the largest weight of a cluster with i:
    ``ML i j`` costs at least ``L + 2 max(N_ij, 0) sqrt(e_i e_j) / min(M_i, M_j)``; ``CL i j`` at least
    ``L + 2 max(-N_ij, 0) hi_ij + sum of mu_t / M_c over the pair cuts t on {i, j} with centre c``.
    """

    kind: ClassVar[str] = "fixed"

    multipliers: Multipliers
    decisions: tuple[Decision, ...]
    lower_bound: float  #: the least of the bounds of the opposite decisions

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
