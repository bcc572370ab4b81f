"""COP-k-means (Wagstaff, Cardie, Rogers and Schroedl, 2001): k-means with a greedy assignment that can fail.

Points are assigned in their order to the nearest centre that breaks no constraint with the points before them, and
are never reconsidered; where no centre is left the run fails. It is here as a rival, not as a recommendation.
"""

from collections.abc import Callable

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.baselines.unreduced import unreduced
from pcsos.heuristics.centres import kmeans_pp_centres, summarise
from pcsos.heuristics.moves import squared_distance
from pcsos.heuristics.multi_start import NUM_STARTS
from pcsos.heuristics.protocol import Returned
from pcsos.heuristics.record import Solution, Work, record_of
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.incumbent import Incumbent
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import seeded

#: Iterations of one run; unlike k-means, COP-k-means can cycle.
MAX_ITERATIONS = 300


def cop_kmeans(
    instance: Instance,
    reduced: Reduced,
    *,
    seed: int,
    num_starts: int = NUM_STARTS,
    max_local_iterations: int = MAX_ITERATIONS,
    budget: Budget = AMPLE,
    on_improvement: Callable[[Solution], None] | None = None,
) -> Returned:
    """Return the best of the runs that did not fail, or None: all of them failed. Starts are those of k-means++.

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
        outcome, iterations = _run(problem, group, graph, kmeans_pp_centres(problem, rng), max_local_iterations)
        work += Work(1, iterations)
        if isinstance(outcome, str):
            failure = outcome
        else:
            incumbent.offer(Solution(reduced.project(outcome.labels), outcome.objective))
    if failure:
        all_failed = f"all {work.local_search_calls} runs failed; in the last {failure}"
        failure = all_failed if incumbent.best is None else ""
    return incumbent.best, record_of("cop-kmeans", incumbent.best, budget.stop, work, failure=failure)


def _run(
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
