"""Compiled relocations of clusters: one is dissolved, another one founded, and moves repair what that has broken."""

import numpy as np

from pcsos.colouring.regret import outlook
from pcsos.heuristics.centres import summarise
from pcsos.heuristics.moves import (
    LIGHT,
    RELATIVE_GAIN,
    Clusters,
    clusters_of,
    collect_chain,
    exchange,
    exchange_gains,
    squared_distance,
)
from pcsos.kernels import kernel
from pcsos.typing import Flags, Floats, Indices

#: A relocation must gain this share of the sum of squares.
GAIN = 1e-9
#: Sweeps of moves after a relocation, at most.
MAX_SWEEPS = 100


@kernel
def relocate_often(
    points: Floats,
    weights: Floats,
    indptr: Indices,
    indices: Indices,
    labels: Indices,
    n_clusters: int,
    order: Indices,
    rng: np.random.Generator,
    trials: int,
) -> tuple[int, int]:
    """Try so many relocations, keeping in ``labels`` what gains; return the gains and the trials since the last one."""
    s, k = labels.size, n_clusters
    trial, touched, since, gains = np.empty(s, np.intp), np.zeros(k, np.bool_), 0, 0
    centres, best = summarise(points, weights, labels, k)
    own, loss = np.empty(s), np.empty(k)
    shares = _prospects(points, weights, labels, centres, own, loss)
    for _ in range(trials):
        since += 1
        removed, other = int(rng.random() * k), int(rng.random() * k)
        if loss[other] < loss[removed]:
            removed = other
        founder = np.searchsorted(shares, rng.random() * shares[s - 1])
        trial[:] = labels
        touched[:] = False
        if not _refound(points, weights, indptr, indices, trial, centres, own, removed, founder, touched):
            continue
        _settle(clusters_of(points, weights, indptr, indices, trial, k), order, touched)
        means, cost = summarise(points, weights, trial, k)
        if cost < best * (1.0 - GAIN):
            labels[:] = trial
            centres, best = means, cost
            shares = _prospects(points, weights, labels, centres, own, loss)
            since, gains = 0, gains + 1
    return gains, since


@kernel
def settle(
    points: Floats, weights: Floats, indptr: Indices, indices: Indices, labels: Indices, n_clusters: int, order: Indices
) -> None:
    """Change ``labels``, all clusters used, by moves and by chains that begin nearer, until none gains."""
    touched = np.ones(n_clusters, np.bool_)
    _settle(clusters_of(points, weights, indptr, indices, labels, n_clusters), order, touched)


@kernel
def _prospects(points: Floats, weights: Floats, labels: Indices, centres: Floats, own: Floats, loss: Floats) -> Floats:
    """Write the squared distances to the own centres, and what clusters would lose if all had to go to their next one.

    Return the cumulated chances to found a cluster: half by weight, half by weight times distance, as in the mutation.
    """
    s, k = labels.size, centres.shape[0]
    loss[:] = 0.0
    far, heavy = 0.0, 0.0
    for i in range(s):
        a, least = labels[i], np.inf
        own[i] = squared_distance(points, i, centres, a)
        for h in range(k):
            if h != a:
                least = min(least, squared_distance(points, i, centres, h))
        loss[a] += weights[i] * (least - own[i])
        heavy += weights[i]
        far += weights[i] * np.sqrt(own[i])
    shares, total = np.empty(s), 0.0
    for i in range(s):
        total += weights[i] / heavy
        if far > 0.0:
            total += weights[i] * np.sqrt(own[i]) / far
        shares[i] = total
    return shares


@kernel
def _refound(
    points: Floats,
    weights: Floats,
    indptr: Indices,
    indices: Indices,
    labels: Indices,
    centres: Floats,
    own: Floats,
    removed: int,
    founder: int,
    touched: Flags,
) -> bool:
    """Found the removed cluster anew at a super-point, and give its members away; tell whether all found a place.

    Super-points that are nearer to the founder than to their centres join it, those first that gain most, unless a
    cannot-link stands in the way. Members go by regret. Clusters that change are marked as touched.
    """
    s, k = labels.size, centres.shape[0]
    if labels[founder] == removed:
        return False
    sizes, members, count = np.zeros(k, np.intp), np.empty(s, np.intp), 0
    gain, joining = np.zeros(s), 0
    for i in range(s):
        if labels[i] == removed:
            members[count] = i
            count += 1
            labels[i] = -1
        else:
            sizes[labels[i]] += 1
            gain[i] = weights[i] * (own[i] - squared_distance(points, i, points, founder))
            joining += gain[i] > 0.0
    gain[founder] = np.inf
    blocked = np.zeros(s, np.bool_)
    ranked = np.argsort(-gain)
    for i in ranked[: max(joining, 1)]:
        if labels[i] < 0 or blocked[i] or sizes[labels[i]] == 1:
            if i == founder:
                return False
            continue
        sizes[labels[i]] -= 1
        touched[labels[i]] = True
        labels[i] = removed
        for t in range(indptr[i], indptr[i + 1]):
            blocked[indices[t]] = True
    touched[removed] = True
    return _give_away(points, weights, indptr, indices, labels, centres, members[:count], removed, founder, touched)


