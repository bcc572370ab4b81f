"""Constraints enforced after the fact: unconstrained k-means, then the feasible labels closest to its memberships.

The approach of Vrain, Davidson and co-authors (2020): the sum of the memberships of the labels is maximised subject to
the constraints. The result resembles the unconstrained clustering; its sum of squares is not what is optimised.
"""

from collections.abc import Callable

import numpy as np

from pcsos.base.typing import Floats
from pcsos.heuristics.assignment.exact import Unassigned, assign
from pcsos.heuristics.baselines.unreduced import unreduced
from pcsos.heuristics.centres import Costs, centres_of, objective_of
from pcsos.heuristics.ipc_kmeans import MAX_ITERATIONS
from pcsos.heuristics.multi_start import NUM_STARTS, multi_start
from pcsos.heuristics.protocol import Returned
from pcsos.heuristics.record import Solution, Work, record_of
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced


def post_processing(
    instance: Instance,
    reduced: Reduced,
    *,
    seed: int,
    num_starts: int = NUM_STARTS,
    max_local_iterations: int = MAX_ITERATIONS,
    budget: Budget = AMPLE,
    on_improvement: Callable[[Solution], None] | None = None,
) -> Returned:
    """Return the feasible labels of super-points closest to the best of several k-means of the points.

    Budget and callback are those of :func:`pcsos.heuristics.s_mdeclust.s_mdeclust`; k-means ignores all
    constraints, so the budget decides only how many of its starts are made.
    """
    problem = unreduced(instance)
    clustering, record = multi_start(
        problem, seed=seed, num_starts=num_starts, max_local_iterations=max_local_iterations, budget=budget
    )
    best: Solution | None = None
    work, failure = record.work, ""
    if clustering is not None:
        distances = Costs.of(problem)(centres_of(problem, clustering.labels)) / problem.weights[:, None]
        costs = membership_costs(distances, instance.weights, reduced)
        assignment = assign(costs, reduced.graph, budget=budget)
        work += Work(exact_assignments=1)
        if isinstance(assignment, Unassigned):
            failure = assignment.reason
        else:
            work += Work(integer_programs=int(assignment.used_integer_program))
            best = Solution(assignment.labels, objective_of(reduced, assignment.labels))
            if on_improvement is not None:
                on_improvement(best)
    budget.stop.asked()
    return best, record_of("post-processing", best, budget.stop, work, failure=failure)


def memberships(distances: Floats) -> Floats:
    """Return the fuzzy memberships, shape (n, k), rows summing to 1, inverse to squared distances (n, k)."""
    least = distances.min(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(distances == least, 1.0, least / distances)
    total: Floats = shares / shares.sum(axis=1, keepdims=True)
    return total


def membership_costs(distances: Floats, weights: Floats, reduced: Reduced) -> Floats:
    """Return the membership that each super-point gives up in each cluster, shape (s, k)."""
    lost = (1.0 - memberships(distances)) * weights[:, None]
    costs = np.zeros((reduced.size, distances.shape[1]))
    np.add.at(costs, reduced.component, lost)
    return costs
