"""Doubts: pairs of points on which two known partitions nearly as good as the best one differ."""

from dataclasses import dataclass

import numpy as np

from pcsos.base.typing import Flags, Indices


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
