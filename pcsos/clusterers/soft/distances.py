"""Distances between all points, in memory that grows with their number only."""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats
from pcsos.heuristics.neighbours import squared_distance


@kernel
def spanning_edges(points: Floats) -> Floats:
    """Return the lengths of the edges of a minimum spanning tree, shape (n - 1,), as the tree grows from point 0."""
    n = points.shape[0]
    lengths = np.empty(n - 1)
    nearest = np.full(n, np.inf)
    outside = np.ones(n, np.bool_)
    last = 0
    for t in range(n - 1):
        outside[last] = False
        closest = -1
        for j in range(n):
            if outside[j]:
                nearest[j] = min(nearest[j], squared_distance(points, last, points, j))
                if closest < 0 or nearest[j] < nearest[closest]:
                    closest = j
        lengths[t] = np.sqrt(nearest[closest])
        last = closest
    return lengths


@kernel
def crowding(points: Floats, radius: float) -> Floats:
    """Return the sum of ``exp(-d / radius)`` over the other points within the radius of each point, shape (n,)."""
    n = points.shape[0]
    sums = np.zeros(n)
    for i in range(n):
        for j in range(i):
            distance = np.sqrt(squared_distance(points, i, points, j))
            if distance <= radius:
                share = np.exp(-distance / radius)
                sums[i] += share
                sums[j] += share
    return sums
