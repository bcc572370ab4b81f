"""The greedy assignment of S-MDEClust (its Algorithm 2): fast, in a given order, and possibly infeasible."""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
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
    queue = np.flatnonzero(labels < 0)
    _assign_in_order(np.ascontiguousarray(costs, np.float64), graph.indptr, graph.indices, queue, removed, labels)
    return labels


@kernel
def _assign_in_order(
    costs: Floats, indptr: Indices, indices: Indices, queue: Indices, removed: int, labels: Indices
) -> None:
    k = costs.shape[1]
    taken_for = np.full(k, -1, np.intp)  # the node for which a cluster was last seen at a neighbour
    for v in queue:
        for w in indices[indptr[v] : indptr[v + 1]]:
            if labels[w] >= 0:
                taken_for[labels[w]] = v
        free, free_cost = -1, np.inf
        least, least_cost = -1, np.inf
        for c in range(k):
            if c == removed:
                continue
            if costs[v, c] < least_cost:
                least, least_cost = c, costs[v, c]
            if taken_for[c] != v and costs[v, c] < free_cost:
                free, free_cost = c, costs[v, c]
        labels[v] = free if free >= 0 else least
