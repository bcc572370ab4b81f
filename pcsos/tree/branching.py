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
    """Return the soft pair for which the relaxation pays least of what a partition would, None where it pays all.

    Apart, a pair pays ``w'`` and together ``w''``; the relaxation pays ``<P, Y>``, less than the smaller of what either
    child pays by ``min(w' - paid, w'' - paid)`` where both cost. A pair that is a must-link only pays nothing together:
    what counts is how undecided it is, ``min(x, 1 - x)`` of its penalty with x the share that is paid.
    """
    if len(problem.soft) == 0:
        return None
    i, j = problem.soft.pairs.T
    roots = relaxation.roots
    near = np.maximum(y[i, j], 0.0) / np.maximum(roots[i] * roots[j], 1e-300)
    own = np.maximum(np.minimum(y[i, i] / roots[i] ** 2, y[j, j] / roots[j] ** 2), 1e-300)
    share = np.clip(near / own, 0.0, 1.0)  # 0: apart, 1: together
    score = np.minimum(share, 1.0 - share) * (problem.soft.apart + problem.soft.together)
    best = int(np.argmax(score))
    least = UNDECIDED * float((problem.soft.apart + problem.soft.together).max())
    return (int(i[best]), int(j[best])) if score[best] > least else None


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
