"""Compiled exchanges of super-points between two clusters under limits and soft pairs, and sweeps of them.

The sum of squares changes as in :mod:`pcsos.heuristics.moves`. Beside it a soft pair has the price
``together - apart`` of sharing a cluster; an exchange pays it for the pairs with one end among its members.

Under tight limits nearly all that gains are swaps, and there are as many as pairs of super-points. By the inequality
of Cauchy and Schwarz a swap changes the cost by at least the sum of a share of the one super-point and a share of the
other one, each a matter of the two clusters alone. So a super-point looks only into clusters whose best share, noted
at the beginning of a sweep, leaves something to gain.
"""

from typing import NamedTuple, Self

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, integer, kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.assignment.conditions import Members, SoftNeighbours, enter, leave, members_of, toll
from pcsos.heuristics.moves import (
    LIGHT,
    RELATIVE_GAIN,
    ClusterState,
    Nodes,
    clusters_of,
    collect_chain,
    exchange,
    squared_distance,
    squared_resultant,
)
from pcsos.problem.reduction import Reduced


class ConditionArrays(NamedTuple):
    """What a problem asks for beyond cannot-links.

    ``amounts`` (s, r) is what super-points bring of r things, numbers of points first; ``least`` and ``most`` (r,) are
    the bounds of what a cluster holds. Where ``keeps_sizes``, an exchange must leave the list of numbers as it is.
    ``extremes`` are the least and the greatest weight of a super-point.
    """

    amounts: Floats
    least: Floats
    most: Floats
    keeps_sizes: bool
    soft: SoftNeighbours
    extremes: tuple[float, float]

    @classmethod
    def of(cls, reduced: Reduced) -> Self:
        """Return those of a problem."""
        things = reduced.capacities
        return cls(
            np.column_stack([own.amounts for own in things]),
            np.array([own.least for own in things], np.float64),
            np.array([own.most for own in things], np.float64),
            reduced.sizes is not None,
            SoftNeighbours.of(reduced.soft, reduced.size),
            (float(reduced.weights.min()), float(reduced.weights.max())),
        )


class Holdings(NamedTuple):
    """What clusters hold, changed in place with every exchange.

    ``lists`` are the super-points of each cluster, and ``held`` (k, r) is what they bring of each thing. ``chosen``
    (s,) is a board on which members of an exchange are marked for a moment, and ``least`` (k, k) the least share of
    the super-points of each cluster in going to each other one.
    """

    lists: Members
    held: Floats
    chosen: Flags
    least: Floats


@kernel
def holdings_of(conditions: ConditionArrays, labels: Indices, n_clusters: int) -> Holdings:
    """Return what the clusters of a partition hold."""
    held = np.zeros((n_clusters, conditions.least.size))
    for i in range(labels.size):
        for r in range(conditions.least.size):
            held[labels[i], r] += conditions.amounts[i, r]
    chosen, least = np.zeros(labels.size, np.bool_), np.full((n_clusters, n_clusters), np.inf)
    return Holdings(members_of(labels, n_clusters), held, chosen, least)


@inner_kernel
def permits(
    state: ClusterState, conditions: ConditionArrays, holdings: Holdings, a: int, h: int, members: Indices
) -> bool:
    """Return whether limits allow the members to be exchanged between clusters a and h."""
    amounts, held = conditions.amounts, holdings.held
    for r in range(conditions.least.size):
        moved = 0.0
        for j in members:
            moved += amounts[j, r] if state.labels[j] == a else -amounts[j, r]
        if moved == 0.0:
            continue
        left, right = held[a, r] - moved, held[h, r] + moved
        if r == 0 and conditions.keeps_sizes and left != held[h, r]:
            return False
        if min(left, right) < conditions.least[r] or max(left, right) > conditions.most[r]:
            return False
    return True


@kernel
def change_of(
    state: ClusterState, conditions: ConditionArrays, holdings: Holdings, a: int, h: int, members: Indices
) -> float:
    """Return what it costs more to exchange the members between clusters a and h; infinity where limits forbid it.

    What is less than rounding may be is no gain: the change is raised by that.
    """
    points, weights, labels, centres, soft = state.points, state.weights, state.labels, state.centres, conditions.soft
    weight, balance = 0.0, 0
    for j in members:
        side = 1 if labels[j] == a else -1
        balance += side
        weight += side * weights[j]
    if state.sizes[a] - balance < 1 or state.sizes[h] + balance < 1:
        return np.inf
    if state.mass[a] - weight <= LIGHT * state.mass[a] or state.mass[h] + weight <= LIGHT * state.mass[h]:
        return np.inf  # few digits would be left of a weight
    if not permits(state, conditions, holdings, a, h, members):
        return np.inf
    change, terms = 0.0, 0.0
    for j in members:
        near, far = squared_distance(points, j, centres, a), squared_distance(points, j, centres, h)
        change += weights[j] * (far - near if labels[j] == a else near - far)
        terms += weights[j] * (near + far)
        holdings.chosen[j] = True
    for j in members:
        own, other = labels[j], a + h - labels[j]
        for t in range(soft.indptr[j], soft.indptr[j + 1]):
            cluster = labels[soft.indices[t]]
            if cluster in (own, other) and not holdings.chosen[soft.indices[t]]:
                change += soft.prices[t] if cluster == other else -soft.prices[t]
                terms += abs(soft.prices[t])
    for j in members:
        holdings.chosen[j] = False
    from_a = squared_resultant(points, weights, labels, centres, a, a, members)
    from_h = squared_resultant(points, weights, labels, centres, a, h, members)
    return float(change - from_a / (state.mass[a] - weight) - from_h / (state.mass[h] + weight) + RELATIVE_GAIN * terms)


