"""A result that no run had to find."""

import numpy as np

from pcsos.evidence.result import Reason, Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition


def some_result(**changes: object) -> Result:
    """Return the result of a run on two points that was interrupted, with some fields changed."""
    fields = {
        "instance": Instance([0.0, 1.0], 2), "status": Status.FEASIBLE, "reason": Reason.INTERRUPTED,
        "partition": Partition(np.array([0, 1]), 2.0), "lower_bound": 1.0, "seconds": 0.0, "seed": 0,
    }  # fmt: skip
    return Result(**(fields | changes))  # type: ignore[arg-type]
