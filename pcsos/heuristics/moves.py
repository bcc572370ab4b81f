"""Compiled moves of super-points between clusters, with exact changes of the sum of squares, and sweeps of them.

Exchanging a set A of cluster a for a set B of cluster h changes the cost of the two clusters, measured around
their present centres (so that nothing cancels), by

    sum_A e (d_h - d_a) + sum_B e (d_a - d_h) - |u - w c_a|^2 / (W_a - w) - |u - w c_h|^2 / (W_h + w),

where d_a, d_h are squared distances to the two centres c_a, c_h, W the masses, and u, w the weighted sum and the
weight of A minus those of B. With B empty and one point in A this is the rule of Hartigan and Wong. Pairs of points
(swaps) and the points that a chain of cannot-links ties together (Kempe chains) are the other two moves.
"""

from typing import NamedTuple, Self

import numpy as np

from pcsos.base.numerics.kernels import inlined_kernel, inner_kernel, integer, kernel, reassociating_kernel
from pcsos.base.typing import Floats, Indices
from pcsos.problem.reduction import Reduced

#: A cluster that keeps less than this share of its mass is summed up anew: subtracting would leave few digits, or none.
LIGHT = 1e-9
#: A move must gain this fraction of the terms that it compares, or rounding could drive a cycle.
RELATIVE_GAIN = 1e-12


class Nodes(NamedTuple):
    """Points, their weights, and a graph on them: the neighbours of i are ``indices[indptr[i]:indptr[i + 1]]``."""

    points: Floats
    weights: Floats
    indptr: Indices
    indices: Indices

    @classmethod
    def of(cls, reduced: Reduced) -> Self:
        """Return the super-points of a problem, those with a cannot-link between them as neighbours."""
        graph = reduced.graph
        return cls(np.ascontiguousarray(reduced.coordinates), reduced.weights, graph.indptr, graph.indices)


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
def clusters_of(given: Nodes, labels: Indices, n_clusters: int) -> ClusterState:
    """Return the state of a partition into ``n_clusters``; ``labels`` (s,) will be changed in place by moves."""
    points, weights, indptr, indices = given
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


@inlined_kernel
def pull(points: Floats, i: int, centres: Floats, h: int, share: float) -> float:
    """Move centre h by this share of the way to point i (away from it if negative) and return how far that is."""
    squared = 0.0
    for c in range(points.shape[1]):
        step = share * (points[i, c] - centres[h, c])
        centres[h, c] += step
        squared += step * step
    return float(np.sqrt(squared))


@inner_kernel
def exchange(state: ClusterState, a: int, h: int, members: Indices, clock: int) -> None:
    """Move every member of cluster a to h and every member of h to a, at this tick.

    Arrivals come first: then a cluster keeps little of its mass in between only if it does so in the end.
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


@inner_kernel
def collect_chain(state: ClusterState, i: int, h: int, gain: float, members: Indices, marks: Indices, mark: int) -> int:
    """Collect in ``members`` what must change sides if i moves to cluster h, and return how many that are.

    It is given up, with 0, where the others lose more than a finite gain of the first one if the centres stay.
    """
    points, weights, centres = state.points, state.weights, state.centres
    indptr, indices, labels = state.indptr, state.indices, state.labels
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
                if gain < np.inf:
                    left = squared_distance(points, j, centres, other)
                    gain += weights[j] * (left - squared_distance(points, j, centres, a + h - other))
                    if gain <= 0.0:
                        return 0
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


@inner_kernel
def exchange_gains(state: ClusterState, a: int, h: int, members: Indices) -> bool:
    """Return whether exchanging the members between clusters a and h lowers the cost and empties neither.

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


@inlined_kernel
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


@inlined_kernel
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
            size = collect_chain(state, i, h, np.inf, members, marks, mark)
            if exchange_gains(state, a, h, members[:size]):
                clock += 1
                exchange(state, a, h, members[:size], clock)
                lightest, farthest = min(lightest, mass[a], mass[h]), max(farthest, drift[a], drift[h])
                break
        else:
            checked[i] = clock
    return clock


@inlined_kernel
def closed_clusters(state: ClusterState, closed: Floats) -> None:
    """Mark with 1 in ``closed`` (s, k) the clusters in which a super-point has a cannot-link neighbour."""
    closed[:] = 0.0
    for i in range(state.labels.size):
        for t in range(state.indptr[i], state.indptr[i + 1]):
            closed[i, state.labels[state.indices[t]]] = 1.0


@inner_kernel
def fill_column(state: ClusterState, table: Floats, h: int) -> None:
    """Write the squared distances to the centre of cluster h into the table (s, k)."""
    for i in range(state.labels.size):
        table[i, h] = squared_distance(state.points, i, state.centres, h)


@inlined_kernel
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
def descend(given: Nodes, labels: Indices, n_clusters: int, order: Indices, max_sweeps: int, swaps: bool) -> int:
    """Change ``labels``, all clusters used, until no move gains or for ``max_sweeps`` sweeps; return their number."""
    state = clusters_of(given, labels, n_clusters)
    clock, sweeps = integer(0), 0
    before = integer(-1)
    while sweeps < max_sweeps and clock > before:
        sweeps += 1
        before = clock
        clock = sweep(state, order, clock)
        if clock == before and swaps:
            clock = sweep_swaps(state, clock)
    return sweeps
