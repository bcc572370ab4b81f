"""Penalised pairs: pairs of points that may be broken, each at a penalty that is added to the sum of squares."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.role import Final
from pcsos.problem.validation.rounding import may_be_rounded


class BrokenPair(NamedTuple):
    """A soft pair that a partition breaks."""

    i: int  #: index of a point, from 0
    j: int  #: that of the other, larger than i
    kind: str  #: ``"must_link"`` for points that are apart, ``"cannot_link"`` for points that are together
    penalty: float  #: what that costs


@dataclass(frozen=True, eq=False)
class PenalisedPairs(Final):
    """Pairs with penalties."""

    pairs: Indices  #: shape (m, 2): pairs i < j, sorted, without duplicates
    #: shape (m,): penalties of the pair apart (a soft must-link), and together (a soft cannot-link), finite and not
    #: negative
    apart: Floats
    together: Floats

    @classmethod
    def joined(cls, pairs: Indices, apart: Floats, together: Floats, n: int) -> "PenalisedPairs":
        """Return pairs of n nodes in any order as they have to be: those of the same nodes add their penalties."""
        ordered = np.sort(np.asarray(pairs, np.int64).reshape(-1, 2), axis=1)
        codes, inverse = np.unique(ordered @ [n, 1], return_inverse=True)
        first, second = (
            np.asarray(np.bincount(inverse, weights=own, minlength=codes.size), np.float64) for own in (apart, together)
        )
        kept = (first > 0.0) | (second > 0.0)
        return cls(np.column_stack([codes // n, codes % n])[kept].astype(np.intp), first[kept], second[kept])

    @classmethod
    def none(cls) -> "PenalisedPairs":
        """Return no pairs."""
        return cls(np.empty((0, 2), np.intp), np.empty(0), np.empty(0))

    @classmethod
    def of_all(cls, every: Iterable["PenalisedPairs"], n: int) -> "PenalisedPairs":
        """Return the pairs of several, whose penalties add up."""
        rows = ((own.pairs, own.apart, own.together) for own in (cls.none(), *every))
        pairs, apart, together = zip(*rows, strict=True)
        return cls.joined(np.vstack(pairs), np.concatenate(apart), np.concatenate(together), n)

    def __len__(self) -> int:
        return int(self.apart.size)

    @property
    def may_be_rounded(self) -> bool:
        """Whether penalties may stand for numbers that no doubles are."""
        return bool(may_be_rounded(self.apart).any() or may_be_rounded(self.together).any())

    @property
    def num_links(self) -> int:
        """Number of soft must-links and soft cannot-links; a pair may be both."""
        return int(np.count_nonzero(self.apart) + np.count_nonzero(self.together))

    @property
    def total(self) -> float:
        """The sum of all penalties."""
        return math.fsum(self.apart.tolist()) + math.fsum(self.together.tolist())

    def penalties(self, labels: Indices) -> Floats:
        """Return what each pair costs in labels, shape (m,)."""
        ends = labels[self.pairs]
        return np.where(ends[:, 0] == ends[:, 1], self.together, self.apart)

    def cost(self, labels: Indices) -> float:
        """Return the sum of the penalties that labels have to pay."""
        return math.fsum(self.penalties(labels).tolist())

    def broken(self, labels: Indices) -> list[BrokenPair]:
        """Return the pairs that labels break, the dearest first, then by their points."""
        paid = self.penalties(labels)
        is_together = labels[self.pairs[:, 0]] == labels[self.pairs[:, 1]]
        found = [
            BrokenPair(i, j, "cannot_link" if together else "must_link", penalty)
            for (i, j), together, penalty in zip(self.pairs.tolist(), is_together.tolist(), paid.tolist(), strict=True)
            if penalty > 0.0
        ]
        return sorted(found, key=lambda pair: (-pair.penalty, pair.i, pair.j))

    def contracted(self, group: Indices, cannot_link: Indices) -> tuple["PenalisedPairs", float]:
        """Return the pairs between groups that are not decided yet, and what the decided ones cost.

        Each node has a new index in ``group`` (s,); ``cannot_link`` (c, 2) are pairs of new nodes that are apart.
        """
        size = int(group.max()) + 1
        ends = np.sort(group[self.pairs], axis=1)
        inside = ends[:, 0] == ends[:, 1]
        across = np.isin(ends @ [size, 1], np.sort(cannot_link, axis=1) @ [size, 1]) & ~inside
        paid = math.fsum(self.together[inside].tolist()) + math.fsum(self.apart[across].tolist())
        left = ~(inside | across)
        return PenalisedPairs.joined(ends[left], self.apart[left], self.together[left], size), paid

    def matrix(self, weights: Floats, least: Floats) -> Floats:
        """Return P with ``<P, Y> <= penalty`` for every partition, in normalised coordinates, shape (s, s).

        A pair apart has ``Y_ii <= e_i / max(e_i, L_i)`` and ``Y_ij = 0``, one together ``Y_ii = Y_ij sqrt(e_i / e_j)``,
        whatever the weights L_i of clusters with i at least are. So, with m_i = max(e_i, L_i) / e_i, it pays
        ``w (m_i Y_ii - m_i sqrt(e_i / e_j) Y_ij)`` at most if apart, and nothing if together; half of that is taken
        from either end. A pair together has ``Y_ij <= sqrt(e_i e_j) / max(e_i + e_j, L_i, L_j)``.

        The weights e_i of the super-points are ``weights`` (s,), and L_i are ``least`` (s,).
        """
        matrix = np.zeros((weights.size, weights.size))
        i, j = self.pairs.T
        first, second = weights[i], weights[j]
        roots = np.sqrt(first * second)
        one, other = (np.maximum(e, low) / e for e, low in ((first, least[i]), (second, least[j])))
        np.add.at(matrix, (i, i), 0.5 * self.apart * one)
        np.add.at(matrix, (j, j), 0.5 * self.apart * other)
        half = 0.5 * (self.together * np.maximum(first + second, np.maximum(least[i], least[j])) / roots)
        half -= 0.25 * self.apart * (one * first + other * second) / roots
        np.add.at(matrix, (i, j), half)
        np.add.at(matrix, (j, i), half)
        return matrix
