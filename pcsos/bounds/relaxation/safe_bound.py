"""ANY multipliers -> a valid lower bound: the one trusted kernel (Mathematics 3).

For symmetric N and mu >= 0 put G = -C - N - sum mu_t A_t. Every feasible Y is u u^T + R with R u = 0, 0 <= R <= I and
tr R = k - 1, so

    -<C, Y>  >=  sum mu_t b_t + sum_ij (N+_ij lower_ij - N-_ij upper_ij) + u^T G u + min_R <G, R> .

The last term is the sum of the k - 1 smallest eigenvalues of G on the complement of u (Ky Fan). Since R u = 0, adding
w u^T + u w^T to G changes nothing for any vector w; w is chosen so that u becomes an eigenvector with a large
eigenvalue, and the k - 1 smallest eigenvalues of the deflated matrix are the ones wanted.

Rounding. No eigenvalue of LAPACK is trusted. With its output W, Lambda (any numbers) put H = W Lambda W^T, rho >= the
Frobenius distance of H and the deflated matrix B, and delta >= that of W^T W and I. Then for every R

    <B, R>  >=  <H, R> - rho sqrt(k - 1),   <H, R> = sum_i lambda_i r_i,   r_i = w_i^T R w_i in [0, 1 + delta],
    |sum_i r_i - (k - 1)| <= delta (k - 1),   so   <H, R> >= (sum of the k - 1 smallest) - 4 delta (k - 1) max |lambda|,

for delta <= 0.1. Where pairs v_j, theta_j near the k - 1 smallest are at hand, a Cholesky factor is faster. For any t,
any lift_j >= 0 and any L, let rho be at least the Frobenius norm of ``B + sum_j lift_j v_j v_j^T - t I - L L^T``. Then,
L L^T being positive semidefinite and R between 0 and I,

    <B, R>  >=  (t - rho) (k - 1) - sum_j lift_j v_j^T v_j ,

which is nearly the sum of the theta_j for t just below theta_(k-1) and ``lift_j = theta_(k-1) - theta_j``.

What is left is the rounding of sums and products, each bounded by the usual gamma_m = m eps
(Higham, Accuracy and Stability of Numerical Algorithms, section 3) with the number of operations m counted generously.
"""

import numpy as np
from scipy.linalg.lapack import dlauum, dpotrf

from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import Rows, combine, rows_of
from pcsos.bounds.relaxation.spectral import Subspace, deflate, greatest_pairs
from pcsos.evidence.multipliers import Cuts, Multipliers

#: Matrices beyond this norm, in scaled units, are not worth a decomposition, and would overflow in it.
LARGEST_NORM = 1e100
#: What products that underflow may lose, in scaled units; nothing beside the rounding of any sum of squares but 0.
UNDERFLOW = 1e-280
#: Size from which on a factor is faster than all eigenvalues, and share of all pairs up to which those of a frame are
#: sharpened faster than the few that are needed are computed.
FACTORED_SIZE = 400
FACTORED_SHARE = 0.06
#: By so many times the residual of the pairs the rest of the spectrum is let undercut them: first little, then enough.
SHARES = (0.01, 0.1, 2.0)
#: That residual is brought down to this, relative to the norm of G.
RESIDUAL = 1e-6


