"""The default engine: alternate projections between the spectral set and box-and-cuts (Mathematics 4).

With scaled multiplier U and penalty sigma, an iteration is

1. Y <- projection of X - U + C / sigma onto {u u^T + R : R u = 0, 0 <= R <= I, tr R = k - 1};
2. X <- projection of alpha Y + (1 - alpha) X + U onto box and cuts, by sweeps of dual coordinate ascent (Hildreth);
3. U <- alpha Y + (1 - alpha) X_old + U - X.

At any moment ``N = -sigma U - sum mu_t A_t`` and ``mu = sigma lambda`` (the coordinate-ascent duals) are multipliers of
a valid bound, so nothing here needs to be exact.
"""

import math

import numpy as np

from pcsos.control.stop import Stop
from pcsos.kernels import kernel
from pcsos.params import AdmmParams
from pcsos.relaxation.cuts import Rows, combine
from pcsos.relaxation.engine import WarmStart
from pcsos.relaxation.peng_wei import PengWei
from pcsos.relaxation.spectral import SpectralProjection
from pcsos.typing import Floats


class Admm:
    """The state of the engine on one relaxation; see :class:`pcsos.relaxation.engine.Engine`."""

    def __init__(
        self,
        relaxation: PengWei,
        rows: Rows,
        warm: WarmStart,
        params: AdmmParams = AdmmParams(),  # noqa: B008
    ) -> None:
        self.params = params
        self.relaxation = relaxation
        self.rows = rows
        self._limits = self._limits_of(rows)
        self.sigma = warm.sigma if warm.sigma > 0.0 else params.first_penalty
        self.weights = warm.multipliers.weights / self.sigma
        self.u = -warm.multipliers.box / self.sigma - combine(rows, self.weights, relaxation.size)
        self.primal = self.dual = math.inf
        self.iterations = self._cuts_since = 0
        self._project = SpectralProjection(relaxation.direction, relaxation.n_clusters)
        self.y = self._first_point() if warm.x is None else warm.x
        self.x = np.clip(self.y, relaxation.lower, relaxation.upper)

    @property
    def rank(self) -> int:
        """Number of positive eigenvalues of the last Y."""
        return self._project.rank + 1

    @property
    def converged(self) -> bool:
        """Whether both residuals are negligible."""
        return max(self.primal, self.dual) < self.params.converged

    def advance(self, stop: Stop) -> None:
        """Do some iterations, fewer if asked to stop."""
        for _ in range(self.params.iterations):
            self._step()
            if self.iterations % self.params.balance_every == 0:
                self._balance()
            if self.converged or stop.asked():
                break

    def exchange(self, rows: Rows, weights: Floats) -> None:
        """Replace the cuts; ``weights`` are the multipliers mu of the new list."""
        self.rows = rows
        self._limits = self._limits_of(rows)
        self._cuts_since = self.iterations
        self.weights = weights / self.sigma

    def multipliers(self) -> tuple[Floats, Floats]:
        """Return N, shape (s, s), and mu, shape (t,)."""
        mu = self.sigma * self.weights
        return -self.sigma * self.u - combine(self.rows, mu, self.relaxation.size), mu

    def _first_point(self) -> Floats:
        """Return the point that the multipliers point at: u u^T without any, else the minimiser of their bound."""
        r = self.relaxation
        if not self.u.any():
            return np.outer(r.direction, r.direction)
        g = self.sigma * self.u - r.gram
        return self._project(-1e6 / max(float(np.linalg.norm(g)), 1e-300) * g)

    def _limits_of(self, rows: Rows) -> tuple[Floats, Floats]:
        """Return the box at the entries of the cuts, in their order, so that a sweep reads it as it goes."""
        return self.relaxation.lower.ravel()[rows.entries], self.relaxation.upper.ravel()[rows.entries]

    def _step(self) -> None:
        r, alpha = self.relaxation, self.params.over_relaxation
        self.y = self._project(self.x - self.u + r.gram / self.sigma, self._allowance())
        target = alpha * self.y + (1.0 - alpha) * self.x + self.u
        x = np.empty_like(self.x)
        rows = self.rows
        project_box_and_cuts(
            target, r.lower, r.upper, rows.indptr, rows.entries, rows.coefficients, rows.steps, *self._limits,
            rows.right, rows.norms, self.weights, self.params.sweeps, x,
        )  # fmt: skip
        self.u = target - x
        self.primal = float(np.linalg.norm(self.y - x))
        self.dual = float(np.linalg.norm(x - self.x))
        self.x = x
        self.iterations += 1

    def _allowance(self) -> float:
        """Return the error that a projection may have: little beside what the last iteration has changed."""
        return self.params.inexactness * min(self.primal, self.dual) if self.iterations else 0.0

    def _balance(self) -> None:
        """Move the penalty so that the residuals keep their ratio."""
        if self.primal <= 0.0 or self.dual <= 0.0 or self.iterations - self._cuts_since > self.params.balance_for:
            return
        is_first = self.iterations <= self.params.iterations
        largest = self.params.first_balance if is_first else self.params.largest_balance
        ratio = self.primal / (self.params.residual_ratio * self.dual)
        factor = min(max(math.sqrt(ratio), 1.0 / largest), largest)
        if not 0.8 < factor < 1.25:
            self.sigma *= factor
            self.u /= factor
            self.weights /= factor


@kernel
def project_box_and_cuts(  # type: ignore[no-untyped-def]
    target, lower, upper, indptr, entries, coefficients, steps, low, high, right, norms, weights, sweeps, x
):
    """Write the projection of ``target`` onto box and cuts to ``x``, approximately.

    Coordinate ascent on the dual over ``weights`` (>= 0, warm-started and updated in place); the box is met exactly.
    Every other sweep is over the cuts with a weight only. ``low`` and ``high`` are the box at ``entries``.
    """
    s = target.shape[0]
    v = target.copy().ravel()
    lo = lower.ravel()
    hi = upper.ravel()
    for t in range(weights.size):
        if weights[t] != 0.0:
            for e in range(indptr[t], indptr[t + 1]):
                v[entries[e]] += weights[t] * steps[e]
    for sweep in range(sweeps):
        for t in range(weights.size):
            if sweep % 2 == 1 and weights[t] == 0.0:
                continue
            value = -right[t]
            for e in range(indptr[t], indptr[t + 1]):
                value += coefficients[e] * min(max(v[entries[e]], low[e]), high[e])
            change = max(-value / norms[t], -weights[t])
            if change != 0.0:
                weights[t] += change
                for e in range(indptr[t], indptr[t + 1]):
                    v[entries[e]] += change * steps[e]
    for i in range(s):
        for j in range(i, s):
            f = i * s + j
            entry = min(max(v[f], lo[f]), hi[f])
            x[i, j] = entry
            x[j, i] = entry
