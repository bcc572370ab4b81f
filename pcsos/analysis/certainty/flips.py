"""Flips: partitions that differ from a known one by a single super-point in another cluster, and what they cost.

Where the dearer of two such partitions costs at most ``(1 + epsilon)`` times a lower bound of all costs, both are
within epsilon of the best one, whichever that is, and the pairs that they disagree on are uncertain.
"""

from typing import NamedTuple

import numpy as np

from pcsos.base.tolerances import EPS, OBJECTIVE_ERROR
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.evidence.result import Doubts
from pcsos.heuristics.assignment.conditions import SoftNeighbours
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced


class Flip(NamedTuple):
    """A super-point that leaves the core of its cluster."""

    #: cost of the partition with this super-point in the next best cluster, infinity where no other may hold it
    cost: float
    pair: tuple[int, int]  #: the super-point and the core of its cluster


class Moves(NamedTuple):
    """Partitions that differ from one by a single super-point in another cluster."""

    #: shape (s, k): what they cost; infinity for the super-point's own cluster, for one that may not hold it, and for
    #: cores
    costs: Floats
    #: shape (s,): the core of the cluster of each super-point: the heaviest one, among equals that which is dearest to
    #: move
    core: Indices


def flips(problem: Reduced, labels: Indices, objective: float) -> list[Flip]:
    """Return a flip for each super-point but the cores of clusters, the cheapest first, as :func:`moves` costs them."""
    costs, core = moves(problem, labels, objective)
    moving = np.flatnonzero(core != np.arange(problem.size))
    least = costs[moving].min(axis=1)
    order = np.argsort(least, kind="stable")
    return [Flip(float(least[t]), (int(moving[t]), int(core[moving[t]]))) for t in order]


def moves(problem: Reduced, labels: Indices, objective: float) -> Moves:
    """Return what it costs to move each super-point to each other cluster.

    Moving a super-point of weight e from cluster a to b changes the cost by
    ``e E_b / (E_b + e) d_b - e E_a / (E_a - e) d_a``, with the weights E and the squared distances d to the centres of
    both; what soft pairs cost more or less is added.

    Parameters
    ----------
    labels : ndarray of int, shape (s,)
        A partition of the super-points into ``0..k-1``.
    objective : float
        Its cost.
    """
    e, mass = problem.weights, np.bincount(labels, problem.weights, problem.n_clusters)
    centres = np.zeros((problem.n_clusters, problem.means.shape[1]))
    np.add.at(centres, labels, problem.means * e[:, None])
    centres /= mass[:, None]
    squares = ((problem.means[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    every = np.arange(problem.size)
    own = squares[every, labels]
    entering = e[:, None] * mass / (mass + e[:, None]) * squares
    entering[every, labels] = np.inf
    i, j = problem.cannot_link.T
    entering[i, labels[j]] = entering[j, labels[i]] = np.inf
    left = mass[labels] - e
    leaving = np.divide(e * mass[labels] * own, left, out=np.zeros(e.size), where=left > 0.0)  # cores alone do not move
    if not problem.is_plain:
        bills = SoftNeighbours.of(problem.soft, problem.size).bills(labels, problem.n_clusters)
        entering += np.where(_fits(problem, labels), bills, np.inf)
        leaving += bills[every, labels]
    costs = objective + entering - leaving[:, None]
    core = _cores(labels, e, costs.min(axis=1), problem.n_clusters)
    costs[core] = np.inf
    return Moves(costs, core[labels])


def _fits(problem: Reduced, labels: Indices) -> Flags:
    """Return where a super-point may go alone without breaking a limit of clusters, shape (s, k)."""
    k = problem.n_clusters
    fits = np.full((problem.size, k), problem.sizes is None)
    for own in problem.capacities:
        held = np.bincount(labels, own.amounts, k)
        fits &= held + own.amounts[:, None] <= own.most
        fits &= (held[labels] - own.amounts >= own.least)[:, None]
    return fits


def _cores(labels: Indices, weights: Floats, costs: Floats, n_clusters: int) -> Indices:
    """Return the core of each cluster."""
    order = np.lexsort((-costs, -weights, labels))
    return order[np.searchsorted(labels[order], np.arange(n_clusters))]


def uncertain_pairs(problem: Reduced, partition: Partition, epsilon: float, lower_bound: float, error: float) -> Doubts:
    """Return the pairs that are in doubt because of where single super-points may go.

    With limits of weights, whose sums are rounded, nothing is said to be in doubt.

    Parameters
    ----------
    partition : Partition
        A partition of the problem, whose objective is at least what it costs.
    epsilon : float
        Relative distance from the least cost.
    lower_bound : float
        No partition costs less; 0 where nothing is known.
    error : float
        What costs of other partitions may be rounded by apart from the arithmetic.
    """
    labels = problem.project(partition.labels)
    terms = problem.size + problem.means.shape[1] + 64  # of which a squared distance to a mean is made
    rounding = 8.0 * terms * EPS * (problem.total + problem.soft.total) + problem.penalty_error + error
    most = (1.0 + epsilon) * min(lower_bound, partition.objective) * (1.0 - OBJECTIVE_ERROR) - rounding
    differs = np.zeros((problem.size, problem.n_clusters), np.bool_)
    is_exact = not any(own.is_rounded for own in problem.capacities)
    if partition.objective * (1.0 + OBJECTIVE_ERROR) <= most and is_exact:
        differs = moves(problem, labels, partition.objective).costs <= most
        differs[np.arange(problem.size), labels] = differs.any(axis=1)
    return Doubts(problem.component, labels, differs)
