"""Distance thresholds as pairs: a greatest diameter gives cannot-links, a least split gives must-links."""

from collections.abc import Callable

import numpy as np

from pcsos.exceptions import InputError
from pcsos.io.source import PathLike
from pcsos.typing import Flags, Floats, Indices

#: Distances held at a time.
BLOCK_ENTRIES = 4_000_000

#: Pairs beyond which a threshold is refused: they would need gigabytes, and no assignment would end.
MAX_PAIRS = 50_000_000

Comparison = Callable[[Floats], Flags]


def pairs_farther(points: Floats, distance: float, path: PathLike) -> Indices:
    """Return the pairs (i, j), i < j, of points farther apart than ``distance``, shape (m, 2)."""
    return _pairs_where(points, lambda distances: distances > distance, f"GAMMA {distance:g}", path)


def pairs_closer(points: Floats, distance: float, path: PathLike) -> Indices:
    """Return the pairs (i, j), i < j, of points closer than ``distance``, shape (m, 2)."""
    return _pairs_where(points, lambda distances: distances < distance, f"DELTA {distance:g}", path)


def _pairs_where(points: Floats, test: Comparison, source: str, path: PathLike) -> Indices:
    """Compare distances in blocks of rows, so that no n x n array is held."""
    from scipy.spatial.distance import cdist

    n = len(points)
    if not points.shape[1]:
        raise InputError(f"{path} has {source}, a distance between points, but there are none; list the pairs instead")
    rows = max(1, BLOCK_ENTRIES // n)
    found: list[Indices] = [np.empty((0, 2), np.intp)]
    total = 0
    for start in range(0, n, rows):
        left, right = np.nonzero(test(cdist(points[start : start + rows], points[start:])))
        later = right > left
        found.append(np.column_stack([left[later], right[later]]) + start)
        total += len(found[-1])
        if total > MAX_PAIRS:
            raise InputError(
                f"{path} has {source}, which makes more than {MAX_PAIRS} pairs of these points; give a "
                "distance that concerns fewer pairs"
            )
    return np.concatenate(found)
