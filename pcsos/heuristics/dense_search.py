"""Local search where cannot-links are dense: assignments by regret and moves in turn, while they improve the best.

An assignment that is good costs many times as much there as one by regret, and the moves make up for the difference.
"""

from collections.abc import Callable

import numpy as np

from pcsos.base import tolerances
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.exact import Unassigned, assign
from pcsos.heuristics.centres import Costs, centres_of, objective_of
from pcsos.heuristics.record import LocalOptimum, Solution, Work
from pcsos.heuristics.settling import settle
from pcsos.presolve.colouring.budget import Budget
from pcsos.presolve.colouring.regret import colour_by_regret
from pcsos.problem.reduction import Reduced

#: Cannot-links of a super-point, on the average, beyond which they are dense.
DENSE = 10


def is_dense(reduced: Reduced) -> bool:
    """Tell whether the cannot-links are so many that exact assignments may take long."""
    return reduced.graph.indices.size > DENSE * reduced.size


def search_dense(
    reduced: Reduced,
    centres: Floats,
    *,
    costs: Costs,
    max_iterations: int,
    budget: Budget,
    on_way: Callable[[Solution], object],
) -> LocalOptimum:
    """Search from these centres; parameters and result are those of :func:`pcsos.heuristics.local_search.search_from`.

    Only where regret finds no first assignment the slower ways to find one are tried.
    """
    best: Solution | None = None
    iterations, assignments, failure = 0, 0, ""
    while iterations < max_iterations and not (best is not None and budget.stop.asked()):
        matrix = costs(centres)
        labels = _assigned(matrix, reduced)
        iterations += 1
        if labels is None:
            if best is not None:
                break
            assignment = assign(matrix, reduced.graph, exact=False, budget=budget)
            assignments += 1
            if isinstance(assignment, Unassigned):
                failure = assignment.reason
                break
            labels = assignment.labels
        if best is None:
            on_way(Solution(labels, objective_of(reduced, labels)))
        found = settled(reduced, labels)
        iterations += 1
        if best is not None and not tolerances.is_improvement(found.objective, best.objective):
            break
        best = found
        on_way(best)
        centres = centres_of(reduced, best.labels)
    return LocalOptimum(best, Work(1, iterations, assignments, 0), failure)


def settled(reduced: Reduced, labels: Indices) -> Solution:
    """Return what moves and the likeliest chains make of feasible labels."""
    changed, dirty = labels.astype(np.intp), np.ones(reduced.n_clusters, np.bool_)
    points, columns = np.ascontiguousarray(reduced.coordinates), np.ascontiguousarray(reduced.coordinates.T)
    settle(points, columns, reduced.weights, reduced.graph.indptr, reduced.graph.indices, changed, dirty)
    return Solution(changed, objective_of(reduced, changed))


def _assigned(matrix: Floats, reduced: Reduced) -> Indices | None:
    """Return labels by regret with every cluster used, or None if some super-point finds no cluster.

    An empty cluster takes the super-point that costs most where it is, which can break no cannot-link.
    """
    labels = colour_by_regret(matrix, reduced.graph)
    if labels is None or reduced.size < reduced.n_clusters:
        return None
    sizes = np.bincount(labels, minlength=reduced.n_clusters)
    taken = matrix[np.arange(labels.size), labels]
    for empty in np.flatnonzero(sizes == 0):
        moved = np.where(sizes[labels] > 1, taken, -1.0).argmax()
        sizes[labels[moved]] -= 1
        sizes[empty], labels[moved], taken[moved] = 1, empty, 0.0
    return labels
