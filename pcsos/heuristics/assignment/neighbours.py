"""Neighbours of super-points by soft pairs, with the prices of sharing a cluster, and members of clusters in lists."""

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


@kernel
def members_of(labels: Indices, k: int) -> tuple[Indices, Indices, Indices]:
    """Return the nodes of each cluster as doubly linked lists: the first ones (k,), those after and before (s,)."""
    first, after, before = np.full(k, -1, np.intp), np.empty(labels.size, np.intp), np.empty(labels.size, np.intp)
    for i in range(labels.size):
        enter(first, after, before, i, labels[i])
    return first, after, before


@kernel
def enter(first: Indices, after: Indices, before: Indices, i: int, h: int) -> None:
    """Put a node in front of the list of cluster h."""
    after[i], before[i] = first[h], -1
    if first[h] >= 0:
        before[first[h]] = i
    first[h] = i


@kernel
def leave(first: Indices, after: Indices, before: Indices, i: int, h: int) -> None:
    """Take a node out of the list of cluster h."""
    if before[i] >= 0:
        after[before[i]] = after[i]
    else:
        first[h] = after[i]
    if after[i] >= 0:
        before[after[i]] = before[i]
