"""Family: the role of inequalities of one kind, which differ in what stands in the place of a centre.

With Z_ij = Y_ij / sqrt(e_i e_j), an inequality is a centre or the code of its family, and a set S of members.

For soft pairs (Mathematics 11), with b_i = max(e_i, L) and b = max(e_i + e_j, L), the matrix of the penalties charges

    (b_i (Z_ii - Z_ij) + b_j (Z_jj - Z_ij)) / 2  where the pair is apart,    b Z_ij  where it is together,

times the penalty. A cut about a pair is ``excess + <A, Y> >= right``, where the *excess* is 1 for a broken pair
and 0 for others, less that charge. The pair i < j stands in the place of a centre, as ``code - 2 (s i + j)``.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.numerics.kernels import inlined_kernel, inner_kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.params import CutParams
from pcsos.verify.reading.database import ABOUT_PAIRS, OF_PAIRS

#: The codes of the families about pairs; each has every second number from its own downwards.
VARIATION, WEIGHT = ABOUT_PAIRS, ABOUT_PAIRS - 1


def number_of(code: int | NDArray[np.int32], i: Indices, j: Indices, s: int) -> NDArray[np.int32]:
    """Return what stands in the place of a centre for pairs of s super-points."""
    return np.asarray(code - OF_PAIRS * (s * np.minimum(i, j) + np.maximum(i, j)), np.int32)


def pairs_of(centre: NDArray[np.int32], s: int) -> Indices:
    """Return the pairs i < j of s super-points that cuts of these families are about, shape (t, 2)."""
    number = (ABOUT_PAIRS - centre.astype(np.intp)) // OF_PAIRS
    return np.column_stack([number // s, number % s])


def is_about_pair(cuts: Cuts) -> NDArray[np.bool_]:
    """Return which cuts are of these families."""
    return np.asarray(cuts.centre <= ABOUT_PAIRS)


def codes_of(cuts: Cuts) -> NDArray[np.int32]:
    """Return the codes of the families that cuts are of; what stands in the place of a centre if it names no pair."""
    about = is_about_pair(cuts)
    if not about.any():
        return cuts.centre
    return np.where(about, ABOUT_PAIRS - (ABOUT_PAIRS - cuts.centre) % OF_PAIRS, cuts.centre)


def excess_of(cuts: Cuts, relaxation: PengWei) -> NDArray[np.int32]:
    """Return which of the penalties of a relaxation these cuts are about; the last one for pairs that are not soft."""
    s, pairs = relaxation.size, relaxation.reduced.soft.pairs
    wanted, known = pairs_of(cuts.centre, s) @ np.array([s, 1]), pairs @ np.array([s, 1])
    place = np.searchsorted(known, wanted)
    is_known = np.append(known, -1)[place] == wanted
    is_together = (codes_of(cuts) == WEIGHT) & (np.diff(cuts.indptr) == 1)
    return np.where(is_known, 2 * place + is_together, 2 * len(pairs)).astype(np.int32)


@inlined_kernel
def pair_of(centre, s):  # type: ignore[no-untyped-def]
    """Return the pair of one cut."""
    number = (ABOUT_PAIRS - centre) // OF_PAIRS
    return number // s, number % s


@dataclass(frozen=True, eq=False)
class Point:
    """What cuts are to cut off.

    Parameters
    ----------
    relaxation : PengWei
        The relaxation, with s super-points.
    y : ndarray, shape (s, s)
        The point.
    known : Cuts
        The cuts in use.
    least : float
        Least violation in units of Z, for families that share the limit of a round.
    most : int
        That limit; of more than that the most violated are wanted.
    rng : Generator
        For families that draw.
    charges, excess : ndarray, shape (m, 2)
        What each soft pair is charged at the point if apart and if together, for each unit of the penalty: by the
        matrix of the penalties, and beyond it.
    """

    relaxation: PengWei
    y: Floats
    known: Cuts
    least: float = 0.0
    most: int = sys.maxsize
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    charges: Floats = field(default_factory=lambda: np.empty((0, 2)))
    excess: Floats = field(default_factory=lambda: np.empty((0, 2)))

    @cached_property
    def z(self) -> Floats:
        """Z at the point, shape (s, s)."""
        return np.asarray(self.y * np.outer(self.relaxation.inverse_roots, self.relaxation.inverse_roots))


@dataclass(frozen=True)
class Family:
    """One kind of inequalities: what is in its file.

    Parameters
    ----------
    name : str
        What it is called.
    code : int
        Negative, in the place of a centre; 0 for the family that has centres.
    num_entries : callable
        From the numbers of members and s, how many entries of Y each cut has.
    fill : kernel
        Writes entries, coefficients, steps and norms of the cuts ``which`` into
        :class:`pcsos.bounds.relaxation.rows.Rows`, from ``indptr`` on, with :func:`put`.
    separate : callable
        Violated cuts and their violations; those of a family with a limit of its own are different ones, the most
        violated first.
    right : callable, optional
        Right-hand sides, not negative and rounded downwards, of cuts of this family in a relaxation; 0 unless given.
    most : callable, optional
        New cuts a round, at most, where they do not share the limit of all.
    contracts : bool
        Whether a cut says the same of contracted super-points if it holds all or nothing of each; otherwise it says so
        where its points stay distinct.
    is_plain : bool
        Whether there can be some without limits of clusters and soft pairs.
    """

    name: str
    code: int
    num_entries: Callable[[Indices, int], Indices]
    fill: Any
    separate: Callable[[Point], tuple[Cuts, Floats]]
    right: Callable[[Cuts, PengWei], Floats] | None = None
    most: Callable[[CutParams], int] | None = None
    contracts: bool = False
    is_plain: bool = True

    def which(self, cuts: Cuts) -> Indices:
        """Return the indices of its cuts in a list."""
        return np.flatnonzero(cuts.centre >= 0 if self.code >= 0 else codes_of(cuts) == self.code)


@inner_kernel
def put(at, i, j, s, value, entries, coefficients, steps):  # type: ignore[no-untyped-def]
    """Write a coefficient of Y_ij at a place; return what it adds to the norm of the row."""
    entries[at] = min(i, j) * s + max(i, j)
    coefficients[at] = value
    if i == j:
        steps[at] = value
        return value * value
    steps[at] = 0.5 * value
    return 0.5 * value * value
