"""Extent: the greatest distance within clusters, and the least one between them, Euclidean."""

import math
from collections.abc import Callable, Iterator

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.distances import BLOCK_ENTRIES


def diameter(points: Floats, labels: Indices) -> float:
    """Return the greatest distance between two points of one cluster, 0 where all points are alone.

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.analysis.choice.extent import diameter, split
    >>> points, labels = np.array([[0.0], [1.0], [5.0], [7.0]]), np.array([0, 0, 1, 1])
    >>> diameter(points, labels), split(points, labels)
    (2.0, 4.0)
    """
    return max(float(np.where(together, distances, 0.0).max()) for distances, together in _blocks(points, labels))


def split(points: Floats, labels: Indices) -> float:
    """Return the least distance between points of different clusters, infinite where there is one cluster."""
    return min(float(np.where(together, math.inf, distances).min()) for distances, together in _blocks(points, labels))


def _blocks(points: Floats, labels: Indices) -> Iterator[tuple[Floats, Indices]]:
    """Yield distances from some points to all, and which are within clusters, never n x n at a time."""
    from scipy.spatial.distance import cdist

    rows = max(1, BLOCK_ENTRIES // len(points))
    for start in range(0, len(points), rows):
        block = slice(start, start + rows)
        yield cdist(points[block], points), labels[block, None] == labels


#: What a front may weigh against the cost, by name.
CRITERIA: dict[str, Callable[[Floats, Indices], float]] = {"diameter": diameter, "split": split}
