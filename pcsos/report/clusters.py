"""Clusters in figures: size, centre, sum of squares, and how clearly each stands apart."""

from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.cost import cluster_cost
from pcsos.problem.instance import Instance
from pcsos.problem.partition import cluster_means

#: Points of which silhouettes are computed; of more, that many are taken at random.
MOST_SILHOUETTES = 4_000
#: Rows of the table of distances that are held at a time.
ROWS = 500


class Cluster(NamedTuple):
    """A cluster in figures."""

    number: int
    size: int
    weight: float
    centre: Floats  #: shape (d,)
    within: float  #: its sum of squares
    silhouette: float | None  #: the mean of its points; None where none of them is in the sample, or k is 1


def clusters_of(instance: Instance, labels: Indices) -> list[Cluster]:
    """Return the clusters of a partition."""
    centres = cluster_means(instance, labels)
    silhouettes = _mean_silhouettes(instance.points, labels, instance.n_clusters)
    found = []
    for number in range(instance.n_clusters):
        own = np.flatnonzero(labels == number)
        points, weights = instance.points[own], instance.weights[own]
        cost = cluster_cost(points, weights)
        found.append(Cluster(number, own.size, float(weights.sum()), centres[number], cost, silhouettes[number]))
    return found


def _mean_silhouettes(points: Floats, labels: Indices, k: int) -> list[float | None]:
    n = len(points)
    if n > MOST_SILHOUETTES:
        sample = np.random.default_rng(0).choice(n, MOST_SILHOUETTES, replace=False)
        points, labels = points[sample], labels[sample]
    values = silhouettes(points, labels, k)
    return [float(values[labels == c].mean()) if k > 1 and (labels == c).any() else None for c in range(k)]


def silhouettes(points: Floats, labels: Indices, k: int) -> Floats:
    """Return the silhouette of each point (Rousseeuw 1987), 0 for a point that is alone in its cluster.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        The points.
    labels : ndarray of int, shape (n,)
        Their clusters, from 0 to k - 1; clusters without points are left out.
    k : int
        The number of clusters.
    """
    from scipy.spatial.distance import cdist

    n = len(points)
    members = np.zeros((n, k))
    members[np.arange(n), labels] = 1.0
    sizes = members.sum(axis=0)
    values = np.zeros(n)
    for start in range(0, n, ROWS):
        rows = np.arange(start, min(start + ROWS, n))
        own = labels[rows]
        sums = cdist(points[rows], points) @ members
        inside = sums[np.arange(rows.size), own] / np.maximum(sizes[own] - 1.0, 1.0)
        means = np.where(sizes > 0.0, sums / np.maximum(sizes, 1.0), np.inf)
        means[np.arange(rows.size), own] = np.inf
        outside = means.min(axis=1)
        largest = np.maximum(inside, outside)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = (outside - inside) / largest
        values[rows] = np.where((sizes[own] > 1) & np.isfinite(largest) & (largest > 0.0), share, 0.0)
    return values
