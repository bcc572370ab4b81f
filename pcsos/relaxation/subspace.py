"""Subspace: leading eigenpairs by Chebyshev-filtered subspace iteration, begun where the last matrix left it.

From one iteration of the engine to the next the matrix changes little, and so do its leading eigenvectors. A polynomial
that is small on the unwanted part of the spectrum is applied to the old ones, in single precision; a Rayleigh-Ritz step
in double precision follows, and what is missing shows in its residuals. The projection that is formed of approximate
pairs is the exact one of a matrix that differs by at most sqrt(2) times the norm of the residuals, and projections do
not stretch distances: so the residuals bound the error (Zhou, Saad, Tiago and Chelikowsky, J. Comput. Phys. 219, 2006,
for the filter).
"""

import numpy as np
from numpy.typing import NDArray

from pcsos.control.threads import in_shares
from pcsos.typing import Floats

#: Degree of the polynomial of one pass, and passes before an exact decomposition is asked for.
DEGREE = 4
MAX_PASSES = 6
#: Where the whole spectrum is so many times as wide as its unwanted part, the polynomial leaves single precision.
LARGEST_RATIO = 1e4
#: Matrices after which the lower end of the spectrum is estimated anew.
ESTIMATE_EVERY = 20
LANCZOS_STEPS = 8
#: Columns that a thread takes at least.
COLUMNS = 8


class Subspace:
    """Follows the leading eigenpairs of a slowly changing symmetric matrix on the complement of a unit vector u."""

    def __init__(self, direction: Floats) -> None:
        self.direction = direction
        self._basis: Floats | None = None
        self._low = self._cut = self._top = 0.0
        self._age = 0

    @property
    def size(self) -> int:
        """Number of pairs that are followed; 0 before :meth:`restart`."""
        return 0 if self._basis is None else int(self._basis.shape[1])

    def restart(self, values: Floats, vectors: Floats) -> None:
        """Begin with exact pairs, descending; the last of them are a guard and need not be wanted."""
        self._basis, self._age = np.ascontiguousarray(vectors), 0
        self._cut, self._top = float(values[-1]), float(values[0])

    def pairs(self, m: Floats, num_wanted: int, tolerance: float) -> tuple[Floats, Floats] | None:
        """Return approximate leading pairs of a matrix, shape (s, s), descending.

        Parameters
        ----------
        num_wanted : int
            Pairs whose residuals count.
        tolerance : float
            Greatest norm of these residuals together.

        Returns
        -------
        tuple of (values, vectors) or None
            None where the tolerance is not met after a few passes.
        """
        if self._basis is None or num_wanted >= self.size:
            return None
        if self._age % ESTIMATE_EVERY == 0:
            self._low = self._lowest(m)
        self._age += 1
        rough = m.astype(np.float32)
        for _ in range(MAX_PASSES):
            if self._top - self._low > LARGEST_RATIO * (self._cut - self._low):
                return None
            basis = np.linalg.qr(self._filtered(rough, self._basis))[0]
            image = self._applied(m, basis)
            values, turn = np.linalg.eigh(basis.T @ image)
            values, turn = values[::-1], turn[:, ::-1]
            vectors = basis @ turn
            self._basis, self._cut, self._top = vectors, float(values[-1]), float(values[0])
            wanted = vectors[:, :num_wanted] * values[:num_wanted]
            if float(np.linalg.norm(image @ turn[:, :num_wanted] - wanted)) <= tolerance:
                return values, vectors
        return None

    def _applied(self, m: Floats, x: Floats) -> Floats:
        """Return P m x, P the projection onto the complement of u, for columns x in it."""
        image = np.hstack(in_shares(lambda share: m @ x[:, share], x.shape[1], COLUMNS))
        image -= np.outer(self.direction, self.direction @ image)
        return image

    def _filtered(self, m: NDArray[np.float32], x: Floats) -> Floats:
        """Return p(P m P) x, p the Chebyshev polynomial that is at most 1 from the lowest eigenvalue to the cut."""
        return np.hstack(in_shares(lambda share: self._filtered_columns(m, x[:, share]), x.shape[1], COLUMNS))

    def _filtered_columns(self, m: NDArray[np.float32], x: Floats) -> Floats:
        centre, half = 0.5 * (self._cut + self._low), 0.5 * (self._cut - self._low)
        u = self.direction.astype(np.float32)[:, None]
        last = x.astype(np.float32)
        current = self._step(m, u, last, centre, half, None)
        for _ in range(DEGREE - 1):
            last, current = current, self._step(m, u, current, centre, 0.5 * half, last)
        return current.astype(np.float64)

    @staticmethod
    def _step(
        m: NDArray[np.float32],
        u: NDArray[np.float32],
        x: NDArray[np.float32],
        centre: float,
        half: float,
        before: NDArray[np.float32] | None,
    ) -> NDArray[np.float32]:
        """Return (P m x - centre x) / half, less what was before."""
        image = m @ x
        image -= u * (u.T @ image)
        image -= np.float32(centre) * x
        image *= np.float32(1.0 / half)
        if before is not None:
            image -= before
        return image

    def _lowest(self, m: Floats) -> float:
        """Return about the lowest eigenvalue of P m P, rather too low, by a few steps of Lanczos."""
        s = self.direction.size
        q = np.cos(np.arange(1.0, s + 1.0) ** 2)[:, None]  # as good as random, and the same every time
        q -= np.outer(self.direction, self.direction @ q)
        frame = np.empty((s, LANCZOS_STEPS))
        frame[:, 0] = q[:, 0] / np.linalg.norm(q)
        reduced = np.zeros((LANCZOS_STEPS, LANCZOS_STEPS))
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
