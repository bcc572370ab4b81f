"""The adjusted Rand index: how far two clusterings of the same points agree (Hubert and Arabie, 1985)."""

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
    >>> from pcsos.rand_index import adjusted_rand_index
    >>> adjusted_rand_index([0, 0, 1, 1], ["b", "b", "a", "a"]), adjusted_rand_index([0, 0, 1, 1], [0, 1, 0, 1])
    (1.0, -0.5)
    """
    rows, columns = (np.unique(np.asarray(labels), return_inverse=True)[1].reshape(-1) for labels in (first, second))
    cells = np.unique(rows.astype(np.int64) * (int(columns.max(initial=0)) + 1) + columns, return_counts=True)[1]
    together = _pairs(cells.tolist())
    own, other = _pairs(np.bincount(rows).tolist()), _pairs(np.bincount(columns).tolist())
    every = math.comb(rows.size, 2)
    if own == other and own in {0, every}:
        return 1.0  # all points alone, or all in one cluster, in both
    expected, most = own * other / every, (own + other) / 2.0
    return (together - expected) / (most - expected)


def _pairs(sizes: list[int]) -> int:
    """Return the number of pairs of points within clusters of these sizes."""
    return sum(math.comb(size, 2) for size in sizes)
