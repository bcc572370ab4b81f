"""Quotas: what each cluster may hold, as limits put it, beside what each super-point brings."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from pcsos.base.typing import Flags, Floats, Indices
from pcsos.problem.reduction import Reduced


class QuotaGroup(NamedTuple):
    """Super-points that are alike in what is limited, and how many of them each cluster holds at least and at most."""

    nodes: Indices
    least: Indices
    most: Indices


@dataclass(frozen=True, eq=False)
class Quotas:
    """Bounds of what each cluster holds, and what super-points bring.

    Parameters
    ----------
    amounts : ndarray, shape (s, r)
        What each super-point brings of each of r things; numbers of points come first.
    least, most : ndarray, shape (k, r)
        Bounds of what each cluster holds, with the slack of weights; there is at least one point in each.
    is_rounded : ndarray of bool, shape (r,)
        Whether sums of amounts are rounded.
    """

    amounts: Floats
    least: Floats
    most: Floats
    is_rounded: Flags

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

    def in_nodes(self) -> tuple[Indices, Indices] | None:
        """Return bounds of the numbers of super-points that say the same, None if these differ in what is limited."""
        size, k = len(self.amounts), len(self.least)
        least, most = np.ones(k), np.full(k, float(size))
        for amounts, low, high, is_open in zip(self.amounts.T, self.least.T, self.most.T, self._is_open, strict=True):
            if is_open:
                continue
            if (amounts != amounts[0]).any():
                return None
            least = np.maximum(least, np.ceil(low / amounts[0]))
            most = np.minimum(most, np.floor(high / amounts[0]))
        return least.astype(np.intp), most.astype(np.intp)

    def in_parts(self) -> list[QuotaGroup]:
        """Return bounds of the numbers of super-points that say the same, part by part; none if there are no such.

        No two parts bring the same of what is limited, so that each is assigned by itself; what is not limited at all
        is a part, too. Every cluster has to be asked for something, or it might remain empty.
        """
        limited = ~self._is_open
        amounts, low, high = self.amounts[:, limited], self.least[:, limited], self.most[:, limited]
        first = np.column_stack([amounts > 0.0, np.ones(len(amounts), bool)]).argmax(axis=1)
        _, where, part = np.unique(first, return_index=True, return_inverse=True)
        each = amounts[where]
        if (amounts != each[part]).any() or ((each > 0.0).sum(axis=0) > 1).any():
            return []
        found = []
        for number, own in enumerate(each):
            nodes, brought = np.flatnonzero(part == number), own > 0.0
            least = np.ceil(low[:, brought] / own[brought]).max(axis=1, initial=0.0)
            most = np.floor(high[:, brought] / own[brought]).min(axis=1, initial=float(nodes.size))
            found.append(QuotaGroup(nodes, least.astype(np.intp), most.astype(np.intp)))
        return found if (np.sum([own.least for own in found], axis=0) > 0).all() else []

    @property
    def _is_open(self) -> Flags:
        """Which things are not limited, but that no cluster is empty, shape (r,)."""
        nothing, everything = np.zeros(self.least.shape[1]), np.full(self.most.shape[1], np.inf)
        nothing[0], everything[0] = 1.0, self.amounts[:, 0].sum()
        return np.asarray(((self.least <= nothing) & (self.most >= everything)).all(axis=0))
