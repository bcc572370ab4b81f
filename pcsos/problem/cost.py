"""Cost of clusters, to the last digits, whatever the weights and the size of the numbers."""

import math
from collections.abc import Iterable, Iterator

import numpy as np

from pcsos.base.typing import Floats, Indices


def cluster_cost(points: Floats, weights: Floats) -> float:
    """Return ``sum_p w_p ||p - mean||^2`` of one cluster (Paper (1)), and 0 only where all points are the same.

    Coordinates (m, d) are finite, weights (m,) positive.
    """
    return partition_cost(points, weights, [np.arange(len(points))])


def clusters_of(labels: Indices) -> list[Indices]:
    """Return the points of each cluster, by rising labels; those of a label below 0 are in none."""
    order = np.argsort(labels, kind="stable")[np.count_nonzero(labels < 0) :]
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)


def mean_of(points: Floats, weights: Floats) -> Floats:
    """Return the weighted mean of points, to digits of how far the heaviest one is: exact where all are equal."""
    heaviest = points[np.argmax(weights)]
    mean: Floats = heaviest + weights / weights.sum() @ (points - heaviest)
    return mean


def partition_cost(points: Floats, weights: Floats, clusters: Iterable[Indices]) -> float:
    """Return the cost of a partition into these clusters, each given by its points; at least the smallest double."""
    parts = [part for members in clusters if (part := _cost(points[members], weights[members]))[0] > 0.0]
    if not parts:
        return 0.0
    largest = max(exponent for _, exponent in parts)
    total = math.fsum(math.ldexp(cost, exponent - largest) for cost, exponent in parts)
    return max(math.ldexp(total, largest), math.ulp(0.0))


def _cost(points: Floats, weights: Floats) -> tuple[float, int]:
    """Return the cost of a cluster as a number and the power of two that it is to be multiplied by.

    The heaviest point h is the origin. As ``w_p <= w_h``, a point p costs at least ``w_p / 2 ||p - h||^2`` with h
    alone, so the sum of ``w_p ||p - h||^2`` is at most 2 m times the cost, and nothing cancels that matters, however
    uneven the weights. Powers of two, which round nothing, keep squares within the range of doubles. What is left of
    the mean in the second pass is taken off at the end.
    """
    shifted = points - points[np.argmax(weights)]
    size = float(np.abs(shifted).max())
    if size == 0.0:
        return 0.0, 0
    length, mass = math.frexp(size)[1], math.frexp(float(weights.max()))[1]
    shifted, weights = np.ldexp(shifted, -length), np.ldexp(weights, -mass)
    total = math.fsum(weights.tolist())
    deviations = shifted - weights @ shifted / total
    left = weights @ deviations
    cost = float(weights @ np.einsum("ij,ij->i", deviations, deviations)) - float(left @ left) / total
    return cost, 2 * length + mass


def gram_cost(matrix: Floats, weights: Floats, clusters: Iterable[Indices]) -> float:
    """Return the cost of a partition into these clusters, given inner products instead of points.

    The matrix (n, n) is finite and symmetric, and weights (n,) are positive.

    A cluster of weight W costs ``sum over its pairs of w_i w_j (K_ii + K_jj - 2 K_ij) / W``. Each difference is exact,
    as two numbers, and so is the sum, so that nothing cancels that matters where all weights are 1. It may fall below 0
    where the matrix is positive semidefinite only up to rounding.
    """
    parts = []
    for own in clusters:
        mass = math.frexp(float(weights[own].max()))[1]  # powers of two keep products within the range of doubles
        light = np.ldexp(weights[own], -mass)
        total = math.fsum(_pair_terms(matrix, light, own)) / math.fsum(light.tolist())
        parts.append(math.ldexp(total, mass))
    return math.fsum(parts)


def _pair_terms(matrix: Floats, weights: Floats, members: Indices) -> Iterator[float]:
    """Yield numbers whose sum is ``sum over pairs of w_i w_j (K_ii + K_jj - 2 K_ij)``, weights being of the members."""
    diagonal = matrix[members, members]
    for position, i in enumerate(members[:-1]):
        others = slice(position + 1, None)
        total, lost = _exact_sum(diagonal[position], diagonal[others])
        total, lost_too = _exact_sum(total, -2.0 * matrix[i, members[others]])
        high, low = _exact_sum(total, lost + lost_too)
        both = weights[position] * weights[others]
        yield from (both * high).tolist()
        yield from (both * low).tolist()


def _exact_sum(a: Floats | float, b: Floats) -> tuple[Floats, Floats]:
    """Return the rounded sum of two arrays and what the rounding took away (Knuth, TAOCP 2, 4.2.2, theorem B)."""
    total = a + b
    share = total - a
    return total, (a - (total - share)) + (b - share)
