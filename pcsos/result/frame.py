"""Frame: a result as a table of pandas, a row a point."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pcsos.exceptions import InputError
from pcsos.problem.partition import cluster_means

if TYPE_CHECKING:
    import pandas

    from pcsos.result.result import Result


def frame_of(result: "Result", index: ArrayLike | None) -> "pandas.DataFrame":
    """Return clusters and distances to their centres; see :meth:`pcsos.result.Result.to_frame`."""
    labels, instance = result.labels, result.instance
    if instance is None or labels is None:
        raise InputError(f"there is no partition to make a table of: the status is {result.status}")
    try:
        import pandas
    except ImportError as error:
        raise InputError('a table needs pandas, which is not installed; pip install "pcsos[pandas]"') from error
    names = instance.names
    rows = pandas.Index(names.labels, name=names.index_name) if index is None else pandas.Index(index)
    if len(rows) != result.n_points:
        raise InputError(f"index has {len(rows)} entries for {result.n_points} points; give one a point")
    distances = np.linalg.norm(instance.points - cluster_means(instance, labels)[labels], axis=1)
    return pandas.DataFrame({"label": labels, "distance": distances}, index=rows)
