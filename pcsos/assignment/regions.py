"""The cheapest proper colouring, found where colours are in dispute and nowhere else.

Every node starts at its cheapest colour. The ends of violated edges form regions; each connected region is coloured at
least cost as if nothing else existed, and it grows by the outside neighbours that it now conflicts with. When no
conflict is left the colouring is optimal: dropping the edges between the regions and the rest is a relaxation, and its
optimum satisfies them. So one huge component with few conflicts costs no more than many small ones.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pcsos.assignment.colour_search import INFEASIBLE, SEARCHED, TREE, UNDECIDED, search_colouring
from pcsos.assignment.graph import ConflictGraph
from pcsos.assignment.trees import cheapest_except, fold_leaves, unfold_leaves

Costs = NDArray[np.float64]
Nodes = NDArray[np.intp]

#: Steps of the search on one region before an integer program is asked.
SEARCH_BUDGET = 2_000_000

#: From this size on, a complete core is left to a linear assignment problem.
LARGE_CLIQUE = 6


@dataclass(frozen=True, eq=False)
class Colouring:
    """A cheapest proper colouring; colours may be unused.

    Parameters
    ----------
    labels : ndarray of int, shape (s,)
        Colour of each node.
    region : ndarray of int, shape (s,)
        Nodes of one region share a number; -1 for nodes at their cheapest colour that were in no region.
    num_tree, num_searched, num_integer : int
        Regions coloured by dynamic programming, by search or linear assignment, and by an integer program.
    """

    labels: Nodes
    region: Nodes
    num_tree: int
    num_searched: int
    num_integer: int


def cheapest_colouring(
    costs: Costs, graph: ConflictGraph, *, pinned: Nodes | None = None, ilp: str = "auto"
) -> Colouring | None:
    """Return the cheapest proper colouring of a graph, or None if it is proved that there is none.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Finite cost of each colour at each node, C-contiguous.
    pinned : ndarray of int, shape (s,), optional
        The colour that a node must take, or -1.
    ilp : str
        ``auto``, ``gurobi`` or ``highs``, for regions that the search does not settle.
    """
    labels = np.argmin(costs, axis=1).astype(np.intp)
    if pinned is None:
        pinned = np.empty(0, np.intp)
    else:
        np.copyto(labels, pinned, where=pinned >= 0)
    region = np.full(graph.size, -1, np.intp)
    pending = np.empty(graph.size, np.intp)
    found = np.empty(graph.size, np.intp)
    counts = np.zeros(4, np.intp)
    num_integer = 0
    while True:
        size = _settle(
            costs, graph.indptr, graph.indices, pinned, SEARCH_BUDGET, labels, region, pending, found, counts
        )
        if size == 0:
            num_searched = int(counts[SEARCHED] + counts[UNDECIDED]) - num_integer
            return Colouring(labels, region, int(counts[TREE]), num_searched, num_integer)
        if size < 0:
            return None
        nodes = np.sort(pending[:size])
        rows = np.empty((size, costs.shape[1]))
        _gather(costs, nodes, pinned, rows)
        colours, by_program = colour_hard_region(rows, graph.subgraph(nodes), incumbent=found[nodes], ilp=ilp)
        if colours is None:
            return None
        labels[nodes] = colours
        num_integer += by_program


def colour_hard_region(
    costs: Costs, graph: ConflictGraph, *, incumbent: Nodes | None = None, ilp: str = "auto"
) -> tuple[Nodes | None, bool]:
    """Colour a connected graph at least cost, without search.

    Leaves are folded; a clique is then a linear assignment problem, anything else an integer program.

    Parameters
    ----------
    costs : ndarray, shape (m, k)
        Cost of each colour, infinity where forbidden; changed in place.
    incumbent : ndarray of int, shape (m,), optional
        A proper colouring of the graph without its leaves, or -1: colours that cost more are left out.

    Returns
    -------
    tuple
        The labels, or None if there are none, and whether an integer program was needed.
    """
    from pcsos.assignment.integer_program import solve_colouring

    order, parent, core = fold_leaves(costs, graph.indptr, graph.indices)
    inner = graph.subgraph(core)
    is_clique = inner.indices.size == core.size * (core.size - 1)
    rows = costs[core]
    if incumbent is not None and incumbent[core].min() >= 0:
        rows = _without_dear_colours(rows, incumbent[core])
    colours = _colour_clique(rows) if is_clique else solve_colouring(rows, inner.edges, ilp=ilp)
    if colours is None:
        return None, not is_clique
    labels = np.empty(graph.size, np.intp)
    labels[core] = colours
    unfold_leaves(costs, order, parent, labels)
    return labels, not is_clique


def _colour_clique(costs: Costs) -> Nodes | None:
    from scipy.optimize import linear_sum_assignment

    if costs.shape[0] > costs.shape[1]:
        return None
    try:
        return linear_sum_assignment(costs)[1].astype(np.intp)
    except ValueError:  # the infinite entries leave no assignment
        return None


def _without_dear_colours(costs: Costs, incumbent: Nodes) -> Costs:
    """Forbid the colours that alone cost more than a known colouring."""
    least = costs.min(axis=1, keepdims=True)
    spent = costs[np.arange(incumbent.size), incumbent] - least[:, 0]
    kept = costs - least <= spent.sum()
    kept[np.arange(incumbent.size), incumbent] = True
    return np.where(kept, costs, np.inf)


@njit(cache=True, nogil=True)
def _gather(costs: Costs, nodes: Nodes, pinned: Nodes, rows: Costs) -> None:
    """Copy the costs of some nodes; at a pinned node every other colour is forbidden."""
    for i in range(nodes.size):
        v = nodes[i]
        if pinned.size > 0 and pinned[v] >= 0:
            rows[i] = np.inf
            rows[i, pinned[v]] = costs[v, pinned[v]]
        else:
            rows[i] = costs[v]


@njit(cache=True, nogil=True)
def _settle(
    costs: Costs,
    indptr: Nodes,
    indices: Nodes,
    pinned: Nodes,
    budget: int,
    labels: Nodes,
    region: Nodes,
    pending: Nodes,
    found: Nodes,
    counts: Nodes,
) -> int:
    """Grow and colour regions until no conflict is left.

    Returns 0 when done, -1 when a region has no proper colouring, or the number of nodes of a region that the search
    left undecided: they are in ``pending``, and ``found`` holds their best colours so far (-1: none).
    """
    size = labels.size
    local = np.full(size, -1, np.intp)
    seeds = np.empty(size, np.intp)
    nodes = np.empty(size, np.intp)
    while True:
        num_seeds = _mark_conflicts(indptr, indices, labels, region, seeds)
        if num_seeds == 0:
            return 0
        for t in range(num_seeds):
            seed = seeds[t]
            if local[seed] >= 0:
                continue
            m = _collect(seed, indptr, indices, region, local, nodes)
            colours = np.empty(m, np.intp)
            rows = np.empty((m, costs.shape[1]))
            _gather(costs, nodes[:m], pinned, rows)
            near, others = _inside(nodes[:m], indptr, indices, local)
            status = _colour_region(rows, near, others, budget, colours)
            if status == INFEASIBLE:
                return -1
            counts[status] += 1
            if status == UNDECIDED:
                pending[:m] = nodes[:m]
                for i in range(m):
                    found[nodes[i]] = colours[i]
                return m
            for i in range(m):
                labels[nodes[i]] = colours[i]
        local[:] = -1


@njit(cache=True, nogil=True)
def _mark_conflicts(indptr: Nodes, indices: Nodes, labels: Nodes, region: Nodes, seeds: Nodes) -> int:
    """Put the ends of violated edges into regions and list them."""
    count = 0
    for v in range(labels.size):
        for w in indices[indptr[v] : indptr[v + 1]]:
            if labels[v] == labels[w]:
                region[v] = v
                seeds[count] = v
                count += 1
                break
    return count


@njit(cache=True, nogil=True)
def _collect(seed: int, indptr: Nodes, indices: Nodes, region: Nodes, local: Nodes, nodes: Nodes) -> int:
    """List and number the nodes of the region that holds the seed."""
    nodes[0] = seed
    local[seed] = 0
    region[seed] = seed
    count, at = 1, 0
    while at < count:
        v = nodes[at]
        at += 1
        for w in indices[indptr[v] : indptr[v + 1]]:
            if region[w] >= 0 and local[w] < 0:
                region[w] = seed
                local[w] = count
                nodes[count] = w
                count += 1
    return count


@njit(cache=True, nogil=True)
def _inside(nodes: Nodes, indptr: Nodes, indices: Nodes, local: Nodes) -> tuple[Nodes, Nodes]:
    """Return the graph among the nodes of one region, numbered locally, neighbours sorted."""
    m = nodes.size
    near = np.zeros(m + 1, np.intp)
    total = 0
    for i in range(m):
        total += indptr[nodes[i] + 1] - indptr[nodes[i]]
    others = np.empty(total, np.intp)
    filled = 0
    for i in range(m):
        start = filled
        for w in indices[indptr[nodes[i]] : indptr[nodes[i] + 1]]:
            j = local[w]
            if 0 <= j < m and nodes[j] == w:
                others[filled] = j
                filled += 1
        others[start:filled].sort()
        near[i + 1] = filled
    return near, others[:filled]


@njit(cache=True, nogil=True)
def _colour_region(costs: Costs, indptr: Nodes, indices: Nodes, budget: int, labels: Nodes) -> int:
    """Colour one connected region: leaves are folded, a tree is then solved, a core with cycles is searched."""
    order, parent, core = fold_leaves(costs, indptr, indices)
    if core.size == 1:
        labels[core[0]] = cheapest_except(costs[core[0]], -1)
        if labels[core[0]] < 0:
            return INFEASIBLE
        unfold_leaves(costs, order, parent, labels)
        return TREE
    local = np.full(costs.shape[0], -1, np.intp)
    local[core] = np.arange(core.size)
    near, others = _inside(core, indptr, indices, local)
    labels[:] = -1
    if core.size >= LARGE_CLIQUE and others.size == core.size * (core.size - 1):
        return UNDECIDED
    colours = np.empty(core.size, np.intp)
    status = search_colouring(costs[core], near, others, budget, colours)
    if colours[0] >= 0:
        labels[core] = colours
        unfold_leaves(costs, order, parent, labels)
    return status
