"""IPC-k-means: k-means whose assignment step is exact under the constraints (Paper 3.4, Algorithm 1).

With random starts it is the BLP-KM of Baumann, the local search of S-MDEClust.
"""

import numpy as np

from pcsos.base import tolerances
from pcsos.base.typing import Floats
from pcsos.heuristics.assignment.exact import Unassigned, assign
from pcsos.heuristics.centres import Costs, summarise
from pcsos.heuristics.conditioned import search_within
from pcsos.heuristics.record import LocalOptimum, Solution, Work
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.problem.reduction import Reduced

#: Far more iterations than k-means needs; a guard, not a parameter to tune.
MAX_ITERATIONS = 500


def ipc_kmeans(
    reduced: Reduced,
    centres: Floats,
    *,
    costs: Costs | None = None,
    exact: bool = True,
    max_iterations: int = MAX_ITERATIONS,
    budget: Budget = AMPLE,
) -> LocalOptimum:
    """Alternate exact assignment and means from these centres until the cost no longer falls.

    With limits of clusters or soft pairs this is the local search of :mod:`pcsos.heuristics.conditioned`, whose
    assignments need not be exact.

    Parameters
    ----------
    reduced : Reduced
        The problem over super-points.
    centres : ndarray, shape (k, d')
        Where to start, in ``reduced.coordinates``.
    costs : Costs, optional
        ``Costs.of(reduced)``, to share among many calls.
    exact : bool
        If false, assignments that only an integer program could prove optimal need not be, and with limits of clusters
        none is solved.
    max_iterations : int
        Greatest number of assignment steps, at least one.
    budget : Budget
        Who solves the assignments that need an integer program, and when to stop; asked after every assignment step,
        and within an integer program.

    Returns
    -------
    LocalOptimum
        Without a solution only if there is no first assignment: it is proved that none satisfies the cannot-links, the
        run had to end, or the process of an integer program was killed.
    """
    costs = Costs.of(reduced) if costs is None else costs
    if not reduced.is_plain:
        rng = np.random.default_rng(0)
        return search_within(
            reduced, centres, costs=costs, rng=rng, max_iterations=max_iterations, budget=budget, last_resort=exact
        )
    best: Solution | None = None
    iterations, integer_programs, failure = 0, 0, ""
    while iterations < max_iterations:
        iterations += 1
        start = None if best is None or exact else best.labels
        assignment = assign(costs(centres), reduced.graph, exact=exact, start=start, budget=budget)
        if isinstance(assignment, Unassigned):
            failure = assignment.reason if best is None else ""
            break
        integer_programs += assignment.used_integer_program
        if best is not None and np.array_equal(assignment.labels, best.labels):
            break
        centres, cost = summarise(reduced.coordinates, reduced.weights, assignment.labels, reduced.n_clusters)
        objective = reduced.offset + float(cost)
        if best is not None and not tolerances.is_improvement(objective, best.objective):
            break
        best = Solution(assignment.labels, objective)
        if budget.stop.asked():
            break
    return LocalOptimum(best, Work(1, iterations, iterations, integer_programs), failure)
