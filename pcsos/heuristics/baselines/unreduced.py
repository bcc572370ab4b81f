"""The problem of the single points, without constraints, for the rivals that do not work on super-points."""

import numpy as np

from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced


def unreduced(instance: Instance) -> Reduced:
    """Return a reduction that contracts nothing and knows no constraint: every point is its own super-point."""
    first = instance.points[0]
    shares = instance.weights / instance.weights.sum()
    centred = instance.points - first
    return Reduced(
        means=centred - shares @ centred,
        weights=instance.weights,
        offset=0.0,
        n_clusters=instance.n_clusters,
        cannot_link=np.empty((0, 2), np.intp),
        component=np.arange(instance.n_points),
    )
