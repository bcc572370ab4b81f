"""Relocation: a cluster is dissolved and founded anew elsewhere, which is kept where the moves make it better.

This is the random swap of Fränti (Efficiency of random swap clustering, Journal of Big Data 5:13, 2018), under
cannot-links: the members of the dissolved cluster find new ones by regret, and Kempe chains repair the rest. Only the
clusters that have changed are looked at, so that a trial costs a small part of a local search.
"""

from collections.abc import Callable

import numpy as np

from pcsos.colouring.budget import Budget
from pcsos.heuristics.centres import objective_of
from pcsos.heuristics.record import Solution
from pcsos.heuristics.relocation_moves import relocate_often
from pcsos.reduction import Reduced

#: Super-points times clusters that the trials between two questions whether to stop look at, about.
ROUND = 2_000_000


def relocate(
    reduced: Reduced,
    solution: Solution,
    *,
    rng: np.random.Generator,
    patience: int,
    most: int,
    budget: Budget,
    on_gain: Callable[[Solution], object],
) -> tuple[Solution, int]:
    """Relocate clusters until so many trials in a row gain nothing; return the best solution and how many there were.

    Parameters
    ----------
    reduced : Reduced
        The problem over super-points, without limits of clusters and soft pairs.
    solution : Solution
        Where to begin; it is returned where nothing gains.
    rng : numpy.random.Generator
        Draws clusters and founders.
    patience, most : int
        Trials in a row that may fail, and all trials.
    budget : Budget
        When to stop.
    on_gain : callable
        Told better solutions on the way.
    """
    if not 2 <= reduced.n_clusters < reduced.size:
        return solution, 0
    labels = solution.labels.astype(np.intp)
    points, columns = np.ascontiguousarray(reduced.coordinates), np.ascontiguousarray(reduced.coordinates.T)
    share = max(1, ROUND // (reduced.size * reduced.n_clusters))
    failed, done = 0, 0
    while failed < patience and done < most and not budget.stop.asked():
        trials = min(share, patience - failed, most - done)
        gained, since = relocate_often(
            points, columns, reduced.weights, reduced.graph.indptr, reduced.graph.indices, labels, reduced.n_clusters,
            rng, trials,
        )  # fmt: skip
        done += trials
        failed = since if gained else failed + trials
        if gained:
            solution = Solution(labels.copy(), objective_of(reduced, labels))
            on_gain(solution)
    return solution, done
