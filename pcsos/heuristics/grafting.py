"""Grafts: a partition takes over clusters of another one, a few that overlap at a time, where that makes it better.

Clusters are what good partitions have in common with the best, and a whole cluster violates no cannot-link: Galinier
and Hao (Hybrid evolutionary algorithms for graph coloring, Journal of Combinatorial Optimization 3, 1999) cross
colourings over by their colour classes for that reason. Here one parent keeps all but a region, so that moves have to
mend no more than the seams: a graft costs a small part of a local search, and many are tried.
"""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.centres import objective_of, overlap, summarise
from pcsos.heuristics.dense_search import settle
from pcsos.heuristics.moves import Nodes, squared_distance
from pcsos.heuristics.record import Solution
from pcsos.presolve.colouring.local_search import outlook
from pcsos.problem.options import Budget
from pcsos.problem.reduction import Reduced


@kernel
def give_away(given: Nodes, labels: Indices, centres: Floats, touched: Flags) -> bool:
    """Give the super-points with label -1 to the nearest clusters that are free, by regret; return whether all found.

    Clusters that receive one are marked in ``touched`` (k,).
    """
    points, weights, indptr, indices = given
    members = np.flatnonzero(labels < 0)
    k, count, place = centres.shape[0], members.size, np.full(labels.size, -1, np.intp)
    place[members] = np.arange(count)
    costs, closed = np.empty((count, k)), np.zeros((count, k), np.bool_)
    free, cheapest, regret = np.empty(count, np.intp), np.empty(count, np.intp), np.empty(count)
    for q in range(count):
        i = members[q]
        for h in range(k):
            costs[q, h] = weights[i] * squared_distance(points, i, centres, h)
        for t in range(indptr[i], indptr[i + 1]):
            if labels[indices[t]] >= 0:
                closed[q, labels[indices[t]]] = True
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


#: Clusters of a region, on the average.
REGION = 2.0
#: A graft must gain this share of the sum of squares.
GAIN = 1e-9
#: Super-points that the trials between two questions whether to stop look at, about.
ROUND = 2_000_000


def grafted(
    reduced: Reduced, solution: Solution, donor: Solution, *, rng: np.random.Generator, budget: Budget
) -> Solution:
    """Return the solution, or what it becomes by grafts of the donor's clusters, one region tried around each.

    There are neither limits of clusters nor soft pairs, and both partitions are feasible, with every cluster used. The
    generator draws the order and the sizes of the regions.
    """
    labels, k = solution.labels.astype(np.intp), reduced.n_clusters
    named_alike = _matching(reduced, donor.labels, labels, rng)[donor.labels]
    given, columns = Nodes.of(reduced), np.ascontiguousarray(reduced.coordinates.T)
    order, share, gains = rng.permutation(k), max(1, ROUND // reduced.size), 0
    for done in range(0, k, share):
        if done > 0 and budget.stop.asked():
            break
        gains += graft_often(given, columns, labels, named_alike, k, order[done : done + share], rng)
    return Solution(labels, objective_of(reduced, labels)) if gains else solution


def _matching(reduced: Reduced, donor: Indices, labels: Indices, rng: np.random.Generator) -> Indices:
    """Return for each cluster of the donor one that overlaps much, all different; by chance where few do."""
    from scipy.optimize import linear_sum_assignment

    k = reduced.n_clusters
    shares = rng.random((k, k)) / (k * k)
    np.add.at(shares, (donor, labels), reduced.weights / reduced.weights.sum())
    matched: Indices = linear_sum_assignment(shares, maximize=True)[1]
    return matched


@kernel
def graft_often(
    given: Nodes,
    columns: Floats,
    labels: Indices,
    donor: Indices,
    n_clusters: int,
    order: Indices,
    rng: np.random.Generator,
) -> int:
    """Try a graft around each cluster in this order, keeping in ``labels`` what gains; return the number of gains.

    The names of the donor's clusters are those of the clusters that they match. What costs more than another cluster
    would before any move, on the average, is given up: that hardly ever gains.
    """
    s, k, points, weights = labels.size, n_clusters, given.points, given.weights
    trial, touched, region = np.empty(s, np.intp), np.zeros(k, np.bool_), np.zeros(k, np.bool_)
    centres, best = summarise(points, weights, labels, k)
    donated, _ = summarise(points, weights, donor, k)
    shared = overlap(labels, donor, weights, k)
    gains = 0
    for first in order:
        grow(shared, first, region, rng)
        touched[:] = False
        if not take_over(labels, donor, region, trial, touched):
            continue
        means = np.where(region.reshape((k, 1)), donated, centres)
        if not give_away(given, trial, means, touched):
            continue
        if summarise(points, weights, trial, k)[1] > best * (1.0 + 1.0 / k):
            continue
        settle(given, columns, trial, touched)
        means, cost = summarise(points, weights, trial, k)
        if cost < best * (1.0 - GAIN):
            labels[:] = trial
            centres, best = means, cost
            shared = overlap(labels, donor, weights, k)
            gains += 1
    return gains


@kernel
def grow(shared: Floats, first: int, region: Flags, rng: np.random.Generator) -> None:
    """Mark a region: a cluster, and others in turn that overlap most with what is in it, as many as chance wants."""
    k = region.size
    region[:] = False
    region[first] = True
    link = shared[first] + shared[:, first]
    while rng.random() > 1.0 / REGION:
        following = -1
        for h in range(k):
            if not region[h] and link[h] > 0.0 and (following < 0 or link[h] > link[following]):
                following = h
        if following < 0:
            return
        region[following] = True
        link += shared[following] + shared[:, following]


@kernel
def take_over(labels: Indices, donor: Indices, region: Flags, trial: Indices, touched: Flags) -> bool:
    """Write the labels with a region from the donor; super-points that lose their cluster have label -1.

    Return whether that changes anything and leaves no cluster empty.
    """
    sizes, changes = np.zeros(region.size, np.intp), False
    for i in range(labels.size):
        own, given = labels[i], donor[i]
        trial[i] = given if region[given] else -1 if region[own] else own
        if trial[i] >= 0:
            sizes[trial[i]] += 1
        if trial[i] != own:
            changes = touched[own] = True
            if trial[i] >= 0:
                touched[trial[i]] = True
    return changes and sizes.min() > 0
