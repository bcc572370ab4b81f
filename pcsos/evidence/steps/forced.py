"""Pairs forced by colouring."""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.evidence.decision import Decision
from pcsos.evidence.role import ColumnReader, Columns, ColumnWriter


@dataclass(frozen=True)
class Forced:
    """A pair that every k-colouring of the cannot-link graph puts together or apart.

    ``ML``: both points cannot be linked to any point of the clique ``witness`` of k - 1 points.
    ``CL``: every point of the clique ``witness`` of k points cannot be linked to one of the two; or, without a witness,
    together the two would exceed a limit of clusters.
    """

    decision: Decision
    witness: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ForcedStep:
    """Pairs forced by colouring, each valid in the state left by the ones before it."""

    kind: ClassVar[str] = "forced"
    lower_bound: ClassVar[float] = math.inf

    forced: tuple[Forced, ...]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The pairs without what forces them."""
        return tuple(forced.decision for forced in self.forced)

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        rows = [[each.decision.kind, each.decision.i, each.decision.j, list(each.witness)] for each in self.forced]
        return {"forced": write.structure(rows)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        name = "the forced pairs"
        made = [
            Forced(read.decision(kind, i, j), read.points(witness, name))
            for kind, i, j, witness in read.listed(columns["forced"], name)
        ]
        return cls(tuple(made))
