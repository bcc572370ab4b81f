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
    """What cuts are to cut off."""

    relaxation: PengWei  #: the relaxation, with s super-points
    y: Floats  #: shape (s, s): the point
    known: Cuts  #: the cuts in use
    least: float = 0.0  #: least violation in units of Z, for families that share the limit of a round
    most: int = sys.maxsize  #: that limit; of more than that the most violated are wanted
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))  #: for families that draw
    #: shape (m, 2): what each soft pair is charged at the point if apart and if together, for each unit of the penalty:
    #: by the matrix of the penalties, and beyond it
    charges: Floats = field(default_factory=lambda: np.empty((0, 2)))
    excess: Floats = field(default_factory=lambda: np.empty((0, 2)))

    @cached_property
    def z(self) -> Floats:
        """Z at the point, shape (s, s)."""
        return np.asarray(self.y * np.outer(self.relaxation.inverse_roots, self.relaxation.inverse_roots))


@dataclass(frozen=True)
class Family:
    """One kind of inequalities: what is in its file."""

    name: str  #: what it is called
    code: int  #: negative, in the place of a centre; 0 for the family that has centres
    #: from the numbers of members and s, how many entries of Y each cut has
    num_entries: Callable[[Indices, int], Indices]
    #: writes entries, coefficients, steps and norms of the cuts ``which`` into
    #: :class:`pcsos.bounds.relaxation.rows.Rows`, from ``indptr`` on, with :func:`put`
    fill: Any
    #: violated cuts and their violations; those of a family with a limit of its own are different ones, the most
    #: violated first
    separate: Callable[[Point], tuple[Cuts, Floats]]
    #: right-hand sides, not negative and rounded downwards, of cuts of this family in a relaxation; 0 unless given
    right: Callable[[Cuts, PengWei], Floats] | None = None
    #: new cuts a round, at most, where they do not share the limit of all
    most: Callable[[CutParams], int] | None = None
    #: whether a cut says the same of contracted super-points if it holds all or nothing of each; otherwise it says so
    #: where its points stay distinct
    contracts: bool = False
    is_plain: bool = True  #: whether there can be some without limits of clusters and soft pairs

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