@inner_kernel
def carry_out(
    state: ClusterState, conditions: ConditionArrays, holdings: Holdings, a: int, h: int, members: Indices, clock: int
) -> None:
    """Exchange the members between clusters a and h at this tick."""
    for j in members:
        source = state.labels[j]
        target = a + h - source
        for r in range(conditions.least.size):
            holdings.held[source, r] -= conditions.amounts[j, r]
            holdings.held[target, r] += conditions.amounts[j, r]
        leave(holdings.lists, j, source)
        enter(holdings.lists, j, target)
    exchange(state, a, h, members, clock)


@inner_kernel
def is_open(state: ClusterState, i: int, h: int, but: int) -> bool:
    """Return whether no super-point of cluster h, but for that one, is a cannot-link neighbour of i."""
    for t in range(state.indptr[i], state.indptr[i + 1]):
        if state.labels[state.indices[t]] == h and state.indices[t] != but:
            return False
    return True


#: What an exchange costs more, the cluster, and the other super-point of a swap, or -1.
Exchange = tuple[float, int, int]


@kernel
def descend_within(
    given: Nodes, conditions: ConditionArrays, labels: Indices, n_clusters: int, order: Indices, max_sweeps: int
) -> int:
    """Change feasible ``labels`` until no exchange gains or for ``max_sweeps`` sweeps; return their number."""
    state, holdings = clusters_of(given, labels, n_clusters), holdings_of(conditions, labels, n_clusters)
    clock, since, sweeps = integer(0), integer(-1), 0
    while sweeps < max_sweeps and clock > since:
        sweeps += 1
        note_least_shares(state, conditions, holdings, since)
        since = clock
        clock = sweep_within(state, conditions, holdings, order, clock)
    return sweeps


@inner_kernel
def sweep_within(
    state: ClusterState, conditions: ConditionArrays, holdings: Holdings, order: Indices, clock: int
) -> int:
    """Try the exchanges of every super-point; return the clock (one tick an exchange).

    What was tried is marked with the tick of the beginning: shares are those of then, so that clusters which change
    later must be looked at again.
    """
    begun = clock
    members, marks, mark = np.empty(order.size + 1, np.intp), np.full(order.size, -1, np.intp), 0
    for i in order:
        if state.checked[i] == clock:
            continue
        a = state.labels[i]
        target, size = _best_exchange(state, conditions, holdings, i, members)
        if target < 0:
            target, size, mark = _gaining_chain(state, conditions, holdings, i, members, marks, mark)
        if target >= 0:
            clock += 1
            carry_out(state, conditions, holdings, a, target, members[:size], clock)
        else:
            state.checked[i] = begun
    return clock


@inner_kernel
def _gaining_chain(
    state: ClusterState,
    conditions: ConditionArrays,
    holdings: Holdings,
    i: int,
    members: Indices,
    marks: Indices,
    mark: int,
) -> tuple[int, int, int]:
    """Collect a chain of cannot-links from i that gains; return its cluster or -1, its size, and the last mark."""
    a, since = state.labels[i], state.checked[i]
    for t in range(state.indptr[i], state.indptr[i + 1]):
        h = state.labels[state.indices[t]]
        if state.changed[a] <= since and state.changed[h] <= since:
            continue
        mark += 1
        size = collect_chain(state, i, h, np.inf, members, marks, mark)
        if change_of(state, conditions, holdings, a, h, members[:size]) < 0.0:
            return h, size, mark
    return integer(-1), integer(0), mark


@inner_kernel
def _share(e: float, near: float, far: float, own: float, other: float, extremes: tuple[float, float]) -> float:
    """Return what a super-point adds at least to the change of the sum of squares by changing places with another one.

    It weighs e; its cluster and the other one have the squared distances near and far of their centres, and the weights
    own and other; extremes are bounds of the weight of who comes back.
    """
    left = max(own - e + extremes[0], extremes[0])
    right = max(other + e - extremes[1], e)
    return e * (far - near - (e + extremes[1]) * (near / left + far / right))


