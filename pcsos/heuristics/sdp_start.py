"""IPC-k-means from the semidefinite relaxation (Paper 3.4 and 4.4): the root of the exact solver as a heuristic."""

from collections.abc import Callable

import numpy as np

from pcsos import tolerances
from pcsos.heuristics.centres import Costs, random_centres
from pcsos.heuristics.ipc_kmeans import MAX_ITERATIONS, ipc_kmeans
from pcsos.heuristics.record import INFEASIBLE, Budget, Record, Solution, Work, better_of, record_of
from pcsos.heuristics.sdp_centres import centres_from_projection
from pcsos.params import Params
from pcsos.reduction import Reduced
from pcsos.relaxation import peng_wei
from pcsos.relaxation.cutting_plane import CuttingPlane
from pcsos.relaxation.engines import engine_factory
from pcsos.relaxation.memory import refuse_too_large

#: Rounds of cutting planes, each of which gives centres.
NUM_ROUNDS = 50
#: Relative gap between partition and bound at which more rounds are of no use.
CLOSED = 1e-6


def sdp_start(
    reduced: Reduced,
    *,
    seed: int,
    num_starts: int = NUM_ROUNDS,
    max_local_iterations: int = MAX_ITERATIONS,
    ilp: str = "auto",
    time_limit: float | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_improvement: Callable[[Solution], None] | None = None,
) -> tuple[Solution | None, Record]:
    """Return the best result of IPC-k-means from the centres of the relaxation, one start a round of cutting planes.

    The rounds end early where the bound proves that nothing is left to gain, or no longer rises. Limits and callbacks
    are those of :func:`pcsos.heuristics.s_mdeclust.s_mdeclust`.

    Raises
    ------
    InputError
        If the relaxation does not fit into memory.
    """
    rng, budget, costs = np.random.default_rng(seed), Budget(time_limit, should_stop), Costs.of(reduced)
    plane = _plane(reduced)
    best: Solution | None = None
    work, failure = Work(), ""
    with budget.limited():
        for _ in range(num_starts):
            if budget.exhausted():
                break
            if plane is None:
                centres = random_centres(reduced, rng)
            else:
                plane.round(budget.exhausted)
                centres = centres_from_projection(plane.engine.y, reduced, rng)
            solution, done = ipc_kmeans(
                reduced, centres, costs=costs, ilp=ilp, max_iterations=max_local_iterations
            )  # fmt: skip
            work += done
            if solution is None:
                failure = INFEASIBLE
                break
            best = better_of(best, solution, on_improvement)
            if plane is None or plane.stalled(tolerances.cutoff(best.objective, CLOSED)):
                break
            if tolerances.relative_gap(best.objective, plane.bound) <= CLOSED:
                break
            plane.separate()
    return best, record_of("sdp-kmeans", best, budget, work, failure=failure)


def _plane(reduced: Reduced) -> CuttingPlane | None:
    """Return the cutting-plane loop, or None where only one partition is left."""
    if reduced.n_clusters in (1, reduced.size):
        return None
    refuse_too_large(reduced.size)
    return CuttingPlane(peng_wei.build(reduced), engine_factory("admm", Params()))
