"""The engine of an accelerator: that of the processor in single precision, with stars as its cuts.

Everything of size s x s stays on the device. Its bounds only steer: they are of the same multipliers, but eigenvalues
are those of a subspace, lowered until what they leave has a Cholesky factor. What is claimed is proved on the processor
of multipliers that are copied for that.
"""

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.admm import Alternating
from pcsos.bounds.relaxation.engine import WarmStart
from pcsos.bounds.relaxation.families.stars import LARGEST_STAR
from pcsos.bounds.relaxation.gpu.device import Device
from pcsos.bounds.relaxation.gpu.stars import Stars
from pcsos.bounds.relaxation.gpu.subspace import Leading
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import combine, rows_of
from pcsos.evidence.multipliers import Multipliers
from pcsos.problem.params import AdmmParams, CutParams

#: The penalty is at most this: beyond, the rank grows, and the bound waits.
MOST_PENALTY = 0.3
#: Error of the first projection, coordinates of the points that it begins with, and most clusters that a point is of.
FIRST_ERROR, COORDINATES, MOST_CLUSTERS = 1e-2, 30, 200
#: Entries of N that are no larger than this, relative to U, are nothing but rounding, for which the bound would pay.
NOISE = 1e-5
#: By how much eigenvalues are lowered, in powers of ten, relative to the norm of their matrix; at first by this.
LEAST_LOWERED, FIRST_LOWERED, MOST_LOWERED = -14.0, -9.0, -2.0
#: The matrix of which a bound has the lowest pairs is so large that few of them have weights; their tolerance.
SHARP, PAIRS_ERROR = 1e6, 1e-3


