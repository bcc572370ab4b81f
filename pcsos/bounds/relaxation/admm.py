"""The default engine: alternate projections between the spectral set and box-and-cuts (Mathematics 4).

With scaled multiplier U and penalty sigma, an iteration is

1. Y <- projection of X - U + C / sigma onto {u u^T + R : R u = 0, 0 <= R <= I, tr R = k - 1};
2. X <- projection of alpha Y + (1 - alpha) X + U onto box and cuts, by sweeps of dual coordinate ascent (Hildreth);
3. U <- alpha Y + (1 - alpha) X_old + U - X.

At any moment ``N = -sigma U - sum mu_t A_t`` and ``mu = sigma lambda`` (the coordinate-ascent duals) are multipliers of
a valid bound, so nothing here needs to be exact.
"""

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np

from pcsos.base.control.stop import Stop
from pcsos.base.numerics.kernels import inlined_kernel, kernel, reassociating_kernel
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.engine import Engine, WarmStart
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import Rows, charged, combine
from pcsos.bounds.relaxation.spectral import SpectralProjection
from pcsos.evidence.multipliers import Multipliers
from pcsos.problem.params import AdmmParams, CutParams


class Excess:
    """What soft pairs are charged beyond their matrix (Mathematics 11): both copies of it and their scaled multipliers.

    It is between 0 and 1, costs the penalties, and is part of the cuts about pairs. In units of 1 / (the size of the
    entries of Z) it changes about as fast as Z does. A relaxation without soft pairs has none.

    It begins with what cuts charge at a point, and with multipliers that balance the penalties.

    Attributes
    ----------
    unit : float
        The coefficient of the excess in a cut.
    swept : ndarray, shape (2 m + 1,)
        What the projection onto box and cuts begins with, and changes.
    """

    def __init__(self, relaxation: PengWei, sigma: float, rows: Rows, x: Floats) -> None:
        self.unit = 1.0 / relaxation.entry_size
        self._penalties = relaxation.penalties if len(relaxation.reduced.soft) else np.empty(0)
        self._value = self._free = self._aimed = self.swept = np.zeros(self._penalties.size)
        self._multipliers = -self._slope(sigma)
        if self._value.size:
            self._value = np.clip(charged(rows, x, self._value.size), 0.0, 1.0) / self.unit

    def aim(self, sigma: float, alpha: float) -> None:
        """Take the step of the other projection, which knows the cost alone, and say what to project."""
        if self._value.size:
            self._free = self._value - self._multipliers - self._slope(sigma)
            self._aimed = alpha * self._free + (1.0 - alpha) * self._value + self._multipliers
            self.swept = self._aimed.copy()

    def settle(self) -> tuple[float, float]:
        """Clip what is swept, update the multipliers, and return the primal and the dual residual."""
        if not self._value.size:
            return 0.0, 0.0
        value = np.clip(self.swept, 0.0, 1.0 / self.unit)
        residuals = float(np.linalg.norm(self._free - value)), float(np.linalg.norm(value - self._value))
        self._value, self._multipliers = value, self._aimed - value
        return residuals

    def rescale(self, factor: float) -> None:
        """Follow a change of the penalty of the engine by this factor."""
        self._multipliers = self._multipliers / factor

    def _slope(self, sigma: float) -> Floats:
        return self._penalties * (self.unit / sigma)


#: Rows and columns of the tiles in which a triangle is copied to the other one.
TILE = 32


class Alternating(Engine):
    """What alternate projections share wherever they are done."""

    most_penalty: ClassVar[float] = math.inf

    def __init__(self, relaxation: PengWei, warm: WarmStart, params: AdmmParams) -> None:
        super().__init__(relaxation, warm)
        self.params = params
        self.sigma = min(warm.sigma if warm.sigma > 0.0 else params.first_penalty, self.most_penalty)
        self.primal = self.dual = math.inf
        self.iterations = self._cuts_since = 0

    def advance(self, stop: Stop) -> None:
        """Do some iterations, fewer if asked to stop."""
        try:
            for _ in range(self.params.iterations):
                self._step()
                self.iterations += 1
                self.converged = max(self.primal, self.dual) < self.params.converged
                if self.iterations % self.params.balance_every == 0:
                    self._balance()
                if self.converged or stop.asked():
                    break
        finally:
            self._mirror()

    @abstractmethod
    def _step(self) -> None:
        """Do an iteration on upper triangles alone, and take note of the residuals."""

    @abstractmethod
    def _mirror(self) -> None:
        """Make X and U whole matrices again."""

    def _allowance(self) -> float:
        """Return the error that a projection may have: little beside what the last iteration has changed."""
        return self.params.inexactness * min(self.primal, self.dual) if self.iterations else 0.0

    def _balance(self) -> None:
        """Move the penalty so that the residuals keep their ratio, but not to where multipliers hardly move."""
        if self.primal <= 0.0 or self.dual <= 0.0 or self.iterations - self._cuts_since > self.params.balance_for:
            return
        is_first = self.iterations <= self.params.iterations
        largest = self.params.first_balance if is_first else self.params.largest_balance
        ratio = self.primal / (self.params.residual_ratio * self.dual)
        of_multiplier, of_point = self._norms()
        share = of_multiplier / (self.params.most_multiplier * of_point)
        factor = min(max(math.sqrt(ratio), share, 1.0 / largest), largest, self.most_penalty / self.sigma)
        if not 0.8 < factor < 1.25:
            self.sigma *= factor
            self._rescale(factor)

    @abstractmethod
    def _norms(self) -> tuple[float, float]:
        """Return the norms of U and X."""

    @abstractmethod
    def _rescale(self, factor: float) -> None:
        """Follow a change of the penalty by this factor."""


