"""The kinds of evidence; :data:`KINDS` lists them. What each of them shows is in docs/certificate.md, sections 1 and 3.

*Leaves* bound what is left of a problem, *deductions* say what holds for the partitions that are left, and others speak
of further problems.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import FormatError
from pcsos.base.typing import Floats
from pcsos.evidence.codec import Payload, encode_decisions, encode_floats, encode_integers, encode_multipliers, listed
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import Change, Decision, Evidence
from pcsos.verify.reading.payloads import (
    read_branching,
    read_children,
    read_forced,
    read_penalty,
    read_prices,
    read_search,
)

#: How the fields of evidence are stored: what writes each, and what reads it back.
FIELDS: dict[str, tuple[Callable[[Any], bytes], Callable[[Payload], Any]]] = {
    "multipliers": (encode_multipliers, Payload.multipliers),
    "decisions": (encode_decisions, Payload.decisions),
    "penalty": (encode_floats, lambda payload: read_penalty(payload.arrays)),
    "search": (partial(encode_integers, differences=True), lambda payload: read_search(payload.arrays)),
    "children": (encode_integers, lambda payload: tuple(read_children(payload.arrays).tolist())),
}


@dataclass(frozen=True, eq=False)
class Stored:
    """Evidence; unless it says otherwise, a run file stores its :data:`FIELDS`, one after the other.

    The file calls a kind as its class, in small letters, and has a column for the bound; people read the ``words``.
    """

    kind: ClassVar[str]
    words: ClassVar[str]

    def __init_subclass__(cls, words: str) -> None:
        cls.kind, cls.words = cls.__name__.lower(), words

    def payload(self) -> bytes:
        """Return what the run file stores of it."""
        return b"".join(FIELDS[own.name][0](getattr(self, own.name)) for own in fields(self) if own.name != "bound")

    @classmethod
    def read(cls, bound: float, payload: Payload) -> Self:
        """Return what :meth:`payload` has stored."""
        return cls(*(bound if own.name == "bound" else FIELDS[own.name][1](payload) for own in fields(cls)))


# Leaves


@dataclass(frozen=True, eq=False)
class Bound(Stored, words="closed by its bound"):
    """Every partition of the state costs at least ``bound``, as the multipliers show."""

    multipliers: Multipliers
    bound: float


class Open(Bound, words="left open"):
    """The run ended before the problem was closed; so far every partition of its state costs at least ``bound``."""


@dataclass(frozen=True, eq=False)
class Prices(Stored, words="closed by prices"):
    """Each super-point pays its price, and a cluster at any place earns no more than a stated profit (Mathematics 9).

    With prices p_i, a cluster around y earns at most ``sum_i max(p_i - e_i ||m_i - y||^2, 0)``. If that is at most F
    for every y, each partition of the state costs at least ``c_0 + sum_i p_i - k F``, whatever the prices. Of a knot of
    super-points a cluster takes some that no cannot-link ties. With axes U, which lengthen no distance, ``U m_i`` stand
    in place of the means m_i: nowhere is less earned then.
    """

    prices: Floats  #: shape (s,), of the super-points of the state
    bound: float
    knots: tuple[tuple[int, ...], ...] = ()  #: super-points of the state, none of them twice
    axes: NDArray[np.int64] | None = None  #: U, shape (r, d), in units of 2^-30; None: the features

    def payload(self) -> bytes:
        """Return what the run file stores of it."""
        axes = np.empty((0, 0), np.int64) if self.axes is None else self.axes
        return encode_floats(self.prices) + encode_integers(listed(self.knots)) + encode_integers(axes)

    @classmethod
    def read(cls, bound: float, payload: Payload) -> Self:
        """Return what :meth:`payload` has stored."""
        prices, listed_knots, axes = read_prices(payload.arrays, most=payload.n)
        return cls(prices, bound, tuple(_knots(listed_knots.tolist(), prices.size)), axes)


@dataclass(frozen=True, eq=False)
class Line(Stored, words="closed by the bound of a line"):
    """A single feature varies and no cannot-links count: best clusters are intervals (Mathematics 8).

    With ``F_0 = 0`` and ``F_j = min over i < j of F_i + penalty + cost of the super-points i + 1 .. j`` in the order of
    their means, every partition into k clusters costs at least ``F_s - k penalty``, whatever the penalty.
    """

    penalty: float
    bound: float


@dataclass(frozen=True, eq=False)
class Single(Stored, words="one partition left"):
    """One partition is left: k groups that are the super-points, or a single cluster (k = 1)."""

    bound: float


@dataclass(frozen=True, eq=False)
class Infeasible(Stored, words="without any partition"):
    """No partition belongs to the state; ``search`` as in :class:`pcsos.base.exceptions.InfeasibleError`."""

    bound: ClassVar[float] = math.inf

    search: NDArray[np.int64]


def _knots(numbers: list[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield the knots of a list in which each stands behind its size."""
    at = 0
    while at < len(numbers):
        start, at = at + 1, at + 1 + numbers[at]
        knot = tuple(numbers[start:at])
        if not 1 < len(knot) == at - start or not all(0 <= member < size for member in knot):
            raise FormatError("knots: not super-points behind their number")
        yield knot


