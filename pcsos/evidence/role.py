"""The roles of what is proved: a step deduces pairs at a node, a closing ends it; and how either is stored.

All point indices are those of the instance's own points. A node's *state* is a set of must-links and
cannot-links: the instance's own, the branching decisions from the root to the node, and what its steps add.
The super-points of a state are the connected components of its must-links, numbered by their smallest point.

A kind of step or closing is one file, with one line in the list of :mod:`pcsos.evidence.steps` or
:mod:`pcsos.evidence.closings`; the checker has its own copy of each.
"""

from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.base.typing import Floats
from pcsos.evidence.decision import Decision
from pcsos.evidence.multipliers import Multipliers

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
