"""Merging: parts of a graph that are joined along its edges, those first that cost least (Ward)."""

from heapq import heapify, heappop, heappush

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.connected.adjacency import Adjacency
from pcsos.heuristics.centres import summarise
from pcsos.problem.conditions.pairs import unique_pairs


def merged(graph: Adjacency, points: Floats, weights: Floats, labels: Indices, n_clusters: int) -> Indices:
    """Merge neighbouring parts until so many are left, always the two that add least to the sum of squares.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        The part of each sample, from 0; each of them is connected, and there are at least ``n_clusters``.
    n_clusters : int
        Number of clusters to be left, at least that of the components.

    Returns
    -------
    ndarray of int, shape (n,)
        Cluster of each sample, from 0.
    """
    n_parts = int(labels.max()) + 1
    n_ever = 2 * n_parts - n_clusters  # each merger makes a new part
    mass, means = np.zeros(n_ever), np.zeros((n_ever, points.shape[1]))
    mass[:n_parts] = np.bincount(labels, weights, n_parts)
    means[:n_parts] = summarise(points, weights, labels, n_parts)[0]
    pairs = crossings(graph.edges, labels)
    nearby: list[set[int]] = [set() for _ in range(n_parts)]
    for one, other in pairs.tolist():
        nearby[one].add(other)
        nearby[other].add(one)
    heap = _entries(mass, means, pairs)
    heapify(heap)
    parent = np.arange(n_ever)
    for new in range(n_parts, n_ever):
        one, other = _next(heap, nearby)
        around = (nearby[one] | nearby[other]) - {one, other}
        for part in around:
            nearby[part] -= {one, other}
            nearby[part].add(new)
        nearby[one], nearby[other] = set(), set()
        nearby.append(around)
        parent[[one, other]] = new
        mass[new] = mass[one] + mass[other]
        if mass[new] > 0.0:
            means[new] = (mass[one] * means[one] + mass[other] * means[other]) / mass[new]
        fresh = np.array([(part, new) for part in around], np.intp).reshape(-1, 2)
        for entry in _entries(mass, means, fresh):
            heappush(heap, entry)
    for part in range(n_ever - 1, -1, -1):
        parent[part] = parent[parent[part]]
    return np.unique(parent[labels], return_inverse=True)[1].astype(np.intp)


def crossings(edges: Indices, labels: Indices) -> Indices:
    """Return the pairs of parts that an edge joins, each once, shape (c, 2)."""
    ends = labels[edges]
    return unique_pairs(ends[ends[:, 0] != ends[:, 1]])


def costs_of_merging(mass: Floats, means: Floats, pairs: Indices) -> Floats:
    """Return what merging two parts adds to the sum of squares, for each pair."""
    one, other = pairs.T
    total = mass[one] + mass[other]
    shares = np.divide(mass[one] * mass[other], total, out=np.zeros(len(pairs)), where=total > 0.0)
    return np.asarray(shares * ((means[one] - means[other]) ** 2).sum(axis=1))


def _entries(mass: Floats, means: Floats, pairs: Indices) -> list[tuple[float, int, int]]:
    """Return what the heap holds of pairs of parts."""
    return list(zip(costs_of_merging(mass, means, pairs).tolist(), *pairs.T.tolist(), strict=True))


def _next(heap: list[tuple[float, int, int]], nearby: list[set[int]]) -> tuple[int, int]:
    """Return the cheapest pair of neighbouring parts; earlier ones may be parts no longer."""
    while True:
        _, one, other = heappop(heap)
        if other in nearby[one]:
            return one, other