class Admm(Alternating):
    """The state of the engine on one relaxation; see :class:`pcsos.bounds.relaxation.engine.Engine`."""

    def __init__(
        self,
        relaxation: PengWei,
        warm: WarmStart,
        params: AdmmParams = AdmmParams(),  # noqa: B008
    ) -> None:
        super().__init__(relaxation, warm, params)
        self._limits = self._limits_of_cuts()
        self.weights = warm.multipliers.weights
        self.u = -warm.multipliers.box / self.sigma - combine(self.rows, self._lambda, relaxation.size)
        self._project = SpectralProjection(relaxation.direction, relaxation.n_clusters)
        self.y = self._first_point() if warm.x is None else warm.x
        self.x = np.clip(self.y, relaxation.lower, relaxation.upper)
        self._work = np.empty_like(self.x)
        self._excess = Excess(relaxation, self.sigma, self.rows, self.x)

    @property
    def weights(self) -> Floats:
        """Mu, of which iterations know lambda = mu / sigma."""
        return self.sigma * self._lambda

    @weights.setter
    def weights(self, mu: Floats) -> None:
        """Take over mu."""
        self._lambda = mu / self.sigma

    def _mirror(self) -> None:
        mirror(self.x)
        mirror(self.u)

    def separate(self, threshold: float, limit: int, params: CutParams, rng: np.random.Generator) -> tuple[Floats, int]:
        """Drop and add cuts as every engine does."""
        found = super().separate(threshold, limit, params, rng)
        self._limits, self._cuts_since = self._limits_of_cuts(), self.iterations
        return found

    def multipliers(self) -> Multipliers:
        """Return N, the cuts in use and mu."""
        mu = self.weights
        return Multipliers(-self.sigma * self.u - combine(self.rows, mu, self.relaxation.size), self.cuts, mu)

    def _first_point(self) -> Floats:
        """Return the point that the multipliers point at: u u^T without any, else the minimiser of their bound."""
        r = self.relaxation
        if not self.u.any():
            return np.outer(r.direction, r.direction)
        g = self.sigma * self.u - r.gram
        return self._project(-1e6 / max(float(np.linalg.norm(g)), 1e-300) * g)

    def _limits_of_cuts(self) -> tuple[Floats, Floats]:
        """Return the box at the entries of the cuts, in their order, so that a sweep reads it as it goes."""
        return self.relaxation.lower.ravel()[self.rows.entries], self.relaxation.upper.ravel()[self.rows.entries]

    def _step(self) -> None:
        _point(self.relaxation.gram, 1.0 / self.sigma, self.x, self.u, self._work)
        mirror(self._work)
        self.y = self._project(self._work, self._allowance())
        r, rows = self.relaxation, self.rows
        alpha, excess = self.params.over_relaxation, self._excess
        excess.aim(self.sigma, alpha)
        primal, dual = finish_step(
            self.y, self.x, self.u, alpha, r.lower, r.upper,
            rows.indptr, rows.entries, rows.coefficients, rows.steps, *self._limits, rows.right, rows.norms,
            rows.excess, excess.unit, excess.swept, self._lambda, self.params.sweeps, self._work, self._work.ravel(),
        )  # fmt: skip
        of_excess = excess.settle()
        self.primal, self.dual = math.hypot(primal, of_excess[0]), math.hypot(dual, of_excess[1])
        self.frame = self._project.subspace.basis

    def _norms(self) -> tuple[float, float]:
        self._mirror()
        return float(np.linalg.norm(self.u)), float(np.linalg.norm(self.x))

    def _rescale(self, factor: float) -> None:
        self.u /= factor
        self._excess.rescale(factor)
        self._lambda /= factor


