"""IPC-k-means from many starts: k-means++ (Paper 4.4) or random points (BLP-KM of Baumann)."""

from collections.abc import Callable
from typing import Literal

from pcsos.heuristics.centres import Costs, kmeans_pp_centres, random_centres
from pcsos.heuristics.first_solution import first_solution
from pcsos.heuristics.ipc_kmeans import MAX_ITERATIONS, ipc_kmeans
from pcsos.heuristics.protocol import Returned
from pcsos.heuristics.record import Solution, Work, record_of
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.problem.incumbent import Incumbent
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import seeded

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
    rng, costs = seeded(seed), Costs.of(reduced)
    draw = kmeans_pp_centres if starts == "k-means++" else random_centres
    incumbent = Incumbent(on_improvement=on_improvement)
    work, failure = Work(), ""
    for _ in range(num_starts):
        if budget.stop.asked():
            break
        centres = draw(reduced, rng)
        first = None if incumbent.best is not None else first_solution(reduced, costs, centres, budget)
        if first is not None:
            incumbent.offer(first)
        solution, done, failure = ipc_kmeans(
            reduced, centres, costs=costs, max_iterations=max_local_iterations, budget=budget
        )
        work += done
        if solution is None:
            break
        incumbent.offer(solution)
    method = "ipc-kmeans" if starts == "k-means++" else "blp-km"
    return incumbent.best, record_of(method, incumbent.best, budget.stop, work, failure=failure)
