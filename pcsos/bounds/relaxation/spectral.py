"""Projection onto {u u^T + R : R u = 0, 0 <= R <= I, tr R = k - 1}, from the few eigenpairs that matter.

Only eigenvalues above the threshold of the capped simplex enter the projection: k - 1 when the relaxation is tight, a
few tens before. They are followed from one projection to the next by Chebyshev-filtered subspace iteration, as closely
as the caller asks; where that fails, and from time to time, a partial decomposition finds them anew.

From one iteration of the engine to the next the matrix changes little, and so do its leading eigenvectors. A polynomial
that is small on the unwanted part of the spectrum is applied to the old ones, in single precision; a Rayleigh-Ritz step
in double precision follows, and what is missing shows in its residuals. A pair of value a and weight w is mixed with
unwanted ones, of values b and without weight, so far as its residual says, and the projection feels w / (a - b) of that
(the divided difference of Daleckii and Krein): less than the residual, and next to nothing for pairs just above the
threshold, whose neighbours below it no polynomial would part from them (Zhou, Saad, Tiago and Chelikowsky, J. Comput.
Phys. 219, 2006, for the filter).
"""

import math
from typing import Any

import numpy as np
from scipy.linalg import eigh

from pcsos.base.control.threads import in_shares
from pcsos.base.typing import Floats


def simplex_threshold(values: Floats, total: float) -> float:
    """Return tau with ``sum clip(values - tau, 0, 1) = total``, for descending values, exactly.

    Where there are too few values, the result lies at or below the last one.
    """
    if values.size <= total:
        return float(values[-1]) - 1.0
    points = np.sort(np.concatenate([values, values - 1.0]))[::-1]
    sums = np.clip(values[None, :] - points[:, None], 0.0, 1.0).sum(axis=1)
    right = int(np.searchsorted(sums, total))
    if right >= points.size:
        return float(points[-1])
    left = max(right - 1, 0)
    span = sums[right] - sums[left]
    share = (total - sums[left]) / span if span > 0.0 else 1.0
    return float(points[left] + (points[right] - points[left]) * share)


#: The polynomial of one pass makes the topmost pair so many times as large as the unwanted ones: more, and the others
#: would be lost in single precision.
AMPLIFICATION = 1e4
#: Its least and greatest degree, and passes before an exact decomposition is asked for.
LEAST_DEGREE, GREATEST_DEGREE = 3, 20
MAX_PASSES = 6
#: A pass that leaves more than this share of the error is followed by passes in double precision.
LEAST_PROGRESS = 0.5
#: Where the whole spectrum is so many times as wide as its unwanted part, the polynomial leaves single precision.
LARGEST_RATIO = 1e4
#: Matrices after which the lower end of the spectrum is estimated anew.
ESTIMATE_EVERY = 20
LANCZOS_STEPS = 8
#: Columns that a thread takes at least.
COLUMNS = 8