@inner_kernel
def note_least_shares(state: ClusterState, conditions: ConditionArrays, holdings: Holdings, since: int) -> None:
    """Note the least share of the super-points of each cluster in going to each other one, where either has changed."""
    soft, extremes, least = conditions.soft, conditions.extremes, holdings.least
    k, bill = state.mass.size, np.zeros(state.mass.size)
    points, weights, centres, mass, changed = state.points, state.weights, state.centres, state.mass, state.changed
    for a in range(k):
        for h in range(k):
            if changed[a] > since or changed[h] > since:
                least[a, h] = np.inf
    for i in range(state.labels.size):
        a, e = state.labels[i], weights[i]
        near = squared_distance(points, i, centres, a)
        for t in range(soft.indptr[i], soft.indptr[i + 1]):
            bill[state.labels[soft.indices[t]]] += soft.prices[t]
        for h in range(k):
            if h != a and (changed[a] > since or changed[h] > since):
                far = squared_distance(points, i, centres, h)
                share = _share(e, near, far, mass[a], mass[h], extremes) + bill[h] - bill[a]
                least[a, h] = min(least[a, h], share)
        for t in range(soft.indptr[i], soft.indptr[i + 1]):
            bill[state.labels[soft.indices[t]]] = 0.0


@inner_kernel
def _best_exchange(
    state: ClusterState, conditions: ConditionArrays, holdings: Holdings, i: int, members: Indices
) -> tuple[int, int]:
    """Find the best move or swap of i that gains, with clusters that have changed since it was tried.

    Return its cluster, -1 if there is none, and the number of its members.
    """
    soft, least = conditions.soft, holdings.least
    points, centres, mass, changed = state.points, state.centres, state.mass, state.changed
    a, e, since = state.labels[i], state.weights[i], state.checked[i]
    near, rest = squared_distance(points, i, centres, a), mass[a] - e
    has_soft = soft.indptr[i] < soft.indptr[i + 1]
    pair = members[:2]
    pair[0] = i
    best = (0.0, integer(-1), integer(-1))
    for h in range(mass.size):
        if h == a or (changed[a] <= since and changed[h] <= since):
            continue
        far = squared_distance(points, i, centres, h)
        extra = toll(soft, state.labels, i, a, h) if has_soft else 0.0
        change = e * (far * mass[h] / (mass[h] + e) - near * mass[a] / rest) + extra if rest > 0.0 else np.inf
        if change < best[0] and is_open(state, i, h, -1):
            change = change_of(state, conditions, holdings, a, h, pair[:1])
            if change < best[0]:
                best = (change, integer(h), integer(-1))
        share = _share(e, near, far, mass[a], mass[h], conditions.extremes) + extra
        if share + least[h, a] < best[0]:
            best = _best_partner(state, conditions, holdings, h, share, best, pair)
    for t in range(soft.indptr[i], soft.indptr[i + 1]):
        j = soft.indices[t]
        if soft.prices[t] > 0.0 and state.labels[j] != a:  # shares count on both that the other one stays
            pair[1] = j
            best = _if_better(state, conditions, holdings, state.labels[j], best, pair)
    pair[1] = best[2]
    return best[1], integer(2 if best[2] >= 0 else 1)


@inner_kernel
def _best_partner(
    state: ClusterState,
    conditions: ConditionArrays,
    holdings: Holdings,
    h: int,
    share: float,
    best: Exchange,
    pair: Indices,
) -> Exchange:
    """Return the best swap with a super-point of cluster h, or the exchange given, whichever is better."""
    i, points, centres, mass = pair[0], state.points, state.centres, state.mass
    a, e = state.labels[i], state.weights[i]
    after, j = holdings.lists.after, holdings.lists.first[h]
    while j >= 0:
        near, far = squared_distance(points, j, centres, h), squared_distance(points, j, centres, a)
        other = _share(state.weights[j], near, far, mass[h], mass[a], (e, e))
        if share + other + toll(conditions.soft, state.labels, j, h, a) < best[0]:
            pair[1] = j
            best = _if_better(state, conditions, holdings, h, best, pair)
        j = after[j]
    return best


@inner_kernel
def _if_better(
    state: ClusterState, conditions: ConditionArrays, holdings: Holdings, h: int, best: Exchange, pair: Indices
) -> Exchange:
    """Return the swap of a pair with cluster h, or the exchange given, whichever is better."""
    i, j = pair[0], pair[1]
    if is_open(state, i, h, j) and is_open(state, j, state.labels[i], i):
        change = change_of(state, conditions, holdings, state.labels[i], h, pair)
        if change < best[0]:
            return change, h, j
    return best
