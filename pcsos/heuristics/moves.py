"""Compiled moves of super-points between clusters, with exact changes of the sum of squares.

Exchanging a set A of cluster a for a set B of cluster h changes the cost of the two clusters, measured around
their present centres (so that nothing cancels), by

    sum_A e (d_h - d_a) + sum_B e (d_a - d_h) - |u - w c_a|^2 / (W_a - w) - |u - w c_h|^2 / (W_h + w),

where d_a, d_h are squared distances to the two centres c_a, c_h, W the masses, and u, w the weighted sum and the
weight of A minus those of B. With B empty and one point in A this is the rule of Hartigan and Wong. Pairs of points
(swaps) and the points that a chain of cannot-links ties together (Kempe chains) are the other two moves.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

#: A move must gain this fraction of the terms that it compares, or rounding could drive a cycle.
RELATIVE_GAIN = 1e-12

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class Clusters(NamedTuple):
    """A partition of super-points and all that its moves need; the arrays are changed in place.

    ``between`` (k, k) holds squared distances between centres. The clock ticks with every move: ``changed`` (k,) is
    the tick at which a cluster last changed, ``checked`` (s,) that at which a super-point had no gaining move.
    """

    points: Floats
    weights: Floats
    indptr: Indices
    indices: Indices
    labels: Indices
    centres: Floats
    mass: Floats
    sizes: Indices
    between: Floats
    changed: Indices
    checked: Indices


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def squared_distance(points: Floats, i: int, centres: Floats, h: int) -> float:
    """Return the squared distance of row i of the one and row h of the other array."""
    total = 0.0
    for c in range(points.shape[1]):
        difference = points[i, c] - centres[h, c]
        total += difference * difference
    return total


@njit(cache=True, nogil=True)
def clusters_of(
    points: Floats, weights: Floats, indptr: Indices, indices: Indices, labels: Indices, n_clusters: int
) -> Clusters:
    """Return the state of a partition into ``n_clusters``; ``labels`` (s,) will be changed in place by moves."""
    size, dimension = points.shape
    centres, mass = np.zeros((n_clusters, dimension)), np.zeros(n_clusters)
    sizes, between = np.zeros(n_clusters, np.intp), np.zeros((n_clusters, n_clusters))
    for i in range(size):
        mass[labels[i]] += weights[i]
        sizes[labels[i]] += 1
        for c in range(dimension):
            centres[labels[i], c] += weights[i] * points[i, c]
    for h in range(n_clusters):
        for c in range(dimension):
            centres[h, c] /= mass[h]
    for h in range(n_clusters):
        for g in range(n_clusters):
            between[h, g] = squared_distance(centres, h, centres, g)
    changed, checked = np.zeros(n_clusters, np.intp), np.full(size, -1, np.intp)
    return Clusters(points, weights, indptr, indices, labels, centres, mass, sizes, between, changed, checked)


@njit(cache=True, nogil=True)
def shift(
    points: Floats,
    weights: Floats,
    labels: Indices,
    centres: Floats,
    mass: Floats,
    sizes: Indices,
    i: int,
    h: int,
) -> None:
    """Move super-point i to cluster h and bring centres, masses and sizes up to date."""
    a, e = labels[i], weights[i]
    mass[a] = mass[a] - e if sizes[a] > 1 else 0.0
    if sizes[a] > 1:
        for c in range(points.shape[1]):
            centres[a, c] -= e * (points[i, c] - centres[a, c]) / mass[a]
    mass[h] += e
    for c in range(points.shape[1]):
        centres[h, c] += e * (points[i, c] - centres[h, c]) / mass[h]
    sizes[a] -= 1
    sizes[h] += 1
    labels[i] = h


@njit(cache=True, nogil=True)
def exchange(state: Clusters, a: int, h: int, members: Indices, clock: int) -> None:
    """Move every member of cluster a to h and every member of h to a, at this tick."""
    labels, centres, between = state.labels, state.centres, state.between
    for j in members:
        target = h if labels[j] == a else a
        shift(state.points, state.weights, labels, centres, state.mass, state.sizes, j, target)
    for g in range(centres.shape[0]):
        between[a, g] = between[g, a] = squared_distance(centres, a, centres, g)
        between[h, g] = between[g, h] = squared_distance(centres, h, centres, g)
    state.changed[a] = state.changed[h] = clock


@njit(cache=True, nogil=True)
def collect_chain(
    indptr: Indices, indices: Indices, labels: Indices, i: int, h: int, members: Indices, marks: Indices, mark: int
) -> int:
    """Collect in ``members`` what must change sides if i moves to cluster h, and return how many that are."""
    a = labels[i]
    members[0] = i
    marks[i] = mark
    size, head = 1, 0
    while head < size:
        node = members[head]
        head += 1
        other = h if labels[node] == a else a
        for t in range(indptr[node], indptr[node + 1]):
            j = indices[t]
            if labels[j] == other and marks[j] != mark:
                marks[j] = mark
                members[size] = j
                size += 1
    return size


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def squared_resultant(
    points: Floats, weights: Floats, labels: Indices, centres: Floats, a: int, h: int, members: Indices
) -> float:
    """Return |u - w c_h|^2, where members of cluster a count positively in u and w and the others negatively."""
    resultant = np.zeros(points.shape[1])
    for j in members:
        e = weights[j] if labels[j] == a else -weights[j]
        for c in range(resultant.size):
            resultant[c] += e * (points[j, c] - centres[h, c])
    total = 0.0
    for c in range(resultant.size):
        total += resultant[c] * resultant[c]
    return total


@njit(cache=True, nogil=True)
def exchange_gains(state: Clusters, a: int, h: int, members: Indices) -> bool:
    """Tell whether exchanging the members between clusters a and h lowers the cost and empties neither."""
    points, weights, labels, centres = state.points, state.weights, state.labels, state.centres
    weight, first_order, around_a, around_h, scale, balance = 0.0, 0.0, 0.0, 0.0, 0.0, 0
    for j in members:
        side = 1 if labels[j] == a else -1
        near, far = squared_distance(points, j, centres, a), squared_distance(points, j, centres, h)
        e = side * weights[j]
        balance += side
        weight += e
        scale += abs(e)
        first_order += e * (far - near)
        around_a += abs(e) * near
        around_h += abs(e) * far
    if state.sizes[a] - balance < 1 or state.sizes[h] + balance < 1:
        return False
    left, right = state.mass[a] - weight, state.mass[h] + weight
    threshold = first_order + RELATIVE_GAIN * (around_a + around_h)
    if threshold >= scale * (around_a / left + around_h / right):  # Cauchy-Schwarz: the rest cannot make up for it
        return False
    from_a = squared_resultant(points, weights, labels, centres, a, a, members)
    from_h = squared_resultant(points, weights, labels, centres, a, h, members)
    return bool(threshold < from_a / left + from_h / right)