class Accelerated(Alternating):
    """The state of the engine on one relaxation without soft pairs; see :class:`Engine`."""

    proves: ClassVar[bool] = False
    most_penalty: ClassVar[float] = MOST_PENALTY

    def __init__(
        self,
        relaxation: PengWei,
        warm: WarmStart,
        params: AdmmParams = AdmmParams(),  # noqa: B008
        device: Device | None = None,
    ) -> None:
        cuts = warm.multipliers.cuts
        other = np.flatnonzero((cuts.centre < 0) | (np.diff(cuts.indptr) > LARGEST_STAR))
        start = warm.without(other, relaxation.masses)
        super().__init__(relaxation, start, params)
        self._device = device or Device()
        r, old = relaxation, start.multipliers
        weights = old.weights / self.sigma
        clusters = np.zeros(r.size, np.intp) if warm.x is None else _clusters_at(warm.x)
        self._stars = Stars(self._device, self._own(r.inverse_roots), old.cuts, weights, clusters)
        self.cuts = self._stars.cuts()  # by centre
        self._gram, self._upper, self._least = map(self._own, (r.gram, r.upper, r.lower.diagonal()))
        self._x = self._own(np.outer(r.direction, r.direction) if warm.x is None else warm.x)
        self._device.xp.clip(self._x, 0.0, self._upper, out=self._x)
        self._y, self._v = self._x.copy(), self._combined(self._device.xp.empty_like(self._x))
        self._u = self._own(old.box) * np.float32(-1.0 / self.sigma) - self._v
        self._leading = Leading(self._device, r.direction, _first_columns(relaxation, clusters))
        self._lowest_columns = self._leading.columns
        self._lowered = FIRST_LOWERED
        self._factor = self._own(r.direction[:, None])

    def _own(self, array: Floats) -> Any:
        """Return a copy on the device, in single precision."""
        return self._device.xp.asarray(array.astype(np.float32))

    @property
    def x(self) -> Floats:  # type: ignore[override]
        """A copy on the processor."""
        return np.asarray(self._device.host(self._x), np.float64)

    @property
    def y(self) -> Floats:  # type: ignore[override]
        """A copy on the processor."""
        return np.asarray(self._device.host(self._factor @ self._factor.T), np.float64)

    def multipliers(self) -> Multipliers:
        """Return N, the cuts in use and mu, on the processor."""
        return self._multipliers_of(self._u, self._stars.weights, self.sigma)()

    def bound(self) -> tuple[float, Callable[[], Multipliers]]:
        """Return a bound that steers, and what copies the multipliers to the processor."""
        kept = self._multipliers_of(self._u.copy(), self._stars.weights.copy(), self.sigma)
        r, xp, u, combined = self.relaxation, self._device.xp, self._u, self._combined(self._v)
        box = xp.add(u, combined, out=self._y)
        is_noise = xp.abs(box) <= np.float32(NOISE) * xp.abs(u)
        g = xp.where(is_noise, -combined, u).astype(np.float64)
        box[is_noise] = 0.0
        box *= np.float32(-self.sigma)
        raised = float(xp.sum(xp.maximum(box.diagonal(), 0.0) * self._least, dtype=np.float64))
        xp.minimum(box, 0.0, out=box)
        box *= self._upper
        paid = -float(xp.sum(box, dtype=np.float64))
        g *= self.sigma
        g -= self._gram
        u = self._leading.direction
        along, norm = float(u @ (g @ u)), float(xp.linalg.norm(g))
        value = r.total + raised - paid + along - 2.0 * r.formation_error
        return value + (self._spectral(g, norm) if r.n_clusters > 1 else 0.0), kept

    def _spectral(self, b: Any, norm: float) -> float:
        """Return about the sum of the k - 1 smallest eigenvalues of G on the complement of u, rather too little.

        G is overwritten.
        """
        number, xp, u = self.relaxation.n_clusters - 1, self._device.xp, self._leading.direction
        image = b @ u
        w = 0.5 * (float(u @ image) + norm) * u - image
        b += xp.outer(w, u)
        b += xp.outer(u, w)
        sharp = b * (-SHARP / norm)
        lowest = Leading(self._device, u, self._lowest_columns)
        lowest.weighted(sharp.astype(np.float32), float(number), PAIRS_ERROR)
        self._lowest_columns = vectors = lowest.filtered(sharp)  # once more, in double precision
        del sharp
        values, turn = np.linalg.eigh(self._device.host(vectors.T @ (b @ vectors)))
        self.frame, last = self._device.host(vectors), float(values[number - 1])
        vectors = vectors @ xp.asarray(turn[:, :number].copy())
        b += (vectors * xp.asarray(last - values[:number])) @ vectors.T
        return float(values[:number].sum()) - number * self._lowered_by(b, last, norm)

    def _combined(self, v: Any) -> Any:
        """Write the matrix of the cuts over v, which is returned."""
        v.fill(0.0)
        self._stars.add_to(v)
        self._by_rows("mirror", v)
        return v

    def _lowered_by(self, b: Any, last: float, norm: float) -> float:
        """Return about how far below ``last`` the least eigenvalue of a matrix is, which is overwritten."""
        exponent, added, found, is_rising = self._lowered, 0.0, math.inf, False
        every = self._device.xp.arange(len(b))
        while LEAST_LOWERED <= exponent <= MOST_LOWERED:
            shift = 10.0**exponent * norm - last
            b[every, every] += shift - added
            added = shift
            if self._device.is_positive(b):
                found, self._lowered = 10.0**exponent * norm, exponent
                if is_rising:
                    break
                exponent -= 0.5
            elif math.isfinite(found):
                break
            else:
                is_rising, exponent = True, exponent + 0.5
        return found

    def separate(self, threshold: float, limit: int, params: CutParams, rng: np.random.Generator) -> tuple[Floats, int]:
        """Drop the cuts without a multiplier, and add violated stars; there are no others."""
        roots = self._own(self.relaxation.inverse_roots)
        z = self._device.xp.multiply(self._x, roots, out=self._v)
        z *= roots[:, None]
        violation = self._stars.renew(z, threshold * self.relaxation.entry_size, limit)
        self.cuts, self._cuts_since = self._stars.cuts(), self.iterations
        return violation, 0

    def _multipliers_of(self, u: Any, weights: Any, sigma: float) -> Callable[[], Multipliers]:
        """Return what copies multipliers to the processor, where rounding is that of double precision."""
        cuts, relaxation, host = self.cuts, self.relaxation, self._device.host

        def copied() -> Multipliers:
            mu, of_point = sigma * host(weights).astype(np.float64), sigma * host(u).astype(np.float64)
            box = -of_point - combine(rows_of(cuts, relaxation), mu, relaxation.size)
            box[np.abs(box) <= NOISE * np.abs(of_point)] = 0.0
            return Multipliers(box, cuts, mu)

        return copied

    def _step(self) -> None:
        xp, alpha = self._device.xp, np.float32(self.params.over_relaxation)
        x, u, y, v = self._x, self._u, self._y, self._v
        self._by_rows("point", self._gram, np.float32(1.0 / self.sigma), x, u, v)
        tolerance = self._allowance() if self.iterations else FIRST_ERROR
        _, vectors, weights = self._leading.weighted(v, self.relaxation.n_clusters - 1.0, tolerance)
        rank = int(np.count_nonzero(weights))
        scaled = vectors[:, :rank] * xp.asarray(np.sqrt(weights[:rank]))
        self._factor = xp.concatenate([self._leading.direction[:, None], scaled], axis=1).astype(np.float32)
        xp.matmul(self._factor, self._factor.T, out=y)
        self._by_rows("aim", y, alpha, x, u, v)
        self._stars.project(v, self._least, self._upper, self.params.sweeps)
        squares = xp.empty((2, len(x)), np.float32)
        self._by_rows("move", y, v, self._least, self._upper, x, u, squares)
        self.primal, self.dual = np.sqrt(self._device.host(squares.sum(axis=1, dtype=np.float64))).tolist()

    def _by_rows(self, kernel: str, *arguments: Any) -> None:
        s = self.relaxation.size
        self._device.run(kernel, s, np.int32(s), *arguments, lanes=32)

    def _mirror(self) -> None:
        self._by_rows("mirror", self._x)
        self._by_rows("mirror", self._u)

    def _norms(self) -> tuple[float, float]:
        norm = self._device.xp.linalg.norm
        self._mirror()
        return float(norm(self._u)), float(norm(self._x))

    def _rescale(self, factor: float) -> None:
        self._u /= np.float32(factor)
        self._stars.weights /= np.float32(factor)


def _clusters_at(x: Floats) -> Indices:
    """Return the clusters of a partition from its matrix; of another one, some groups of points."""
    return np.unique((x > 0.0).argmax(axis=1), return_inverse=True)[1]


def _first_columns(relaxation: PengWei, clusters: Indices) -> Floats:
    """Return coordinates of the points, and the indicators of the clusters where they are few."""
    means = relaxation.reduced.means
    columns = [means[:, np.argsort(-means.var(axis=0))[:COORDINATES]]]
    if int(clusters.max()) < MOST_CLUSTERS:
        columns.append(np.eye(int(clusters.max()) + 1)[clusters])
    return np.hstack(columns) * relaxation.masses.roots[:, None]
