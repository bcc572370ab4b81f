"""IPC-k-means: k-means whose assignment step is exact under the constraints (Paper 3.4, Algorithm 1), and many starts.

With random starts it is the BLP-KM of Baumann, the local search of S-MDEClust; starts by k-means++ are those of
Paper 4.4.
"""

from collections.abc import Callable, Iterable
from typing import Literal

import numpy as np

from pcsos.base.typing import Floats
from pcsos.heuristics.assignment.exact import Assignment, assign
from pcsos.heuristics.centres import Costs, kmeans_pp_centres, objective_of, random_centres
from pcsos.heuristics.dense_search import is_dense
from pcsos.heuristics.local_search import alternate, search_within
from pcsos.heuristics.record import LocalOptimum, Returned, Solution, Work, record_of
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.partition import Incumbent
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import seeded


def first_solution(reduced: Reduced, costs: Costs, centres: Floats, budget: Budget) -> Solution | None:
    """Return the solution of an assignment to these centres that need not be exact.

    None where there are limits of clusters or soft pairs, few cannot-links, or no assignment is found.
    """
    if not (reduced.is_plain and is_dense(reduced)):
        return None
    found = assign(costs(centres), reduced.graph, exact=False, budget=budget)
    return Solution(found.labels, objective_of(reduced, found.labels)) if isinstance(found, Assignment) else None


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

    With limits of clusters or soft pairs this is the local search of :mod:`pcsos.heuristics.local_search`, whose
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
    return alternate(reduced, centres, costs=costs, exact=exact, max_iterations=max_iterations, budget=budget)


#: Starts of the multi-start methods, as in Paper 4.4.
NUM_STARTS = 100


def multi_start(
    reduced: Reduced,
    *,
    seed: int,
    starts: Literal["k-means++", "random"] = "k-means++",
    num_starts: int = NUM_STARTS,
    max_local_iterations: int = MAX_ITERATIONS,
    budget: Budget = AMPLE,
    on_improvement: Callable[[Solution], None] | None = None,
) -> Returned:
    """Return the best result of IPC-k-means over ``num_starts`` starts, with a record.

    Budget and callback are those of :func:`pcsos.heuristics.s_mdeclust.s_mdeclust`.
    """
    rng = seeded(seed)
    draw = kmeans_pp_centres if starts == "k-means++" else random_centres
    method = "ipc-kmeans" if starts == "k-means++" else "blp-km"
    incumbent = Incumbent(on_improvement=on_improvement)
    centres = (draw(reduced, rng) for _ in range(num_starts))
    return best_of(reduced, centres, incumbent, method, max_local_iterations, budget)


def best_of(
    reduced: Reduced,
    starts: Iterable[Floats],
    incumbent: Incumbent[Solution],
    method: str,
    max_iterations: int,
    budget: Budget,
) -> Returned:
    """Return the best result of IPC-k-means from these centres, start by start, with a record of the method."""
    costs, work, failure = Costs.of(reduced), Work(), ""
    for centres in starts:
        if budget.stop.asked():
            break
        first = None if incumbent.best is not None else first_solution(reduced, costs, centres, budget)
        if first is not None:
            incumbent.offer(first)
        solution, done, failure = ipc_kmeans(
            reduced, centres, costs=costs, max_iterations=max_iterations, budget=budget
        )
        work += done
        if solution is None:
            break
        incumbent.offer(solution)
    return incumbent.best, record_of(method, incumbent.best, budget.stop, work, failure=failure)
