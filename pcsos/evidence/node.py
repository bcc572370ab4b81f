"""Node: what a processed node proves, the roles of its parts, and how a run file stores them.

All point indices are those of the instance's own points. A node's *state* is a set of must-links and
cannot-links: the instance's own, the branching decisions from the root to the node, and what its steps add.
The super-points of a state are the connected components of its must-links, numbered by their smallest point.

A kind of step or closing is a class of :mod:`pcsos.evidence.steps` or :mod:`pcsos.evidence.closings`; the checker has
its own copy of each.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.base.typing import Floats
from pcsos.evidence.multipliers import Multipliers

Kind = Literal["ML", "CL"]


@dataclass(frozen=True)
class Decision:
    """Points i and j together (``ML``) or apart (``CL``)."""

    kind: Kind
    i: int
    j: int

    @property
    def opposite(self) -> "Decision":
        """The decision of the sibling."""
        return Decision("CL" if self.kind == "ML" else "ML", self.i, self.j)


#: Values of the columns of a table of the run file, by their names; columns that are not named hold nothing.
Columns = dict[str, Any]


class ColumnWriter(Protocol):
    """Turns the values of proofs into those of columns."""

    def number(self, value: float) -> float:
        """Return a number for a column of numbers."""

    def numbers(self, values: ArrayLike) -> bytes:
        """Return an array of doubles as bytes, every bit kept."""

    def integers(self, values: ArrayLike, *, differences: bool = False) -> bytes:
        """Return an array of integers as bytes, as differences of neighbours if asked for."""

    def multipliers(self, multipliers: Multipliers) -> bytes:
        """Return quantised multipliers as bytes."""

    def decisions(self, decisions: tuple[Decision, ...]) -> bytes:
        """Return decisions as bytes."""

    def structure(self, value: object) -> str:
        """Return lists and dictionaries of plain values as text."""


class ColumnReader(Protocol):
    """Turns the values of columns into those of proofs; raises FormatError where they are none, by what they are of."""

    def number(self, value: float | None, name: str) -> float:
        """Return a number that has to be there."""

    def integers(self, data: object, name: str, most: int | None = None) -> NDArray[np.int64]:
        """Return an array of at most so many integers, or as many as there are points."""

    def multipliers(self, data: object) -> Multipliers:
        """Return multipliers."""

    def prices(self, data: object) -> tuple[Floats, NDArray[np.int64] | None]:
        """Return at most as many prices as there are points, and their axes, if there are any."""

    def decision(self, kind: object, i: object, j: object) -> Decision:
        """Return a decision about two different points of the instance."""

    def decisions(self, data: object) -> tuple[Decision, ...]:
        """Return decisions about points of the instance."""

    def points(self, value: object, name: str) -> tuple[int, ...]:
        """Return a list of points of the instance."""

    def listed(self, text: object, name: str) -> list[list[Any]]:
        """Return a list of lists."""

    def mapping(self, text: object, name: str) -> dict[str, object]:
        """Return a dictionary."""


class Step(Protocol):
    """Pairs that were deduced at a node, each from the state that the steps before have led to."""

    kind: ClassVar[str]  #: what the run file calls it

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What it adds to the state."""

    @property
    def lower_bound(self) -> float:
        """What it cuts off costs at least this, as far as it is better than what is left; infinity without such."""

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""


class Closing(Protocol):
    """Why a node needs no more work, or how it was branched on."""

    how: ClassVar[str]  #: what the run file and events call it
    words: ClassVar[str]  #: what people read

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""


def bound_of_what_was_cut_off(steps: Iterable[Step]) -> float:
    """Return the least bound of the opposites of all pairs that were fixed; infinity where none were."""
    return min((step.lower_bound for step in steps if step.decisions), default=math.inf)


@dataclass(frozen=True, eq=False)
class NodeRecord:
    """A processed node: how its state came about and how it was closed.

    Parameters
    ----------
    node, parent : int, int or None
        Identifiers; the root is 0 and has no parent.
    decision : Decision or None
        What the node adds to the state in which its parent branched; None at the root.
    steps : tuple of Step
        What was deduced at the node, in order.
    closing : Closing
        Why it needs no more work, or how it was branched on.
    lower_bound : float
        The best bound proved for the node's own subtree when it was closed.
    """

    node: int
    parent: int | None
    decision: Decision | None
    steps: tuple[Step, ...]
    closing: Closing
    lower_bound: float
    seconds: float = field(default=0.0, compare=False)
