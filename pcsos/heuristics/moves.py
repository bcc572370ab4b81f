"""Compiled moves of super-points between clusters, with exact changes of the sum of squares.

Exchanging a set A of cluster a for a set B of cluster h changes the cost of the two clusters, measured around
their present centres (so that nothing cancels), by

    sum_A e (d_h - d_a) + sum_B e (d_a - d_h) - |u - w c_a|^2 / (W_a - w) - |u - w c_h|^2 / (W_h + w),

where d_a, d_h are squared distances to the two centres c_a, c_h, W the masses, and u, w the weighted sum and the
weight of A minus those of B. With B empty and one point in A this is the rule of Hartigan and Wong. Pairs of points
(swaps) and the points that a chain of cannot-links ties together (Kempe chains) are the other two moves.
"""
# ruff: noqa: PLR0917  (compiled kernels take plain arrays by position)

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

#: A move must gain this fraction of the terms that it compares, or rounding could drive a cycle.
RELATIVE_GAIN = 1e-12

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Counts = NDArray[np.int32]


class Clusters(NamedTuple):
    """A partition of super-points and all that its moves need; the arrays are changed in place.

    ``table`` (s, k) caches squared distances to centres; an entry is valid if its tick in ``known`` is not before
    the tick in ``changed`` (k,) at which the cluster last changed. ``checked`` (s,) is the tick at which a
    super-point was last found to have no gaining move. ``conflicts`` (s, k) counts cannot-link neighbours.
    """

    points: Floats
    weights: Floats
    indptr: Indices
    indices: Indices
    labels: Indices
    centres: Floats
    mass: Floats
    count: Indices
    conflicts: Counts
    table: Floats
    known: Counts
    changed: Counts
    checked: Counts


@njit(cache=True, nogil=True)
def summarise(
    points: Floats,
    weights: Floats,
    indptr: Indices,
    indices: Indices,
    labels: Indices,
    centres: Floats,
    mass: Floats,
    count: Indices,
    conflicts: Counts,
) -> None:
    """Fill centres (k, d), masses (k,), counts (k,) and conflicts (s, k), all zero before, from the labels."""
    for i in range(labels.size):
        h = labels[i]
        mass[h] += weights[i]
        count[h] += 1
        for c in range(points.shape[1]):
            centres[h, c] += weights[i] * points[i, c]
        for t in range(indptr[i], indptr[i + 1]):
            conflicts[indices[t], h] += 1
    for h in range(mass.size):
        if count[h] > 0:
            for c in range(points.shape[1]):
                centres[h, c] /= mass[h]


@njit(cache=True, nogil=True)
def clusters_of(
    points: Floats, weights: Floats, indptr: Indices, indices: Indices, labels: Indices, n_clusters: int
) -> Clusters:
    """Return the state of a partition into ``n_clusters``; ``labels`` (s,) will be changed in place by moves."""
    size, dimension = points.shape
    centres = np.zeros((n_clusters, dimension))
    mass, count = np.zeros(n_clusters), np.zeros(n_clusters, np.intp)
    conflicts = np.zeros((size, n_clusters), np.int32)
    summarise(points, weights, indptr, indices, labels, centres, mass, count, conflicts)
    table, known = np.zeros((size, n_clusters)), np.full((size, n_clusters), -1, np.int32)
    changed, checked = np.zeros(n_clusters, np.int32), np.full(size, -1, np.int32)
    return Clusters(
        points, weights, indptr, indices, labels, centres, mass, count, conflicts, table, known, changed, checked
    )


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def squared_distance(points: Floats, i: int, centres: Floats, h: int) -> float:
    """Return the squared distance of point i and centre h."""
    total = 0.0
    for c in range(points.shape[1]):
        difference = points[i, c] - centres[h, c]
        total += difference * difference
    return total


@njit(cache=True, nogil=True)
def fill_distances(state: Clusters, i: int, clock: int) -> None:
    """Bring the squared distances of super-point i to all centres up to date."""
    for h in range(state.mass.size):
        if state.known[i, h] < state.changed[h]:
            state.table[i, h] = squared_distance(state.points, i, state.centres, h)
            state.known[i, h] = clock


@njit(cache=True, nogil=True)
def shift(
    points: Floats,
    weights: Floats,
    indptr: Indices,
    indices: Indices,
    labels: Indices,
    centres: Floats,
    mass: Floats,
    count: Indices,
    conflicts: Counts,
    i: int,
    h: int,
) -> None:
    """Move super-point i to cluster h and bring centres, masses, counts and conflicts up to date."""
    a, e = labels[i], weights[i]
    left = mass[a] - e if count[a] > 1 else 0.0
    if count[a] > 1:
        for c in range(points.shape[1]):
            centres[a, c] -= e * (points[i, c] - centres[a, c]) / left
    mass[a] = left
    mass[h] += e
    for c in range(points.shape[1]):
        centres[h, c] += e * (points[i, c] - centres[h, c]) / mass[h]
    count[a] -= 1
    count[h] += 1
    labels[i] = h
    for t in range(indptr[i], indptr[i + 1]):
        conflicts[indices[t], a] -= 1
        conflicts[indices[t], h] += 1


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


@njit(cache=True, nogil=True)
def offcentre(
    points: Floats, weights: Floats, labels: Indices, centres: Floats, a: int, h: int, members: Indices
) -> tuple[float, float]:
    """Return |u - w c_a|^2 and |u - w c_h|^2 of the exchange of these super-points between clusters a and h."""
    around_a, around_h = 0.0, 0.0
    for c in range(points.shape[1]):
        from_a, from_h = 0.0, 0.0
        for j in members:
            e = weights[j] if labels[j] == a else -weights[j]
            from_a += e * (points[j, c] - centres[a, c])
            from_h += e * (points[j, c] - centres[h, c])
        around_a += from_a * from_a
        around_h += from_h * from_h
    return around_a, around_h


