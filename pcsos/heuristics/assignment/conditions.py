"""What assignments look at under conditions: quotas of clusters, prices of soft pairs, and members in lists."""

from typing import NamedTuple, Self

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.reduction import Reduced


class QuotaGroup(NamedTuple):
    """Super-points that are alike in what is limited, and how many of them each cluster holds at least and at most."""

    nodes: Indices
    least: Indices
    most: Indices


class Quotas(NamedTuple):
    """Bounds of what each cluster holds, and what super-points bring."""

    amounts: Floats  #: shape (s, r): what each super-point brings of each of r things; numbers of points come first
    #: shape (k, r): bounds of what each cluster holds, with the slack of weights; there is at least one point in each
    least: Floats
    most: Floats
    is_rounded: Flags  #: shape (r,): whether sums of amounts are rounded

    @classmethod
    def of(cls, reduced: Reduced, labels: Indices) -> Self:
        """Return the quotas of a problem.

        A list of sizes does not say which cluster has which: here the largest has the largest of the labels. That is
        a choice, not the best one for certain.
        """
        things, k = reduced.capacities, reduced.n_clusters
        least = np.tile([own.least for own in things], (k, 1)).astype(np.float64)
        most = np.tile([own.most for own in things], (k, 1)).astype(np.float64)
        most[:, 0] = np.minimum(most[:, 0], reduced.component.size)
        if reduced.sizes is not None:
            present = np.bincount(labels, weights=reduced.counts, minlength=k)
            least[np.argsort(present, kind="stable"), 0] = reduced.sizes
            most[:, 0] = least[:, 0]
        amounts = np.column_stack([own.amounts for own in things])
        return cls(amounts, least, most, np.array([own.is_rounded for own in things]))

    def in_parts(self) -> list[QuotaGroup]:
        """Return bounds of the numbers of super-points that say the same, part by part; none if there are no such.

        No two parts bring the same of what is limited, so that each is assigned by itself; what is not limited at all
        is a part, too. Every cluster has to be asked for something, or it might remain empty; where all super-points
        are one part, that is one of them at least.
        """
        nothing, everything = np.zeros(self.least.shape[1]), np.full(self.most.shape[1], np.inf)
        nothing[0], everything[0] = 1.0, self.amounts[:, 0].sum()
        limited = ((self.least > nothing) | (self.most < everything)).any(axis=0)
        amounts, low, high = self.amounts[:, limited], self.least[:, limited], self.most[:, limited]
        first = np.column_stack([amounts > 0.0, np.ones(len(amounts), bool)]).argmax(axis=1)
        _, where, part = np.unique(first, return_index=True, return_inverse=True)
        each = amounts[where]
        if (amounts != each[part]).any() or ((each > 0.0).sum(axis=0) > 1).any():
            return []
        found = []
        for number, own in enumerate(each):
            nodes, brought = np.flatnonzero(part == number), own > 0.0
            least = np.ceil(low[:, brought] / own[brought]).max(axis=1, initial=float(len(each) == 1))
            most = np.floor(high[:, brought] / own[brought]).min(axis=1, initial=float(nodes.size))
            found.append(QuotaGroup(nodes, least.astype(np.intp), most.astype(np.intp)))
        return found if (np.sum([own.least for own in found], axis=0) > 0).all() else []


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


@inner_kernel
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


class Members(NamedTuple):
    """The nodes of each cluster as doubly linked lists: the first ones (k,), those after and before (s,)."""

    first: Indices
    after: Indices
    before: Indices


@inner_kernel
def members_of(labels: Indices, k: int) -> Members:
    """Return the nodes of each cluster."""
    lists = Members(np.full(k, -1, np.intp), np.empty(labels.size, np.intp), np.empty(labels.size, np.intp))
    for i in range(labels.size):
        enter(lists, i, labels[i])
    return lists


@inner_kernel
def enter(lists: Members, i: int, h: int) -> None:
    """Put a node in front of the list of cluster h."""
    first, after, before = lists
    after[i], before[i] = first[h], -1
    if first[h] >= 0:
        before[first[h]] = i
    first[h] = i


@inner_kernel
def leave(lists: Members, i: int, h: int) -> None:
    """Take a node out of the list of cluster h."""
    first, after, before = lists
    if before[i] >= 0:
        after[before[i]] = after[i]
    else:
        first[h] = after[i]
    if after[i] >= 0:
        before[after[i]] = before[i]
