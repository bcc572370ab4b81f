"""IPC-k-means from many starts: k-means++ (Paper 4.4) or random points (BLP-KM of Baumann)."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from pcsos.heuristics.centres import Costs, kmeans_pp_centres, random_centres
from pcsos.heuristics.ipc_kmeans import MAX_ITERATIONS, ipc_kmeans
from pcsos.heuristics.record import INFEASIBLE, Budget, Record, Solution, Work, better_of, record_of
from pcsos.reduction import Reduced

#: Starts of the multi-start methods, as in Paper 4.4.
NUM_STARTS = 100


def multi_start(
    reduced: Reduced,
    *,
    seed: int,
    starts: Literal["k-means++", "random"] = "k-means++",
    num_starts: int = NUM_STARTS,
    max_local_iterations: int = MAX_ITERATIONS,
    ilp: str = "auto",
    time_limit: float | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_improvement: Callable[[Solution], None] | None = None,
) -> tuple[Solution | None, Record]:
    """Return the best result of IPC-k-means over ``num_starts`` starts, with a record.

    The limits and callbacks are those of :func:`pcsos.heuristics.s_mdeclust.s_mdeclust`.
    """
    rng, budget, costs = np.random.default_rng(seed), Budget(time_limit, should_stop), Costs.of(reduced)
    draw = kmeans_pp_centres if starts == "k-means++" else random_centres
    best: Solution | None = None
    work, failure = Work(), ""
    with budget.limited():
        for _ in range(num_starts):
            if budget.exhausted():
                break
            solution, done = ipc_kmeans(
                reduced,
                draw(reduced, rng),
                costs=costs,
                ilp=ilp,
                max_iterations=max_local_iterations,
                should_stop=budget.exhausted,
            )
            work += done
            if solution is None:
                failure = INFEASIBLE
                break
            best = better_of(best, solution, on_improvement)
    method = "ipc-kmeans" if starts == "k-means++" else "blp-km"
    return best, record_of(method, best, budget, work, failure=failure)
