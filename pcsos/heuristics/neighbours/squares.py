"""The squared distance of two points, compiled; the same digits wherever it is asked for, so that ties stay ties."""

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats


@kernel
def squared_distance(some: Floats, i: int, others: Floats, j: int) -> float:
    """Return the squared distance of two points, summed in the order of the features."""
    total = 0.0
    for feature in range(some.shape[1]):
        difference = some[i, feature] - others[j, feature]
        total += difference * difference
    return total