# Deductions


@dataclass(frozen=True)
class Clique:
    """A pair that every k-colouring of the cannot-link graph puts together or apart.

    ``ML``: both points cannot be linked to any point of the clique ``witness`` of k - 1 points.
    ``CL``: every point of the clique ``witness`` of k points cannot be linked to one of the two; or, without a witness,
    together the two would exceed a limit of clusters.
    """

    decision: Decision
    witness: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Forced(Stored, words="pairs follow from others"):
    """Pairs forced by colouring, each valid in the state left by the ones before it."""

    bound: ClassVar[float] = math.inf

    cliques: tuple[Clique, ...]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The pairs without what forces them."""
        return tuple(clique.decision for clique in self.cliques)

    def payload(self) -> bytes:
        """Return what the run file stores of it."""
        witnesses = listed(clique.witness for clique in self.cliques)
        return encode_decisions(self.decisions) + encode_integers(witnesses)

    @classmethod
    def read(cls, _: float, payload: Payload) -> Self:
        """Return what :meth:`payload` has stored."""
        rows, witnesses = read_forced(payload.arrays, payload.n)
        return cls(tuple(map(Clique, payload.decided(rows), map(tuple, witnesses))))


@dataclass(frozen=True, eq=False)
class Fixed(Stored, words="pairs fixed by their bound"):
    """Pairs fixed by multipliers: each opposite decision, added to the state before, is closed by the bound.

    With the bound L of ``multipliers`` in that state, N = box and M_i the largest weight of a cluster with i:
    ``ML i j`` costs at least ``L + 2 max(N_ij, 0) sqrt(e_i e_j) / min(M_i, M_j)``; ``CL i j`` at least
    ``L + 2 max(-N_ij, 0) hi_ij + sum of mu_t / M_c over the pair cuts t on {i, j} with centre c``.
    """

    decisions: tuple[Decision, ...]
    multipliers: Multipliers
    bound: float


class Soft(Fixed, words="soft pairs too expensive to break"):
    """Soft pairs that become hard: breaking one costs its penalty and what everything costs without penalties.

    With L the bound of ``multipliers`` in the state before, the undecided soft pairs left out, every partition that has
    a pair apart (``ML i j``) or together (``CL i j``) costs at least L and what that pair then pays.
    """


@dataclass(frozen=True, eq=False)
class Far(Stored, words="points too far apart to share a cluster"):
    """Cannot-links between points so far apart that a cluster with both costs ``bound`` or more by itself.

    Together, super-points i and j add ``e_i e_j / (e_i + e_j) ||m_i - m_j||^2`` to the cost inside the super-points.
    """

    decisions: tuple[Decision, ...]
    bound: float  #: the least cost of the opposite decisions


@dataclass(frozen=True, eq=False)
class Equal(Stored, words="equal points together"):
    """Points at the same place, none of them with a cannot-link, together.

    Of the partitions of a state one of the best has them together, as long as no fewer than k super-points are left.
    """

    bound: ClassVar[float] = math.inf

    decisions: tuple[Decision, ...]


# Further problems


@dataclass(frozen=True, eq=False)
class Branching(Stored, words="divided into two"):
    """Two problems: ``decision`` (a must-link, or ``lighter``) holds in one, and its opposite in the other.

    A tree that is searched says in ``start`` where the children start, with the multipliers or prices of the evidence
    before: the penalty of an engine, or the box of prices. A finished tree says nothing, and is not gone on with.
    """

    bound: ClassVar[float] = 0.0

    decision: Change
    start: float | None = None
    children: tuple[int, ...] = ()  #: their numbers in a run file

    def payload(self) -> bytes:
        """Return what the run file stores of it."""
        starts = [] if self.start is None else [self.start]
        return encode_integers(self.children) + encode_floats(starts)

    @classmethod
    def read(cls, _: float, payload: Payload) -> Self:
        """Return what :meth:`payload` has stored."""
        first, second, start = read_branching(payload.arrays)
        decision = payload.change_of(first)
        if payload.change_of(second) != decision.opposite:
            raise FormatError(f"problems {first} and {second} are no two sides of a branching")
        return cls(decision, start, (first, second))


@dataclass(frozen=True, eq=False)
class Cover(Stored, words="divided into parts"):
    """Parts that share out the points: the sum of what they cost is no more than what the problem costs."""

    bound: ClassVar[float] = 0.0

    children: tuple[int, ...]


#: All of them, in the order in which people read of them, by what a run file calls them.
KINDS: dict[str, type[Evidence]] = {
    kind.kind: kind
    for kind in (
        Branching, Cover, Bound, Infeasible, Single, Line, Prices, Open, Forced, Fixed, Soft, Far, Equal
    )
}  # fmt: skip
