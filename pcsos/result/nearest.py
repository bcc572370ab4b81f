"""Nearest: clusters for points that were not clustered."""

import numpy as np
from numpy.typing import ArrayLike

from pcsos.exceptions import InputError
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition, cluster_means
from pcsos.typing import Floats, Indices
from pcsos.validation.arrays import numbers

#: Numbers that are held at a time.
AT_ONCE = 10_000_000


def nearest_centres(instance: Instance, partition: Partition, points: ArrayLike) -> Indices:
    """Return the cluster whose centre is nearest; see :meth:`pcsos.result.Result.predict`."""
    if instance.gram is not None:
        raise InputError("predict needs coordinates, but the clusters are of inner products; give points to solve")
    array = numbers(points, "points", "give a row of coordinates for each point")
    if array.ndim == 1 and instance.n_features == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[1] != instance.n_features:
        raise InputError(f"points have shape {array.shape}; give {instance.n_features} coordinates for each point")
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise InputError(f"points[{row}, {column}] is {array[row, column]}; give finite coordinates")
    centres = cluster_means(instance, partition.labels)
    step = max(1, AT_ONCE // centres.size)
    parts = [_nearest(array[start : start + step], centres) for start in range(0, len(array), step)]
    return np.concatenate([np.empty(0, np.intp), *parts])


def _nearest(points: Floats, centres: Floats) -> Indices:
    differences = points[:, None] - centres
    return np.asarray(np.einsum("ijk,ijk->ij", differences, differences).argmin(axis=1), np.intp)