class Subspace:
    """Follows the leading eigenpairs of a slowly changing symmetric matrix on the complement of a unit vector u.

    What is followed is the ``basis``, an orthonormal column a pair; None before :meth:`restart`.
    """

    def __init__(self, direction: Floats) -> None:
        self.direction = direction
        self.basis: Floats | None = None
        self._low = self._cut = self._top = 0.0
        self._age = 0

    def restart(self, values: Floats, vectors: Floats) -> None:
        """Begin with exact pairs, descending; the last of them are a guard and need not be wanted."""
        self.basis, self._age = np.ascontiguousarray(vectors), 0
        self._cut, self._top = float(values[-1]), float(values[0])

    def pairs(self, m: Floats, trace: float, tolerance: float) -> tuple[Floats, Floats] | None:
        """Return approximate leading pairs of a matrix, shape (s, s), descending, at least those above the threshold.

        Parameters
        ----------
        trace : float
            What weights add up to: the threshold is that of the capped simplex.
        tolerance : float
            Error that the projection may have.

        Returns
        -------
        tuple of (values, vectors) or None
            None where the tolerance is not met after a few passes.
        """
        if self.basis is None:
            return None
        if self._age % ESTIMATE_EVERY == 0:
            self._low = self._lowest(m)
        self._age += 1
        filtered_by: Any = m.astype(np.float32)
        before = math.inf
        for _ in range(MAX_PASSES):
            if not self._has_range():
                return None
            values, vectors, rest = self._turned(m, np.linalg.qr(self._filtered(filtered_by, self.basis))[0])
            weights = np.clip(values - simplex_threshold(values, trace), 0.0, 1.0)
            rank = int(np.count_nonzero(weights))
            if rank == values.size:
                return None
            shares = weights[:rank] / (values[:rank] - values[-1])
            error = math.sqrt(2.0) * float(np.linalg.norm(rest[:, :rank] * shares))
            if error <= tolerance:
                return values, vectors
            if error > LEAST_PROGRESS * before:
                if filtered_by is m:
                    return None
                filtered_by = m
            before = error
        return None

    def pairs_near(self, m: Floats, basis: Floats, wanted: int, tolerance: float) -> tuple[Floats, Floats, float]:
        """Return so many leading pairs of a matrix, descending, and the norm of their residuals.

        They are sharpened from a basis that is near them until the norm is below the tolerance, but with few passes.
        """
        values, vectors, rest = self._turned(m, basis)
        self._low = self._lowest(m)
        filtered_by: Any = m.astype(np.float32)
        error = float(np.linalg.norm(rest[:, :wanted]))
        for _ in range(MAX_PASSES):
            if error <= tolerance or not self._has_range():
                break
            filtered = self._filtered(filtered_by, vectors)
            filtered -= np.outer(self.direction, self.direction @ filtered)  # single precision leaves some of u
            values, vectors, rest = self._turned(m, np.linalg.qr(filtered)[0])
            before, error = error, float(np.linalg.norm(rest[:, :wanted]))
            if error > LEAST_PROGRESS * before:
                filtered_by = m
        return values[:wanted], vectors[:, :wanted], error

    def _has_range(self) -> bool:
        """Return whether a polynomial can part the wanted pairs from the rest within single precision."""
        return self._top - self._low < LARGEST_RATIO * (self._cut - self._low)

    def _turned(self, m: Floats, basis: Floats) -> tuple[Floats, Floats, Floats]:
        """Follow the Ritz pairs of a basis from now on; return them, descending, and their residuals."""
        image = self._applied(m, basis)
        values, turn = np.linalg.eigh(basis.T @ image)
        values, turn = values[::-1], turn[:, ::-1]
        vectors = basis @ turn
        self.basis, self._cut, self._top = vectors, float(values[-1]), float(values[0])
        return values, vectors, image @ turn - vectors * values

    def _applied(self, m: Floats, x: Floats) -> Floats:
        """Return P m x, P the projection onto the complement of u, for columns x in it."""
        image = np.hstack(in_shares(lambda share: m @ x[:, share], x.shape[1], COLUMNS))
        image -= np.outer(self.direction, self.direction @ image)
        return image

    def _filtered(self, m: Any, x: Floats) -> Floats:
        """Return p(P m P) x, p the Chebyshev polynomial that is at most 1 from the lowest eigenvalue to the cut."""
        return np.hstack(in_shares(lambda share: self._filtered_columns(m, x[:, share]), x.shape[1], COLUMNS))

    def _filtered_columns(self, m: Any, x: Floats) -> Floats:
        centre, half = 0.5 * (self._cut + self._low), 0.5 * (self._cut - self._low)
        u = self.direction.astype(m.dtype)[:, None]
        last = x.astype(m.dtype)
        current = self._step(m, u, last, centre, half, None)
        for _ in range(self._degree() - 1):
            last, current = current, self._step(m, u, current, centre, 0.5 * half, last)
        return current.astype(np.float64)  # type: ignore[no-any-return]

    def _degree(self) -> int:
        """Return the degree of the polynomial with the amplification that single precision stands."""
        growth = math.acosh(1.0 + 2.0 * max(self._top - self._cut, 0.0) / (self._cut - self._low))
        wanted = math.acosh(AMPLIFICATION) / max(growth, 1e-300)
        return max(LEAST_DEGREE, int(min(wanted, GREATEST_DEGREE)))

    @staticmethod
    def _step(m: Any, u: Any, x: Any, centre: float, half: float, before: Any) -> Any:
        """Return (P m x - centre x) / half, less what was before, in the precision of m."""
        image = m @ x
        image -= u * (u.T @ image)
        image -= m.dtype.type(centre) * x
        image *= m.dtype.type(1.0 / half)
        if before is not None:
            image -= before
        return image

    def _lowest(self, m: Floats) -> float:
        """Return about the lowest eigenvalue of P m P, rather too low, by a few steps of Lanczos."""
        q = np.cos(np.cumsum(np.ones_like(self.direction)) ** 2)[:, None]  # as good as random, and the same every time
        q -= np.outer(self.direction, self.direction @ q)
        frame = np.empty_like(self.direction, shape=(self.direction.size, LANCZOS_STEPS))
        frame[:, 0] = q[:, 0] / np.linalg.norm(q)
        reduced = np.zeros_like(self.direction, shape=(LANCZOS_STEPS, LANCZOS_STEPS))
        for step in range(LANCZOS_STEPS):
            image = self._applied(m, frame[:, step : step + 1])[:, 0]
            reduced[: step + 1, step] = reduced[step, : step + 1] = frame[:, : step + 1].T @ image
            if step + 1 < LANCZOS_STEPS:
                rest = image - frame[:, : step + 1] @ (frame[:, : step + 1].T @ image)
                length = float(np.linalg.norm(rest))
                if length <= 1e-12 * float(np.linalg.norm(image)):
                    reduced = reduced[: step + 1, : step + 1]
                    break
                frame[:, step + 1] = rest / length
        values = np.linalg.eigvalsh(reduced)
        return float(values[0] - 0.1 * max(values[-1] - values[0], abs(values[0])))


