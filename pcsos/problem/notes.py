"""Notes: what may not be meant as it is given, though an instance can be solved with it."""

import numpy as np

from pcsos.base.typing import Floats
from pcsos.problem.instance import Instance
from pcsos.verify.reading.text import number_of

#: Share of the variance from which on a feature decides nearly alone.
DOMINANT = 0.95


def notes(instance: Instance) -> list[str]:
    """Return a sentence on each thing in an instance that may not be meant.

    Examples
    --------
    >>> from pcsos import Instance, Weights
    >>> from pcsos.problem.notes import notes
    >>> notes(Instance([0.0, 0.0, 1.0], 2, conditions=[Weights(at_most=2)]))
    ['no point has another weight than 1, so that weight_max counts points; give weights, or size_max']
    """
    n, k, limits = instance.n_points, instance.n_clusters, instance.limits
    found = []
    if limits is not None and (instance.weights == 1.0).all():
        found = [
            f"no point has another weight than 1, so that weight_{end} counts points; give weights, or size_{end}"
            for end in ("min", "max")
            if f"weight_{end}" in limits.to_dict()
        ]
    if k == n > 1:
        found.append("each point is a cluster of its own; give fewer clusters, or other labels if these name points")
    if instance.gram is not None:
        return found
    distinct = _num_distinct(instance.points, k)
    if distinct < k:
        found.append(
            f"there are only {number_of(distinct, 'different point')} for {k} clusters, so that equal points are in "
            "different ones; give fewer clusters"
        )
    if _are_like_distances(instance.points):
        found.append(
            "the points are symmetric with zeros on the diagonal; if these are distances, give their squares as "
            "distances (--distances FILE; in Python pcsos.Distances)"
        )
    return found + _on_scales(instance)


def _num_distinct(points: Floats, most: int) -> int:
    """Return the number of different points, ``most`` where there are as many or more."""
    found: set[bytes] = set()
    for point in points:
        found.add((point + 0.0).tobytes())  # 0 and -0 are one number
        if len(found) == most:
            break
    return len(found)


def _are_like_distances(points: Floats) -> bool:
    """Return whether points may be the distances of more than two points."""
    n, d = points.shape
    if n != d or n < 3 or np.diagonal(points).any():
        return False
    return bool((points >= 0.0).all() and (points == points.T).all() and points.any())


def _on_scales(instance: Instance) -> list[str]:
    """Return a sentence on the feature that decides nearly alone, if there is one."""
    with np.errstate(over="ignore", invalid="ignore"):
        variances = instance.points.var(axis=0)
        shares = variances / variances.sum()
    greatest = int(np.argmax(variances))
    if np.count_nonzero(variances) < 2 or not shares[greatest] > DOMINANT:
        return []
    names = instance.feature_names
    called = f"{names[greatest]!r}" if names else f"number {greatest + 1}"
    return [
        f"the feature {called} has {100.0 * shares[greatest]:.3g} % of the variance and decides nearly alone; scale "
        "features unless they have one unit (--standardize; in Python divide points by points.std(axis=0))"
    ]
