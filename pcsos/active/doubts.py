"""Doubts: pairs of points that some partition within epsilon of the best one has the other way round, and is known.

Of the best partition known, every one that differs by a single super-point in another cluster is looked at. Where the
dearer of the two costs at most ``(1 + epsilon)`` times a lower bound of all costs, both are within epsilon of the best
one, whichever that is, and the pairs that they disagree on are not the same in all such partitions.
"""

from dataclasses import dataclass

import numpy as np

from pcsos.active.flips import moves
from pcsos.partition import Partition
from pcsos.reduction import Reduced
from pcsos.tolerances import EPS, OBJECTIVE_ERROR
from pcsos.typing import Flags, Indices


@dataclass(frozen=True, eq=False)
class Doubts:
    """The pairs that are together in one partition within epsilon of the best one, and apart in another.

    Parameters
    ----------
    component : ndarray of int, shape (n,)
        Super-point of each point; the points of one are never in doubt.
    labels : ndarray of int, shape (s,)
        Cluster of each super-point in the best partition known.
    differs : ndarray of bool, shape (s, k)
        Whether pairs of a super-point and others of a cluster are in doubt because of where it may go: its own cluster,
        which it leaves, and each one that it may join.
    """

    component: Indices
    labels: Indices
    differs: Flags

    def about(self, i: int, j: int) -> bool:
        """Tell whether points i and j are in doubt."""
        a, b = self.component[[i, j]].tolist()
        return a != b and bool(self.differs[a, self.labels[b]] or self.differs[b, self.labels[a]])

    def matrix(self) -> Flags:
        """Return whether each pair of points is in doubt, shape (n, n)."""
        one = self.differs[np.ix_(self.component, self.labels[self.component])]
        return np.asarray((one | one.T) & (self.component[:, None] != self.component))

    @property
    def number(self) -> int:
        """Number of pairs of points in doubt."""
        counts = np.bincount(self.component)
        k = self.differs.shape[1]
        steady = np.zeros((k, k), np.int64)  # points of one cluster that have no doubt because of where they may go
        np.add.at(steady, self.labels, np.where(self.differs, 0, counts[:, None]))
        sizes = np.bincount(self.labels, counts, k).astype(np.int64)
        squares = np.bincount(self.labels, counts**2, k).astype(np.int64)
        own = self.differs[np.arange(counts.size), self.labels]
        left = np.bincount(self.labels, np.where(own, 0, counts**2), k).astype(np.int64)
        inside = (sizes**2 - squares) - (steady.diagonal() ** 2 - left)
        between = np.triu(np.outer(sizes, sizes) - steady * steady.T, 1)
        return int(inside.sum()) // 2 + int(between.sum())


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
    has_weights = problem.limits is not None and problem.limits.has_weights
    if partition.objective * (1.0 + OBJECTIVE_ERROR) <= most and not has_weights:
        differs = moves(problem, labels, partition.objective).costs <= most
        differs[np.arange(problem.size), labels] = differs.any(axis=1)
    return Doubts(problem.component, labels, differs)
