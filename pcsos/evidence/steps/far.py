"""Points too far apart for one cluster."""

from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.evidence.decision import Decision
from pcsos.evidence.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True, eq=False)
class FarStep:
    """Cannot-links between points so far apart that a cluster with both costs ``lower_bound`` or more by itself.

    Together, super-points i and j add ``e_i e_j / (e_i + e_j) ||m_i - m_j||^2`` to the cost inside the super-points.
    """

    kind: ClassVar[str] = "far"

    decisions: tuple[Decision, ...]
    lower_bound: float  #: the least cost of the opposite decisions

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"decisions": write.decisions(self.decisions), "lower_bound": write.number(self.lower_bound)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        decisions = read.decisions(columns["decisions"])
        return cls(decisions, read.number(columns["lower_bound"], "the bound of a step"))