@kernel
def finish_step(  # type: ignore[no-untyped-def]
    y, x, u, alpha, lower, upper, indptr, entries, coefficients, steps, low, high, right, norms,
    of_excess, unit, excess, weights, sweeps, work, flat,
):  # fmt: skip
    """Replace x by the projection of ``alpha y + (1 - alpha) x + u`` onto box and cuts, and u by what that leaves.

    The projection is approximate (:func:`_sweep`) but meets the box exactly. ``low`` and ``high`` are the box at
    ``entries``, ``work`` is overwritten, which is given flat, too. Only upper triangles are read and written. The
    excess of soft pairs is projected with them, but not clipped.

    Returns
    -------
    float, float
        Frobenius norms of y - x and of what x has changed by.
    """
    _aim(y, x, u, alpha, work)
    _sweep(
        flat, indptr, entries, coefficients, steps, low, high, right, norms,
        of_excess, unit, excess, weights, sweeps,
    )  # fmt: skip
    primal, dual = _move(y, x, u, alpha, lower, upper, work)
    return math.sqrt(primal), math.sqrt(dual)


@kernel
def _point(gram, factor, x, u, target):  # type: ignore[no-untyped-def]
    """Write ``factor gram + x - u`` to the upper triangle of ``target``."""
    for i in range(x.shape[0]):
        row, of_gram, of_x, of_u = target[i, i:], gram[i, i:], x[i, i:], u[i, i:]
        for j in range(row.size):
            row[j] = of_gram[j] * factor + of_x[j] - of_u[j]


@reassociating_kernel
def _aim(y, x, u, alpha, target):  # type: ignore[no-untyped-def]
    """Write ``alpha y + (1 - alpha) x + u`` to the upper triangle of ``target``."""
    for i in range(y.shape[0]):
        row, of_y, of_x, of_u = target[i, i:], y[i, i:], x[i, i:], u[i, i:]
        for j in range(row.size):
            row[j] = alpha * of_y[j] + (1.0 - alpha) * of_x[j] + of_u[j]


@reassociating_kernel
def _move(y, x, u, alpha, lower, upper, projected):  # type: ignore[no-untyped-def]
    """Clip what is projected to the box, and take it over, in upper triangles; return the squared norms."""
    primal, dual = 0.0, 0.0
    for i in range(y.shape[0]):
        row, of_y, of_x, of_u = projected[i, i:], y[i, i:], x[i, i:], u[i, i:]
        least, most = lower[i, i:], upper[i, i:]
        before = of_x[0]
        own_primal, own_dual = 0.0, 0.0
        for j in range(row.size):
            entry = min(max(row[j], least[j]), most[j])
            target = alpha * of_y[j] + (1.0 - alpha) * of_x[j] + of_u[j]
            apart, moved = of_y[j] - entry, entry - of_x[j]
            own_primal += apart * apart
            own_dual += moved * moved
            of_x[j] = entry
            of_u[j] = target - entry
        apart, moved = of_y[0] - of_x[0], of_x[0] - before
        primal += 2.0 * own_primal - apart * apart
        dual += 2.0 * own_dual - moved * moved
    return max(primal, 0.0), max(dual, 0.0)


@kernel
def mirror(a):  # type: ignore[no-untyped-def]
    """Copy the upper triangle to the lower one."""
    s = a.shape[0]
    for first in range(0, s, TILE):
        for second in range(first, s, TILE):
            for i in range(first, min(first + TILE, s)):
                for j in range(max(i, second), min(second + TILE, s)):
                    a[j, i] = a[i, j]


@inlined_kernel
def _sweep(  # type: ignore[no-untyped-def]
    v, indptr, entries, coefficients, steps, low, high, right, norms, of_excess, unit, excess, weights, sweeps
):
    """Add sum weights A to v by coordinate ascent on the dual, over ``weights`` (>= 0, warm-started, in place).

    Clipped to the box, v is then nearly the projection, and so is the excess. Every other sweep is over the cuts with a
    weight only.
    """
    for t in range(weights.size):
        if weights[t] != 0.0:
            if of_excess[t] >= 0:
                excess[of_excess[t]] += weights[t] * unit
            for e in range(indptr[t], indptr[t + 1]):
                v[entries[e]] += weights[t] * steps[e]
    for sweep in range(sweeps):
        for t in range(weights.size):
            if sweep % 2 == 1 and weights[t] == 0.0:
                continue
            value, norm, g = -right[t], norms[t], of_excess[t]
            if g >= 0:
                value += unit * min(max(excess[g], 0.0), 1.0 / unit)
                norm += unit * unit
            for e in range(indptr[t], indptr[t + 1]):
                value += coefficients[e] * min(max(v[entries[e]], low[e]), high[e])
            change = max(-value / norm, -weights[t])
            if change != 0.0:
                weights[t] += change
                if g >= 0:
                    excess[g] += change * unit
                for e in range(indptr[t], indptr[t + 1]):
                    v[entries[e]] += change * steps[e]
