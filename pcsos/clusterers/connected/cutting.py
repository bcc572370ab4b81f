"""Cutting: a cluster is divided at the best edge of a spanning tree (Assuncao et al. 2006)."""

from heapq import heappop, heappush

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices


@kernel
def best_cut(
    cluster: int,
    labels: Indices,
    points: Floats,
    weights: Floats,
    starts: Indices,
    targets: Indices,
    lengths: Floats,
) -> tuple[float, Indices]:
    """Return by how much the best cut of a spanning tree lowers the sum of squares, and the samples that it cuts off.

    Parameters
    ----------
    cluster : int
        The cluster that is cut; it is connected.
    lengths : ndarray, shape (2m,)
        How long the edges are that ``targets`` lists: the tree is the shortest one.

    Returns
    -------
    (float, ndarray of int)
        The gain, and some of the samples of the cluster, none where there is only one.
    """
    order, parent = _shortest_tree(cluster, labels, starts, targets, lengths)
    size, dimension = order.size, points.shape[1]
    mass, sums = np.zeros(size), np.zeros((size, dimension))
    for at in range(size - 1, -1, -1):  # a parent stands before its children
        mass[at] += weights[order[at]]
        for c in range(dimension):
            sums[at, c] += weights[order[at]] * points[order[at], c]
        if at > 0:
            mass[parent[at]] += mass[at]
            for c in range(dimension):
                sums[parent[at], c] += sums[at, c]
    best, most = 1, 0.0
    for at in range(1, size):
        gain = _gain(mass[at], mass[0], sums[at], sums[0])
        if gain > most:
            best, most = at, gain
    is_off = np.zeros(size, np.bool_)
    for at in range(best, size):
        is_off[at] = at == best or is_off[parent[at]]
    return most, order[is_off]


@kernel
def _gain(part: float, whole: float, part_sums: Floats, whole_sums: Floats) -> float:
    """Return by how much a part and the rest of a cluster cost less than the whole of it."""
    rest = whole - part
    if part <= 0.0 or rest <= 0.0:
        return 0.0
    total = 0.0
    for c in range(part_sums.size):
        difference = part_sums[c] / part - (whole_sums[c] - part_sums[c]) / rest
        total += difference * difference
    return part * rest / whole * total


@kernel
def _shortest_tree(
    cluster: int, labels: Indices, starts: Indices, targets: Indices, lengths: Floats
) -> tuple[Indices, Indices]:
    """Return the samples of a cluster as the algorithm of Prim reaches them, and where the parent of each stands."""
    size, root = 0, -1
    for i in range(labels.size):
        if labels[i] == cluster:
            size, root = size + 1, i
    order, parent = np.empty(size, np.intp), np.empty(size, np.intp)
    is_reached = np.zeros(labels.size, np.bool_)
    heap = [(0.0, root, 0)]
    reached = 0
    while reached < size:
        _, node, above = heappop(heap)
        if is_reached[node]:
            continue
        is_reached[node] = True
        order[reached], parent[reached] = node, above
        for place in range(starts[node], starts[node + 1]):
            other = targets[place]
            if labels[other] == cluster and not is_reached[other]:
                heappush(heap, (lengths[place], other, reached))
        reached += 1
    return order, parent
