"""The index of Calinski and Harabasz, as an interval that bounds of the cost give (Calinski and Harabasz, 1974)."""

import math
from typing import NamedTuple

from pcsos.base.tolerances import OBJECTIVE_ERROR


class Interval(NamedTuple):
    """The best index that k clusters can have is from ``least`` to ``most``."""

    least: float
    most: float


def index_interval(
    total: float, objective: float | None, lower_bound: float | None, n_points: int, n_clusters: int
) -> Interval | None:
    """Return bounds of the greatest index of all partitions into k clusters; None where it is not defined.

    Parameters
    ----------
    total : float
        Sum of squares T of all points about their mean.
    objective : float or None
        What a partition into k clusters costs; None where none is known.
    lower_bound : float or None
        No partition into k clusters costs less; None where nothing is known.
    n_points, n_clusters : int
        Number of points n, whatever they weigh, and of clusters k. The index needs ``1 < k < n``.

    Notes
    -----
    ``((T - W) / (k - 1)) / (W / (n - k))`` falls as W rises, so bounds of the least W are bounds of the greatest index.
    T and W are moved by what they may be rounded by, to the side where the interval stays true.

    Examples
    --------
    >>> from pcsos.analysis.choice.index import index_interval
    >>> least, most = index_interval(100.0, 20.0, 10.0, n_points=12, n_clusters=2)
    >>> round(least, 6), round(most, 6)
    (40.0, 90.0)
    """
    if not 1 < n_clusters < n_points:
        return None
    up, down = 1.0 + OBJECTIVE_ERROR, 1.0 - OBJECTIVE_ERROR
    least = 0.0 if objective is None else _index(total * down, objective * up, n_points, n_clusters)
    return Interval(least, max(least, _index(total * up, (lower_bound or 0.0) * down, n_points, n_clusters)))


def _index(total: float, cost: float, n_points: int, n_clusters: int) -> float:
    """Return the index of a partition, infinite where it costs nothing."""
    if cost <= 0.0:
        return math.inf
    return max(total - cost, 0.0) / (n_clusters - 1) / (cost / (n_points - n_clusters))
