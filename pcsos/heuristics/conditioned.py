"""Local search where clusters have limits or pairs of points have penalties.

It alternates as that of :mod:`pcsos.heuristics.local_search`: an assignment to centres, which looks at limits and
cannot-links but not at penalties (:mod:`pcsos.heuristics.assignment.limited`), and exchanges of super-points that
respect the limits and pay the penalties (:mod:`pcsos.heuristics.conditioned_descent`).
"""

import numpy as np

from pcsos.base import tolerances
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.exact import Unassigned
from pcsos.heuristics.assignment.limited import assign_with_penalties, assign_within_limits
from pcsos.heuristics.centres import Costs, centres_of, objective_of
from pcsos.heuristics.conditioned_descent import descend_within
from pcsos.heuristics.conditioned_moves import ConditionArrays
from pcsos.heuristics.record import LocalOptimum, Solution, Work
from pcsos.presolve.colouring.budget import Budget
from pcsos.problem.reduction import Reduced


def improve_within(
    reduced: Reduced, labels: Indices, *, rng: np.random.Generator | None, max_sweeps: int
) -> tuple[Solution, int]:
    """Return a solution that no exchange improves, never worse than the labels, and the number of sweeps.

    Parameters are those of :func:`pcsos.heuristics.local_search.improve`.
    """
    order = np.arange(reduced.size) if rng is None else rng.permutation(reduced.size)
    improved = labels.astype(np.intp)
    sweeps = descend_within(
        np.ascontiguousarray(reduced.coordinates),
        reduced.weights,
        reduced.graph.indptr,
        reduced.graph.indices,
        ConditionArrays.of(reduced),
        (float(reduced.weights.min()), float(reduced.weights.max())),
        improved,
        reduced.n_clusters,
        order,
        max_sweeps,
    )
    before, after = objective_of(reduced, labels), objective_of(reduced, improved)
    return (Solution(improved, after) if after < before else Solution(labels, before)), int(sweeps)


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
        if prices is None or not is_better:
            improved, sweeps = improve_within(reduced, best.labels, rng=rng, max_sweeps=max_iterations)
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
        other, sweeps = improve_within(reduced, labels, rng=rng, max_sweeps=max_iterations)
        iterations += sweeps
        if not tolerances.is_improvement(other.objective, best.objective):
            break
        best = other
    return best, iterations
