"""Equal points: super-points at the same place, without cannot-links, become one (Mathematics 1)."""

import numpy as np

from pcsos.base.typing import Indices
from pcsos.evidence.node import Decision
from pcsos.evidence.steps import EqualStep
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, contract


def join_equal_points(instance: Instance, reduced: Reduced) -> tuple[Reduced, EqualStep | None]:
    """Return the problem with equal super-points joined, and the step that says so; None where there are none.

    Super-points whose points are not all at one place, or that have a cannot-link, are left alone. Nothing is joined
    where fewer than k super-points would be left.
    """
    groups = _places(instance, reduced)
    first = np.unique(groups, return_index=True)[1][groups]  # of its group, for each super-point
    joined = np.flatnonzero(first != np.arange(reduced.size))
    if joined.size == 0 or reduced.size - joined.size < reduced.n_clusters:
        return reduced, None
    pairs = np.column_stack([first[joined], joined])
    points = np.sort(reduced.representative[pairs], axis=1)
    step = EqualStep(tuple(Decision("ML", int(i), int(j)) for i, j in points.tolist()))
    return contract(reduced, pairs, ()), step


def _places(instance: Instance, reduced: Reduced) -> Indices:
    """Return the number of the place of each super-point; one of its own for those that cannot be joined."""
    places = instance.points[reduced.representative]
    differs = (instance.points != places[reduced.component]).any(axis=1)
    is_free = reduced.graph.degrees == 0
    is_free[reduced.component[differs]] = False
    numbers = np.arange(reduced.size)
    free = np.flatnonzero(is_free)
    if free.size:
        number = np.unique(places[free], axis=0, return_inverse=True)[1].reshape(-1)
        numbers[free] = reduced.size + number
    return np.unique(numbers, return_inverse=True)[1].astype(np.intp)
