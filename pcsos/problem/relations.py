"""Relations: whether a reduced problem has two points together, apart, or leaves it open."""

from typing import Any

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Indices
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import is_whole_number

#: What tables of pairs say about one.
TOGETHER, APART, OPEN = 1, -1, 0


def is_whole(problem: Reduced) -> bool:
    """Return whether one partition is left: as many groups as clusters."""
    return problem.size == problem.n_clusters


def refuse_unknown_points(problem: Reduced, *points: Any) -> None:
    """Refuse what is no index of a point."""
    n = problem.component.size
    for point in points:
        if not is_whole_number(point) or not 0 <= point < n:
            raise InputError(f"point {point!r} does not exist; give indices from 0 to {n - 1}")


def is_trivial(problem: Reduced) -> bool:
    """Return whether a problem has one partition: as many super-points as clusters, or a single cluster."""
    return problem.n_clusters in {1, problem.size}


def relation(problem: Reduced, i: int, j: int) -> bool | None:
    """Return whether a problem has points i and j together (True), apart (False) or leaves it open (None).

    Raises
    ------
    InputError
        If one of them is no point.
    """
    refuse_unknown_points(problem, i, j)
    a, b = problem.component[[i, j]].tolist()
    if a == b or problem.n_clusters == 1:
        return True
    return False if is_whole(problem) or b in apart_from(problem, a) else None


def apart_from(problem: Reduced, group: int) -> Indices:
    """Return the super-points that a super-point cannot be linked to."""
    graph = problem.graph
    return graph.indices[graph.indptr[group] : graph.indptr[group + 1]]
