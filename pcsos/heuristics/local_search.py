"""Local search over single moves, swaps and Kempe chains of super-points, under all conditions.

The optima of k-means are those where no point is nearer to another centre; those of single moves (Hartigan and
Wong) are fewer and better. A cannot-link that stands in the way of a move is respected by moving the whole chain that
the move would violate: all of it changes sides between the two clusters. What takes more than two clusters at once is
left to an assignment to the centres found, after which the moves go on. Where clusters have limits or pairs have
penalties, the assignment looks at limits and cannot-links but not at penalties
(:mod:`pcsos.heuristics.assignment.limited`), and the exchanges respect the limits and pay the penalties.
"""

from collections.abc import Callable

import numpy as np

from pcsos.base import tolerances
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.exact import Unassigned, assign
from pcsos.heuristics.assignment.limited import assign_with_penalties, assign_within_limits
from pcsos.heuristics.centres import Costs, centres_of, objective_of
from pcsos.heuristics.conditioned_moves import ConditionArrays, descend_within
from pcsos.heuristics.dense_search import is_dense, search_dense
from pcsos.heuristics.moves import Nodes, descend
from pcsos.heuristics.record import LocalOptimum, Solution, Work
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.reduction import Reduced

#: Far more sweeps than a descent needs; a guard, not a parameter to tune.
MAX_SWEEPS = 500
#: Super-points up to which exchanges follow where transports no longer gain: there are as many swaps as pairs.
EXCHANGED_UP_TO = 20_000


