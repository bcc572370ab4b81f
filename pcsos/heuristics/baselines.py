"""Baselines: COP-k-means, and k-means whose labels are made feasible afterwards; both work on the single points."""

from collections.abc import Callable

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.exact import Unassigned, assign
from pcsos.heuristics.centres import Costs, centres_of, kmeans_pp_centres, objective_of, summarise, unconditioned
from pcsos.heuristics.ipc_kmeans import MAX_ITERATIONS, NUM_STARTS, multi_start
from pcsos.heuristics.moves import squared_distance
from pcsos.heuristics.record import Returned, Solution, Work, record_of
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.partition import Incumbent
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import seeded


def unreduced(instance: Instance) -> Reduced:
    """Return a reduction that contracts nothing and knows no constraint: every point is its own super-point."""
    shares = instance.weights / instance.weights.sum()
    centred = instance.points - instance.points[0]
    return unconditioned(centred - shares @ centred, instance.weights, instance.n_clusters)


#: Iterations of one run; unlike k-means, COP-k-means can cycle.
MOST_ITERATIONS = 300


def cop_kmeans(
    instance: Instance,
    reduced: Reduced,
    *,
    seed: int,
    num_starts: int = NUM_STARTS,
    max_local_iterations: int = MOST_ITERATIONS,
    budget: Budget = AMPLE,
    on_improvement: Callable[[Solution], None] | None = None,
) -> Returned:
    """Return the best of the runs that did not fail, or None: all of them failed. Starts are those of k-means++.

    COP-k-means (Wagstaff, Cardie, Rogers and Schroedl, 2001) assigns points in their order to the nearest centre that
    breaks no constraint with the points before them, and never reconsiders; where no centre is left the run fails. It
    is here as a rival, not as a recommendation.

    It works on the points of the instance; ``reduced`` only names the super-points of the labels returned. Must-links
    hold through their transitive closure: the first point of a group decides for all of it. Budget and callback are
    those of :func:`pcsos.heuristics.s_mdeclust.s_mdeclust`.
    """
    rng = seeded(seed)
    problem = unreduced(instance)
    group = instance.constraints.groups
    graph = ConflictGraph.build(int(group.max()) + 1, group[instance.cannot_link])
    incumbent = Incumbent(on_improvement=on_improvement)
    work, failure = Work(), ""
    for _ in range(num_starts):
        if budget.stop.asked():
            break
        outcome, iterations = _run_cop(problem, group, graph, kmeans_pp_centres(problem, rng), max_local_iterations)
        work += Work(1, iterations)
        if isinstance(outcome, str):
            failure = outcome
        else:
            incumbent.offer(Solution(reduced.project(outcome.labels), outcome.objective))
    if failure:
        all_failed = f"all {work.local_search_calls} runs failed; in the last {failure}"
        failure = all_failed if incumbent.best is None else ""
    return incumbent.best, record_of("cop-kmeans", incumbent.best, budget.stop, work, failure=failure)


def _run_cop(
    problem: Reduced, group: Indices, graph: ConflictGraph, centres: Floats, max_iterations: int
) -> tuple[Solution | str, int]:
    """Return what one run ends with, labels over the points, or why it failed, and its iterations."""
    points = np.ascontiguousarray(problem.coordinates)
    labels = np.full(points.shape[0], -1, np.intp)
    iterations = 0
    while iterations < max_iterations:
        iterations += 1
        latest, stuck = cop_assignment(points, centres, group, graph.indptr, graph.indices)
        if stuck >= 0:
            return f"every cluster was closed to point {stuck} by points assigned before it", iterations
        if np.array_equal(latest, labels):
            break
        labels = latest
        means, cost = summarise(points, problem.weights, labels, problem.n_clusters)
        used = np.bincount(labels, minlength=problem.n_clusters) > 0
        centres = np.where(used[:, None], means, centres)
    if not used.all():
        return "a cluster lost all its points", iterations
    return Solution(labels, float(cost)), iterations


@kernel
def cop_assignment(
    points: Floats, centres: Floats, group: Indices, indptr: Indices, indices: Indices
) -> tuple[Indices, int]:
    """Return labels (n,) and -1, or the point for which no cluster was left instead of -1.

    ``group`` (n,) is the must-link group of each point; ``indptr`` and ``indices`` are the cannot-links of groups.
    """
    taken = np.full(indptr.size - 1, -1, np.intp)
    labels = np.full(group.size, -1, np.intp)
    closed = np.full(centres.shape[0], -1, np.intp)
    for i in range(group.size):
        g = group[i]
        if taken[g] < 0:
            for t in range(indptr[g], indptr[g + 1]):
                if taken[indices[t]] >= 0:
                    closed[taken[indices[t]]] = i
            least = np.inf
            for h in range(centres.shape[0]):
                if closed[h] != i:
                    found = squared_distance(points, i, centres, h)
                    if found < least:
                        least = found
                        taken[g] = h
            if taken[g] < 0:
                return labels, i
        labels[i] = taken[g]
    return labels, -1


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

    The approach of Vrain, Davidson and co-authors (2020): the sum of the memberships of the labels is maximised subject
    to the constraints. The result resembles the unconstrained clustering; its sum of squares is not what is optimised.

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
