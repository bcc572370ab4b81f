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

from pcsos.base.numerics.kernels import kernel, reassociating_kernel
from pcsos.base.typing import Floats, Indices

#: A cluster that keeps less than this share of its mass is summed up anew: subtracting would leave few digits, or none.
LIGHT = 1e-9
#: A move must gain this fraction of the terms that it compares, or rounding could drive a cycle.
RELATIVE_GAIN = 1e-12


class ClusterState(NamedTuple):
    """A partition of super-points and all that its moves need; the arrays are changed in place.

    The clock ticks with every move: ``changed`` (k,) is the tick at which a cluster last changed, ``checked`` (s,)
    that at which a super-point had no gaining move. ``drift`` (k,) is how far each centre has moved since it was
    last set to zero.
    """

    points: Floats
    weights: Floats
    indptr: Indices
    indices: Indices
    labels: Indices
    centres: Floats
    mass: Floats
    sizes: Indices
    drift: Floats
    changed: Indices
    checked: Indices


@reassociating_kernel
def squared_distance(points: Floats, i: int, centres: Floats, h: int) -> float:
    """Return the squared distance of row i of the one and row h of the other array."""
    total = 0.0
    for c in range(points.shape[1]):
        difference = points[i, c] - centres[h, c]
        total += difference * difference
    return total


@kernel
def clusters_of(
    points: Floats, weights: Floats, indptr: Indices, indices: Indices, labels: Indices, n_clusters: int
) -> ClusterState:
    """Return the state of a partition into ``n_clusters``; ``labels`` (s,) will be changed in place by moves."""
    size, dimension = points.shape
    centres, mass = np.zeros((n_clusters, dimension)), np.zeros(n_clusters)
    sizes, drift = np.zeros(n_clusters, np.intp), np.zeros(n_clusters)
    for i in range(size):
        mass[labels[i]] += weights[i]
        sizes[labels[i]] += 1
        for c in range(dimension):
            centres[labels[i], c] += weights[i] * points[i, c]
    for h in range(n_clusters):
        for c in range(dimension):
            centres[h, c] /= mass[h]
    changed, checked = np.zeros(n_clusters, np.intp), np.full(size, -1, np.intp)
    return ClusterState(points, weights, indptr, indices, labels, centres, mass, sizes, drift, changed, checked)


@kernel
def pull(points: Floats, i: int, centres: Floats, h: int, share: float) -> float:
    """Move centre h by this share of the way to point i (away from it if negative) and return how far that is."""
    squared = 0.0
    for c in range(points.shape[1]):
        step = share * (points[i, c] - centres[h, c])
        centres[h, c] += step
        squared += step * step
    return float(np.sqrt(squared))


@kernel
def exchange(state: ClusterState, a: int, h: int, members: Indices, clock: int) -> None:
    """Move every member of cluster a to h and every member of h to a, at this tick.

    Whoever arrives comes first: then a cluster keeps little of its mass in between only if it does so in the end.
    """
    points, labels, centres, drift = state.points, state.labels, state.centres, state.drift
    mass, sizes = state.mass, state.sizes
    for j in members:
        target = h if labels[j] == a else a
        mass[target] += state.weights[j]
        sizes[target] += 1
        drift[target] += pull(points, j, centres, target, state.weights[j] / mass[target])
    for j in members:
        source = a if labels[j] == a else h
        labels[j] = a + h - source
        sizes[source] -= 1
        mass[source] -= state.weights[j]
        if mass[source] > 0.0:
            drift[source] += pull(points, j, centres, source, -state.weights[j] / mass[source])
    state.changed[a] = state.changed[h] = clock


@kernel
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


@reassociating_kernel
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


@kernel
def exchange_gains(state: ClusterState, a: int, h: int, members: Indices) -> bool:
    """Tell whether exchanging the members between clusters a and h lowers the cost and empties neither.

    By the inequality of Cauchy and Schwarz an exchange can gain only if ``e (far - near)`` summed over its members is
    less than ``scale (near / left + far / right)`` so summed, hence only if that holds for one of them. The first
    member is tested for it; an exchange must therefore be offered with each of its members in front.
    """
    points, weights, labels, centres = state.points, state.weights, state.labels, state.centres
    weight, scale, balance = 0.0, 0.0, 0
    for j in members:
        side = 1 if labels[j] == a else -1
        balance += side
        weight += side * weights[j]
        scale += weights[j]
    if state.sizes[a] - balance < 1 or state.sizes[h] + balance < 1:
        return False
    left, right = state.mass[a] - weight, state.mass[h] + weight
    if min(left - LIGHT * state.mass[a], right - LIGHT * state.mass[h]) <= 0.0:
        return False  # few digits are left of it; the exact assignment finds such moves
    first_order, bound, terms = 0.0, 0.0, 0.0
    for t in range(members.size):
        j = members[t]
        near, far = squared_distance(points, j, centres, a), squared_distance(points, j, centres, h)
        slack = scale * (near / left + far / right)
        change = far - near if labels[j] == a else near - far
        if t == 0 and change >= slack:
            return False
        first_order += weights[j] * change
        bound += weights[j] * slack
        terms += weights[j] * (near + far)
    first_order += RELATIVE_GAIN * terms
    if first_order >= bound:
        return False
    from_a = squared_resultant(points, weights, labels, centres, a, a, members)
    from_h = squared_resultant(points, weights, labels, centres, a, h, members)
    return bool(first_order < from_a / left + from_h / right)
