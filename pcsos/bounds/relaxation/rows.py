"""Cuts as sparse rows over the entries of Y, and what a relaxation makes soft pairs pay at a point (Mathematics 11)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.cuts import select
from pcsos.bounds.relaxation.families import by_family
from pcsos.bounds.relaxation.families.family import excess_of, is_about_pair
from pcsos.bounds.relaxation.peng_wei import Masses, PengWei
from pcsos.evidence.multipliers import Cuts


@dataclass(frozen=True, eq=False)
class Rows:
    """The same cuts as sparse rows ``sum coefficients * Y[entries] >= right`` over the upper triangle of Y."""

    indptr: NDArray[np.int64]  #: shape (t + 1,): where each row begins
    entries: NDArray[np.int32]  #: flat indices ``i * s + j`` with i <= j
    #: coefficients on Y, and the change of the entry when the row's multiplier grows by 1 (half the coefficient off the
    #: diagonal, where the matrix holds the entry twice)
    coefficients: Floats
    steps: Floats
    #: shape (t,): right-hand sides and squared Frobenius norms
    right: Floats
    norms: Floats
    #: shape (t,): the entry of :attr:`pcsos.bounds.relaxation.peng_wei.PengWei.penalties` whose excess is added to the
    #: left-hand side, -1 for none
    excess: NDArray[np.int32]

    def __len__(self) -> int:
        return int(self.right.size)


def rows_of(cuts: Cuts, relaxation: PengWei) -> Rows:
    """Return the coefficients and the right-hand sides of the cuts in normalised coordinates."""
    rows = _without_right_sides(cuts, relaxation.masses)
    for family, which in by_family(cuts):
        if family.right is not None:
            rows.right[which] = family.right(select(cuts, which), relaxation)
    about = np.flatnonzero(is_about_pair(cuts))
    if about.size:
        rows.excess[about] = excess_of(select(cuts, about), relaxation)
    return rows


def charged(rows: Rows, y: Floats, number: int) -> Floats:
    """Return the least excess, at least 0, with which the cuts about each of so many penalties hold at a point."""
    of_row = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))
    held = np.bincount(of_row, rows.coefficients * y.ravel()[rows.entries], minlength=len(rows))
    excess, about = np.zeros(number), rows.excess >= 0
    np.maximum.at(excess, rows.excess[about], (rows.right - held)[about])
    return excess


def matrix_of(cuts: Cuts, weights: Floats, masses: Masses) -> Floats:
    """Return ``sum_t weights_t A_t`` over super-points of these weights, shape (s, s)."""
    return combine(_without_right_sides(cuts, masses), weights, masses.roots.size)


def _without_right_sides(cuts: Cuts, masses: Masses) -> Rows:
    sizes, counts = np.diff(cuts.indptr), np.zeros(len(cuts), np.int64)
    parts = list(by_family(cuts))
    for family, which in parts:
        counts[which] = family.num_entries(sizes[which], masses.roots.size)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    number, none = int(indptr[-1]), np.zeros(len(cuts))
    values, steps, norms, no_excess = np.empty(number), np.empty(number), np.empty(len(cuts)), np.int32(-1)
    rows = Rows(indptr, np.empty(number, np.int32), values, steps, none, norms, np.full(len(cuts), no_excess))
    for family, which in parts:
        family.fill(
            which, cuts.centre, cuts.indptr, cuts.members, masses,
            indptr, rows.entries, rows.coefficients, rows.steps, rows.norms,
        )  # fmt: skip
    return rows


def combine(rows: Rows, weights: Floats, s: int) -> Floats:
    """Return the symmetric matrix ``sum_t weights_t A_t``, shape (s, s)."""
    each = np.repeat(weights, np.diff(rows.indptr)) * rows.coefficients
    upper = np.bincount(rows.entries, weights=each, minlength=s * s).reshape(s, s)
    return np.asarray(0.5 * (upper + upper.T))


def charges_of(relaxation: PengWei, y: Floats, cuts: Cuts) -> tuple[Floats, Floats]:
    """Return what soft pairs are charged at a point, apart and together, as shares of their penalties.

    Returns
    -------
    by_matrix, excess : ndarray, shape (m, 2)
        What the matrix of the penalties charges, and what cuts about pairs charge beyond that.
    """
    number = len(relaxation.reduced.soft)
    if number == 0:
        return np.empty((0, 2)), np.empty((0, 2))
    i, j = relaxation.reduced.soft.pairs.T
    e, least = relaxation.weights, relaxation.masses.least
    z = y * np.outer(relaxation.inverse_roots, relaxation.inverse_roots)
    ends = sum(np.maximum(e[one], least[one]) * (z[one, one] - z[i, j]) for one in (i, j))
    by_matrix = np.column_stack([0.5 * ends, np.maximum(e[i] + e[j], np.maximum(least[i], least[j])) * z[i, j]])
    rows = rows_of(select(cuts, is_about_pair(cuts)), relaxation)
    return by_matrix, charged(rows, y, relaxation.penalties.size)[:-1].reshape(number, 2)
