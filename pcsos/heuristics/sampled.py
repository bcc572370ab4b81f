"""Samples of the super-points, and sketches of their coordinates: small problems for S-MDEClust, refined afterwards.

The centres of a few thousand super-points are refined by a local search on ever larger samples. What a partition of a
large sample costs differs from what it costs on all super-points by about as much for all good partitions. So the best
partition of a small sample is close to the best of all, and what is left for the local search on all of them, each of
whose sweeps takes long, are the last digits.

A matrix of inner products has as many coordinates as its rank. The first principal components hold nearly all that sets
good clusters apart; what is left is spread over the others, and every partition pays nearly all of it.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.centres import Costs, summarise, unconditioned
from pcsos.heuristics.local_search import improve, search_from
from pcsos.heuristics.record import LocalOptimum, Returned, Solution, Work, record_of
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import MemeticParams
from pcsos.problem.partition import Incumbent
from pcsos.problem.reduction import Reduced, sum_of_weighted_squares
from pcsos.problem.validation.arrays import seeded

#: Coordinates of a sketch, and how many times as many a problem has at least that is worth one.
COORDINATES, WORTH = 128, 2
#: Columns of the random matrix beyond the coordinates that are kept, and products with the matrix to find their space.
BEYOND, PRODUCTS = 16, 2


def suit_samples(problem: Instance | Reduced) -> bool:
    """Return whether samples leave out nothing but limits of clusters, which the last search keeps to."""
    return len(problem.cannot_link) + len(problem.soft) == 0


def is_worth_sketching(reduced: Reduced) -> bool:
    """Return whether a problem has so many coordinates that a sketch of it is searched faster."""
    return bool(min(reduced.means.shape) > WORTH * COORDINATES)


def sketch(reduced: Reduced, rng: np.random.Generator) -> Reduced:
    """Return the problem in the directions in which its super-points vary most.

    They are found by a randomised range finder (Halko, Martinsson and Tropp, 2011, algorithm 4.4). What the others hold
    is paid by every partition, so that no partition costs more in the problem than in the sketch.
    """
    heavy = reduced.means * np.sqrt(reduced.weights)[:, None]
    basis = rng.standard_normal((heavy.shape[1], COORDINATES + BEYOND))
    for _ in range(PRODUCTS):
        basis, _ = np.linalg.qr(heavy.T @ (heavy @ basis))
    _, _, turn = np.linalg.svd(heavy @ basis, full_matrices=False)
    means = reduced.means @ (basis @ turn[:COORDINATES].T)
    left = reduced.total - reduced.offset - sum_of_weighted_squares(means, reduced.weights)
    return replace(reduced, means=np.ascontiguousarray(means), offset=reduced.offset + max(left, 0.0))


def finished(reduced: Reduced, found: Solution) -> Solution:
    """Return what local search makes of a solution of a sketch in the problem itself."""
    return improve(reduced, found.labels, swaps=False)[0]


#: Points times clusters beyond which samples find good partitions sooner than S-MDEClust on all points.
SAMPLED_FROM = 200_000
#: Super-points of the smallest sample: so many, and so many for each cluster; each sample is so many times as large.
LEAST, OF_A_CLUSTER, GROWTH = 4000, 100, 8
#: The evolution on the smallest sample.
POPULATION, MOST_STALL = 10, 50
#: Sweeps of the local search between two questions whether to stop, and what they have to gain, to go on.
SWEEPS, LEAST_GAIN = 10, 1e-7


def sampled(
    reduced: Reduced,
    *,
    seed: int,
    budget: Budget = AMPLE,
    on_improvement: Callable[[Solution], None] | None = None,
) -> Returned:
    """Return the best solution found from the centres of samples, with a record.

    Super-points are hundreds of thousands or more. Samples leave out all conditions, which the local search on all
    super-points respects. Seed, budget and callback are those of :func:`pcsos.heuristics.s_mdeclust.s_mdeclust`.
    """
    rng, incumbent = seeded(seed), Incumbent(on_improvement=on_improvement)
    order, size = rng.permutation(reduced.size), max(LEAST, OF_A_CLUSTER * reduced.n_clusters)
    params = MemeticParams(population=POPULATION, max_stall=MOST_STALL)
    small = _sample(reduced, order[:size])
    best, record = s_mdeclust(small, seed=seed, params=params, budget=budget)
    work, failure = record.work, record.message if best is None else ""
    while best is not None:
        # in the coordinates that all samples have, which are rotated no further
        centres, _ = summarise(small.means, small.weights, best.labels, small.n_clusters)
        size = GROWTH * size
        is_last = size >= reduced.size or budget.stop.asked()
        small = reduced if is_last else _sample(reduced, order[:size])
        best, done, failure = _descended(small, centres, rng, budget, incumbent if is_last else Incumbent())
        work += done
        if is_last:
            break
    return incumbent.best, record_of("sampled", incumbent.best, budget.stop, work, failure=failure)


def _sample(reduced: Reduced, own: Indices) -> Reduced:
    """Return some super-points, of which nothing is asked."""
    return unconditioned(reduced.coordinates[own], reduced.weights[own], reduced.n_clusters)


def _descended(
    reduced: Reduced, centres: Floats, rng: np.random.Generator, budget: Budget, incumbent: Incumbent[Solution]
) -> LocalOptimum:
    """Search from centres until the sweeps between two questions gain little; offer what is found on the way."""
    found = search_from(reduced, centres, costs=Costs.of(reduced), rng=rng, max_iterations=SWEEPS, budget=budget)
    best, work = found.solution, found.work
    gain = math.inf
    while best is not None:
        incumbent.offer(best)
        if gain <= LEAST_GAIN * best.objective or budget.stop.asked():
            break
        before = best.objective
        best, sweeps = improve(reduced, best.labels, max_sweeps=SWEEPS, swaps=False)
        gain, work = before - best.objective, work + Work(local_search_iterations=sweeps)
    return LocalOptimum(best, work, found.failure)
