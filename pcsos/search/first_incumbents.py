"""First incumbents: any partition at once, a quick one, then S-MDEClust beside the root, or before where it is quicker.

Of hundreds of thousands of super-points without conditions, S-MDEClust looks at samples, which is all that is done.
"""

import math
import time

import numpy as np

from pcsos.base.control.subprocess import LARGE, Channel, ignore, try_job
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.centres import kmeans_pp_centres, located_centres
from pcsos.heuristics.ipc_kmeans import MAX_ITERATIONS, ipc_kmeans
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.record import Solution
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.heuristics.sampled import SAMPLED_FROM, sampled, suit_samples
from pcsos.presolve.presolve import Presolved
from pcsos.problem.options import Budget, Options
from pcsos.problem.partition import Incumbent
from pcsos.problem.reduction import Reduced
from pcsos.search.role import Context
from pcsos.search.task import Found

#: Starts of the quick partition.
NUM_STARTS = 3
#: Super-points times clusters from which on the local search runs where it can be left.
LARGE_SEARCH = 100_000
#: Super-points from which on labels to be certified are compared with what samples find.
RIVAL_FROM = 2_000


def offer_any(problem: Presolved, context: Context) -> None:
    """Offer what takes a moment under conditions on many super-points: what presolve has found, and one assignment."""
    reduced = problem.problem
    if reduced.size > LARGE:
        offer_colouring(problem, context)
        centres = kmeans_pp_centres(reduced, np.random.default_rng([context.options.seed, 1]))
        arguments = (reduced, centres, context.options, "K", 1)
        context.primal.offer(try_job(partition_near, *arguments, stop=context.stop))


def offer_colouring(problem: Presolved, context: Context) -> None:
    """Offer the partition by which presolve knows that there is one, if no better one is known."""
    if problem.labels is not None and context.primal.partition is None:
        context.primal.offer(Found(problem.labels, math.inf, "F"))


def offer_first_incumbents(problem: Presolved, context: Context) -> None:
    """Offer a quick partition, and what S-MDEClust finds, at once or when it is asked for."""
    reduced, options, stop, pool = problem.problem, context.options, context.stop, context.pool
    is_many = reduced.size * reduced.n_clusters > SAMPLED_FROM
    if is_many and suit_samples(reduced):
        context.primal.offer(try_job(sampled_partition, reduced, options, stop=stop))
        if context.primal.partition is not None:
            return
    is_large = reduced.size > LARGE
    context.primal.offer(try_job(quick_partition, reduced, options, stop=stop, is_long=is_large))
    if reduced.n_clusters in (1, reduced.size) or (is_many and problem.instance.line is not None):
        return  # the best intervals, or what is near them, are there
    seconds = math.inf if options.time_limit is None else 0.5 * options.time_limit
    if pool.parallel and reduced.size * reduced.n_clusters > options.params.memetic.alone_up_to:
        pool.share(problem.reduced)  # which nodes take
        context.primal.expect(pool.begin(memetic_partition, reduced, options, until=time.time() + seconds))
    else:
        offer = context.primal.offer
        hear, arguments = (offer if is_large else ignore), (reduced, options, seconds)
        offer(try_job(memetic_partition, *arguments, stop=stop, is_long=is_large, on_message=hear))


def offer_from_centres(problem: Presolved, centres: Floats, context: Context, source: str = "C") -> None:
    """Offer what IPC-k-means makes of these centres among the points, shape (k, d)."""
    reduced = problem.problem
    where = located_centres(problem.instance, reduced, centres)
    arguments, is_large = (reduced, where, context.options, source), reduced.size > LARGE
    context.primal.offer(try_job(partition_near, *arguments, stop=context.stop, is_long=is_large))


def offer_rival(problem: Presolved, context: Context) -> None:
    """Offer what S-MDEClust on samples finds, in a second or two, of many points on which there are no conditions.

    Labels to be certified may be poor ones, with which bounds would end far below.
    """
    reduced = problem.problem
    if reduced.is_free and reduced.size > RIVAL_FROM:
        context.primal.offer(try_job(sampled_partition, reduced, context.options, stop=context.stop))


def offer_improved(problem: Presolved, labels: Indices, context: Context) -> None:
    """Offer what local search makes of labels of the points."""
    own = problem.reduced.project(labels)
    found = improved(problem.reduced, own, context)
    if found is not None and not np.array_equal(problem.reduced.project(found.labels), own):
        context.primal.offer(found)


def improved(reduced: Reduced, labels: Indices, context: Context) -> Found | None:
    """Return what local search makes of labels of super-points; None if it takes long and the run has to end before."""
    is_large = reduced.size * reduced.n_clusters >= LARGE_SEARCH
    return try_job(nearby_partition, reduced, labels, context.options, stop=context.stop, is_long=is_large)


def quick_partition(channel: Channel, problem: Reduced, options: Options) -> Found | None:
    """Return the best partition of a few runs of IPC-k-means with local search; None if all failed."""
    rng = np.random.default_rng([options.seed, 1])
    budget = Budget.of(channel.stop, options)
    incumbent: Incumbent[Solution] = Incumbent()
    for _ in range(NUM_STARTS):
        solution = ipc_kmeans(problem, kmeans_pp_centres(problem, rng), exact=False, budget=budget).solution
        if solution is not None:
            swaps = problem.size <= options.params.memetic.swaps_up_to
            incumbent.offer(improve(problem, solution.labels, swaps=swaps)[0])
        if channel.stop.asked():
            break
    return None if incumbent.best is None else _lifted(problem, incumbent.best, "K")


def partition_near(
    channel: Channel,
    problem: Reduced,
    centres: Floats,
    options: Options,
    source: str,
    max_iterations: int = MAX_ITERATIONS,
) -> Found | None:
    """Return the partition that IPC-k-means reaches from these centres; None if it fails."""
    budget = Budget.of(channel.stop, options)
    solution = ipc_kmeans(problem, centres, exact=False, max_iterations=max_iterations, budget=budget).solution
    return None if solution is None else _lifted(problem, solution, source)


def sampled_partition(channel: Channel, problem: Reduced, options: Options) -> Found | None:
    """Return the partition that S-MDEClust on samples leads to."""
    best, _ = sampled(problem, seed=options.seed, budget=Budget.of(channel.stop, options))
    return None if best is None else _lifted(problem, best, "M")


def memetic_partition(channel: Channel, problem: Reduced, options: Options, seconds: float = math.inf) -> Found | None:
    """Return the partition that S-MDEClust finds in so many seconds; each better one that it meets is sent."""
    best, _ = s_mdeclust(
        problem,
        seed=options.seed,
        params=options.params.memetic,
        budget=Budget.of(channel.stop.within(seconds), options),
        on_improvement=lambda solution: channel.send(_lifted(problem, solution, "M")),
    )
    return None if best is None else _lifted(problem, best, "M")


def nearby_partition(channel: Channel, problem: Reduced, labels: Indices, options: Options) -> Found:
    """Return the partition that local search reaches from these labels of the super-points."""
    swaps = problem.size <= options.params.memetic.swaps_up_to
    return _lifted(problem, improve(problem, labels, swaps=swaps)[0], "L")


def _lifted(problem: Reduced, solution: Solution, source: str) -> Found:
    return Found(problem.lift(solution.labels), solution.objective, source)
