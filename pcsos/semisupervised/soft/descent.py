"""The descent that all soft clusterers share: points go one by one to the cheapest cluster, then centres to the means.

Without pairs it is the k-means of Lloyd; with penalties it is PCKM (Vouros and Vasilaki 2021, section 2.3).
"""

from dataclasses import dataclass

import numpy as np

from pcsos.kernels import kernel
from pcsos.semisupervised.soft.penalties import Penalties
from pcsos.typing import Floats, Indices

#: The label of a point that is in no cluster yet.
NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Clustering:
    """Clusters of points, and how they came about.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Cluster of each point, ``0..k-1``; none is empty.
    centres : ndarray, shape (k, p)
        Means of the clusters.
    scatter : ndarray, shape (p,)
        Sum of squares within the clusters, by feature.
    objectives : tuple of float
        The cost after each pass, penalties included.
    num_refilled : int
        How many times a cluster lost all its points and was given one.
    """

    labels: Indices
    centres: Floats
    scatter: Floats
    objectives: tuple[float, ...]
    num_refilled: int

    @property
    def found(self) -> "Found":
        """The same as what a search has found in which all features weigh 1."""
        return Found(self.labels, np.ones(self.scatter.size), self.objectives, self.num_refilled)


@dataclass(frozen=True, eq=False)
class Found:
    """What a search has found: clusters and weights of features, and how they came about.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Cluster of each point.
    weights : ndarray, shape (p,)
        What the squared difference in each feature counts.
    objectives : tuple of float
        The objective of the search after each round.
    num_refilled : int
        How many times a cluster lost all its points and was given one.
    """

    labels: Indices
    weights: Floats
    objectives: tuple[float, ...]
    num_refilled: int


@dataclass(frozen=True, eq=False)
class Passes:
    """How points are gone through.

    Parameters
    ----------
    most : int
        Greatest number of passes, at least one.
    shuffler : numpy.random.Generator or None
        What draws the order of the points anew for each pass; by index if there is none.
    """

    most: int
    shuffler: np.random.Generator | None = None

    def order(self, n_points: int) -> Indices:
        """Return the points in the order of the next pass."""
        return np.arange(n_points) if self.shuffler is None else self.shuffler.permutation(n_points)


def descend(
    points: Floats,
    penalties: Penalties,
    column_weights: Floats,
    centres: Floats,
    passes: Passes,
    *,
    labels: Indices | None = None,
) -> Clustering:
    """Repeat assignment and means until a pass changes no label.

    The cost never rises from one pass to the next, unless an empty cluster had to be given a point.

    Parameters
    ----------
    points : ndarray, shape (n, p)
        Points, scaled by the roots of the weights of features where these have some.
    penalties : Penalties
        What breaking pairs costs.
    column_weights : ndarray, shape (q,)
        Weights of the columns of the penalties.
    centres : ndarray, shape (k, p)
        Where to start.
    passes : Passes
        How many, and in which order.
    labels : ndarray of int, shape (n,), optional
        The clusters that the points are in. Without them partners that have no cluster yet cost nothing in the first
        pass.
    """
    current = np.full(len(points), NOWHERE) if labels is None else labels.copy()
    changes = penalties.changes(column_weights)
    objectives: list[float] = []
    num_refilled = 0
    while True:
        before = current.copy()
        centres, scatter, refilled = one_pass(points, penalties, changes, centres, passes, current)
        num_refilled += refilled
        objectives.append(float(scatter.sum() + penalties.of(current) @ column_weights))
        if len(objectives) == passes.most or np.array_equal(before, current):
            return Clustering(current, centres, scatter, tuple(objectives), num_refilled)


def one_pass(
    points: Floats, penalties: Penalties, changes: Floats, centres: Floats, passes: Passes, labels: Indices
) -> tuple[Floats, Floats, int]:
    """Assign all points once, in place; return means, scatter and how many clusters had to be given a point."""
    start, partner, pair = penalties.incidence
    assign(points, centres, start, partner, changes[pair], passes.order(len(points)), labels)
    refilled = refill(points, centres, labels)
    means, scatter = means_and_scatter(points, labels, len(centres))
    return means, scatter, refilled


@kernel
def assign(
    points: Floats,
    centres: Floats,
    start: Indices,
    partner: Indices,
    change: Floats,
    order: Indices,
    labels: Indices,
) -> None:
    """Put each point in turn into its cheapest cluster, given those that its partners are in at that moment.

    Where several cost the same it stays, or goes to the first of them.
    """
    n_clusters = centres.shape[0]
    costs = np.empty(n_clusters)
    for i in order:
        for h in range(n_clusters):
            total = 0.0
            for c in range(points.shape[1]):
                difference = points[i, c] - centres[h, c]
                total += difference * difference
            costs[h] = total
        for e in range(start[i], start[i + 1]):
            where = labels[partner[e]]
            if where >= 0:
                costs[where] += change[e]
        best = max(labels[i], 0)
        for h in range(n_clusters):
            if costs[h] < costs[best]:
                best = h
        labels[i] = best


def refill(points: Floats, centres: Floats, labels: Indices) -> int:
    """Give each empty cluster the point that is farthest from its own centre, and return how many there were.

    Points that are alone in their clusters stay there.
    """
    sizes = np.bincount(labels, minlength=len(centres))
    empty = np.flatnonzero(sizes == 0)
    if not empty.size:
        return 0
    far = ((points - centres[labels]) ** 2).sum(axis=1)
    for cluster in empty:
        chosen = int(np.argmax(np.where(sizes[labels] > 1, far, -1.0)))
        sizes[labels[chosen]] -= 1
        labels[chosen], sizes[cluster], far[chosen] = cluster, 1, 0.0
    return int(empty.size)


@kernel
def means_and_scatter(points: Floats, labels: Indices, n_clusters: int) -> tuple[Floats, Floats]:
    """Return the means of the clusters, shape (k, p), and the sum of squares around them by feature, shape (p,)."""
    n, p = points.shape
    means, scatter = np.zeros((n_clusters, p)), np.zeros(p)
    sizes = np.zeros(n_clusters)
    for i in range(n):
        sizes[labels[i]] += 1.0
        for c in range(p):
            means[labels[i], c] += points[i, c]
    for h in range(n_clusters):
        for c in range(p):
            means[h, c] /= sizes[h]
    for i in range(n):
        for c in range(p):
            difference = points[i, c] - means[labels[i], c]
            scatter[c] += difference * difference
    return means, scatter
