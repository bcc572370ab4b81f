"""Neighbours: partitions into more or fewer clusters, from one that is known, as starts of a search."""

import math
from itertools import combinations

import numpy as np

from pcsos.base.exceptions import InfeasibleError
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.centres import centres_of
from pcsos.heuristics.ipc_kmeans import ipc_kmeans
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.problem.conditions.pairs import unique_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import violation
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.search.blocks.distribution import widest_direction
from pcsos.search.first_incumbents import nearby_partition

#: Super-points up to which a local search takes a moment.
QUICK = 5000


def neighbouring_labels(instance: Instance, known: Instance, labels: Indices, budget: Budget = AMPLE) -> Indices | None:
    """Return labels of an instance, from those of one that differs from it in the number of clusters only.

    Clusters are split, or merged, one after the other, each time as it costs least; where points are few, a local
    search improves them then. It begins with the centres alone where clusters have limits or pairs are soft, which
    splits and merges know nothing of.

    Parameters
    ----------
    instance : Instance
        What to find labels of.
    known : Instance
        The same points and constraints with another number of clusters.
    labels : ndarray of int, shape (n,)
        A feasible partition of it.
    budget : Budget
        When to stop, and what may be spent on assignments.

    Returns
    -------
    ndarray of int, shape (n,), or None
        A feasible partition. None where no cluster can be split or no two can be merged, where nothing within the
        limits is found at once, and on a line, where no start is needed.
    """
    if instance.is_line:
        return None
    more = max(instance, known, key=lambda one: one.n_clusters)  # fewer clusters may imply more must-links
    try:
        reduced, target = reduce_instance(more), reduce_instance(instance)
    except InfeasibleError:
        return None
    found: Indices | None = reduced.project(labels)
    for _ in range(known.n_clusters, instance.n_clusters):
        found = None if found is None else split_cluster(reduced, found)
    for _ in range(instance.n_clusters, known.n_clusters):
        found = None if found is None else merge_clusters(reduced, found)
    if found is None:
        return None
    lifted = (
        reduced.lift(found) if reduced.size > QUICK else _improved(target, target.project(reduced.lift(found)), budget)
    )
    return None if lifted is None or violation(instance, lifted) is not None else lifted


def _improved(target: Reduced, labels: Indices, budget: Budget) -> Indices | None:
    """Return labels of points that local search reaches from these of super-points, or from their centres."""
    if target.is_plain:
        return nearby_partition(target, labels, Options()).labels
    solution = ipc_kmeans(target, centres_of(target, labels), exact=False, budget=budget).solution
    return None if solution is None else target.lift(solution.labels)


def split_cluster(reduced: Reduced, labels: Indices) -> Indices | None:
    """Return labels of super-points with one cluster cut across its widest direction, where that gains most.

    Parameters
    ----------
    reduced : Reduced
        The super-points, s of them.
    labels : ndarray of int, shape (s,)
        Their clusters, from 0.

    Returns
    -------
    ndarray of int, shape (s,), or None
        None where every cluster is a single super-point.
    """
    best, part = -1.0, np.empty(0, np.intp)
    for cluster in np.unique(labels):
        members = np.flatnonzero(labels == cluster)
        if members.size < 2:
            continue
        gain, one_side = _best_cut(reduced.means[members], reduced.weights[members])
        if gain > best:
            best, part = gain, members[one_side]
    if not part.size:
        return None
    split = labels.copy()
    split[part] = labels.max() + 1
    return split


def _best_cut(means: Floats, weights: Floats) -> tuple[float, Indices]:
    """Return what the best cut across the widest direction of a cluster gains, and the members on one side of it."""
    rows = means - weights @ means / weights.sum()
    order = np.argsort(rows @ widest_direction(rows * (weights / weights.max())[:, None]), kind="stable")
    mass = np.cumsum(weights[order])[:-1]
    rest = np.cumsum(weights[order][::-1])[-2::-1]  # not the total less the mass, which may be all of it in rounding
    sums = np.cumsum((rows * weights[:, None])[order], axis=0)[:-1]
    gains = np.einsum("ij,ij->i", sums, sums) * (1.0 / mass + 1.0 / rest)
    at = int(np.argmax(gains))
    return float(gains[at]), order[: at + 1]


def merge_clusters(reduced: Reduced, labels: Indices) -> Indices | None:
    """Return labels of super-points with those two clusters merged that cost least together and may be.

    Parameters
    ----------
    reduced : Reduced
        The super-points, s of them.
    labels : ndarray of int, shape (s,)
        Their clusters, from 0.

    Returns
    -------
    ndarray of int, shape (s,), or None
        None where cannot-links keep all clusters apart.
    """
    labels = np.unique(labels, return_inverse=True)[1]
    mass = np.bincount(labels, weights=reduced.weights)
    centres = np.array([np.bincount(labels, weights=column) for column in (reduced.means.T * reduced.weights)]).T
    centres /= mass[:, None]
    apart = {(a, b) for a, b in unique_pairs(labels[reduced.cannot_link]).tolist()}
    costs = {
        (a, b): mass[a] * mass[b] / (mass[a] + mass[b]) * math.dist(centres[a], centres[b]) ** 2
        for a, b in combinations(range(mass.size), 2)
        if (a, b) not in apart
    }
    if not costs:
        return None
    a, b = min(costs, key=costs.__getitem__)
    return np.unique(np.where(labels == b, a, labels), return_inverse=True)[1]
