"""The nearest of some centres, for many points."""

import numpy as np

from pcsos.base.typing import Floats, Indices

#: Distances that are held in memory at a time.
BATCH = 4_000_000


def nearest_centre(points: Floats, centres: Floats) -> tuple[Indices, Floats]:
    """Return the nearest centre of each point and the square of its distance, each of shape (n,).

    Where several are equally near, it is the first of them.
    """
    from scipy.spatial.distance import cdist  # slow to load

    labels, squares = np.empty(len(points), np.intp), np.empty(len(points))
    size = max(BATCH // len(centres), 1)
    for start in range(0, len(points), size):
        batch = slice(start, start + size)
        distances = cdist(points[batch], centres, "sqeuclidean")
        labels[batch] = distances.argmin(axis=1)
        squares[batch] = distances.min(axis=1)
    return labels, squares
