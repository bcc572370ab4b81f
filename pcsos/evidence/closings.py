"""Closings: the ways to close a node; :data:`CLOSINGS` lists them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pcsos.base.typing import Floats, Indices
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import Closing, ColumnReader, Columns, ColumnWriter, Decision


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


class BoundClosing(MultipliedClosing):
    """Every partition of the state costs at least ``lower_bound``."""

    how: ClassVar[str] = "bound"
    words: ClassVar[str] = "closed by its bound"


#: Steps of a search for a colouring that are read.
MOST_STEPS = 1 << 22


@dataclass(frozen=True, eq=False)
class InfeasibleClosing:
    """No partition belongs to the state; ``witness`` and ``search`` as in :class:`InfeasibleError`."""

    how: ClassVar[str] = "infeasible"
    words: ClassVar[str] = "without any partition"

    witness: dict[str, object]
    search: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"witness": write.structure(self.witness), "search": write.integers(self.search, differences=True)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        search = read.integers(columns["search"], "the search for a colouring", MOST_STEPS)
        return cls(read.mapping(columns["witness"], "the witness"), search)


@dataclass(frozen=True, eq=False)
class SingleClosing:
    """One partition is left: k groups that are the super-points, or a single cluster (k = 1)."""

    how: ClassVar[str] = "single"
    words: ClassVar[str] = "one partition left"

    labels: Indices  #: of the points of the instance, or of a part of it
    lower_bound: float

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"closing_bound": write.number(self.lower_bound), "labels": write.integers(self.labels)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        bound = read.number(columns["closing_bound"], "the bound of a node")
        return cls(read.integers(columns["labels"], "labels"), bound)


@dataclass(frozen=True, eq=False)
class LineClosing:
    """A single feature varies and the state has no cannot-links: best clusters are intervals (Mathematics 8).

    With ``F_0 = 0`` and ``F_j = min over i < j of F_i + penalty + cost of the super-points i + 1 .. j`` in the order of
    their means, every partition into k clusters costs at least ``F_s - k penalty``, whatever the penalty.
    """

    how: ClassVar[str] = "line"
    words: ClassVar[str] = "closed by the bound of a line"

    penalty: float
    lower_bound: float

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"closing_bound": write.number(self.lower_bound), "penalty": write.number(self.penalty)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        bound = read.number(columns["closing_bound"], "the bound of a node")
        return cls(read.number(columns["penalty"], "the penalty of a line"), bound)


@dataclass(frozen=True, eq=False)
class PriceClosing:
    """Each super-point pays its price, and a cluster at any place earns no more than a stated profit (Mathematics 9).

    With prices p_i, a cluster around y earns at most ``sum_i max(p_i - e_i ||m_i - y||^2, 0)``. If that is at most F
    for every y, each partition of the state costs at least ``c_0 + sum_i p_i - k F``, whatever the prices. Of a knot of
    super-points a cluster takes some that no cannot-link ties. With axes U, which lengthen no distance, ``U m_i`` stand
    in place of the means m_i: nowhere is less earned then.
    """

    how: ClassVar[str] = "prices"
    words: ClassVar[str] = "closed by prices"

    prices: Floats  #: shape (s,), of the super-points of the state
    lower_bound: float
    knots: tuple[tuple[int, ...], ...] = ()  #: super-points of the state, none of them twice
    axes: NDArray[np.int64] | None = None  #: U, shape (r, d), in units of 2^-30; None: the features

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        listed = [number for knot in self.knots for number in (len(knot), *knot)]
        axes = b"" if self.axes is None else write.integers(self.axes)
        return {
            "closing_bound": write.number(self.lower_bound),
            "prices": write.numbers(self.prices) + axes,
            "search": write.integers(listed) if listed else None,
        }

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        bound = read.number(columns["closing_bound"], "the bound of a node")
        (prices, axes), blob = read.prices(columns["prices"]), columns["search"]
        listed = [] if blob is None else read.integers(blob, "knots", 2 * prices.size).tolist()
        return cls(prices, bound, tuple(_knots(listed)), axes)


def _knots(listed: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield knots of a list in which each begins with its size."""
    at = 0
    while at < len(listed):
        size = listed[at]
        if not 1 < size < len(listed) - at:
            raise ValueError("knots: not a number of super-points and so many of them")
        yield tuple(listed[at + 1 : at + 1 + size])
        at += 1 + size


class OpenClosing(MultipliedClosing):
    """The run ended before the node was closed; so far every partition of the state costs at least ``lower_bound``."""

    how: ClassVar[str] = "open"
    words: ClassVar[str] = "left open"


#: All of them, in the order in which people read of them.
CLOSINGS: tuple[type[Closing], ...] = (
    Branching,
    BoundClosing,
    InfeasibleClosing,
    SingleClosing,
    LineClosing,
    PriceClosing,
    OpenClosing,
)
