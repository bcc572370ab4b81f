"""The branching pair (Paper 3.1): the one where both children promise a better bound."""

import numpy as np

from pcsos.reduction import Reduced
from pcsos.relaxation.peng_wei import PengWei
from pcsos.typing import Floats

#: A soft pair is branched on where so much of the greatest penalty is undecided.
UNDECIDED = 0.02


def branching_pair(relaxation: PengWei, y: Floats) -> tuple[int, int]:
    """Return the pair of super-points with the largest of the :func:`branching_scores`."""
    score = branching_scores(relaxation, y)
    i, j = np.unravel_index(int(np.argmax(score)), score.shape)
    return int(i), int(j)


def soft_branching_pair(problem: Reduced, relaxation: PengWei, y: Floats) -> tuple[int, int] | None:
    """Return the soft pair of which most is undecided, None where nearly nothing is.

    With t the share of togetherness, ``Z_ij / min(Z_ii, Z_jj)``, either child pays up to ``min(t, 1 - t)`` of the
    penalty more than the relaxation does.
    """
    if len(problem.soft) == 0:
        return None
    i, j = problem.soft.pairs.T
    z = y * np.outer(relaxation.inverse_roots, relaxation.inverse_roots)
    own = np.maximum(np.minimum(z[i, i], z[j, j]), 1.0 / relaxation.largest.max())
    share = np.clip(z[i, j] / own, 0.0, 1.0)
    penalty = problem.soft.apart + problem.soft.together
    undecided = np.minimum(share, 1.0 - share) * penalty
    best = int(np.argmax(undecided))
    return (int(i[best]), int(j[best])) if undecided[best] > UNDECIDED * penalty.max() else None


def branching_scores(relaxation: PengWei, y: Floats) -> Floats:
    """Return ``min(Z_ij, ||Z_i. - Z_j.||^2)`` for i < j, and -inf elsewhere and for cannot-links, shape (s, s).

    Norms are over the original points: column l of Z counts e_l times.

    Parameters
    ----------
    y : ndarray, shape (s, s)
        A (nearly) optimal point of the relaxation.
    """
    z = np.maximum(y, 0.0) * np.outer(relaxation.inverse_roots, relaxation.inverse_roots)
    weighted = z * relaxation.weights
    products = weighted @ z.T
    squares = products.diagonal()
    distance = np.maximum(squares[:, None] + squares[None, :] - 2.0 * products, 0.0)
    score = np.minimum(z, distance)
    score[relaxation.upper <= 0.0] = -np.inf
    score[np.tril_indices(relaxation.size)] = -np.inf
    return score
