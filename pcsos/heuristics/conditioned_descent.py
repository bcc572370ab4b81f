"""Compiled sweeps of moves, swaps and Kempe chains under limits and soft pairs, until none gains.

Under tight limits nearly all that gains are swaps, and there are as many as pairs of super-points. By the inequality
of Cauchy and Schwarz a swap changes the cost by at least the sum of a share of the one super-point and a share of the
other one, each a matter of the two clusters alone. So a super-point looks only into clusters whose best share, noted
at the beginning of a sweep, leaves something to gain.
"""

import numpy as np

from pcsos.assignment.member_lists import members_of
from pcsos.heuristics.conditioned_moves import Conditions, Holdings, carry_out, change_of, is_open, toll
from pcsos.heuristics.moves import Clusters, clusters_of, collect_chain, squared_distance
from pcsos.kernels import integer, kernel
from pcsos.typing import Floats, Indices

#: What an exchange costs more, the cluster, and the other super-point of a swap, or -1.
Exchange = tuple[float, int, int]


@kernel
def descend_within(
    points: Floats,
    weights: Floats,
    indptr: Indices,
    indices: Indices,
    conditions: Conditions,
    extremes: tuple[float, float],
    labels: Indices,
    n_clusters: int,
    order: Indices,
    max_sweeps: int,
) -> int:
    """Change feasible ``labels`` until no exchange gains or for ``max_sweeps`` sweeps; return their number.

    ``extremes`` are the least and the greatest weight.
    """
    state = clusters_of(points, weights, indptr, indices, labels, n_clusters)
    numbers = np.zeros(n_clusters, np.intp)
    for i in range(labels.size):
        numbers[labels[i]] += conditions.counts[i]
    first, after, before = members_of(labels, n_clusters)
    holdings = Holdings(numbers, first, after, before, np.zeros(labels.size, np.bool_))
    clock, sweeps = integer(0), 0
    while sweeps < max_sweeps:
        sweeps += 1
        earlier = clock
        clock = sweep_within(state, conditions, holdings, extremes, order, clock)
        if clock == earlier:
            break
    return sweeps


@kernel
def sweep_within(
    state: Clusters,
    conditions: Conditions,
    holdings: Holdings,
    extremes: tuple[float, float],
    order: Indices,
    clock: int,
) -> int:
    """Try the exchanges of every super-point; return the clock (one tick an exchange).

    What was tried is marked with the tick of the beginning: shares are those of then, so that clusters which change
    later must be looked at again.
    """
    begun = clock
    least = _least_shares(state, conditions, extremes)
    members, marks, mark = np.empty(order.size + 1, np.intp), np.full(order.size, -1, np.intp), 0
    for i in order:
        if state.checked[i] == clock:
            continue
        a = state.labels[i]
        target, size = _best_exchange(state, conditions, holdings, i, least, extremes, members)
        if target < 0:
            target, size, mark = _gaining_chain(state, conditions, holdings, i, members, marks, mark)
        if target >= 0:
            clock += 1
            carry_out(state, conditions, holdings, a, target, members[:size], clock)
        else:
            state.checked[i] = begun
    return clock


@kernel
def _gaining_chain(
    state: Clusters, conditions: Conditions, holdings: Holdings, i: int, members: Indices, marks: Indices, mark: int
) -> tuple[int, int, int]:
    """Collect a chain of cannot-links from i that gains; return its cluster or -1, its size, and the last mark."""
    a, since = state.labels[i], state.checked[i]
    for t in range(state.indptr[i], state.indptr[i + 1]):
        h = state.labels[state.indices[t]]
        if state.changed[a] <= since and state.changed[h] <= since:
            continue
        mark += 1
        size = collect_chain(state.indptr, state.indices, state.labels, i, h, members, marks, mark)
        if change_of(state, conditions, holdings, a, h, members[:size]) < 0.0:
            return h, size, mark
    return integer(-1), integer(0), mark


@kernel
def _share(state: Clusters, i: int, a: int, h: int, near: float, far: float, extremes: tuple[float, float]) -> float:
    """Return what i adds at least to the change of the sum of squares if it goes from a to h and another one back."""
    e = state.weights[i]
    left = max(state.mass[a] - e + extremes[0], extremes[0])
    right = max(state.mass[h] + e - extremes[1], e)
    return float(e * (far - near - (e + extremes[1]) * (near / left + far / right)))


