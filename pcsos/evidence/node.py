"""Node: what is decided at a node of a tree, and what the work on it has proved.

All point indices are those of the instance's own points. A node's *state* is a set of must-links and
cannot-links: the instance's own, the branching decisions from the root to the node, and what its evidence adds.
The super-points of a state are the connected components of its must-links, numbered by their smallest point.

A kind of evidence is a class of :mod:`pcsos.evidence.kinds`; the checker has its own rule for each.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol, Self

from pcsos.base.typing import Floats, Indices
from pcsos.problem.reduction import WeightBound

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


#: What a child of a branching knows more than its parent.
Change = Decision | WeightBound


class Evidence(Protocol):
    """Why a problem costs at least so much, or what is known of its best partition."""

    kind: ClassVar[str]  #: what the run file calls it
    words: ClassVar[str]  #: what people read

    @property
    def bound(self) -> float:
        """What it states: of the partitions that are left, or of those that a deduction sets aside."""

    def payload(self) -> bytes:
        """Return what the run file stores of it, beside its bound."""

    @classmethod
    def read(cls, bound: float, payload: Any) -> Self:
        """Return what :meth:`payload` has stored; ``payload`` is a :class:`pcsos.evidence.kinds.Payload`."""


def decisions_of(evidence: Iterable[Evidence]) -> tuple[Decision, ...]:
    """Return what the deductions among the evidence add to the state."""
    return tuple(decision for each in evidence for decision in getattr(each, "decisions", ()))


def set_aside(evidence: Iterable[Evidence]) -> float:
    """Return the least bound of the opposites of all decisions that were deduced; infinity without any."""
    return min((each.bound for each in evidence if decisions_of([each])), default=math.inf)


@dataclass(frozen=True, eq=False)
class NodeRecord:
    """What the work on a node has proved.

    Nodes of a tree are numbered from 0, the root, in the order of the branchings: the two children of the j-th one
    (counted from 0) are 2 j + 1, where its two points are together, and 2 j + 2, where they are apart.
    """

    node: int  #: its number in the tree, 0 for the root
    parent: int | None  #: that of its parent; None at the root
    decision: Change | None  #: what it adds to the state in which its parent branched; None at the root
    evidence: tuple[Evidence, ...]  #: in the order in which it was found
    seconds: float = field(default=0.0, compare=False)  #: how long it took

    @property
    def end(self) -> Evidence:
        """What closed it, or how it was branched on, or left."""
        return self.evidence[-1]

    @property
    def lower_bound(self) -> float:
        """What its evidence states of the node, without what is below."""
        leaves = (each.bound for each in self.evidence if not decisions_of([each]))
        return min(max(leaves, default=0.0), set_aside(self.evidence))


@dataclass(frozen=True, eq=False)
class FinishedTree:
    """A tree that bounds the whole and is not gone on with."""

    records: tuple[NodeRecord, ...]


@dataclass(frozen=True, eq=False)
class PartProof:
    """A part of the instance with what is proved of it."""

    number: int  #: what whoever divides the instance calls it
    points: Indices  #: shape (m,): its points, increasing
    weights: Floats  #: shape (m,): their weights in the part
    records: tuple[NodeRecord, ...] = ()  #: what proves its bound; empty where nothing is proved


@dataclass(frozen=True)
class CoverProof:
    """Parts that together are the instance, by their numbers."""

    numbers: tuple[int, ...]


#: What is written down at a time.
Proof = NodeRecord | FinishedTree | PartProof | CoverProof
