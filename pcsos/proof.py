"""Proof: what a processed node proves, as the tree produces it, the run file stores it and anyone can check it.

All point indices are those of the instance's own points. A node's *state* is a set of must-links and
cannot-links: the instance's own, the branching decisions from the root to the node, and what its steps add.
The super-points of a state are the connected components of its must-links, numbered by their smallest point.
"""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pcsos.multipliers import Multipliers
from pcsos.typing import Floats, Indices

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

    forced: tuple[Forced, ...]


@dataclass(frozen=True, eq=False)
class FixedStep:
    """Pairs fixed by multipliers: each opposite decision, added to the state before, is closed by the bound.

    With the bound L of ``multipliers`` in that state, N = box and M_i the largest weight of a cluster with i:
    ``ML i j`` costs at least ``L + 2 max(N_ij, 0) sqrt(e_i e_j) / min(M_i, M_j)``; ``CL i j`` at least
    ``L + 2 max(-N_ij, 0) hi_ij + sum of mu_t / M_c over the pair cuts t on {i, j} with centre c``.
    """

    multipliers: Multipliers
    decisions: tuple[Decision, ...]
    lower_bound: float  #: the least of the bounds of the opposite decisions


@dataclass(frozen=True, eq=False)
class FarStep:
    """Cannot-links between points so far apart that a cluster with both costs ``lower_bound`` or more by itself.

    Together, super-points i and j add ``e_i e_j / (e_i + e_j) ||m_i - m_j||^2`` to the cost inside the super-points.
    """

    decisions: tuple[Decision, ...]
    lower_bound: float  #: the least cost of the opposite decisions


@dataclass(frozen=True, eq=False)
class EqualStep:
    """Points at the same place, none of them with a cannot-link, together.

    Of the partitions of a state one of the best has them together, as long as no fewer than k super-points are left.
    """

    decisions: tuple[Decision, ...]


Step = ForcedStep | FixedStep | FarStep | EqualStep


@dataclass(frozen=True, eq=False)
class BoundClosing:
    """Every partition of the state costs at least ``lower_bound``."""

    multipliers: Multipliers
    lower_bound: float


@dataclass(frozen=True, eq=False)
class InfeasibleClosing:
    """No partition belongs to the state; ``witness`` and ``search`` as in :class:`pcsos.exceptions.InfeasibleError`."""

    witness: dict[str, object]
    search: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))


@dataclass(frozen=True, eq=False)
class SingleClosing:
    """One partition is left: k groups that are the super-points, or a single cluster (k = 1)."""

    labels: Indices
    lower_bound: float


@dataclass(frozen=True, eq=False)
class LineClosing:
    """A single feature varies and the state has no cannot-links: best clusters are intervals (Mathematics 8).

    With ``F_0 = 0`` and ``F_j = min over i < j of F_i + penalty + cost of the super-points i + 1 .. j`` in the order of
    their means, every partition into k clusters costs at least ``F_s - k penalty``, whatever the penalty.
    """

    penalty: float
    lower_bound: float


@dataclass(frozen=True, eq=False)
class PriceClosing:
    """Each super-point pays its price, and a cluster at any place earns no more than a stated profit (Mathematics 9).

    With prices p_i, a cluster around y earns at most ``sum_i max(p_i - e_i ||m_i - y||^2, 0)``. If that is at most F
    for every y, each partition of the state costs at least ``c_0 + sum_i p_i - k F``, whatever the prices.
    """

    prices: Floats  #: shape (s,), of the super-points of the state
    lower_bound: float


@dataclass(frozen=True, eq=False)
class OpenClosing:
    """The run ended before the node was closed; so far every partition of the state costs at least ``lower_bound``."""

    multipliers: Multipliers
    lower_bound: float


@dataclass(frozen=True, eq=False)
class Branching:
    """The node has two children: ``decision`` (a must-link) and its opposite.

    ``multipliers`` and ``penalty`` are where the engine stood: the children start from them, and until they are closed
    the multipliers prove a bound for them.
    """

    decision: Decision
    multipliers: Multipliers | None = None
    penalty: float = 0.0


Closing = BoundClosing | InfeasibleClosing | SingleClosing | LineClosing | PriceClosing | OpenClosing | Branching


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
