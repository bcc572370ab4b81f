"""Compiled sweeps of the moves in :mod:`pcsos.heuristics.moves` over all super-points, until none gains."""

import numpy as np

from pcsos.base.numerics.kernels import integer, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.moves import (
    LIGHT,
    RELATIVE_GAIN,
    ClusterState,
    clusters_of,
    collect_chain,
    exchange,
    exchange_gains,
    squared_distance,
)


@kernel
def sort_centres(centres: Floats) -> tuple[Indices, Floats]:
    """Return, for each centre, all centres by increasing distance and these distances, both of shape (k, k)."""
    k = centres.shape[0]
    nearest, gaps = np.empty((k, k), np.intp), np.empty((k, k))
    for h in range(k):
        for g in range(k):
            nearest[h, g], gaps[h, g] = g, np.sqrt(squared_distance(centres, h, centres, g))
        step = k // 2
        while step > 0:  # Shell's sort: that of the library takes longer to compile than all else here
            for end in range(step, k):
                centre, gap, at = nearest[h, end], gaps[h, end], end
                while at >= step and gaps[h, at - step] > gap:
                    nearest[h, at], gaps[h, at] = nearest[h, at - step], gaps[h, at - step]
                    at -= step
                nearest[h, at], gaps[h, at] = centre, gap
            step //= 2
    return nearest, gaps


@kernel
def sweep(state: ClusterState, order: Indices, clock: int) -> int:  # noqa: PLR0912  (calls would cost more than the work)
    """Try single moves, then Kempe chains, of every super-point; return the clock (one tick a move).

    A single move from a to h pays only if d_h < rho d_a, with rho from the masses; as d_h is at least the distance
    of the two centres less d_a, most of many clusters are out of reach. Distances of centres are those at the
    beginning of the sweep, less what centres have drifted since.
    """
    points, weights, indptr, indices = state.points, state.weights, state.indptr, state.indices
    labels, centres, mass, sizes = state.labels, state.centres, state.mass, state.sizes
    drift, changed, checked = state.drift, state.changed, state.checked
    members, closed = np.empty(order.size, np.intp), np.full(mass.size, -1, np.intp)
    marks, mark = np.full(order.size, -1, np.intp), 0
    nearest, gaps = sort_centres(centres)
    drift[:] = 0.0
    lightest, farthest = mass[0], 0.0
    for h in range(mass.size):
        lightest = min(lightest, mass[h])
    for i in order:
        a, e, since, first_mark = labels[i], weights[i], checked[i], mark
        if since == clock:
            continue
        for t in range(indptr[i], indptr[i + 1]):
            closed[labels[indices[t]]] = i
        near, least, reach, target = squared_distance(points, i, centres, a), -1.0, -1.0, integer(-1)
        if sizes[a] > 1 and mass[a] - e > LIGHT * mass[a]:
            least = mass[a] / (mass[a] - e) * near * (1.0 - RELATIVE_GAIN)
            reach = np.sqrt(near) + np.sqrt(least * (1.0 + e / lightest)) + drift[a] + farthest
        for rank in range(mass.size):
            if gaps[a, rank] > reach:
                break
            h = nearest[a, rank]
            if h == a or closed[h] == i or (changed[a] <= since and changed[h] <= since):
                continue
            loss = mass[h] / (mass[h] + e) * squared_distance(points, i, centres, h)
            if loss < least:
                least, target = loss, h
        if target >= 0:
            members[0] = i
            clock += 1
            exchange(state, a, target, members[:1], clock)
            lightest, farthest = min(lightest, mass[a]), max(farthest, drift[a], drift[target])
            continue
        for t in range(indptr[i], indptr[i + 1]):
            h = labels[indices[t]]
            if marks[indices[t]] > first_mark or (changed[a] <= since and changed[h] <= since):
                continue  # in a chain of i that was tried, or nothing has changed since
            mark += 1
            size = collect_chain(indptr, indices, labels, i, h, members, marks, mark)
            if exchange_gains(state, a, h, members[:size]):
                clock += 1
                exchange(state, a, h, members[:size], clock)
                lightest, farthest = min(lightest, mass[a], mass[h]), max(farthest, drift[a], drift[h])
                break
        else:
            checked[i] = clock
    return clock


@kernel
def closed_clusters(state: ClusterState, closed: Floats) -> None:
    """Mark with 1 in ``closed`` (s, k) the clusters in which a super-point has a cannot-link neighbour."""
    closed[:] = 0.0
    for i in range(state.labels.size):
        for t in range(state.indptr[i], state.indptr[i + 1]):
            closed[i, state.labels[state.indices[t]]] = 1.0


@kernel
def fill_column(state: ClusterState, table: Floats, h: int) -> None:
    """Write the squared distances to the centre of cluster h into the table (s, k)."""
    for i in range(state.labels.size):
        table[i, h] = squared_distance(state.points, i, state.centres, h)


@kernel
def sweep_swaps(state: ClusterState, clock: int) -> int:
    """Try to exchange all pairs of super-points of different clusters; return the clock (one tick a swap)."""
    weights, labels, mass = state.weights, state.labels, state.mass
    pair, table, closed = np.empty(2, np.intp), np.empty((labels.size, mass.size)), np.zeros((labels.size, mass.size))
    closed_clusters(state, closed)
    for h in range(mass.size):
        fill_column(state, table, h)
    for i in range(labels.size):
        for j in range(i):
            a, h = labels[i], labels[j]
            if a == h or closed[i, h] + closed[j, a] > 0.0:
                continue
            first, second = weights[i], weights[j]
            left, right = mass[a] - first + second, mass[h] + first - second
            change = table[i, h] - table[i, a]
            gains = False
            if change * left * right < (first + second) * (table[i, a] * right + table[i, h] * left):
                pair[0], pair[1] = i, j
                gains = exchange_gains(state, a, h, pair)
            change = table[j, a] - table[j, h]
            if not gains and change * left * right < (first + second) * (table[j, a] * right + table[j, h] * left):
                pair[0], pair[1] = j, i
                gains = exchange_gains(state, a, h, pair)
            if gains:
                clock += 1
                exchange(state, a, h, pair, clock)
                closed_clusters(state, closed)
                fill_column(state, table, a)
                fill_column(state, table, h)
    return clock


@kernel
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
    """Change ``labels``, all clusters used, until no move gains or for ``max_sweeps`` sweeps; return their number."""
    state = clusters_of(points, weights, indptr, indices, labels, n_clusters)
    clock, sweeps = integer(0), 0
    while sweeps < max_sweeps:
        sweeps += 1
        before = clock
        clock = sweep(state, order, clock)
        if clock == before and swaps:
            clock = sweep_swaps(state, clock)
        if clock == before:
            break
    return sweeps
