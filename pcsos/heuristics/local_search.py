"""Local search over single moves, swaps and Kempe chains of super-points, under the cannot-links.

The optima of k-means are those where no point is nearer to another centre; those of single moves (Hartigan and
Wong) are fewer and better. A cannot-link that stands in the way of a move is respected by moving the whole chain that
the move would violate: all of it changes sides between the two clusters. What takes more than two clusters at once is
left to the exact assignment to the centres found, after which the moves go on.
"""

from collections.abc import Callable

import numpy as np

from pcsos.base import tolerances
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.exact import Unassigned, assign
from pcsos.heuristics.centres import Costs, objective_of, summarise
from pcsos.heuristics.conditioned import improve_within, search_within
from pcsos.heuristics.dense_search import is_dense, search_dense
from pcsos.heuristics.descent import descend
from pcsos.heuristics.record import LocalOptimum, Solution, Work
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.problem.reduction import Reduced

#: Far more sweeps than a descent needs; a guard, not a parameter to tune.
MAX_SWEEPS = 500


def improve(
    reduced: Reduced,
    labels: Indices,
    *,
    rng: np.random.Generator | None = None,
    max_sweeps: int = MAX_SWEEPS,
    swaps: bool = True,
) -> tuple[Solution, int]:
    """Return a solution that no move improves, never worse than the labels, and the number of sweeps.

    Parameters
    ----------
    reduced : Reduced
        The problem over super-points.
    labels : ndarray of int, shape (s,)
        Feasible labels with every cluster used; not changed.
    rng : numpy.random.Generator, optional
        Draws the order in which super-points are tried; their own order by default.
    max_sweeps : int
        Greatest number of passes over all super-points.
    swaps : bool
        Whether to try swaps where nothing else gains: on all pairs, which is not worth its time on many super-points.
        With limits of clusters or soft pairs swaps are among the moves in any case.
    """
    if not reduced.is_plain:
        return improve_within(reduced, labels, rng=rng, max_sweeps=max_sweeps)
    size = reduced.size
    order = np.arange(size) if rng is None else rng.permutation(size)
    improved = labels.astype(np.intp)
    sweeps = descend(
        np.ascontiguousarray(reduced.coordinates),
        reduced.weights,
        reduced.graph.indptr,
        reduced.graph.indices,
        improved,
        reduced.n_clusters,
        order,
        max_sweeps,
        swaps,
    )
    before, after = objective_of(reduced, labels), objective_of(reduced, improved)
    return (Solution(improved, after) if after < before else Solution(labels, before)), int(sweeps)


def search_from(
    reduced: Reduced,
    centres: Floats,
    *,
    costs: Costs,
    rng: np.random.Generator,
    max_iterations: int = MAX_SWEEPS,
    budget: Budget = AMPLE,
    on_way: Callable[[Solution], object] = lambda solution: None,
) -> LocalOptimum:
    """Alternate exact assignment to centres and local search until neither improves the other's result.

    The local search is that of :func:`improve` without swaps, which hardly ever gain where the other moves do not.
    Where cannot-links are dense, :func:`pcsos.heuristics.dense_search.search_dense` takes its place; :func:`improve` is
    for whoever wants to spend more on the result.

    Parameters and return value are those of :func:`pcsos.heuristics.ipc_kmeans.ipc_kmeans`, but for ``on_way``, which
    is called with the solutions on the way where cannot-links are dense; an iteration is an assignment or a sweep of
    moves.
    """
    if not reduced.is_plain:
        return search_within(reduced, centres, costs=costs, rng=rng, max_iterations=max_iterations, budget=budget)
    if is_dense(reduced):
        return search_dense(reduced, centres, costs=costs, max_iterations=max_iterations, budget=budget, on_way=on_way)
    best: Solution | None = None
    iterations, assignments, integer_programs, failure = 0, 0, 0, ""
    while iterations < max_iterations:
        start = None if best is None else best.labels
        assignment = assign(costs(centres), reduced.graph, exact=False, start=start, budget=budget)
        iterations, assignments = iterations + 1, assignments + 1
        if isinstance(assignment, Unassigned):
            failure = assignment.reason if best is None else ""
            break
        integer_programs += assignment.used_integer_program
        objective = objective_of(reduced, assignment.labels)
        if best is not None and not tolerances.is_improvement(objective, best.objective):
            break
        sweeps_left = max(1, max_iterations - iterations)
        best, sweeps = improve(reduced, assignment.labels, rng=rng, max_sweeps=sweeps_left, swaps=False)
        iterations += sweeps
        if reduced.graph.num_components == 0 or budget.stop.asked():
            break  # without cannot-links no point is nearer to another centre now
        centres, _ = summarise(reduced.coordinates, reduced.weights, best.labels, reduced.n_clusters)
    return LocalOptimum(best, Work(1, iterations, assignments, integer_programs), failure)
