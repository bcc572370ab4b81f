"""The search of CPRBBA: depth first over the clusters of one super-point after another, compiled and resumable."""

from typing import NamedTuple

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.moves import squared_distance
from pcsos.problem.conflict_graph import ConflictGraph


class Search(NamedTuple):
    """Super-points in the order of the search, and where it stands; the arrays are changed in place.

    Parameters
    ----------
    points, weights : ndarray, shapes (s, d) and (s,)
        The super-points.
    indptr, indices : ndarray of int
        Their cannot-links, as in :class:`pcsos.problem.conflict_graph.ConflictGraph`.
    optima : ndarray, shape (s + 1,)
        Least cost of the super-points from each one on, the end included, as far as it is known.
    labels, best : ndarray of int, shape (s,)
        Cluster of each super-point on the path that is looked at, -1 if none, and in the best solution.
    cost, used : ndarray, shape (s + 1,)
        Cost and number of clusters of the path above each super-point.
    centres, mass : ndarray, shapes (k, d) and (k,)
        The clusters of the path.
    kept_centre, kept_mass : ndarray, shapes (s, d) and (s,)
        Centre and mass of the cluster that each super-point has joined, as they were before.
    """

    points: Floats
    weights: Floats
    indptr: Indices
    indices: Indices
    optima: Floats
    labels: Indices
    best: Indices
    cost: Floats
    used: Indices
    centres: Floats
    mass: Floats
    kept_centre: Floats
    kept_mass: Floats


def search_over(points: Floats, weights: Floats, graph: ConflictGraph, n_clusters: int) -> Search:
    """Return a search that has not begun; the optima are zero."""
    size, dimension = points.shape
    return Search(
        *(points, weights, graph.indptr, graph.indices, np.zeros(size + 1)),
        *(np.full(size, -1, np.intp), np.full(size, -1, np.intp)),
        *(np.zeros(size + 1), np.zeros(size + 1, np.intp)),
        *(np.zeros((n_clusters, dimension)), np.zeros(n_clusters)),
        *(np.zeros((size, dimension)), np.zeros(size)),
    )


@kernel
def increase(search: Search, i: int, h: int) -> float:
    """Return by how much the path costs more with super-point i in cluster h."""
    mass, weight = search.mass[h], search.weights[i]
    if mass == 0.0:
        return 0.0
    return weight * mass / (weight + mass) * squared_distance(search.points, i, search.centres, h)


@kernel
def is_open(search: Search, start: int, i: int, h: int) -> bool:
    """Tell whether no neighbour of super-point i between ``start`` and i is in cluster h."""
    for t in range(search.indptr[i], search.indptr[i + 1]):
        j = search.indices[t]
        if start <= j < i and search.labels[j] == h:
            return False
    return True


@kernel
def put(search: Search, i: int, h: int, cost: float) -> None:
    """Put super-point i, the next of the path, into cluster h; the path then costs this much."""
    search.kept_mass[i] = search.mass[h]
    share = search.weights[i] / (search.weights[i] + search.mass[h])
    for c in range(search.points.shape[1]):
        search.kept_centre[i, c] = search.centres[h, c]
        search.centres[h, c] += share * (search.points[i, c] - search.centres[h, c])
    search.mass[h] += search.weights[i]
    search.labels[i] = h
    search.cost[i + 1] = cost
    search.used[i + 1] = max(search.used[i], h + 1)


@kernel
def take_back(search: Search, i: int) -> int:
    """Take super-point i, the last of the path, out of its cluster again, if it is in one, and return which."""
    h = search.labels[i]
    if h >= 0:
        search.mass[h] = search.kept_mass[i]
        for c in range(search.points.shape[1]):
            search.centres[h, c] = search.kept_centre[i, c]
        search.labels[i] = -1
    return h


@kernel
def next_cluster(search: Search, start: int, i: int, h: int, upper: float, least_used: int) -> int:
    """Put super-point i into the first cluster from h on that can lead to less than ``upper``; -1 if there is none.

    A new cluster is the next unused one, as all unused ones are alike. The look-ahead refuses a cluster if the path
    with it and the optimum of all that follows cost too much, or if too few super-points follow to use
    ``least_used`` clusters.
    """
    left = search.labels.size - i - 1
    for g in range(h, min(search.used[i] + 1, search.mass.size)):
        if max(search.used[i], g + 1) + left < least_used:
            continue
        cost = search.cost[i] + increase(search, i, g)
        if cost + search.optima[i + 1] < upper and is_open(search, start, i, g):
            put(search, i, g, cost)
            return g
    return -1


@kernel
def proceed(
    search: Search, start: int, i: int, upper: float, least_used: int, max_nodes: int
) -> tuple[int, float, int]:
    """Go on for so many nodes at most; return the super-point that is next, the best cost and the number of nodes.

    The search over the super-points from ``start`` on begins with ``i = start`` and is done when that is less.
    """
    size, nodes = search.labels.size, 0
    while i >= start and nodes < max_nodes:
        nodes += 1
        if i == size:
            upper = search.cost[size]
            for j in range(start, size):
                search.best[j] = search.labels[j]
            i -= 1
            continue
        h = take_back(search, i) + 1
        if next_cluster(search, start, i, h, upper, least_used) < 0:
            i -= 1
        else:
            i += 1
    return i, upper, nodes
