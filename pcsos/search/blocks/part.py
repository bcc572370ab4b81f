"""Part: some points of an instance with all or a share of their weights, which is an instance of its own."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.cost import partition_cost
from pcsos.problem.instance import Instance


@dataclass(frozen=True, eq=False)
class Part:
    """A part of an instance.

    Parameters
    ----------
    points : ndarray of int, shape (m,)
        Points of the instance, increasing.
    shares : ndarray, shape (m,)
        The share of its weight that each brings, in (0, 1].
    """

    points: Indices
    shares: Floats

    @classmethod
    def union(cls, parts: list["Part"]) -> "Part":
        """Return the part that brings what several parts bring."""
        points, position = np.unique(np.concatenate([part.points for part in parts]), return_inverse=True)
        shares = np.zeros(points.size)
        np.add.at(shares, position, np.concatenate([part.shares for part in parts]))
        return cls(points, shares)

    @cached_property
    def size(self) -> int:
        """Number of points."""
        return self.points.size

    def is_all_of(self, whole: Instance) -> bool:
        """Tell whether nothing of the instance is left out."""
        return self.size == whole.n_points and bool((self.shares == 1.0).all())

    def weights_of(self, whole: Instance) -> Floats:
        """Return the weights of the points in this part, rounded down: shared out, they are no more than the whole."""
        given = whole.weights[self.points]
        weights = given * self.shares
        is_exact = np.frexp(self.shares)[0] == 0.5
        return np.where(is_exact, weights, np.nextafter(weights, 0.0))

    def instance_of(self, whole: Instance) -> Instance:
        """Return the part as an instance; pairs with points outside are dropped, and what clusters must hold and pay.

        Whatever is dropped only makes the part cheaper, so that its bound counts for the whole.
        """
        must_link, cannot_link = (self._inside(pairs) for pairs in (whole.must_link, whole.cannot_link))
        return whole.with_(
            points=whole.points[self.points], n_clusters=min(whole.n_clusters, self.size), must_link=must_link,
            cannot_link=cannot_link, weights=self.weights_of(whole), names=None, conditions=(),
        )  # fmt: skip

    def _inside(self, pairs: Indices) -> Indices:
        """Return the pairs of which both points are in this part, by their positions."""
        inside = np.isin(pairs, self.points).all(axis=1)
        return np.searchsorted(self.points, pairs[inside])

    def cost_of(self, whole: Instance, labels: Indices) -> float:
        """Return what a partition of the whole, labels of shape (n,), costs within this part."""
        own = labels[self.points]
        order = np.argsort(own, kind="stable")
        clusters = np.split(order, np.flatnonzero(np.diff(own[order])) + 1)
        return partition_cost(whole.points[self.points], self.weights_of(whole), clusters)
