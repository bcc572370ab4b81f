"""The branching pair (Paper 3.1): the one where both children promise a better bound."""

import numpy as np

from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.families.sets import crossing_of
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import charges_of
from pcsos.evidence.multipliers import Cuts

#: A soft pair is branched on where the relaxation leaves so much of the greatest penalty unpaid.
UNPAID = 1e-3
#: Super-points go together where Z_ij is at least this share of the smaller of Z_ii and Z_jj.
GOES_WITH = 0.9


def branching_pair(relaxation: PengWei, y: Floats) -> tuple[int, int]:
    """Return the pair of super-points with the largest of the :func:`branching_scores`.

    Where limits of sizes divide groups of points, scores are multiplied by the company of the pair: the weight of the
    super-points with which one of them, the one that has less, shares a cluster all but for certain.
    """
    score = branching_scores(relaxation, y)
    if crossing_of(relaxation.reduced) is not None:
        z = _nonnegative_z(relaxation, y)
        company = (z >= GOES_WITH * np.minimum.outer(z.diagonal(), z.diagonal())) @ relaxation.weights
        score *= np.minimum.outer(company, company)
    i, j = np.unravel_index(int(np.argmax(score)), score.shape)
    return int(i), int(j)


def soft_branching_pair(relaxation: PengWei, y: Floats, cuts: Cuts) -> tuple[int, int] | None:
    """Return the soft pair for which the relaxation pays least of what partitions near it do, None where it pays all.

    With r the share of togetherness, ``Z_ij / min(Z_ii, Z_jj)``, such a partition pays ``(1 - r) a + r t``. Each child
    pays in full, and the relaxation of neither can pay less than that of the parent.
    """
    soft = relaxation.reduced.soft
    if len(soft) == 0:
        return None
    i, j = soft.pairs.T
    z = y * np.outer(relaxation.inverse_roots, relaxation.inverse_roots)
    own = np.maximum(np.minimum(z[i, i], z[j, j]), 1.0 / relaxation.largest.max())
    together = np.clip(z[i, j] / own, 0.0, 1.0)
    charges, excess = charges_of(relaxation, y, cuts)
    unpaid = (1.0 - together - charges[:, 0] - excess[:, 0]) * soft.apart
    unpaid += (together - charges[:, 1] - excess[:, 1]) * soft.together
    best = int(np.argmax(unpaid))
    is_worth_it = unpaid[best] > UNPAID * float(np.maximum(soft.apart, soft.together).max())
    return (int(i[best]), int(j[best])) if is_worth_it else None


def branching_scores(relaxation: PengWei, y: Floats) -> Floats:
    """Return ``min(Z_ij, ||Z_i. - Z_j.||^2)`` for i < j, and -inf elsewhere and for cannot-links, shape (s, s).

    Norms are over the original points: column l of Z counts e_l times.

    Parameters
    ----------
    y : ndarray, shape (s, s)
        A (nearly) optimal point of the relaxation.
    """
    z = _nonnegative_z(relaxation, y)
    weighted = z * relaxation.weights
    products = weighted @ z.T
    squares = products.diagonal()
    distance = np.maximum(squares[:, None] + squares[None, :] - 2.0 * products, 0.0)
    score = np.minimum(z, distance)
    score[relaxation.upper <= 0.0] = -np.inf
    score[np.tril_indices(relaxation.size)] = -np.inf
    return score


def _nonnegative_z(relaxation: PengWei, y: Floats) -> Floats:
    return np.asarray(np.maximum(y, 0.0) * np.outer(relaxation.inverse_roots, relaxation.inverse_roots))