#: Eigenpairs asked for beyond the rank of the previous projection.
GUARD = 10
#: Size up to which, and share of all eigenpairs from which on, a full decomposition is as fast.
FULL_SIZE = 150
FULL_SHARE = 0.6
#: Size from which on, and share of all eigenpairs up to which, pairs are followed, and how many beyond the rank.
FOLLOWED_SIZE = 120
FOLLOWED_GUARD = 12
FOLLOWED_SHARE = 0.5
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
        self.subspace = Subspace(direction)
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
            found = self.subspace.pairs(m, self.trace, tolerance)
            if found is not None:
                return found
        values, vectors = self._decomposed(m)
        followed = self.rank + self._guard
        if s >= FOLLOWED_SIZE and followed < FOLLOWED_SHARE * s:
            self.subspace.restart(values[:followed], vectors[:, :followed])
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
            found = greatest_pairs(b, wanted)
            if found is not None and simplex_threshold(found[0], self.trace) > found[0][-1]:
                return found
            wanted *= 2
        values, vectors = np.linalg.eigh(b)
        return values[:0:-1], vectors[:, :0:-1]


def greatest_pairs(m: Floats, number: int) -> tuple[Floats, Floats] | None:
    """Return so many eigenpairs, descending; None where LAPACK misses some of equal ones, as it may without a word."""
    s = len(m)
    values, vectors = eigh(m, subset_by_index=[s - number, s - 1], driver="evr", check_finite=False)
    return (values[::-1], vectors[:, ::-1]) if values.size == number else None


def deflate(m: Floats, u: Floats, eigenvalue: float) -> Floats:
    """Return P m P + eigenvalue u u^T with P the projection onto the complement of the unit vector u."""
    image = m @ u
    w = 0.5 * (float(u @ image) + eigenvalue) * u - image
    outer = np.outer(w, u)
    deflated: Floats = m + (outer + outer.T)
    return deflated
