"""Projection onto {u u^T + R : R u = 0, 0 <= R <= I, tr R = k - 1}, from the few eigenpairs that matter.

Only eigenvalues above the threshold of the capped simplex enter the projection: k - 1 when the relaxation is tight, a
few tens before. They are followed from one projection to the next (:mod:`pcsos.bounds.relaxation.subspace`) as closely
as the caller asks; where that fails, and from time to time, a partial decomposition finds them anew.
"""

import numpy as np
from scipy.linalg import eigh

from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.capped_simplex import simplex_threshold
from pcsos.bounds.relaxation.subspace import Subspace

#: Eigenpairs asked for beyond the rank of the previous projection.
GUARD = 10
#: Size up to which, and share of all eigenpairs from which on, a full decomposition is as fast.
FULL_SIZE = 150
FULL_SHARE = 0.6
#: Size from which on, and share of all eigenpairs up to which, pairs are followed, and how many beyond the rank.
FOLLOWED_SIZE = 120
FOLLOWED_GUARD = 24
FOLLOWED_SHARE = 0.35
#: Projections after which pairs are computed anew, in case that something was missed.
ANEW_EVERY = 200


class SpectralProjection:
    """The projection, which remembers how many eigenpairs it needed.

    Parameters
    ----------
    direction : ndarray, shape (s,)
        The unit vector u.
    n_clusters : int
        k.
    """

    def __init__(self, direction: Floats, n_clusters: int) -> None:
        self.direction = direction
        self.trace = n_clusters - 1.0
        self.rank = direction.size
        self._subspace = Subspace(direction)
        self._count = 0

    def __call__(self, m: Floats, tolerance: float = 0.0) -> Floats:
        """Return the projection of the symmetric matrix m, shape (s, s), up to an error of this norm."""
        u = self.direction
        if self.trace == 0.0:
            return np.outer(u, u)
        values, vectors = self._leading(m, tolerance)
        weights = np.clip(values - simplex_threshold(values, self.trace), 0.0, 1.0)
        self.rank = int(np.count_nonzero(weights))
        scaled = np.empty((u.size, self.rank + 1))
        scaled[:, 0] = u
        scaled[:, 1:] = vectors[:, : self.rank] * np.sqrt(weights[: self.rank])
        return scaled @ scaled.T

    def _leading(self, m: Floats, tolerance: float) -> tuple[Floats, Floats]:
        """Return eigenpairs of m on the complement of u, descending, at least those above the threshold."""
        s = self.direction.size
        self._count += 1
        if tolerance > 0.0 and self._count % ANEW_EVERY:
            found = self._subspace.pairs(m, self.trace, tolerance)
            if found is not None:
                return found
        values, vectors = self._decomposed(m)
        followed = self.rank + self._guard
        if s >= FOLLOWED_SIZE and followed < FOLLOWED_SHARE * s:
            self._subspace.restart(values[:followed], vectors[:, :followed])
        return values, vectors

    @property
    def _guard(self) -> int:
        return FOLLOWED_GUARD if self.direction.size >= FOLLOWED_SIZE else GUARD

    def _decomposed(self, m: Floats) -> tuple[Floats, Floats]:
        """Return exact eigenpairs, descending, at least those above the threshold."""
        s = self.direction.size
        b = deflate(m, self.direction, -10.0 * float(np.linalg.norm(m)))
        wanted = self.rank + self._guard
        while s > FULL_SIZE and wanted < FULL_SHARE * s:
            values, vectors = eigh(b, subset_by_index=[s - wanted, s - 1], driver="evr", check_finite=False)
            if simplex_threshold(values[::-1], self.trace) > values[0]:
                return values[::-1], vectors[:, ::-1]
            wanted *= 2
        values, vectors = np.linalg.eigh(b)
        return values[:0:-1], vectors[:, :0:-1]


def deflate(m: Floats, u: Floats, eigenvalue: float) -> Floats:
    """Return P m P + eigenvalue u u^T with P the projection onto the complement of the unit vector u."""
    image = m @ u
    w = 0.5 * (float(u @ image) + eigenvalue) * u - image
    outer = np.outer(w, u)
    return np.asarray(m + (outer + outer.T))
