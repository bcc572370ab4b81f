"""The greedy assignment of S-MDEClust (its Algorithm 2): fast, in a given order, and possibly infeasible."""

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.conditions import Quotas, SoftNeighbours
from pcsos.heuristics.assignment.limited import fill
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.conflict_graph import ConflictGraph


def greedy_assign(costs: Floats, graph: ConflictGraph) -> Indices:
    """Assign node after node to the cheapest cluster that no neighbour assigned before has taken, shape (s,).

    A node whose neighbours have taken every cluster goes to the cheapest one all the same, so cannot-links may be
    violated, and clusters may stay empty.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Cost of each cluster at each node.
    """
    return _assigned(costs, graph, np.full(graph.size, -1, np.intp), -1)


def greedy_without(costs: Floats, graph: ConflictGraph, removed: int, *, labels: Indices | None = None) -> Indices:
    """Reassign greedily the nodes of one cluster to the others, as the mutation operator does (section 3.2).

    All other nodes keep their clusters and count as assigned before.

    Parameters
    ----------
    removed : int
        The cluster that is taken away; there must be another one.
    labels : ndarray of int, shape (s,), optional
        The assignment to start from; that of :func:`greedy_assign` by default.

    Returns
    -------
    ndarray of int, shape (s,)
        Labels without ``removed``.
    """
    if costs.shape[1] < 2:
        raise ValueError("the only cluster cannot be removed; give costs of at least two clusters")
    before = greedy_assign(costs, graph) if labels is None else labels
    return _assigned(costs, graph, np.where(before == removed, -1, before).astype(np.intp), removed)


def _assigned(costs: Floats, graph: ConflictGraph, labels: Indices, removed: int) -> Indices:
    """Return the labels with those that are -1 filled in, in their order."""
    (s, k), is_removed = costs.shape, np.arange(costs.shape[1]) == removed
    rooms = np.where(is_removed, 0.0, np.inf)[:, None]  # nothing else has limits
    quotas = Quotas(np.ones((s, 1)), np.zeros((k, 1)), rooms, np.zeros(1, np.bool_))
    rows, free = np.where(is_removed, np.inf, costs), SoftNeighbours.of(PenalisedPairs.none(), s)
    fill(rows, graph.indptr, graph.indices, quotas, free, np.flatnonzero(labels < 0), labels)
    return labels
