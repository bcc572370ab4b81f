"""A result that no run had to find."""

import numpy as np

from pcsos.evidence.result import Reason, Result, Status
from pcsos.problem.partition import Partition

#: Two points in two clusters.
SIZES = {"n_points": 2, "n_features": 1, "n_clusters": 2, "n_super_points": 2, "n_must_link": 0, "n_cannot_link": 0}


def some_result(**changes: object) -> Result:
    """Return the result of a run that was interrupted, with some fields changed."""
    fields = {
        "status": Status.FEASIBLE, "reason": Reason.INTERRUPTED, "partition": Partition(np.array([0, 1]), 2.0),
        "lower_bound": 1.0, "seconds": 0.0, "seed": 0,
    }  # fmt: skip
    return Result(**(SIZES | fields | changes))  # type: ignore[arg-type]
