"""Nearest centres, with a point for every cluster."""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.centres import weighted_squares


def squares_to(points: Floats, centres: Floats) -> Floats:
    """Return the squared distances of points (n, d) to centres (k, d), shape (n, k)."""
    return weighted_squares(points, np.ones(len(points)), np.ascontiguousarray(centres.T))


def nearest_centres(points: Floats, centres: Floats) -> tuple[Indices, int]:
    """Return the nearest centre of each point, shape (n,), and how many empty clusters were filled.

    An empty cluster restarts at the point that is furthest from its centre, among the clusters with more than one
    point; its row of ``centres`` is changed.
    """
    squares = squares_to(points, centres)
    labels = squares.argmin(axis=1)
    return labels, fill_empty_clusters(points, squares[np.arange(labels.size), labels], centres, labels)


@kernel
def fill_empty_clusters(points: Floats, squares: Floats, centres: Floats, labels: Indices) -> int:
    """Restart every empty cluster at the furthest point that can be spared, and return how many there were.

    ``squares`` (n,) are the squared distances of the points to their centres; all but the points are changed in place.
    """
    sizes = np.zeros(centres.shape[0], np.intp)
    for i in range(labels.size):
        sizes[labels[i]] += 1
    num_repairs = 0
    for h in range(sizes.size):
        if sizes[h] > 0:
            continue
        furthest = -1
        for i in range(labels.size):
            if sizes[labels[i]] > 1 and (furthest < 0 or squares[i] > squares[furthest]):
                furthest = i
        sizes[labels[furthest]] -= 1
        sizes[h], labels[furthest], squares[furthest] = 1, h, 0.0
        for c in range(points.shape[1]):
            centres[h, c] = points[furthest, c]
        num_repairs += 1
    return num_repairs
