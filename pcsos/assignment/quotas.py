"""Quotas: what each cluster may hold, as limits put it, beside what each super-point brings."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from pcsos.limits import Limits
from pcsos.reduction import Reduced
from pcsos.typing import Floats, Indices


@dataclass(frozen=True, eq=False)
class Quotas:
    """Bounds of each cluster, and the super-points that count towards them.

    Parameters
    ----------
    counts, weights : ndarray, shape (s,)
        Points of each super-point, and its weight.
    least, most : ndarray of int, shape (k,)
        Bounds of the number of points of each cluster; the lower ones are at least 1.
    lightest, heaviest : float
        Bounds of the weight of a cluster, with their slack.
    """

    counts: Indices
    weights: Floats
    least: Indices
    most: Indices
    lightest: float
    heaviest: float

    @classmethod
    def of(cls, reduced: Reduced, labels: Indices) -> Self:
        """Return the quotas of a problem.

        A list of sizes does not say which cluster has which: here the largest has the largest of the labels. That is
        a choice, not the best one for certain.
        """
        limits, k = reduced.limits or Limits(), reduced.n_clusters
        total = int(reduced.counts.sum())
        least = np.full(k, limits.fewest, np.intp)
        most = np.full(k, min(limits.most, total), np.intp)
        if limits.sizes is not None:
            present = np.bincount(labels, weights=reduced.counts, minlength=k)
            least[np.argsort(present, kind="stable")] = limits.sizes
            most = least.copy()
        return cls(reduced.counts, reduced.weights, least, most, limits.lightest, limits.heaviest)

    def in_nodes(self) -> tuple[Indices, Indices] | None:
        """Return bounds of the numbers of super-points that say the same, None if these differ in what is limited."""
        least, most = np.ones_like(self.least), np.full_like(self.most, self.counts.size)
        if (self.least > 1).any() or (self.most < self.counts.sum()).any():
            count = self.counts[0]
            if (self.counts != count).any():
                return None
            least, most = -(-self.least // count), self.most // count
        if self.lightest > 0.0 or np.isfinite(self.heaviest):
            weight = self.weights[0]
            if (self.weights != weight).any():
                return None
            least = np.maximum(least, int(np.ceil(self.lightest / weight)))
            most = np.minimum(most, int(min(self.heaviest / weight, self.counts.size)))
        return least, most
