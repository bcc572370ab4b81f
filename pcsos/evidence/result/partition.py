"""What a result offers of its partition: a table, clusters of further points, and the numbers of earlier clusters."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition, cluster_means, nearest_centre
from pcsos.problem.validation.arrays import coordinates, numbers, refuse_too_large
from pcsos.problem.validation.names import refuse_other_columns


def require_pandas() -> Any:
    """Return pandas, or refuse where it is missing."""
    try:
        import pandas
    except ImportError as error:
        raise InputError('a table needs pandas, which is not installed; pip install "pcsos[pandas]"') from error
    return pandas


def frame_of(instance: Instance, partition: Partition, index: ArrayLike | None) -> Any:
    """Return clusters and distances to their centres; see :meth:`pcsos.evidence.result.Result.to_frame`."""
    pandas = require_pandas()
    names, labels = instance.names, partition.labels
    if index is None and isinstance(names.index_name, tuple):
        rows = pandas.MultiIndex.from_tuples(names.labels, names=names.index_name)
    elif index is None:
        rows = pandas.Index(names.labels, name=names.index_name)
    elif isinstance(index, str | bytes) or np.ndim(index) != 1:
        raise InputError(f"index has {np.ndim(index)} dimensions; give one entry per point")
    else:
        rows = pandas.Index(index)
    if len(rows) != instance.n_points:
        raise InputError(f"index has {len(rows)} entries for {instance.n_points} points; give one per point")
    distances = np.linalg.norm(instance.points - cluster_means(instance, labels)[labels], axis=1)
    distances[labels < 0] = np.nan
    return pandas.DataFrame({"label": labels, "distance": distances}, index=rows)


def nearest_clusters(instance: Instance, partition: Partition, points: ArrayLike) -> Indices:
    """Return the cluster whose centre is nearest; see :meth:`pcsos.evidence.result.Result.predict`."""
    if instance.gram is not None:
        raise InputError("predict needs coordinates, but the clusters are of inner products; give points to solve")
    refuse_other_columns(points, instance.feature_names, "points")
    d = instance.n_features
    array = coordinates(points, "points", (None, d), f"give {d} coordinates for each point")
    return nearest_centre(array, cluster_means(instance, partition.labels))[0]


REMEDY = "give one whole number per point, or one centre per row"


def matched_labels(instance: Instance, labels: Indices, earlier: Any) -> Indices:
    """Return the same partition, its clusters numbered after earlier ones as far as they agree.

    Labels are from 0 to k - 1, or -1; see :meth:`pcsos.evidence.result.Result.matched_to`.
    """
    from scipy.optimize import linear_sum_assignment

    array = numbers(earlier, "match_to", REMEDY)
    if array.ndim == 1:
        before, k = _clusters_of_points(instance, array, earlier), instance.n_clusters
        known = (before >= 0) & (before < k) & (labels >= 0)
        gain = np.bincount(labels[known] * k + before[known], minlength=k * k).reshape(k, k).astype(np.float64)
    else:
        refuse_other_columns(earlier, instance.feature_names, "match_to")
        gain = -_squared_moves(instance, labels, array)
    numbered = np.full(instance.n_clusters, -1)
    own, number = linear_sum_assignment(gain, maximize=True)
    numbered[own] = number
    numbered[numbered < 0] = np.setdiff1d(np.arange(instance.n_clusters), number)
    return np.where(labels < 0, -1, numbered[labels]).astype(np.intp)


def _clusters_of_points(instance: Instance, array: Floats, earlier: Any) -> Indices:
    """Return the earlier cluster of each point, shape (n,), -1 where it has none."""
    if not (array == np.floor(array)).all():
        row = int(np.argmax(array != np.floor(array)))
        raise InputError(f"match_to[{row}] is {array[row]:g}; {REMEDY}")
    names = instance.names
    if hasattr(earlier, "iloc") and names.ids is not None:
        if not earlier.index.is_unique:
            raise InputError("match_to has a point twice in its index; give each point one label")
        place = {name: point for point, name in enumerate(names.ids)}
        points = np.array([place.get(name, -1) for name in earlier.index], np.intp)
        if (points < 0).all():
            raise InputError("match_to names none of the points in its index; give labels of these points")
        array, points = array[points >= 0], points[points >= 0]
    elif array.size > instance.n_points:
        raise InputError(f"match_to has {array.size} labels for {instance.n_points} points; {REMEDY}")
    else:
        points = np.arange(array.size)
    clusters = np.full(instance.n_points, -1, np.intp)
    clusters[points] = np.clip(array, -1.0, float(instance.n_clusters))  # numbers from k on are lost in any case
    return clusters


def _squared_moves(instance: Instance, labels: Indices, centres: Floats) -> Floats:
    """Return the squared distances of means of clusters from earlier centres, those of a number below k."""
    if instance.gram is not None or centres.shape[1:] != (instance.n_features,):
        space = "inner products" if instance.gram is not None else f"{instance.n_features} features"
        raise InputError(f"match_to has shape {centres.shape}, but there are {space}; {REMEDY}")
    refuse_too_large(centres, "match_to")
    moves = cluster_means(instance, labels)[:, None] - centres[None, : instance.n_clusters]
    return np.asarray(np.einsum("ijk,ijk->ij", moves, moves))
