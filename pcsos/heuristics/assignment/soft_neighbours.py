"""Soft pairs as a graph: the neighbours of each super-point, with the price of sharing its cluster."""

from typing import NamedTuple, Self

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs


class SoftNeighbours(NamedTuple):
    """The neighbours of i are ``indices[indptr[i]:indptr[i + 1]]``; each has the price of sharing the cluster of i.

    A price is ``together - apart``, negative where the pair would rather share a cluster.
    """

    indptr: Indices
    indices: Indices
    prices: Floats

    @classmethod
    def of(cls, soft: PenalisedPairs, size: int) -> Self:
        """Return those of so many super-points."""
        ends = np.vstack([soft.pairs, soft.pairs[:, ::-1]])
        order = np.argsort(ends[:, 0], kind="stable")
        starts = np.searchsorted(ends[order, 0], np.arange(size + 1)).astype(np.intp)
        return cls(starts, np.ascontiguousarray(ends[order, 1]), np.tile(soft.together - soft.apart, 2)[order])

    def bills(self, labels: Indices, n_clusters: int) -> Floats:
        """Return what each super-point has to pay in each cluster while the others keep their labels, shape (s, k)."""
        bills = np.zeros((self.indptr.size - 1, n_clusters))
        owners = np.repeat(np.arange(self.indptr.size - 1), np.diff(self.indptr))
        np.add.at(bills, (owners, labels[self.indices]), self.prices)
        return bills

    def stakes(self) -> Floats:
        """Return the sum of the magnitudes of each super-point's prices, shape (s,)."""
        owners = np.repeat(np.arange(self.indptr.size - 1), np.diff(self.indptr))
        stakes: Floats = np.bincount(owners, np.abs(self.prices), self.indptr.size - 1).astype(np.float64)
        return stakes


@kernel
def toll(neighbours: SoftNeighbours, labels: Indices, i: int, a: int, h: int) -> float:
    """Return what i has to pay more in cluster h than in cluster a."""
    total = 0.0
    for t in range(neighbours.indptr[i], neighbours.indptr[i + 1]):
        j = labels[neighbours.indices[t]]
        if j == h:
            total += neighbours.prices[t]
        elif j == a:
            total -= neighbours.prices[t]
    return total
