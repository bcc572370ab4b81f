"""A start from a partition: its own matrix Y, and the multipliers that would prove it if its clusters lay far apart."""

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.engine import WarmStart
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.problem.reduction import Reduced, sum_of_weighted_squares

#: Share of the points for which the multipliers ask more than they have: how much nearer their own centre is.
ASKED_TOO_MUCH = 0.3


def start_from(reduced: Reduced, labels: Indices, sigma: float) -> WarmStart:
    """Return where an engine begins that is given a partition.

    Parameters
    ----------
    reduced : Reduced
        The problem, with s super-points.
    labels : ndarray of int, shape (s,)
        Cluster of each super-point; a partition that is nearly optimal makes the best start, but any will do.
    sigma : float
        Penalty, as a share of the size of the multipliers.

    Notes
    -----
    Let i in cluster a be nearer to its own mean than to that of cluster b by Delta_ib (squared distances). Multipliers
    ``N_ij = sqrt(e_i e_j) r_ib r_ja / (2 S_ab)`` with ``r_ib = E_b (Delta_ib - z (1 / E_a + 1 / E_b))`` and S_ab the
    sum of r_ib over a make the indicators of the clusters eigenvectors of G with the same eigenvalue z (Iguchi, Mixon,
    Peterson and Villar, Probably certifiably correct k-means clustering, Math. Program. 165, 2017, section 4). Where
    clusters are well apart, and z is small enough for all r to be positive, they prove the partition optimal. Elsewhere
    they are close to multipliers that prove much, once negative r are left out; nothing here needs to hold.
    """
    labels = np.unique(labels, return_inverse=True)[1]
    num_used = int(labels.max()) + 1
    weights = reduced.weights
    scale = sum_of_weighted_squares(reduced.means, weights) or 1.0
    points = reduced.means / np.sqrt(scale)
    mass = np.bincount(labels, weights, minlength=num_used).astype(np.float64)
    together = np.zeros((labels.size, num_used))
    together[np.arange(labels.size), labels] = 1.0
    centres = (together * weights[:, None]).T @ points / mass[:, None]
    rows = _row_sums(points, centres, labels, mass)
    total = together.T @ (rows * weights[:, None])
    total = 0.5 * (total + total.T)
    total[total <= 0.0] = np.inf
    box = rows[:, labels]
    box = box * box.T
    box *= 0.5 / total[np.ix_(labels, labels)]
    roots = np.sqrt(weights)
    box *= np.outer(roots, roots)
    shares = together * (roots[:, None] / np.sqrt(mass)[labels][:, None])
    size = float(np.linalg.norm(box)) / np.sqrt(num_used)
    return WarmStart(Multipliers(box, Cuts.none(), np.empty(0)), sigma * size, shares @ shares.T).scaled_by(scale)


def _row_sums(points: Floats, centres: Floats, labels: Indices, mass: Floats) -> Floats:
    """Return r_ib, shape (s, k): 0 in a point's own cluster, and where it would be negative."""
    inner = points @ centres.T
    lengths = np.einsum("bj,bj->b", centres, centres)
    away = lengths - 2.0 * inner
    every = np.arange(labels.size)
    away -= away[every, labels][:, None]
    asked = 1.0 / mass[labels][:, None] + 1.0 / mass
    most = away / asked
    most[every, labels] = np.inf
    z = float(np.quantile(most.min(axis=1), ASKED_TOO_MUCH)) if mass.size > 1 else 0.0
    rows = np.asarray(mass * (away - z * asked))
    rows[every, labels] = 0.0
    return np.asarray(np.maximum(rows, 0.0))
