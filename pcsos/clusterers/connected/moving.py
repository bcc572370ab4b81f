"""Moving: samples at the borders change clusters, one at a time, while clusters stay connected (Openshaw 1977)."""

import numpy as np

from pcsos.base.numerics.kernels import inlined_kernel, inner_kernel, kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.centres import summarise
from pcsos.heuristics.moves import Nodes
from pcsos.heuristics.neighbours import squared_distance

#: By this relative amount a move must be worth more than it costs, so that rounding makes no circles.
WORTH = 1e-9
#: Most sweeps over the samples, whatever rounding does.
MOST_SWEEPS = 1000
#: From how many samples the shortest searches go on, and how many times as long the next ones are.
ROOM = 8
#: How long they are at most, as long as there are moves that need no longer ones.
SHORT = ROOM * ROOM


@kernel
def descend(labels: Indices, nodes: Nodes, n_clusters: int, order: Indices, is_new: Flags) -> None:
    """Move samples to clusters of their neighbours while that lowers the sum of squares.

    The clusters are connected; labels, shape (n,), are changed in place, and clusters stay connected and not empty.
    Samples are gone through in the order, shape (n,); those between clusters that have not changed since no move was
    worth it any more, not ``is_new``, shape (k,), are passed over.
    """
    points, weights, starts, targets = nodes
    state, queue = np.zeros(labels.size, np.intp), np.empty(labels.size, np.intp)
    mass = np.empty(n_clusters)
    changed, looked, clock = is_new.astype(np.intp), np.zeros(labels.size, np.intp), 1
    longest = SHORT
    for _ in range(MOST_SWEEPS):
        means, _ = summarise(points, weights, labels, n_clusters)
        mass[:] = 0.0
        for i in range(labels.size):
            mass[labels[i]] += weights[i]
        has_moved = False
        for i in order:
            if not _is_due(i, labels, starts, targets, changed, looked):
                continue
            looked[i] = clock
            own, cluster = labels[i], _better_cluster(i, labels, nodes, mass, means)
            if cluster < 0:
                continue
            if _stays_connected(i, labels, nodes, state, queue, longest):
                _move(i, cluster, labels, points, weights, mass, means)
                clock += 1
                changed[own], changed[cluster] = clock, clock
                has_moved = True
            elif longest < labels.size:
                looked[i] = 0  # and will be looked at again by longer searches
        if not has_moved and longest == labels.size:
            return
        longest = SHORT if has_moved else labels.size


@inlined_kernel
def _is_due(i: int, labels: Indices, starts: Indices, targets: Indices, changed: Indices, looked: Indices) -> bool:
    """Return whether a sample is at a border, and one of the clusters there has changed since it was looked at."""
    newest = 0
    for place in range(starts[i], starts[i + 1]):
        if labels[targets[place]] != labels[i]:
            newest = max(newest, changed[labels[i]], changed[labels[targets[place]]])
    return bool(newest > looked[i])


@inner_kernel
def _better_cluster(i: int, labels: Indices, nodes: Nodes, mass: Floats, means: Floats) -> int:
    """Return the cluster of a neighbour in which a sample costs least, -1 where that is not less than in its own."""
    points, weights, starts, targets = nodes
    own, weight = labels[i], weights[i]
    rest = mass[own] - weight
    if weight == 0.0 or rest <= 0.0:
        return -1
    best, least, last = -1, -1.0, own
    for place in range(starts[i], starts[i + 1]):
        cluster = labels[targets[place]]
        if cluster in (own, last):
            continue
        if least < 0.0:
            least = weight * mass[own] / rest * squared_distance(points, i, means, own) * (1.0 - WORTH)
        last = cluster
        cost = weight * mass[cluster] / (mass[cluster] + weight) * squared_distance(points, i, means, cluster)
        if cost < least:
            best, least = cluster, cost
    return best


@inner_kernel
def _stays_connected(i: int, labels: Indices, nodes: Nodes, state: Indices, queue: Indices, longest: int) -> bool:
    """Return whether a cluster stays connected, and has a sample left, without sample ``i``.

    Its neighbours there have to reach one another. Searches begin at each of them in turn, short ones first, until one
    has met them all or can go no farther: so a cut is seen from its smaller side. Where searches of the length
    ``longest`` do not decide it, the answer is no.
    """
    starts, targets, own, number = nodes.indptr, nodes.indices, labels[i], 0
    for place in range(starts[i], starts[i + 1]):
        number += labels[targets[place]] == own
    if number < 2:
        return number == 1
    room = ROOM
    while room < longest * ROOM:
        for place in range(starts[i], starts[i + 1]):
            if labels[targets[place]] == own:
                has_met_all, is_over = _search(i, targets[place], room, labels, nodes, state, queue)
                if has_met_all or is_over:
                    return has_met_all
        room *= ROOM
    return False


@inner_kernel
def _search(
    i: int, first: int, room: int, labels: Indices, nodes: Nodes, state: Indices, queue: Indices
) -> tuple[bool, bool]:
    """Return whether a search from one neighbour of ``i`` meets the others in its cluster, and whether it is over.

    It goes on from ``room`` samples at most. The ``state`` of what is to be met is 1, and of what was met 2; it is 0
    before and after. The ``queue`` has room for the samples that were met.
    """
    starts, targets, own, left = nodes.indptr, nodes.indices, labels[i], -1
    for place in range(starts[i], starts[i + 1]):
        if labels[targets[place]] == own:
            state[targets[place]] = 1
            left += 1
    queue[0], state[first], state[i] = first, 2, 2
    head, tail = 0, 1
    while left > 0 and head < min(tail, room):
        for place in range(starts[queue[head]], starts[queue[head] + 1]):
            other = targets[place]
            if labels[other] == own and state[other] < 2:
                left -= state[other]
                state[other] = 2
                queue[tail] = other
                tail += 1
        head += 1
    for place in range(starts[i], starts[i + 1]):
        state[targets[place]] = 0
    state[i] = 0
    for at in range(tail):
        state[queue[at]] = 0
    return left == 0, head == tail


@inner_kernel
def _move(i: int, cluster: int, labels: Indices, points: Floats, weights: Floats, mass: Floats, means: Floats) -> None:
    """Move a sample, and the means of both clusters with it."""
    own, weight = labels[i], weights[i]
    mass[own] -= weight
    mass[cluster] += weight
    for c in range(points.shape[1]):
        means[own, c] -= weight / mass[own] * (points[i, c] - means[own, c])
        means[cluster, c] += weight / mass[cluster] * (points[i, c] - means[cluster, c])
    labels[i] = cluster