@np.errstate(over="ignore", invalid="ignore", under="ignore")
def safe_bound(
    relaxation: PengWei,
    box: Floats,
    cuts: Cuts,
    weights: Floats,
    rows: Rows | None = None,
    frame: Floats | None = None,
) -> float:
    """Return a lower bound on the cost of every partition, valid for any multipliers and despite rounding.

    Parameters
    ----------
    relaxation : PengWei
        The relaxation of the state, with s super-points.
    box : ndarray, shape (s, s)
        N in scaled units; only its symmetric part counts.
    cuts, weights : Cuts, ndarray
        Valid inequalities and mu; negative or non-finite mu count as 0.
    rows : Rows, optional
        The coefficients of the cuts, if they are at hand.
    frame : ndarray, shape (s, m), optional
        Orthonormal columns, on the complement of u, near the leading eigenvectors of -G, for large s. They decide how
        fast and how good the bound is, not whether it holds.

    Returns
    -------
    float
        The bound divided by ``relaxation.scale``; -inf if the multipliers are not finite.
    """
    if not np.isfinite(box).all():
        return -np.inf
    k = relaxation.n_clusters
    box = 0.5 * (box + box.T)
    mu = np.where(np.isfinite(weights) & (weights > 0.0), weights, 0.0)
    rows = rows_of(cuts, relaxation) if rows is None else rows
    combined = combine(rows, mu, relaxation.size)
    g = -relaxation.gram - box - combined
    g_error = _combination_error(rows, mu, relaxation.size) + 4.0 * EPS * (
        np.linalg.norm(relaxation.gram) + np.linalg.norm(box) + np.linalg.norm(combined)
    )
    linear, linear_error = _linear_part(relaxation, box, mu, rows)
    along, spectral, spectral_error = _spectral_part(g, relaxation.direction, k, frame)
    charge, charge_error = _charge(relaxation, mu, rows)
    value = relaxation.total + linear + charge + along + spectral
    error = charge_error + relaxation.formation_error + linear_error + spectral_error + 2.0 * np.sqrt(k) * g_error
    error += 16.0 * EPS * (abs(relaxation.total) + abs(linear) + abs(charge) + abs(along) + abs(spectral))
    bound = value - 2.0 * error - UNDERFLOW
    return float(bound) if np.isfinite(bound) else -np.inf


def _combination_error(rows: Rows, mu: Floats, s: int) -> float:
    """Return a bound on the Frobenius error of sum mu_t A_t: an entry has so many terms."""
    sizes = np.repeat(mu, np.diff(rows.indptr)) * np.abs(rows.coefficients)
    total = np.bincount(rows.entries, weights=sizes, minlength=s * s)
    most = int(np.bincount(rows.entries, minlength=s * s).max())
    return 2.0 * (most + 16.0) * EPS * float(np.linalg.norm(total))


def _linear_part(relaxation: PengWei, box: Floats, mu: Floats, rows: Rows) -> tuple[float, float]:
    """Return sum mu_t b_t + sum (N+ lower - N- upper) and a bound on its error; right-hand sides are nonnegative."""
    gain = float(mu @ rows.right)
    raised = float((np.maximum(box.diagonal(), 0.0) * relaxation.lower.diagonal()).sum())
    paid = -float(np.einsum("ij,ij->i", np.minimum(box, 0.0), relaxation.upper).sum())
    return gain + raised - paid, (2.0 * relaxation.size + mu.size + 8.0) * EPS * (gain + raised + paid)


def _charge(relaxation: PengWei, mu: Floats, rows: Rows) -> tuple[float, float]:
    """Return what multipliers beyond the penalty of a pair cost, at most 0, and a bound on the error of such cuts.

    The excess x of a pair is between 0 and 1: ``(p - sum mu_t) x`` is at least p - sum mu_t where that is negative.
    Coefficients of cuts about pairs are differences of terms that are at most E / min e each, times an entry of Z e_i.
    """
    about = rows.excess >= 0
    if not about.any():
        return 0.0, 0.0
    given = np.bincount(rows.excess[about], weights=mu[about], minlength=relaxation.penalties.size)
    charge = float(np.minimum(relaxation.penalties - given, 0.0).sum())
    size = float(relaxation.weights.sum() / relaxation.weights.min())
    error = (mu.size + 64.0 * (1.0 + size)) * EPS * float(given.sum() + relaxation.penalties[given > 0.0].sum())
    return charge, error


