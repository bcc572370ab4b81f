"""Crossing: how much the partitions that keep to limits of sizes must divide a set of points, whatever the set.

Let a cluster of w points hold s of the q points of a set. It adds ``s (w - s) / w`` to the *crossing* of the set, the
sum of Z over the pairs of a point in the set and one outside. For clusters of given sizes the crossing is concave in
the s, so it is least where all but one are full or empty, and zero only where q is a sum of sizes (Mathematics 10).
"""

from collections import Counter
from functools import lru_cache

import numpy as np

from pcsos.typing import Flags, Floats


@lru_cache(maxsize=8)
def least_crossing(n: int, k: int, fewest: int, most: int, sizes: tuple[int, ...] | None = None) -> Floats:
    """Return a lower bound on the crossing of sets of q points, for q = 0 .. n, shape (n + 1,).

    Parameters
    ----------
    n, k : int
        Numbers of points and of clusters.
    fewest, most : int
        Least and greatest number of points of a cluster.
    sizes : tuple of int, optional
        The numbers of points of the clusters, which say more.

    Examples
    --------
    >>> from pcsos.relaxation.crossing import least_crossing
    >>> least_crossing(6, 2, 3, 3).round(3).tolist()
    [0.0, 0.667, 0.667, 0.0, 0.667, 0.667, 0.0]
    """
    least = np.full(n + 1, np.inf)
    if sizes is None:
        _divide_any(least, k, fewest, most)
    else:
        for size in set(sizes):
            _divide_one(least, size, _sums(list((Counter(sizes) - Counter([size])).elements()), n))
    least[np.isinf(least)] = 0.0
    least.flags.writeable = False
    return least


def _sums(sizes: list[int], n: int) -> Flags:
    """Tell which numbers are sums of some of the sizes, shape (n + 1,)."""
    found = np.zeros(n + 1, dtype=bool)
    found[0] = True
    for size in sizes:
        found[size:] |= found[:-size].copy()
    return found


def _divide_one(least: Floats, size: int, full: Flags) -> None:
    """Lower ``least`` to what it costs to divide a cluster of this size while others hold so many points in all."""
    n = least.size - 1
    for inside in range(size + 1):
        q = inside + np.flatnonzero(full[: n + 1 - inside])
        least[q] = np.minimum(least[q], inside * (size - inside) / size)


def _divide_any(least: Floats, k: int, fewest: int, most: int) -> None:
    """Lower ``least`` to what it costs to divide one cluster of any size while t others are full and the rest empty.

    The full ones hold ``t fewest`` to ``t most`` points, the empty ones likewise. What a cluster with s points inside
    and u outside adds grows with both, so both are least; where they are too few, the cluster has the fewest points
    that it may have, what it adds is concave in s then, and s is as small or as great as it can be.
    """
    n = least.size - 1
    q = np.arange(n + 1)
    for t in range(k):
        low, high = np.maximum(q - t * most, 0), q - t * fewest
        start, end = np.maximum(n - q - (k - 1 - t) * most, 0), n - q - (k - 1 - t) * fewest
        for extreme in (fewest - end, np.minimum(high, fewest - start)):
            s = np.maximum(low, extreme)
            u = np.maximum(start, fewest - s)
            fits = (s <= high) & (u <= end) & (s + u <= most)
            least[fits] = np.minimum(least, s * u / np.maximum(s + u, 1))[fits]
