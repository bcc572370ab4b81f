"""The Rand index and the adjusted one: how far two clusterings of the same points agree (Hubert and Arabie, 1985)."""

import math

import numpy as np
from numpy.typing import ArrayLike


def adjusted_rand_index(first: ArrayLike, second: ArrayLike) -> float:
    """Return the share of pairs of points that two clusterings treat alike, corrected for chance.

    Parameters
    ----------
    first, second : array_like, shape (n,)
        The clusters of the points, by any names.

    Returns
    -------
    float
        1 where the clusterings are the same, 0 on average where they have nothing to do with each other, and below 0
        where they agree less than that.

    Examples
    --------
    >>> from pcsos.base.rand_index import adjusted_rand_index
    >>> adjusted_rand_index([0, 0, 1, 1], ["b", "b", "a", "a"])
    1.0
    >>> round(adjusted_rand_index([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.5714
    """
    together, own, other = shared_pairs(first, second)
    every = math.comb(np.size(first), 2)
    if own == other and own in {0, every}:
        return 1.0  # all points alone, or all in one cluster, in both
    expected, most = own * other / every, (own + other) / 2.0
    return (together - expected) / (most - expected)


def shared_pairs(first: ArrayLike, second: ArrayLike) -> tuple[int, int, int]:
    """Return how many pairs of points share a cluster in both clusterings, in the first one, and in the second one."""
    rows, columns = (np.unique(np.asarray(labels), return_inverse=True)[1].reshape(-1) for labels in (first, second))
    cells = np.unique(rows.astype(np.int64) * (int(columns.max(initial=0)) + 1) + columns, return_counts=True)[1]
    together = _pairs(cells.tolist())
    return together, _pairs(np.bincount(rows).tolist()), _pairs(np.bincount(columns).tolist())


def _pairs(sizes: list[int]) -> int:
    """Return the number of pairs of points within clusters of these sizes."""
    return sum(math.comb(size, 2) for size in sizes)
