"""Centres of clusters: their order, and which of them is the nearest."""

import numpy as np
from scipy.spatial.distance import cdist

from pcsos.typing import Floats, Indices

#: Distances that are held in memory at a time.
BATCH = 4_000_000

#: Digits to which coordinates of centres, relative to their spread, count when centres are ordered.
DIGITS = 9


def lexicographic_order(centres: Floats) -> Indices:
    """Return the order of the centres by their first coordinate, then the next, as far as rounding leaves it alone."""
    offsets = centres - centres.min(axis=0)
    spread = offsets.max()
    return np.lexsort(np.round(offsets / (spread or 1.0), DIGITS).T[::-1])


def nearest(points: Floats, centres: Floats) -> tuple[Indices, Floats]:
    """Return the nearest centre of each point and the square of its distance, each of shape (n,)."""
    labels, squares = np.empty(len(points), np.intp), np.empty(len(points))
    size = max(BATCH // len(centres), 1)
    for start in range(0, len(points), size):
        batch = slice(start, start + size)
        distances = cdist(points[batch], centres, "sqeuclidean")
        labels[batch] = distances.argmin(axis=1)
        squares[batch] = distances.min(axis=1)
    return labels, squares
