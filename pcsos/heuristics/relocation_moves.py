"""Compiled relocations of clusters: one is dissolved, another one founded, and moves repair what that has broken."""

import numpy as np

from pcsos.colouring.regret import outlook
from pcsos.heuristics.centres import summarise
from pcsos.heuristics.moves import squared_distance
from pcsos.heuristics.settling import settle
from pcsos.kernels import kernel
from pcsos.typing import Flags, Floats, Indices

#: A relocation must gain this share of the sum of squares.
GAIN = 1e-9


@kernel
def relocate_often(
    points: Floats,
    columns: Floats,
    weights: Floats,
    indptr: Indices,
    indices: Indices,
    labels: Indices,
    n_clusters: int,
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
        settle(points, columns, weights, indptr, indices, trial, touched)
        means, cost = summarise(points, weights, trial, k)
        if cost < best * (1.0 - GAIN):
            labels[:] = trial
            centres, best = means, cost
            shares = _prospects(points, weights, labels, centres, own, loss)
            since, gains = 0, gains + 1
    return gains, since


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
    gain, joining, number = np.empty(s), np.empty(s, np.intp), 0
    for i in range(s):
        if labels[i] == removed:
            members[count] = i
            count += 1
            labels[i] = -1
        else:
            sizes[labels[i]] += 1
            closer = own[i] - squared_distance(points, i, points, founder)
            if closer > 0.0 or i == founder:
                joining[number] = i
                gain[number] = weights[i] * closer if i != founder else np.inf
                number += 1
    blocked = np.zeros(s, np.bool_)
    for rank in np.argsort(-gain[:number]):
        i = joining[rank]
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
    free, cheapest, regret = np.empty(count, np.intp), np.empty(count, np.intp), np.empty(count)
    for q in range(count):
        free[q], cheapest[q], _, regret[q] = outlook(costs, closed, q)
    for _ in range(count):
        pick = -1
        for q in range(count):
            if labels[members[q]] < 0 and (pick < 0 or free[q] == 0 or regret[q] > regret[pick]):
                pick = q
        if free[pick] == 0:
            return False
        target = cheapest[pick]
        labels[members[pick]] = target
        touched[target] = True
        for t in range(indptr[members[pick]], indptr[members[pick] + 1]):
            q = place[indices[t]]
            if q >= 0 and not closed[q, target]:
                closed[q, target] = True
                free[q], cheapest[q], _, regret[q] = outlook(costs, closed, q)
                if free[q] == 0 and labels[members[q]] < 0:
                    return False
    return True
