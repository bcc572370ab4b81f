"""Soft pairs: pairs of points that may be broken, each at a penalty that is added to the sum of squares."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pcsos.coercion import spelled_out
from pcsos.constraints import Pairs, pairs_of_points
from pcsos.exceptions import InputError
from pcsos.labelled_pairs import positions
from pcsos.names import Labels
from pcsos.typing import Floats, Indices


@dataclass(frozen=True, eq=False)
class SoftPairs:
    """Pairs with penalties.

    Parameters
    ----------
    pairs : ndarray of int, shape (m, 2)
        Pairs i < j, sorted, without duplicates.
    apart, together : ndarray, shape (m,)
        Penalties of the pair apart (a soft must-link), and together (a soft cannot-link), finite and not negative.
    """

    pairs: Indices
    apart: Floats
    together: Floats

    @classmethod
    def joined(cls, pairs: Indices, apart: Floats, together: Floats, n: int) -> "SoftPairs":
        """Return pairs of n nodes in any order as they have to be: those of the same nodes add their penalties."""
        ordered = np.sort(np.asarray(pairs, np.int64).reshape(-1, 2), axis=1)
        codes, inverse = np.unique(ordered @ [n, 1], return_inverse=True)
        first, second = (
            np.asarray(np.bincount(inverse, weights=own, minlength=codes.size), np.float64) for own in (apart, together)
        )
        kept = (first > 0.0) | (second > 0.0)
        return cls(np.column_stack([codes // n, codes % n])[kept].astype(np.intp), first[kept], second[kept])

    @classmethod
    def none(cls) -> "SoftPairs":
        """Return no pairs."""
        return cls(np.empty((0, 2), np.intp), np.empty(0), np.empty(0))

    def __len__(self) -> int:
        return int(self.apart.size)

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

    def contracted(self, group: Indices, cannot_link: Indices) -> tuple["SoftPairs", float]:
        """Return the pairs between groups that are not decided yet, and what the decided ones cost.

        Parameters
        ----------
        group : ndarray of int, shape (s,)
            New index of each node.
        cannot_link : ndarray of int, shape (c, 2)
            Pairs of new nodes, smaller index first, that are apart.
        """
        size = int(group.max()) + 1
        ends = np.sort(group[self.pairs], axis=1)
        inside = ends[:, 0] == ends[:, 1]
        across = np.isin(ends @ [size, 1], np.sort(cannot_link, axis=1) @ [size, 1]) & ~inside
        paid = math.fsum(self.together[inside].tolist()) + math.fsum(self.apart[across].tolist())
        left = ~(inside | across)
        return SoftPairs.joined(ends[left], self.apart[left], self.together[left], size), paid

    def matrix(self, weights: Floats, least: float = 0.0) -> Floats:
        """Return P with ``<P, Y> <= penalty`` for every partition, in normalised coordinates, shape (s, s).

        A pair apart has ``Y_ii <= e_i / max(e_i, L)`` and ``Y_ij = 0``, one together ``Y_ii = Y_ij sqrt(e_i / e_j)``,
        whatever the weights L of clusters at least are. So, with m_i = max(e_i, L) / e_i, it pays
        ``w (m_i Y_ii - m_i sqrt(e_i / e_j) Y_ij)`` at most if apart, and nothing if together; half of that is taken
        from either end. A pair together has ``Y_ij <= sqrt(e_i e_j) / max(e_i + e_j, L)``.

        Parameters
        ----------
        weights : ndarray, shape (s,)
            Weights e_i of the super-points.
        least : float
            L.
        """
        matrix = np.zeros((weights.size, weights.size))
        i, j = self.pairs.T
        first, second = weights[i], weights[j]
        roots = np.sqrt(first * second)
        one, other = (np.maximum(e, least) / e for e in (first, second))
        np.add.at(matrix, (i, i), 0.5 * self.apart * one)
        np.add.at(matrix, (j, j), 0.5 * self.apart * other)
        half = 0.5 * (self.together * np.maximum(first + second, least) / roots)
        half -= 0.25 * self.apart * (one * first + other * second) / roots
        np.add.at(matrix, (i, j), half)
        np.add.at(matrix, (j, i), half)
        return matrix


def soft_pairs_of(
    n: int, must_link: ArrayLike, cannot_link: ArrayLike, penalty: float | None, labels: Labels | None
) -> tuple[SoftPairs, tuple[Indices, Indices]]:
    """Return the soft pairs that a user gives, and the must-links and cannot-links of an infinite penalty.

    Parameters
    ----------
    n : int
        Number of points.
    must_link, cannot_link : array_like, shape (m, 2) or (m, 3)
        Rows ``(i, j)`` or ``(i, j, penalty)``.
    penalty : float or None
        That of rows of two.
    labels : Labels or None
        What the points are called in the rows, if not by their indices.

    Raises
    ------
    InputError
        If a row is no pair of different points with a penalty of at least 0.
    """
    kinds = [_rows(given, name, n, penalty, labels) for given, name in (
        (must_link, "soft_must_link"), (cannot_link, "soft_cannot_link")
    )]  # fmt: skip
    hard = tuple(pairs[np.isinf(penalties)] for pairs, penalties in kinds)
    soft = [(pairs[np.isfinite(penalties)], penalties[np.isfinite(penalties)]) for pairs, penalties in kinds]
    (first, apart), (second, together) = soft
    zeros = np.zeros(len(apart)), np.zeros(len(together))
    joined = SoftPairs.joined(
        np.vstack([first, second]), np.concatenate([apart, zeros[1]]), np.concatenate([zeros[0], together]), n
    )
    return joined, (hard[0], hard[1])


def _rows(given: ArrayLike, name: str, n: int, penalty: float | None, labels: Labels | None) -> tuple[Indices, Floats]:
    """Return the pairs of one kind and their penalties."""
    rows = list(spelled_out(() if given is None else given, name, "give rows (i, j, penalty)", ordered=False))
    for number, row in enumerate(rows):
        if isinstance(row, str | bytes) or not hasattr(row, "__len__") or len(row) not in {2, 3}:
            raise InputError(f"{name}[{number}] is {row!r}; give (i, j) or (i, j, penalty)")
        if len(row) == 2 and penalty is None:
            raise InputError(f"{name}[{number}] has no penalty; give (i, j, penalty), or penalty= for all")
    pairs: Pairs = [tuple(row[:2]) for row in rows]
    if labels is not None:
        pairs = positions(pairs, labels, name)
    ends = pairs_of_points(pairs, n, name)
    for number, (i, j) in enumerate(ends.tolist()):
        if i == j:
            raise InputError(f"{name}[{number}] links point {i} to itself; remove that pair")
    penalties = [
        _checked_penalty(row[2] if len(row) == 3 else penalty, name, number) for number, row in enumerate(rows)
    ]
    return ends, np.array(penalties, np.float64)


def _checked_penalty(value: object, name: str, number: int) -> float:
    try:
        penalty = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        penalty = math.nan
    if isinstance(value, str | bytes | bool) or not penalty >= 0.0:
        raise InputError(f"{name}[{number}] has the penalty {value!r}; give a number of at least 0, or infinity")
    return penalty