@njit(cache=True, nogil=True)
def exchange_gains(state: Clusters, a: int, h: int, members: Indices) -> bool:
    """Tell whether exchanging the members between clusters a and h lowers the cost and empties neither."""
    points, labels, centres = state.points, state.labels, state.centres
    weight, first_order, around_a, around_h, scale, balance = 0.0, 0.0, 0.0, 0.0, 0.0, 0
    for j in members:
        side = 1 if labels[j] == a else -1
        near = squared_distance(points, j, centres, a)
        far = squared_distance(points, j, centres, h)
        e = side * state.weights[j]
        balance += side
        weight += e
        scale += abs(e)
        first_order += e * (far - near)
        around_a += abs(e) * near
        around_h += abs(e) * far
    if state.count[a] - balance < 1 or state.count[h] + balance < 1:
        return False
    left, right = state.mass[a] - weight, state.mass[h] + weight
    threshold = first_order + RELATIVE_GAIN * (around_a + around_h)
    if threshold >= scale * (around_a / left + around_h / right):  # Cauchy-Schwarz: the rest cannot make up for it
        return False
    around_a, around_h = offcentre(points, state.weights, labels, centres, a, h, members)
    return bool(threshold < around_a / left + around_h / right)


@njit(cache=True, nogil=True)
def exchange(state: Clusters, a: int, h: int, members: Indices, clock: int) -> None:
    """Move every member of cluster a to h and every member of h to a, at this tick."""
    points, weights, indptr, indices = state.points, state.weights, state.indptr, state.indices
    labels, centres, mass, count, conflicts = state.labels, state.centres, state.mass, state.count, state.conflicts
    for j in members:
        target = h if labels[j] == a else a
        shift(points, weights, indptr, indices, labels, centres, mass, count, conflicts, j, target)
    state.changed[a] = state.changed[h] = clock


@njit(cache=True, nogil=True)
def sweep(state: Clusters, order: Indices, clock: int) -> int:
    """Try single moves, then Kempe chains, of every super-point; return the clock (one tick a move)."""
    points, weights, labels, centres = state.points, state.weights, state.labels, state.centres
    mass, count, conflicts = state.mass, state.count, state.conflicts
    table, known, changed, checked = state.table, state.known, state.changed, state.checked
    members, marks, mark = np.empty(order.size, np.intp), np.full(order.size, -1, np.intp), 0
    for i in order:
        a, e, since = labels[i], weights[i], checked[i]
        target, blocked, least = -1, False, -1.0
        for h in range(mass.size):
            if known[i, h] < changed[h]:
                table[i, h] = squared_distance(points, i, centres, h)
                known[i, h] = clock
        if count[a] > 1:
            least = e * mass[a] / (mass[a] - e) * table[i, a] * (1.0 - RELATIVE_GAIN)
        for h in range(mass.size):
            if h == a or (changed[a] <= since and changed[h] <= since):
                continue
            if conflicts[i, h] > 0:
                blocked = True
            elif e * mass[h] * table[i, h] < least * (mass[h] + e):
                least, target = e * mass[h] * table[i, h] / (mass[h] + e), h
        if target >= 0:
            members[0] = i
            clock += 1
            exchange(state, a, target, members[:1], clock)
            continue
        for h in range(mass.size if blocked else 0):
            if h == a or conflicts[i, h] == 0 or (changed[a] <= since and changed[h] <= since):
                continue
            mark += 1
            size = collect_chain(state.indptr, state.indices, labels, i, h, members, marks, mark)
            if exchange_gains(state, a, h, members[:size]):
                clock += 1
                exchange(state, a, h, members[:size], clock)
                break
        else:
            checked[i] = clock
    return clock


@njit(cache=True, nogil=True)
def sweep_swaps(state: Clusters, clock: int) -> int:
    """Try to exchange all pairs of super-points of different clusters; return the clock (one tick a swap)."""
    weights, labels, mass = state.weights, state.labels, state.mass
    conflicts, table = state.conflicts, state.table
    pair = np.empty(2, np.intp)
    for i in range(labels.size):
        fill_distances(state, i, clock)
    for i in range(labels.size):
        for j in range(i):
            a, h = labels[i], labels[j]
            if a == h or conflicts[i, h] > 0 or conflicts[j, a] > 0:
                continue
            first, second = weights[i], weights[j]
            around_a = first * table[i, a] + second * table[j, a]
            around_h = first * table[i, h] + second * table[j, h]
            first_order = first * (table[i, h] - table[i, a]) + second * (table[j, a] - table[j, h])
            left, right = mass[a] - first + second, mass[h] + first - second
            if first_order * left * right >= (first + second) * (around_a * right + around_h * left):
                continue
            pair[0], pair[1] = i, j
            if exchange_gains(state, a, h, pair):
                clock += 1
                exchange(state, a, h, pair, clock)
                for node in range(labels.size):
                    fill_distances(state, node, clock)
    return clock


@njit(cache=True, nogil=True)
def descend(
    points: Floats,
    weights: Floats,
    indptr: Indices,
    indices: Indices,
    labels: Indices,
    n_clusters: int,
    order: Indices,
    max_sweeps: int,
    swaps: bool,
) -> int:
    """Change ``labels`` until no move gains, or for ``max_sweeps`` sweeps; return the number of sweeps."""
    state = clusters_of(points, weights, indptr, indices, labels, n_clusters)
    clock, sweeps = 0, 0
    while sweeps < max_sweeps:
        sweeps += 1
        before = clock
        clock = sweep(state, order, clock)
        if clock == before and swaps:
            clock = sweep_swaps(state, clock)
        if clock == before:
            break
    return sweeps