@kernel
def _least_shares(state: Clusters, conditions: Conditions, extremes: tuple[float, float]) -> Floats:
    """Return the least share of the super-points of each cluster in going to each other one, shape (k, k)."""
    k = state.mass.size
    least, bill = np.full((k, k), np.inf), np.zeros(k)
    for i in range(state.labels.size):
        a = state.labels[i]
        near = squared_distance(state.points, i, state.centres, a)
        for t in range(conditions.indptr[i], conditions.indptr[i + 1]):
            bill[state.labels[conditions.indices[t]]] += conditions.prices[t]
        for h in range(k):
            if h != a:
                far = squared_distance(state.points, i, state.centres, h)
                share = _share(state, i, a, h, near, far, extremes) + bill[h] - bill[a]
                least[a, h] = min(least[a, h], share)
        for t in range(conditions.indptr[i], conditions.indptr[i + 1]):
            bill[state.labels[conditions.indices[t]]] = 0.0
    return least


@kernel
def _best_exchange(
    state: Clusters,
    conditions: Conditions,
    holdings: Holdings,
    i: int,
    least: Floats,
    extremes: tuple[float, float],
    members: Indices,
) -> tuple[int, int]:
    """Find the best move or swap of i that gains, with clusters that have changed since it was tried.

    Return its cluster, -1 if there is none, and the number of its members.
    """
    a, since = state.labels[i], state.checked[i]
    near = squared_distance(state.points, i, state.centres, a)
    pair = members[:2]
    pair[0] = i
    best = (0.0, integer(-1), integer(-1))
    for h in range(state.mass.size):
        if h == a or (state.changed[a] <= since and state.changed[h] <= since):
            continue
        far, e = squared_distance(state.points, i, state.centres, h), state.weights[i]
        extra = toll(state, conditions, i, a, h)
        if _promises(state, a, h, e, near, far, extra, best[0]) and is_open(state, i, h, -1):
            change = change_of(state, conditions, holdings, a, h, pair[:1])
            if change < best[0]:
                best = (change, integer(h), integer(-1))
        share = _share(state, i, a, h, near, far, extremes) + extra
        if share + least[h, a] < best[0]:
            best = _best_partner(state, conditions, holdings, h, share, best, pair)
    for t in range(conditions.indptr[i], conditions.indptr[i + 1]):
        j = conditions.indices[t]
        if conditions.prices[t] > 0.0 and state.labels[j] != a:  # shares count on both that the other one stays
            pair[1] = j
            best = _if_better(state, conditions, holdings, state.labels[j], best, pair)
    pair[1] = best[2]
    return best[1], integer(2 if best[2] >= 0 else 1)


@kernel
def _promises(state: Clusters, a: int, h: int, e: float, near: float, far: float, extra: float, than: float) -> bool:
    """Tell whether a move of weight e and so much extra cost would change the cost by less than that."""
    rest = state.mass[a] - e
    return rest > 0.0 and e * (far * state.mass[h] / (state.mass[h] + e) - near * state.mass[a] / rest) + extra < than


@kernel
def _best_partner(
    state: Clusters, conditions: Conditions, holdings: Holdings, h: int, share: float, best: Exchange, pair: Indices
) -> Exchange:
    """Return the best swap with a super-point of cluster h, or the exchange given, whichever is better."""
    i = pair[0]
    a, e = state.labels[i], state.weights[i]
    j = holdings.first[h]
    while j >= 0:
        near, far = (
            squared_distance(state.points, j, state.centres, h),
            squared_distance(state.points, j, state.centres, a),
        )
        if share + _share(state, j, h, a, near, far, (e, e)) + toll(state, conditions, j, h, a) < best[0]:
            pair[1] = j
            best = _if_better(state, conditions, holdings, h, best, pair)
        j = holdings.after[j]
    return best


@kernel
def _if_better(
    state: Clusters, conditions: Conditions, holdings: Holdings, h: int, best: Exchange, pair: Indices
) -> Exchange:
    """Return the swap of a pair with cluster h, or the exchange given, whichever is better."""
    i, j = pair[0], pair[1]
    if is_open(state, i, h, j) and is_open(state, j, state.labels[i], i):
        change = change_of(state, conditions, holdings, state.labels[i], h, pair)
        if change < best[0]:
            return change, h, j
    return best
