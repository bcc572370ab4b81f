"""The capped simplex {w : 0 <= w <= 1, sum w = t}, onto which eigenvalues are projected."""

import numpy as np

from pcsos.base.typing import Floats


def simplex_threshold(values: Floats, total: float) -> float:
    """Return tau with ``sum clip(values - tau, 0, 1) = total``, for descending values, exactly.

    Where there are too few values, the result lies at or below the last one.
    """
    if values.size <= total:
        return float(values[-1]) - 1.0
    points = np.sort(np.concatenate([values, values - 1.0]))[::-1]
    sums = np.clip(values[None, :] - points[:, None], 0.0, 1.0).sum(axis=1)
    right = int(np.searchsorted(sums, total))
    if right >= points.size:
        return float(points[-1])
    left = max(right - 1, 0)
    span = sums[right] - sums[left]
    share = (total - sums[left]) / span if span > 0.0 else 1.0
    return float(points[left] + (points[right] - points[left]) * share)
