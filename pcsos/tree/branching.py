"""The branching pair (Paper 3.1): the one where both children promise a better bound."""

import numpy as np

from pcsos.relaxation.peng_wei import PengWei
from pcsos.typing import Floats


def branching_pair(relaxation: PengWei, y: Floats) -> tuple[int, int]:
    """Return the pair of super-points with the largest of the :func:`branching_scores`."""
    score = branching_scores(relaxation, y)
    i, j = np.unravel_index(int(np.argmax(score)), score.shape)
    return int(i), int(j)


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