@kernel
def _give_away(
    points: Floats,
    weights: Floats,
    indptr: Indices,
    indices: Indices,
    labels: Indices,
    centres: Floats,
    members: Indices,
    removed: int,
    founder: int,
    touched: Flags,
) -> bool:
    """Give super-points without a cluster to the nearest ones that are free, by regret; tell whether all found one."""
    k, count = centres.shape[0], members.size
    costs, closed = np.empty((count, k)), np.zeros((count, k), np.bool_)
    for q in range(count):
        i = members[q]
        for h in range(k):
            costs[q, h] = weights[i] * squared_distance(points, i, centres, h)
        costs[q, removed] = weights[i] * squared_distance(points, i, points, founder)
        for t in range(indptr[i], indptr[i + 1]):
            if labels[indices[t]] >= 0:
                closed[q, labels[indices[t]]] = True
    place = np.full(labels.size, -1, np.intp)
    place[members] = np.arange(count)
    for _ in range(count):
        pick, target = _next(costs, closed, labels, members)
        if target < 0:
            return False
        labels[members[pick]] = target
        touched[target] = True
        for t in range(indptr[members[pick]], indptr[members[pick] + 1]):
            if place[indices[t]] >= 0:
                closed[place[indices[t]], target] = True
    return True


@kernel
def _next(costs: Floats, closed: Flags, labels: Indices, members: Indices) -> tuple[int, int]:
    """Return the member without a label whose regret is greatest, and its cheapest cluster; -1 if one has none."""
    pick, target, top = -1, -1, -1.0
    for q in range(members.size):
        if labels[members[q]] < 0:
            free, cheapest, regret = outlook(costs, closed, q)
            if free == 0:
                return -1, -1
            if regret > top:
                pick, target, top = q, cheapest, regret
    return pick, target


@kernel
def _settle(state: Clusters, order: Indices, touched: Flags) -> None:
    """Move super-points into clusters that have changed or out of them, alone or with a Kempe chain, while that gains.

    Chains are tried only if they begin with a super-point that is nearer to its new centre: of the others, hardly any
    gain where cannot-links are dense, and they take most of the time.
    """
    points, labels, centres = state.points, state.labels, state.centres
    changed, checked, mass, weights = state.changed, state.checked, state.mass, state.weights
    k = touched.size
    number, clock = touched.sum(), 1
    active = np.concatenate((np.flatnonzero(touched), np.flatnonzero(~touched)))  # in front those that have changed
    changed[:] = touched
    checked[:] = 0
    members, marks = np.empty(order.size, np.intp), np.full(order.size, -1, np.intp)
    for _ in range(MAX_SWEEPS):
        before, lightest = clock, mass.min()
        for i in order:
            a = labels[i]
            if checked[i] == clock:
                continue
            candidates = k if changed[a] > checked[i] else number
            near, nearer = squared_distance(points, i, centres, a), 0
            left = mass[a] - weights[i]
            bound = near if left <= LIGHT * mass[a] else near * mass[a] / left * (1.0 + weights[i] / lightest)
            for at in range(candidates):
                h = active[at]
                if h != a and squared_distance(points, i, centres, h) < bound:
                    nearer += 1
            h, size = _gaining(state, i, active[:candidates], members, marks) if nearer > 0 else (-1, 0)
            if h < 0:
                checked[i] = clock
                continue
            clock += 1
            exchange(state, a, h, members[:size], clock)
            for c in (a, h):
                if not touched[c]:
                    touched[c] = True
                    at = number
                    while active[at] != c:
                        at += 1
                    active[at], active[number] = active[number], c
                    number += 1
        if clock == before:
            break


@kernel
def _gaining(state: Clusters, i: int, candidates: Indices, members: Indices, marks: Indices) -> tuple[int, int]:
    """Return a cluster to which super-point i goes at a gain, -1 without, and how many ``members`` change sides."""
    a, e = state.labels[i], state.weights[i]
    near, least, target = squared_distance(state.points, i, state.centres, a), -1.0, -1
    if state.sizes[a] > 1 and state.mass[a] - e > LIGHT * state.mass[a]:
        least = state.mass[a] / (state.mass[a] - e) * near * (1.0 - RELATIVE_GAIN)
    for h in candidates:
        if h != a:
            loss = state.mass[h] / (state.mass[h] + e) * squared_distance(state.points, i, state.centres, h)
            if loss < least and not _has_neighbour_in(state, i, h):
                least, target = loss, h
    members[0] = i
    if target >= 0:
        return target, 1
    for h in candidates:
        if h != a and squared_distance(state.points, i, state.centres, h) < near and _has_neighbour_in(state, i, h):
            size = collect_chain(state.indptr, state.indices, state.labels, i, h, members, marks, h)
            gains = exchange_gains(state, a, h, members[:size])
            marks[members[:size]] = -1
            if gains:
                return h, size
    return -1, 0


@kernel
def _has_neighbour_in(state: Clusters, i: int, h: int) -> bool:
    """Tell whether a cannot-link stands in the way of super-point i and cluster h."""
    for t in range(state.indptr[i], state.indptr[i + 1]):  # noqa: SIM110 - Numba
        if state.labels[state.indices[t]] == h:
            return True
    return False
