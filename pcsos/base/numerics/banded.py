"""Banded: Cholesky factors of sparse symmetric matrices, in an order that keeps what is not zero near the diagonal."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.linalg import LinAlgError
from scipy.linalg.lapack import dpbtrf, dpbtrs, dtbtrs
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from pcsos.base.typing import Floats, Indices

#: Rows that hold more than this share of the columns each, on the average, leave nothing to gain by an order.
DENSE = 0.25


@dataclass(frozen=True, eq=False)
class Band:
    """An order of columns, and how far from the diagonal the products of columns that share a row are in it."""

    order: Indices  #: shape (n,): the columns (Cuthill and McKee 1969, reversed)
    place: Indices  #: shape (n,): where each of them is
    width: int  #: the greatest distance

    @classmethod
    def of(cls, rows: csr_array) -> Self:
        """Return the band of the products of these columns."""
        number, size = rows.shape
        if rows.nnz > DENSE * number * size:
            return cls(np.arange(size), np.arange(size), size - 1)
        order = np.asarray(reverse_cuthill_mckee(csr_array(rows.T @ rows), symmetric_mode=True), np.intp)
        place = np.empty_like(order)
        place[order] = np.arange(size)
        begins, own = rows.indptr[:-1][np.diff(rows.indptr) > 0], place[rows.indices]
        spread = np.maximum.reduceat(own, begins) - np.minimum.reduceat(own, begins) if begins.size else begins
        return cls(order, place, int(spread.max(initial=0)))

    @property
    def work(self) -> float:
        """What a factorisation takes, roughly."""
        return float(self.order.size * self.width**2)


class Factor:
    """A Cholesky factor of a matrix whose lower triangle, shape (n, width + 1), is given in the order of the band.

    Row j of the triangle, which is overwritten, holds what is in column j, from the diagonal down.

    Raises
    ------
    LinAlgError
        The matrix is not positive definite.
    """

    def __init__(self, band: Band, lower: Floats) -> None:
        self._band = band
        self._factor, info = dpbtrf(lower.T, lower=1, overwrite_ab=1)
        if info != 0 or not np.isfinite(self._factor[0]).all():
            raise LinAlgError("not positive definite")

    def solve(self, right: Floats) -> Floats:
        """Return what the matrix makes the right side of."""
        solved, _ = dpbtrs(self._factor, right[self._band.order], lower=1)
        return np.asarray(solved[self._band.place])

    def inverse_square(self, right: Floats) -> float:
        """Return ``r' A^-1 r``."""
        half, _ = dtbtrs(self._factor, right[self._band.order], uplo="L")
        return float((half * half).sum())
