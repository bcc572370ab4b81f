"""Doubts: pairs of points that some partition within epsilon of the best one has the other way round, and is known.

Of the best partition known, every one that differs by a single super-point in another cluster is looked at. Where the
dearer of the two costs at most ``(1 + epsilon)`` times a lower bound of all costs, both are within epsilon of the best
one, whichever that is, and the pairs that they disagree on are not the same in all such partitions.
"""

import numpy as np

from pcsos.analysis.certainty.flips import moves
from pcsos.base.tolerances import EPS, OBJECTIVE_ERROR
from pcsos.evidence.result import Doubts
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced


def doubts(problem: Reduced, partition: Partition, epsilon: float, lower_bound: float, error: float) -> Doubts:
    """Return the pairs that are in doubt because of where single super-points may go.

    Parameters
    ----------
    problem : Reduced
        The problem; with limits of weights, whose sums are rounded, nothing is said to be in doubt.
    partition : Partition
        A partition of it, whose objective is at least what it costs.
    epsilon : float
        Relative distance from the least cost.
    lower_bound : float
        No partition costs less; 0 where nothing is known.
    error : float
        What costs of other partitions may be rounded by apart from the arithmetic.
    """
    labels = problem.project(partition.labels)
    terms = problem.size + problem.means.shape[1] + 64  # of which a squared distance to a mean is made
    rounding = 8.0 * terms * EPS * (problem.total + problem.soft.total) + problem.penalty_error + error
    most = (1.0 + epsilon) * min(lower_bound, partition.objective) * (1.0 - OBJECTIVE_ERROR) - rounding
    differs = np.zeros((problem.size, problem.n_clusters), np.bool_)
    is_exact = not any(own.is_rounded for own in problem.capacities)
    if partition.objective * (1.0 + OBJECTIVE_ERROR) <= most and is_exact:
        differs = moves(problem, labels, partition.objective).costs <= most
        differs[np.arange(problem.size), labels] = differs.any(axis=1)
    return Doubts(problem.component, labels, differs)
