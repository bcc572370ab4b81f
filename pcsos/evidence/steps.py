"""Steps: the ways to deduce pairs at a node; :data:`STEPS` lists them."""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import ColumnReader, Columns, ColumnWriter, Decision, Step


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


class FixedStep(MultipliedStep):
    """Pairs fixed by multipliers: each opposite decision, added to the state before, is closed by the bound.

    With the bound L of ``multipliers`` in that state, N = box and M_i the largest weight of a cluster with i:
    ``ML i j`` costs at least ``L + 2 max(N_ij, 0) sqrt(e_i e_j) / min(M_i, M_j)``; ``CL i j`` at least
    ``L + 2 max(-N_ij, 0) hi_ij + sum of mu_t / M_c over the pair cuts t on {i, j} with centre c``.
    """

    kind: ClassVar[str] = "fixed"


class SoftStep(MultipliedStep):
    """Soft pairs that become hard: breaking one costs its penalty and what everything costs without penalties.

    With L the bound of ``multipliers`` in the state before, the undecided soft pairs left out, every partition that has
    a pair apart (``ML i j``) or together (``CL i j``) costs at least L and what that pair then pays.
    """

    kind: ClassVar[str] = "soft"


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


#: All of them.
STEPS: tuple[type[Step], ...] = (ForcedStep, FixedStep, SoftStep, FarStep, EqualStep)
