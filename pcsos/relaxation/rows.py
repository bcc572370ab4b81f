"""Cuts as sparse rows over the entries of Y: the coefficients and right-hand sides of all families."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos.proofs.multipliers import Cuts
from pcsos.relaxation.cuts import select
from pcsos.relaxation.families import by_family
from pcsos.relaxation.peng_wei import PengWei
from pcsos.typing import Floats


@dataclass(frozen=True, eq=False)
class Rows:
    """The same cuts as sparse rows ``sum coefficients * Y[entries] >= right`` over the upper triangle of Y.

    Parameters
    ----------
    indptr : ndarray of int64, shape (t + 1,)
        Where each row begins.
    entries : ndarray of int32
        Flat indices ``i * s + j`` with i <= j.
    coefficients, steps : ndarray
        Coefficients on Y, and the change of the entry when the row's multiplier grows by 1 (half the coefficient off
        the diagonal, where the matrix holds the entry twice).
    right, norms : ndarray, shape (t,)
        Right-hand sides and squared Frobenius norms.
    """

    indptr: NDArray[np.int64]
    entries: NDArray[np.int32]
    coefficients: Floats
    steps: Floats
    right: Floats
    norms: Floats

    def __len__(self) -> int:
        return int(self.right.size)


def rows_of(cuts: Cuts, relaxation: PengWei) -> Rows:
    """Return the coefficients and the right-hand sides of the cuts in normalised coordinates."""
    rows = _without_right_sides(cuts, relaxation.roots)
    for family, which in by_family(cuts):
        if family.right is not None:
            rows.right[which] = family.right(select(cuts, which), relaxation)
    return rows


def matrix_of(cuts: Cuts, weights: Floats, roots: Floats) -> Floats:
    """Return ``sum_t weights_t A_t`` over super-points with these roots of weights, shape (s, s)."""
    return combine(_without_right_sides(cuts, roots), weights, roots.size)


def _without_right_sides(cuts: Cuts, roots: Floats) -> Rows:
    sizes, counts = np.diff(cuts.indptr), np.zeros(len(cuts), np.int64)
    parts = list(by_family(cuts))
    for family, which in parts:
        counts[which] = family.num_entries(sizes[which], roots.size)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    number, none = int(indptr[-1]), np.zeros(len(cuts))
    rows = Rows(indptr, np.empty(number, np.int32), np.empty(number), np.empty(number), none, np.empty(len(cuts)))
    for family, which in parts:
        family.fill(
            which, cuts.centre, cuts.indptr, cuts.members, roots,
            indptr, rows.entries, rows.coefficients, rows.steps, rows.norms,
        )  # fmt: skip
    return rows


def combine(rows: Rows, weights: Floats, s: int) -> Floats:
    """Return the symmetric matrix ``sum_t weights_t A_t``, shape (s, s)."""
    if len(rows) == 0:
        return np.zeros((s, s))
    each = np.repeat(weights, np.diff(rows.indptr)) * rows.coefficients
    upper = np.bincount(rows.entries, weights=each, minlength=s * s).reshape(s, s)
    return np.asarray(0.5 * (upper + upper.T))
