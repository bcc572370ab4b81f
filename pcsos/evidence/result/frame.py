"""Frame: a result as a table of pandas, one row per point."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition, cluster_means

if TYPE_CHECKING:
    import pandas


def frame_of(instance: Instance, partition: Partition, index: ArrayLike | None) -> "pandas.DataFrame":
    """Return clusters and distances to their centres; see :meth:`pcsos.evidence.result.Result.to_frame`."""
    try:
        import pandas
    except ImportError as error:
        raise InputError('a table needs pandas, which is not installed; pip install "pcsos[pandas]"') from error
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
    return pandas.DataFrame({"label": labels, "distance": distances}, index=rows)
