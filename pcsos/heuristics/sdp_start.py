"""Centres from a solution of the semidefinite relaxation (Paper 3.4, Algorithm 2), and IPC-k-means from them."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from pcsos.base import tolerances
from pcsos.base.control.stop import Stop
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.peng_wei import refuse_too_large
from pcsos.heuristics.centres import Costs, centres_of, kmeans_pp_centres, random_centres
from pcsos.heuristics.ipc_kmeans import MAX_ITERATIONS, best_of, ipc_kmeans
from pcsos.heuristics.record import Returned, Solution
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import Params
from pcsos.problem.partition import Incumbent
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import seeded

#: k-means++ starts of the k-means over the approximate centroids.
NUM_STARTS = 5


def centres_from_projection(Y: Floats, reduced: Reduced, rng: np.random.Generator) -> Floats:
    """Return k centres, shape (k, d'), from Y, shape (s, s), the relaxed projector in normalised coordinates.

    The paper's Z, ``Z_ij = Y_ij / sqrt(e_i e_j)``, has one row an original point; its best approximation of rank k is
    that of Y in disguise, because repeating the rows of a super-point is an isometry of the normalised coordinates.
    Every super-point gets an approximate centroid: its row of the best rank-k approximation of Y applied to the
    points. Where the relaxation is tight there are only k different ones; otherwise k-means groups them.
    """
    from scipy.linalg import eigh

    size, k = reduced.size, reduced.n_clusters
    values, vectors = eigh(0.5 * (Y + Y.T), subset_by_index=[size - k, size - 1])
    roots = np.sqrt(reduced.weights)[:, None]
    centroids = (vectors * values) @ (vectors.T @ (roots * reduced.coordinates)) / roots
    return kmeans_centres(replace(reduced, means=centroids), rng)


def kmeans_centres(reduced: Reduced, rng: np.random.Generator) -> Floats:
    """Return the centres of the best of several unconstrained k-means from k-means++ starts, shape (k, d').

    Cannot-links, limits and soft pairs of ``reduced`` are ignored; must-links hold, because super-points stay whole.
    """
    free = replace(reduced, cannot_link=np.empty((0, 2), np.intp), limits=None, soft=PenalisedPairs.none())
    costs = Costs.of(free)
    runs = (ipc_kmeans(free, kmeans_pp_centres(free, rng), costs=costs).solution for _ in range(NUM_STARTS))
    best = min((solution for solution in runs if solution is not None), key=lambda solution: solution.objective)
    return centres_of(free, best.labels)


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
    incumbent = Incumbent(on_improvement=on_improvement)
    starts = _starts(reduced, seeded(seed), incumbent, num_starts, budget.stop)
    return best_of(reduced, starts, incumbent, "sdp-kmeans", max_local_iterations, budget)


def _starts(
    reduced: Reduced, rng: np.random.Generator, incumbent: Incumbent[Solution], most: int, stop: Stop
) -> Iterator[Floats]:
    """Yield centres after each round until the gap is closed; random ones, once, where one partition is left."""
    if stop.asked():
        return
    if reduced.n_clusters in (1, reduced.size):
        yield random_centres(reduced, rng)
        return
    refuse_too_large(reduced.size)
    plane = CuttingPlane(peng_wei.build(reduced), engine_factory("admm", Params()))
    for bound in plane.rounds(stop, lambda: tolerances.cutoff(incumbent.objective, CLOSED), most):
        yield centres_from_projection(plane.engine.y, reduced, rng)
        if tolerances.relative_gap(incumbent.objective, bound) <= CLOSED:
            return
