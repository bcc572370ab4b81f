"""Flips: what the cheapest known partitions cost that take one super-point out of its cluster."""

from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.assignment.soft_neighbours import SoftNeighbours
from pcsos.problem.reduction import Reduced


class Flip(NamedTuple):
    """A super-point that leaves the core of its cluster.

    Parameters
    ----------
    cost : float
        Cost of the partition with this super-point in the next best cluster, infinity where no other may hold it.
    pair : (int, int)
        The super-point and the core of its cluster.
    """

    cost: float
    pair: tuple[int, int]


class Moves(NamedTuple):
    """Partitions that differ from one by a single super-point in another cluster.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        What they cost; infinity for the super-point's own cluster, for one that may not hold it, and for cores.
    core : ndarray of int, shape (s,)
        The core of the cluster of each super-point: the heaviest one, among equals that which is dearest to move.
    """

    costs: Floats
    core: Indices


def flips(problem: Reduced, labels: Indices, objective: float) -> list[Flip]:
    """Return a flip for each super-point but the cores of clusters, the cheapest first; parameters are as below."""
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
    """Tell where a super-point may go alone without breaking a limit of clusters, shape (s, k)."""
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
