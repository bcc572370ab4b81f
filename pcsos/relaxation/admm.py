"""The default engine: alternate projections between the spectral set and box-and-cuts (Mathematics 4).

Step 1 projects onto {u u^T + R : R u = 0, 0 <= R <= I, tr R = k - 1}, step 2 onto the box and the cuts, step 3 updates
the scaled multiplier U. At any moment ``N = -sigma U - sum mu_t A_t`` and ``mu = sigma lambda`` are multipliers of a
valid bound; nothing here needs to be exact.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pcsos.relaxation.cuts import Rows
from pcsos.relaxation.peng_wei import PengWei


class Admm:
    """The state of the engine on one relaxation; cuts may be exchanged between steps.

    Parameters
    ----------
    relaxation : PengWei
        The problem, with s super-points.
    start : ndarray, shape (s, s)
        First X, for instance the matrix of an incumbent.
    sigma : float
        First penalty.
    """

    def __init__(self, relaxation: PengWei, start: NDArray[np.float64], rows: Rows, sigma: float) -> None:
        self.relaxation = relaxation
        self.rows = rows
        self.sigma = sigma
        self.x = start.copy()
        self.u = np.zeros_like(start)
        self.y = start.copy()
        self.multipliers = np.zeros(len(rows))
        self.primal = self.dual = np.inf
        self.rank = relaxation.size
        self.relax = 1.6
        self.sweeps = 2
        self.iterations = 0

    def step(self) -> None:
        """Do one iteration."""
        r = self.relaxation
        self.y, self.rank = project_spectral(self.x - self.u + r.gram / self.sigma, r.direction, r.n_clusters)
        mixed = self.relax * self.y + (1.0 - self.relax) * self.x + self.u
        x = np.empty_like(self.x)
        _project_box_and_cuts(
            mixed, r.lower, r.upper, self.rows.indptr, self.rows.entries, self.rows.coefficients, self.rows.steps,
            self.rows.right, self.rows.norms, self.multipliers, self.sweeps, x,
        )
        self.u = mixed - x
        self.primal = float(np.linalg.norm(self.y - x))
        self.dual = float(np.linalg.norm(x - self.x))
        self.x = x
        self.iterations += 1

    def set_sigma(self, sigma: float) -> None:
        """Change the penalty, keeping the multipliers."""
        self.u *= self.sigma / sigma
        self.multipliers *= self.sigma / sigma
        self.sigma = sigma

    def box_multipliers(self) -> NDArray[np.float64]:
        """Return N."""
        upper = np.zeros(self.x.size)
        if len(self.rows):
            lam = np.repeat(self.multipliers, np.diff(self.rows.indptr)) * self.rows.coefficients
            upper = np.bincount(self.rows.entries, weights=lam, minlength=self.x.size)
        upper = upper.reshape(self.x.shape)
        return -self.sigma * (self.u + 0.5 * (upper + upper.T))

    def estimate(self) -> float:
        """Return the value of the bound without the guard against rounding (for deciding, not for claiming)."""
        r = self.relaxation
        n = self.box_multipliers()
        g = self.sigma * self.u - r.gram
        d = r.direction
        gd = g @ d
        along = float(d @ gd)
        b = g - np.outer(gd, d) - np.outer(d, gd) + (along + np.linalg.norm(g)) * np.outer(d, d)
        values = np.linalg.eigvalsh(b)
        linear = self.sigma * float(self.multipliers @ self.rows.right)
        linear += float((np.maximum(n, 0.0) * r.lower - np.maximum(-n, 0.0) * r.upper).sum())
        return r.total + along + float(values[: r.n_clusters - 1].sum()) + linear


def project_spectral(m, u, k):
    mu = m @ u
    a = float(u @ mu)
    b = m - np.outer(mu, u) - np.outer(u, mu) + (a - 10.0 * np.linalg.norm(m)) * np.outer(u, u)
    values, vectors = np.linalg.eigh(b)
    w = capped_simplex(values[1:][::-1], k - 1)
    r = int((w > 0).sum())
    v = vectors[:, 1:][:, ::-1][:, :r]
    return np.outer(u, u) + (v * w[:r]) @ v.T, r


def capped_simplex(values, total):
    """Project descending values onto {0<=w<=1, sum w = total}."""
    lo, hi = values[-1] - 1.0, values[0]
    for _ in range(100):
        mid = 0.5 * (lo + hi)
        if np.clip(values - mid, 0.0, 1.0).sum() > total:
            lo = mid
        else:
            hi = mid
    return np.clip(values - 0.5 * (lo + hi), 0.0, 1.0)


@njit(cache=True, nogil=True)
def _project_box_and_cuts(w, lower, upper, indptr, entries, coefficients, steps, right, norms, multipliers, sweeps, x):  # type: ignore[no-untyped-def]
    """Write the (approximate) projection of w onto box and cuts to x; multipliers are warm-started and updated."""
    s = w.shape[0]
    v = w.copy().ravel()
    lo = lower.ravel()
    hi = upper.ravel()
    m = multipliers.size
    for t in range(m):
        if multipliers[t] != 0.0:
            for e in range(indptr[t], indptr[t + 1]):
                v[entries[e]] += multipliers[t] * steps[e]
    for _ in range(sweeps):
        for t in range(m):
            value = -right[t]
            for e in range(indptr[t], indptr[t + 1]):
                f = entries[e]
                y = v[f]
                y = min(max(y, lo[f]), hi[f])
                value += coefficients[e] * y
            if value < 0.0 or multipliers[t] > 0.0:
                change = -value / norms[t]
                if change < -multipliers[t]:
                    change = -multipliers[t]
                if change != 0.0:
                    multipliers[t] += change
                    for e in range(indptr[t], indptr[t + 1]):
                        v[entries[e]] += change * steps[e]
    for i in range(s):
        for j in range(i, s):
            f = i * s + j
            y = min(max(v[f], lo[f]), hi[f])
            x[i, j] = y
            x[j, i] = y
