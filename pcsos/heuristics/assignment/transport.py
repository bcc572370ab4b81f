"""The cheapest assignment of nodes to clusters that must hold between so many and so many of them: a transport.

Nodes are many and clusters few, so the flow is sent along a graph of the clusters alone: the arc from a cluster to
another costs what its cheapest node pays for the move. Every cluster also has an arc to a hub, through which one
that may end with more nodes takes the place of one that may end with fewer. Nodes begin where their cost and the
price of the cluster are least together; then shortest paths (Dijkstra, with the prices as potentials) lead from the
clusters with too many nodes to those with too few, a node a path. With the prices of a sample of the nodes, which are
found in the same way, little is left to send.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.assignment.conditions import Members, enter, leave, members_of

#: Share of the nodes whose prices are found first: one of so many; and how many of them a cluster must have.
SAMPLED = 8
FEWEST = 5
#: Where more than one of so many nodes is to be sent, prices of a sample are worth their time; with so many clusters,
#: as paths take longer then, rounds of changes of all prices are, by a number of times what a node minds on average.
PATIENCE, LEVELLED_FROM, ROUNDS, RATE = 16, 100, 60, 2.0
#: A change grows by a factor as long as a cluster has too many nodes, or too few, and falls where that turns.
GROWTH, FALL = 1.2, 0.5
NO_END = int(np.iinfo(np.intp).max)


@dataclass(frozen=True, eq=False)
class Transport:
    """An optimal transport."""

    labels: Indices  #: shape (s,): cluster of each node
    #: shape (k,): each node is where its cost and this are least together; positive only at clusters that are full,
    #: negative only at clusters with as few nodes as may be
    prices: Floats


def transport(costs: Floats, least: Indices, most: Indices, *, prices: Floats | None = None) -> Transport | None:
    """Return the cheapest labels with between ``least`` and ``most`` nodes a cluster; None if there are none.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Cost of each cluster at each node.
    least, most : ndarray of int, shape (k,)
        Bounds of the numbers of nodes, ``0 <= least <= most``.
    prices : ndarray, shape (k,), optional
        Those of another transport, of similar costs, to begin with; any will do.

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.heuristics.assignment.transport import transport
    >>> transport(np.array([[0.0, 9.0], [1.0, 3.0], [2.0, 5.0]]), np.array([1, 1]), np.array([2, 2])).labels.tolist()
    [0, 1, 0]
    """
    if (least > most).any() or not least.sum() <= costs.shape[0] <= most.sum():
        return None
    labels = np.empty(costs.shape[0], np.intp)
    rows, bounds = np.ascontiguousarray(costs), (least.astype(np.intp), most.astype(np.intp))
    final = np.zeros(least.size) if prices is None else prices.astype(np.float64)
    is_large, is_levelled = labels.size >= SAMPLED * FEWEST * least.size, least.size >= LEVELLED_FROM
    patience = labels.size // PATIENCE if is_large or is_levelled else NO_END
    if send(rows, *bounds, final, labels, patience, 0):
        return Transport(labels, final)
    if not is_levelled:
        sample = transport(costs[::SAMPLED], least // SAMPLED, -(-most // SAMPLED), prices=prices)
        final = final if sample is None else sample.prices
    send(rows, *bounds, final, labels, NO_END, ROUNDS if is_levelled else 0)
    return Transport(labels, final)


class Flow(NamedTuple):
    """A transport under way; the arrays are changed in place.

    ``quota`` (k,) are the numbers of nodes that clusters shall end with, ``missing`` (k + 1,) how many they and the hub
    lack. ``gaps`` (k, k) is what the cheapest node of a cluster pays to move to another one, ``movers`` (k, k) which
    node that is, and ``lists`` are the nodes of each cluster.
    """

    costs: Floats
    least: Indices
    most: Indices
    prices: Floats
    labels: Indices
    quota: Indices
    missing: Indices
    gaps: Floats
    movers: Indices
    lists: Members


@kernel
def send(
    costs: Floats, least: Indices, most: Indices, prices: Floats, labels: Indices, patience: int, rounds: int
) -> bool:
    """Write optimal labels and prices, unless there is more to send than that; return whether it is done.

    The prices are read first, and changed in so many rounds. The bounds must leave room for the nodes.
    """
    k = least.size
    _level(costs, least, most, prices, rounds)
    _choose_cheapest(costs, prices, labels)
    quota, missing = np.empty(k, np.intp), np.zeros(k + 1, np.intp)
    for i in range(labels.size):
        missing[labels[i]] -= 1
    missing[k] = labels.size
    for h in range(k):
        quota[h] = min(max(-missing[h], least[h]), most[h])
        if prices[h] != 0.0:
            quota[h] = most[h] if prices[h] > 0.0 else least[h]
        missing[h] += quota[h]
        missing[k] -= quota[h]
    to_send = 0
    for v in range(k + 1):
        to_send += max(-missing[v], 0)
    if to_send > patience:
        return False
    gaps, movers = np.full((k, k), np.inf), np.full((k, k), -1, np.intp)
    flow = Flow(costs, least, most, prices, labels, quota, missing, gaps, movers, members_of(labels, k))
    for i in range(labels.size):
        _offer(flow, i)
    lengths, came_from, done = np.empty(k + 1), np.empty(k + 1, np.intp), np.empty(k + 1, np.bool_)
    while True:
        v = _shortest_path(flow, lengths, came_from, done)
        if v < 0:
            return True
        missing[v] -= 1
        while came_from[v] >= 0:
            u = came_from[v]
            if u == k:
                quota[v] -= 1
            elif v == k:
                quota[u] += 1
            else:
                _move(flow, movers[u, v], v)
            v = u
        missing[v] += 1


@inner_kernel
def _choose_cheapest(costs: Floats, prices: Floats, labels: Indices) -> None:
    for i in range(labels.size):
        cheapest = np.inf
        for h in range(prices.size):
            if costs[i, h] + prices[h] < cheapest:
                cheapest, labels[i] = costs[i, h] + prices[h], h


@inner_kernel
def _level(costs: Floats, least: Indices, most: Indices, prices: Floats, rounds: int) -> None:
    """Raise prices of clusters with too many nodes, and lower those with too few, all at once."""
    k = prices.size
    counts, steps, last = np.empty(k), np.zeros(k), np.zeros(k)
    for trial in range(rounds):
        counts[:] = 0.0
        regret = 0.0
        for i in range(len(costs)):
            cheapest, second, chosen = np.inf, np.inf, 0
            for h in range(k):
                cost = costs[i, h] + prices[h]
                if cost < cheapest:
                    cheapest, second, chosen = cost, cheapest, h
                elif cost < second:
                    second = cost
            counts[chosen] += 1.0
            regret += second - cheapest
        for h in range(k):
            excess = (max(counts[h] - most[h], 0.0) - max(least[h] - counts[h], 0.0)) / max(most[h], 1)
            if trial == 0:
                steps[h] = RATE * regret / len(costs)
            elif excess * last[h] != 0.0:
                steps[h] *= GROWTH if excess * last[h] > 0.0 else FALL
            prices[h] += steps[h] * min(max(excess, -1.0), 1.0)
            last[h] = excess


@inner_kernel
def _offer(flow: Flow, i: int) -> None:
    """Note where node i is the cheapest of its cluster to move."""
    costs, gaps, a = flow.costs, flow.gaps, flow.labels[i]
    for h in range(gaps.shape[0]):
        gap = costs[i, h] - costs[i, a]
        if h != a and gap < gaps[a, h]:
            gaps[a, h], flow.movers[a, h] = gap, i


@inner_kernel
def _move(flow: Flow, i: int, h: int) -> None:
    """Move node i to cluster h, and look for other movers where it was the cheapest one."""
    costs, gaps, movers, a = flow.costs, flow.gaps, flow.movers, flow.labels[i]
    first, after = flow.lists.first, flow.lists.after
    leave(flow.lists, i, a)
    for g in range(gaps.shape[0]):
        if movers[a, g] == i:
            gaps[a, g], movers[a, g] = np.inf, -1
            j = first[a]
            while j >= 0:
                gap = costs[j, g] - costs[j, a]
                if gap < gaps[a, g]:
                    gaps[a, g], movers[a, g] = gap, j
                j = after[j]
    flow.labels[i] = h
    enter(flow.lists, i, h)
    _offer(flow, i)


@inner_kernel
def _shortest_path(flow: Flow, lengths: Floats, came_from: Indices, done: Flags) -> int:
    """Find the nearest place that misses nodes from those with too many; return it, -1 if nothing is left to send.

    Places are the clusters and, last, the hub. The prices are changed so that no arc costs less than nothing and
    those of the path cost nothing.
    """
    prices, missing = flow.prices, flow.missing
    k = prices.size
    for v in range(k + 1):
        lengths[v], came_from[v], done[v] = 0.0 if missing[v] < 0 else np.inf, -1, False
    while True:
        u = -1
        for v in range(k + 1):
            if not done[v] and lengths[v] < np.inf and (u < 0 or lengths[v] < lengths[u]):
                u = v
        if u < 0 or missing[u] > 0:
            break
        done[u] = True
        for v in range(k + 1):
            if done[v]:
                continue
            length = lengths[u] + max(_arc(flow, u, v), 0.0)
            if length < lengths[v]:
                lengths[v], came_from[v] = length, u
    if u < 0:
        return -1
    reach = lengths[u]
    hub = min(lengths[k], reach)
    for h in range(k):
        prices[h] += hub - min(lengths[h], reach)
    return u


@inner_kernel
def _arc(flow: Flow, u: int, v: int) -> float:
    """Return what it costs beyond prices to send a node from place u to place v, infinity where that cannot be."""
    prices = flow.prices
    if u == prices.size:
        return prices[v] if flow.quota[v] > flow.least[v] else np.inf
    if v == prices.size:
        return -prices[u] if flow.quota[u] < flow.most[u] else np.inf
    return float(flow.gaps[u, v] + prices[v] - prices[u])
