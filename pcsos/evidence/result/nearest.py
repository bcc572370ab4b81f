"""Nearest: clusters for points that were not clustered."""

from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.numerics.nearest_centre import nearest_centre
from pcsos.base.typing import Indices
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition, cluster_means
from pcsos.problem.validation.arrays import coordinates
from pcsos.problem.validation.names import refuse_other_columns


def nearest_clusters(instance: Instance, partition: Partition, points: ArrayLike) -> Indices:
    """Return the cluster whose centre is nearest; see :meth:`pcsos.evidence.result.Result.predict`."""
    if instance.gram is not None:
        raise InputError("predict needs coordinates, but the clusters are of inner products; give points to solve")
    refuse_other_columns(points, instance.feature_names, "points")
    d = instance.n_features
    array = coordinates(points, "points", (None, d), f"give {d} coordinates for each point")
    return nearest_centre(array, cluster_means(instance, partition.labels))[0]