def improve(
    reduced: Reduced,
    labels: Indices,
    *,
    objective: float | None = None,
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
    objective : float, optional
        What they cost, if it is known.
    rng : numpy.random.Generator, optional
        Draws the order in which super-points are tried; their own order by default.
    max_sweeps : int
        Greatest number of passes over all super-points.
    swaps : bool
        Whether to try swaps where nothing else gains: on all pairs, which is not worth its time on many super-points.
        With limits of clusters or soft pairs swaps are among the moves in any case.
    """
    order = np.arange(reduced.size) if rng is None else rng.permutation(reduced.size)
    improved, k = labels.astype(np.intp), reduced.n_clusters
    if reduced.is_plain:
        sweeps = descend(Nodes.of(reduced), improved, k, order, max_sweeps, swaps)
    else:
        sweeps = descend_within(Nodes.of(reduced), ConditionArrays.of(reduced), improved, k, order, max_sweeps)
    before = objective_of(reduced, labels) if objective is None else objective
    after = objective_of(reduced, improved)
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
    Where cannot-links are dense, :func:`pcsos.heuristics.dense_search.search_dense` takes its place; :func:`improve`
    spends more on the result.

    Parameters and return value are those of :func:`pcsos.heuristics.ipc_kmeans.ipc_kmeans`, but for ``on_way``, which
    is called with the solutions on the way where cannot-links are dense; an iteration is an assignment or a sweep of
    moves.
    """
    if not reduced.is_plain:
        return search_within(reduced, centres, costs=costs, rng=rng, max_iterations=max_iterations, budget=budget)
    if is_dense(reduced):
        return search_dense(reduced, centres, costs=costs, max_iterations=max_iterations, budget=budget, on_way=on_way)
    return alternate(reduced, centres, costs=costs, exact=False, rng=rng, max_iterations=max_iterations, budget=budget)


def alternate(
    reduced: Reduced,
    centres: Floats,
    *,
    costs: Costs,
    exact: bool,
    max_iterations: int,
    budget: Budget,
    rng: np.random.Generator | None = None,
) -> LocalOptimum:
    """Alternate assignment to centres and means until the cost no longer falls.

    Parameters are those of :func:`pcsos.heuristics.ipc_kmeans.ipc_kmeans`. With a generator there are moves in between,
    in an order that it draws.
    """
    best: Solution | None = None
    iterations, assignments, integer_programs, failure = 0, 0, 0, ""
    while iterations < max_iterations:
        start = None if best is None or exact else best.labels
        assignment = assign(costs(centres), reduced.graph, exact=exact, start=start, budget=budget)
        iterations, assignments = iterations + 1, assignments + 1
        if isinstance(assignment, Unassigned):
            failure = assignment.reason if best is None else ""
            break
        integer_programs += assignment.used_integer_program
        objective = objective_of(reduced, assignment.labels)
        if best is not None and not tolerances.is_improvement(objective, best.objective):
            break
        best = Solution(assignment.labels, objective)
        if rng is not None:
            sweeps_left = max(1, max_iterations - iterations)
            best, sweeps = improve(
                reduced, best.labels, objective=objective, rng=rng, max_sweeps=sweeps_left, swaps=False
            )
            iterations += sweeps
            if reduced.graph.num_components == 0:
                break  # without cannot-links no point is nearer to another centre now
        if budget.stop.asked():
            break
        centres = centres_of(reduced, best.labels)
    return LocalOptimum(best, Work(1, iterations, assignments, integer_programs), failure)


def search_within(
    reduced: Reduced,
    centres: Floats,
    *,
    costs: Costs,
    rng: np.random.Generator,
    max_iterations: int,
    budget: Budget,
    last_resort: bool = True,
) -> LocalOptimum:
    """Alternate assignment to centres, as long as it gains, and exchanges; return where neither helps.

    Centres are moved and assigned to again only where the assignment begins with a transport. Parameters are those of
    :func:`pcsos.heuristics.local_search.search_from`; ``last_resort`` tells whether an integer program may look for the
    first labels.
    """
    best: Solution | None = None
    iterations, assignments, programs = 0, 0, 0
    prices: Floats | None = None
    is_local = False
    while iterations < max_iterations and not (best is not None and budget.stop.asked()):
        found = assign_within_limits(
            reduced, costs(centres), rng=rng, budget=budget, prices=prices, last_resort=last_resort and best is None
        )
        iterations, assignments = iterations + 1, assignments + 1
        if isinstance(found, Unassigned):
            if best is None:
                return LocalOptimum(None, Work(1, iterations, assignments, programs), found.reason)
            break
        programs += found.used_integer_program
        prices = found.prices
        objective = objective_of(reduced, found.labels)
        is_better = best is None or tolerances.is_improvement(objective, best.objective)
        if best is None or is_better:
            best, is_local = Solution(found.labels, objective), False
        elif is_local:
            break
        is_settled = prices is not None and not len(reduced.soft) and reduced.size > EXCHANGED_UP_TO
        if (prices is None or not is_better) and not is_settled:
            improved, sweeps = improve(reduced, best.labels, rng=rng, max_sweeps=max_iterations)
            iterations += sweeps
            is_better = tolerances.is_improvement(improved.objective, best.objective)
            best, is_local = improved, True
        if prices is None or not is_better:
            break
        centres = centres_of(reduced, best.labels)
    if best is not None and len(reduced.soft):
        best, more = _avoid_penalties(reduced, best, costs, rng, max_iterations, budget)
        iterations, assignments = iterations + more, assignments + 1
    return LocalOptimum(best, Work(1, iterations, assignments, programs))


def _avoid_penalties(
    reduced: Reduced, best: Solution, costs: Costs, rng: np.random.Generator, max_iterations: int, budget: Budget
) -> tuple[Solution, int]:
    """Alternate assignments that avoid penalties and exchanges as long as that gains; return also the iterations."""
    iterations = 0
    while iterations < max_iterations and not budget.stop.asked():
        matrix = costs(centres_of(reduced, best.labels))
        iterations += 1
        labels = assign_with_penalties(reduced, matrix, best.labels, rng=rng, budget=budget)
        if labels is None:
            break
        other, sweeps = improve(reduced, labels, rng=rng, max_sweeps=max_iterations)
        iterations += sweeps
        if not tolerances.is_improvement(other.objective, best.objective):
            break
        best = other
    return best, iterations
