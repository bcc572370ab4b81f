"""The cost of a cluster, to the last digits, whatever the weights and the size of the numbers."""

import math

import numpy as np
from numpy.typing import NDArray


def cluster_cost(points: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return ``sum_p w_p ||p - mean||^2`` of one cluster, and 0 only where all points are the same (Paper (1)).

    Parameters
    ----------
    points : ndarray, shape (m, d)
        Finite coordinates.
    weights : ndarray, shape (m,)
        Positive weights.

    Notes
    -----
    The heaviest point h is the origin. As ``w_p <= w_h``, a point p costs at least ``w_p / 2 ||p - h||^2`` with h
    alone, so the sum of ``w_p ||p - h||^2`` is at most 2 m times the cost, and nothing cancels that matters, however
    uneven the weights. Powers of two, which round nothing, keep squares within the range of doubles. What is left of
    the mean in the second pass is taken off at the end.
    """
    shifted = points - points[np.argmax(weights)]
    size = float(np.abs(shifted).max())
    if size == 0.0:
        return 0.0
    length, mass = math.frexp(size)[1], math.frexp(float(weights.max()))[1]
    shifted, weights = np.ldexp(shifted, -length), np.ldexp(weights, -mass)
    total = math.fsum(weights.tolist())
    deviations = shifted - weights @ shifted / total
    left = weights @ deviations
    cost = float(weights @ np.einsum("ij,ij->i", deviations, deviations)) - float(left @ left) / total
    return max(math.ldexp(cost, 2 * length + mass), math.ulp(0.0))
