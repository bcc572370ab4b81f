"""First incumbents: a quick partition, then S-MDEClust beside the root, or before it where that is quicker."""

import contextlib

import numpy as np

from pcsos.colouring.budget import Budget
from pcsos.control.aside import LARGE, Line, ask_aside, talk_aside
from pcsos.control.stop import GRACE, Interrupted, ProgramLostError, Stop
from pcsos.heuristics.centres import kmeans_pp_centres
from pcsos.heuristics.ipc_kmeans import ipc_kmeans
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.record import Solution
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.incumbent import Incumbent
from pcsos.options import Options
from pcsos.reduction import Reduced
from pcsos.tree.search import Search
from pcsos.tree.task import Found
from pcsos.tree.workers import Workers, stop_requested
from pcsos.typing import Indices

#: Starts of the quick partition.
NUM_STARTS = 3


def offer_first_incumbents(search: Search, problem: Reduced, options: Options, workers: Workers, stop: Stop) -> None:
    """Offer the search a quick partition, and what S-MDEClust finds, at once or when the search asks for it."""
    is_large = problem.size > LARGE
    with contextlib.suppress(Interrupted, ProgramLostError):
        found = (
            ask_aside(quick_partition, problem, options, stop=stop)
            if is_large
            else quick_partition(problem, options, stop=stop)
        )
        if found is not None:
            search.offer(found)
    if problem.n_clusters in (1, problem.size):
        return
    seconds = None if options.time_limit is None else 0.5 * options.time_limit
    if workers.parallel and problem.size * problem.n_clusters > options.params.memetic.alone_up_to:
        search.expect(workers.submit(_in_worker, problem, options, seconds))
    elif is_large:
        with contextlib.suppress(Interrupted, ProgramLostError):
            talk_aside(_aside, problem, options, seconds, stop=stop, grace=GRACE, hear=search.offer)
    else:
        found = memetic_partition(problem, options, stop=stop.within(seconds))
        if found is not None:
            search.offer(found)


def quick_partition(problem: Reduced, options: Options, *, stop: Stop) -> Found | None:
    """Return the best partition of a few runs of IPC-k-means with local search; None if all failed."""
    rng = np.random.default_rng([options.seed, 1])
    budget = Budget(stop, options.ilp, options.params.colouring)
    incumbent: Incumbent[Solution] = Incumbent()
    for _ in range(NUM_STARTS):
        solution = ipc_kmeans(problem, kmeans_pp_centres(problem, rng), exact=False, budget=budget).solution
        if solution is not None:
            swaps = problem.size <= options.params.memetic.swaps_up_to
            incumbent.offer(improve(problem, solution.labels, swaps=swaps)[0])
        if stop.asked():
            break
    return None if incumbent.best is None else _lifted(problem, incumbent.best, "K")


def memetic_partition(problem: Reduced, options: Options, *, stop: Stop, line: Line | None = None) -> Found | None:
    """Return the partition that S-MDEClust finds; each that it meets is told to the line."""
    best, _ = s_mdeclust(
        problem,
        seed=options.seed,
        params=options.params.memetic,
        budget=Budget(stop, options.ilp, options.params.colouring),
        on_improvement=None if line is None else lambda solution: line.tell(_lifted(problem, solution, "M")),
    )
    return None if best is None else _lifted(problem, best, "M")


def nearby_partition(problem: Reduced, labels: Indices, options: Options) -> Found:
    """Return the partition that local search reaches from these labels of the super-points."""
    swaps = problem.size <= options.params.memetic.swaps_up_to
    return _lifted(problem, improve(problem, labels, swaps=swaps)[0], "L")


def _in_worker(problem: Reduced, options: Options, seconds: float | None) -> Found | None:
    return memetic_partition(problem, options, stop=Stop(stop_requested, time_limit=seconds))


def _aside(line: Line, problem: Reduced, options: Options, seconds: float | None) -> None:
    memetic_partition(problem, options, stop=line.stop.within(seconds), line=line)


def _lifted(problem: Reduced, solution: Solution, source: str) -> Found:
    return Found(problem.lift(solution.labels), solution.objective, source)
