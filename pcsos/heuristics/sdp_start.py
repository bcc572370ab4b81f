"""IPC-k-means from the semidefinite relaxation (Paper 3.4 and 4.4): the root of the exact solver as a heuristic."""

import math
from collections.abc import Callable, Iterator

import numpy as np

from pcsos.base import tolerances
from pcsos.base.control.stop import Stop
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.memory import refuse_too_large
from pcsos.heuristics.centres import Costs, random_centres
from pcsos.heuristics.ipc_kmeans import MAX_ITERATIONS, ipc_kmeans
from pcsos.heuristics.protocol import Returned
from pcsos.heuristics.record import Solution, Work, record_of
from pcsos.heuristics.sdp_centres import centres_from_projection
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.problem.incumbent import Incumbent
from pcsos.problem.params import Params
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import seeded

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
    budget: Budget = AMPLE,
    on_improvement: Callable[[Solution], None] | None = None,
) -> Returned:
    """Return the best result of IPC-k-means from the centres of the relaxation, one start a round of cutting planes.

    The rounds end early where the bound proves that nothing is left to gain, or no longer rises. Budget and callback
    are those of :func:`pcsos.heuristics.s_mdeclust.s_mdeclust`.

    Raises
    ------
    InputError
        If the relaxation does not fit into memory.
    """
    rng, costs = seeded(seed), Costs.of(reduced)
    incumbent = Incumbent(on_improvement=on_improvement)
    work, failure = Work(), ""
    for centres, bound in _starts(reduced, rng, incumbent, num_starts, budget.stop):
        solution, done, failure = ipc_kmeans(
            reduced, centres, costs=costs, max_iterations=max_local_iterations, budget=budget
        )
        work += done
        if solution is None:
            break
        incumbent.offer(solution)
        if tolerances.relative_gap(incumbent.objective, bound) <= CLOSED:
            break
    return incumbent.best, record_of("sdp-kmeans", incumbent.best, budget.stop, work, failure=failure)


def _starts(
    reduced: Reduced, rng: np.random.Generator, incumbent: Incumbent[Solution], most: int, stop: Stop
) -> Iterator[tuple[Floats, float]]:
    """Yield centres and the bound after each round; random ones and no bound, once, where one partition is left."""
    if stop.asked():
        return
    if reduced.n_clusters in (1, reduced.size):
        yield random_centres(reduced, rng), -math.inf
        return
    refuse_too_large(reduced.size)
    plane = CuttingPlane(peng_wei.build(reduced), engine_factory("admm", Params()))
    for bound in plane.rounds(stop, lambda: tolerances.cutoff(incumbent.objective, CLOSED), most):
        yield centres_from_projection(plane.engine.y, reduced, rng), bound
