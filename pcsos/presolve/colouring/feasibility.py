"""Feasibility: is the cannot-link graph k-colourable (Paper (11))? A colouring, or a witness that there is none."""

import numpy as np

from pcsos.base.exceptions import InfeasibleError
from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Indices
from pcsos.presolve.colouring.cliques import find_clique, outside_core
from pcsos.presolve.colouring.integer_program import solve_colouring
from pcsos.presolve.colouring.k_colouring import COLOURED, GAVE_UP, IMPOSSIBLE, try_colouring
from pcsos.presolve.colouring.local_search import colour_by_regret
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.reduction import odd_cycle


def find_colouring(graph: ConflictGraph, n_clusters: int, *, budget: Budget = AMPLE) -> Indices | None:
    """Return labels that break no cannot-link and use every one of ``n_clusters`` clusters; None if it stays undecided.

    Parameters
    ----------
    budget : Budget
        Steps of the searches, and who looks for a colouring of graphs that they do not settle.

    Returns
    -------
    ndarray of int, shape (s,), or None

    Raises
    ------
    InfeasibleError
        If there are none; the witness names nodes of the graph: ``{"kind": "too_few_points"}``, a ``clique`` of k + 1
        nodes, an ``odd_cycle`` (k = 2), or ``{"kind": "colouring"}`` where an exhaustive search proved it. The error's
        ``search`` is that proof. An integer program proves nothing here: it could not be checked.
    """
    if graph.size < n_clusters:
        raise InfeasibleError(
            f"{n_clusters} clusters cannot be filled by {graph.size} groups of points",
            {"kind": "too_few_points"},
        )
    if graph.num_components == 0:
        return _use_every_colour(np.zeros(graph.size, np.intp), n_clusters)
    order = outside_core(graph.indptr, graph.indices, n_clusters)
    labels = np.full(graph.size, -1, np.intp)
    hard = np.setdiff1d(np.arange(graph.size), order, assume_unique=True)
    inner = graph.subgraph(hard)
    for number in range(inner.num_components):
        nodes = np.flatnonzero(inner.component == number)
        colours = _colour_component(inner.subgraph(nodes), n_clusters, hard[nodes], budget)
        if colours is None:
            return None
        labels[hard[nodes]] = colours
    _colour_peeled(graph.indptr, graph.indices, n_clusters, order, labels)
    return _use_every_colour(labels, n_clusters)


def _colour_component(graph: ConflictGraph, k: int, names: Indices, budget: Budget) -> Indices | None:
    """Colour a connected graph without colour to spare anywhere: every node has at least k neighbours."""
    if k == 2 and (cycle := odd_cycle(graph.size, graph.edges)) is not None:
        raise _infeasible(k, "odd_cycle", names[cycle])
    params = budget.params
    status, found = try_colouring(graph, k, params.quick_steps * graph.size)
    if status == COLOURED:
        return found
    clique = find_clique(graph, k + 1)
    if clique.size > k:
        raise _infeasible(k, "clique", names[clique])
    costs = np.zeros((graph.size, k))
    if status == GAVE_UP:
        labels = colour_by_regret(costs, graph, params.tabu_steps)
        if labels is not None:
            return labels
        status, found = try_colouring(graph, k, min(params.refutation_steps, params.refutation_work // graph.size))
    if status == COLOURED:
        return found
    if status == IMPOSSIBLE:
        raise _infeasible(k, "colouring", names[found])
    costs[clique] = np.where(np.eye(clique.size, k, dtype=np.bool_), 0.0, np.inf)  # colours are interchangeable
    return solve_colouring(costs, graph.edges, budget=budget)  # that it finds none is not a proof that can be repeated


def _infeasible(k: int, kind: str, nodes: Indices) -> InfeasibleError:
    """Return the error, whose message names no nodes: what they are of is known elsewhere."""
    return InfeasibleError(
        f"the cannot-links cannot be satisfied with {k} clusters: no such colouring of their graph exists",
        {"kind": kind} if kind == "colouring" else {"kind": kind, "points": nodes.tolist()},
        search=nodes,
    )


def _use_every_colour(labels: Indices, k: int) -> Indices:
    """Give each unused colour to one node of a colour that several nodes have."""
    used, first = np.unique(labels, return_index=True)
    unused = np.setdiff1d(np.arange(k), used)
    labels[np.setdiff1d(np.arange(labels.size), first)[: unused.size]] = unused
    return labels


@kernel
def _colour_peeled(indptr: Indices, indices: Indices, k: int, order: Indices, labels: Indices) -> None:
    """Colour the listed nodes, last first: a colour is free for each."""
    seen = np.full(k, -1, np.intp)
    for at in range(order.size - 1, -1, -1):
        v = order[at]
        for w in indices[indptr[v] : indptr[v + 1]]:
            if labels[w] >= 0:
                seen[labels[w]] = v
        for c in range(k):
            if seen[c] != v:
                labels[v] = c
                break