def _spectral_part(g: Floats, u: Floats, k: int, frame: Floats | None) -> tuple[float, float, float]:
    """Return u^T G u, a lower bound on <G, R> up to the returned error, and that error."""
    s = u.size
    norm = float(np.linalg.norm(g))
    along = float(u @ (g @ u))
    error = (2.0 * s + 32.0) * EPS * norm
    if k == 1:
        return along, 0.0, error
    if not norm < LARGEST_NORM:
        return along, -np.inf, 0.0
    b = deflate(g, u, norm)
    error += 64.0 * (np.sqrt(k) + 1.0) * EPS * norm
    if s >= FACTORED_SIZE:
        least, own_error = _by_factor(g, norm, b, u, k, frame)
        if np.isfinite(least - own_error):
            return along, least, error + own_error
    try:
        values, vectors = np.linalg.eigh(b)
    except np.linalg.LinAlgError:
        return along, -np.inf, 0.0
    spread = float(np.linalg.norm(values))
    length = float(np.linalg.norm(vectors))
    rho = float(np.linalg.norm(b - (vectors * values) @ vectors.T)) + 1.1 * (s + 8.0) * EPS * length * spread
    gram = vectors.T @ vectors
    gram[np.diag_indices(s)] -= 1.0
    delta = float(np.linalg.norm(gram)) + (s + 8.0) * EPS * length * length
    if not delta <= 0.1:
        return along, -np.inf, 0.0
    error += np.sqrt(k - 1.0) * rho + 4.0 * delta * (k - 1) * float(np.abs(values).max())
    error += (k + 8.0) * EPS * spread * np.sqrt(k)
    return along, float(np.sort(values)[: k - 1].sum()), error


def _by_factor(g: Floats, norm: float, b: Floats, u: Floats, k: int, frame: Floats | None) -> tuple[float, float]:
    """Return a lower bound on <B, R> up to the returned error, and that error; -inf where no factor was found.

    An entry of what is factored is a sum of k + 1 terms, one of the product a sum of s. LAPACK multiplies triangles in
    the other order, U U^T, so rows and columns are reversed before and after; the lower triangles alone count.
    """
    s = u.size
    try:
        if frame is not None and k <= frame.shape[1] <= FACTORED_SHARE * s:
            values, v, residual = Subspace(u).pairs_near(-g, frame, k - 1, RESIDUAL * norm)
        else:
            found = greatest_pairs(-b, k - 1)
            if found is None:
                return -np.inf, 0.0
            (values, v), residual = found, 1e-10 * norm
    except np.linalg.LinAlgError:  # of numbers that are not finite
        return -np.inf, 0.0
    lift = np.maximum(values - values[-1], 0.0)
    for share in SHARES:
        t = -float(values[-1]) - share * residual
        lifted = b + (v * lift) @ v.T
        lifted[np.diag_indices(s)] -= t
        factor, failed = dpotrf(lifted[::-1, ::-1].T, lower=1, clean=1)
        if not failed:
            break
    else:
        return -np.inf, 0.0
    paid = float(lift @ np.einsum("ij,ij->j", v, v))
    size = float(np.linalg.norm(b)) + paid + abs(t) * np.sqrt(s)
    rounding = (k + 8.0) * size + (s + 8.0) * float(np.linalg.norm(factor)) ** 2
    product = dlauum(factor[::-1, ::-1])[0].T
    rho = np.sqrt(2.0) * float(np.linalg.norm(np.tril(lifted - product))) + 1.1 * EPS * rounding
    return t * (k - 1) - paid, (k - 1) * rho + (k + s) * EPS * (abs(t) * (k - 1) + paid)


def prove(relaxation: PengWei, multipliers: Multipliers, frame: Floats | None = None) -> float:
    """Return the safe bound of multipliers in the units of the original sum of squares, which may be negative."""
    scaled = multipliers.scaled_by(1.0 / relaxation.scale)
    bound = safe_bound(relaxation, scaled.box, scaled.cuts, scaled.weights, frame=frame)
    return relaxation.in_original_units(bound)
