"""K-means from random points, again and again, for as many passes over the points as another heuristic took.

An evaluation of a vector of centres and an iteration of k-means are a pass each: all distances to the centres, then the
means. HDE compares with restarted k-means without saying how that starts or when it ends.
"""

from collections.abc import Callable

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.heuristics.centres import objective_of, random_centres
from pcsos.heuristics.differential_evolution.landscape import evaluate, k_means, landscape_of, polished
from pcsos.heuristics.protocol import Returned
from pcsos.heuristics.record import Solution, Work, record_of
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.problem.incumbent import Incumbent
from pcsos.problem.params import EvolutionParams
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import seeded


def restarted_kmeans(
    reduced: Reduced,
    *,
    seed: int,
    max_passes: int,
    params: EvolutionParams | None = None,
    budget: Budget = AMPLE,
    on_improvement: Callable[[Solution], None] | None = None,
) -> Returned:
    """Return the best of as many runs of k-means as begin within ``max_passes`` passes, polished, with a record.

    Each run starts from super-points that are drawn in proportion to their weights, and ends as k-means does within
    :func:`~pcsos.heuristics.differential_evolution.hybrid.hybrid_de`; so do budget and callback. Cannot-links are
    ignored, so there must not be any.

    Raises
    ------
    InputError
        If ``max_passes`` is below one.

    Examples
    --------
    >>> from pcsos import Instance
    >>> from pcsos.problem.reduction import reduce_instance
    >>> solution, record = restarted_kmeans(reduce_instance(Instance([0.0, 1.0, 5.0, 6.0], 2)), seed=0, max_passes=50)
    >>> round(solution.objective, 6), record.evaluations + record.local_search_iterations >= 50
    (1.0, True)
    """
    if max_passes < 1:
        raise InputError(f"max_passes is {max_passes!r}; give a whole number of at least 1")
    params = params or EvolutionParams()
    rng, landscape = seeded(seed), landscape_of(reduced, "TRW")
    incumbent = Incumbent(on_improvement=on_improvement)
    work, labels = Work(), np.empty(reduced.size, np.intp)
    while work.evaluations + work.local_search_iterations < max_passes:
        value, means, filled = evaluate(landscape, random_centres(reduced, rng), labels)
        _, _, iterations, more = k_means(
            landscape, means, value, labels, params.local_tolerance, params.max_local_iterations
        )
        work += Work(1, iterations, evaluations=1, filled_clusters=filled + more)
        incumbent.offer(Solution(labels.copy(), objective_of(reduced, labels)))
        if budget.stop.asked():
            break
    else:
        if incumbent.best is not None:
            solution, more_work = polished(reduced, incumbent.best, params.max_local_iterations)
            work += more_work
            incumbent.offer(solution)
    return incumbent.best, record_of("restarted-kmeans", incumbent.best, budget.stop, work)
