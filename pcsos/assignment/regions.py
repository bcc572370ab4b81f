"""The cheapest proper colouring, found where colours are in dispute and nowhere else.

Every node starts at its cheapest colour. The ends of violated edges form regions; each connected region is coloured at
least cost as if nothing else existed, and it grows by the outside neighbours that it now conflicts with. When no
conflict is left the colouring is optimal: dropping the edges between the regions and the rest is a relaxation, and its
optimum satisfies them. So one huge component with few conflicts costs no more than many small ones.
"""

from dataclasses import dataclass, replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pcsos import tolerances
from pcsos.assignment.colour_search import INFEASIBLE, SEARCHED, TREE, UNDECIDED, search_colouring
from pcsos.assignment.dsatur import COLOURED, dsatur
from pcsos.assignment.dual_ascent import ascend
from pcsos.assignment.graph import ConflictGraph
from pcsos.assignment.tabu_colouring import tabu_colouring
from pcsos.assignment.trees import cheapest_except, fold_leaves, unfold_leaves

Costs = NDArray[np.float64]
Nodes = NDArray[np.intp]

#: Steps of the search on one region before bounds are computed for it.
SEARCH_BUDGET = 100_000

#: Most rounds of dual ascent on a region.
ASCENT_ROUNDS = 400

#: Steps of a tabu search for any colouring of a region.
TABU_STEPS = 20_000

#: Share of the colours that bounds must leave out for what remains to be worth a search of its own.
NARROW = 0.7

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
    nearest : ndarray of int, shape (s,)
        The cheapest colour of each node, whatever the others do.
    num_tree, num_searched, num_integer : int
        Regions coloured by dynamic programming, by search, bounds or linear assignment, and by an integer program.
    proved : bool
        Whether the colouring is optimal for certain.
    """

    labels: Nodes
    region: Nodes
    nearest: Nodes
    num_tree: int
    num_searched: int
    num_integer: int
    proved: bool


@dataclass(frozen=True, eq=False)
class _Outcome:
    """Labels of one region, or None if it has none, and what they took."""

    labels: Nodes | None
    by_program: bool = False
    proved: bool = True


def cheapest_colouring(
    costs: Costs,
    graph: ConflictGraph,
    *,
    nearest: Nodes | None = None,
    pinned: Nodes | None = None,
    start: Nodes | None = None,
    exact: bool = True,
    ilp: str = "auto",
) -> Colouring | None:
    """Return the cheapest proper colouring of a graph, or None if it is proved that there is none.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Cost of each colour at each node, C-contiguous; infinity forbids a colour, but not all of a node.
    nearest : ndarray of int, shape (s,), optional
        The cheapest colour of each node, where it is known already.
    pinned : ndarray of int, shape (s,), optional
        The colour that a node must take, or -1.
    start : ndarray of int, shape (s,), optional
        A proper colouring; the result costs no more.
    exact : bool
        If false, a region that search and bounds leave undecided keeps the best colouring known, if there is one.
    ilp : str
        ``auto``, ``gurobi`` or ``highs``, for regions that the search does not settle.
    """
    if nearest is None:
        nearest = np.argmin(costs, axis=1).astype(np.intp)
    labels = nearest.copy()
    if pinned is None:
        pinned = np.empty(0, np.intp)
    else:
        np.copyto(labels, pinned, where=pinned >= 0)
    region = np.full(graph.size, -1, np.intp)
    pending = np.empty(graph.size, np.intp)
    found = np.empty(graph.size, np.intp)
    counts = np.zeros(4, np.intp)
    num_integer, proved = 0, True
    while True:
        size = _settle(
            costs, graph.indptr, graph.indices, pinned, SEARCH_BUDGET, labels, region, pending, found, counts
        )
        if size == 0:
            num_searched = int(counts[SEARCHED] + counts[UNDECIDED]) - num_integer
            return Colouring(labels, region, nearest, int(counts[TREE]), num_searched, num_integer, proved)
        if size < 0:
            return None
        nodes = np.sort(pending[:size])
        rows = np.empty((size, costs.shape[1]))
        _gather(costs, nodes, pinned, rows)
        known = _cheaper(rows, found[nodes], None if start is None else start[nodes])
        outcome = colour_hard_region(rows, graph.subgraph(nodes), incumbent=known, exact=exact, ilp=ilp)
        if outcome.labels is None:
            return None
        labels[nodes] = outcome.labels
        num_integer += outcome.by_program
        proved &= outcome.proved


def _cheaper(costs: Costs, found: Nodes, start: Nodes | None) -> Nodes:
    """Return the cheaper of a colouring (or -1) and another one (or None, or one with forbidden colours)."""
    if start is None:
        return found
    nodes = np.arange(start.size)
    cost = costs[nodes, start].sum()
    if np.isinf(cost) or (found.min() >= 0 and costs[nodes, found].sum() <= cost):
        return found
    return start


def colour_hard_region(
    costs: Costs,
    graph: ConflictGraph,
    *,
    incumbent: Nodes | None = None,
    exact: bool = True,
    ilp: str = "auto",
) -> _Outcome:
    """Colour a connected graph at least cost, without a search of all of it.

    Leaves are folded; a clique is then a linear assignment problem. Anything else is bounded by dual ascent, colours
    that cost too much are left out, and an integer program is asked only if many remain.

    Parameters
    ----------
    costs : ndarray, shape (m, k)
        Cost of each colour, infinity where forbidden; changed in place.
    incumbent : ndarray of int, shape (m,), optional
        A proper colouring of the graph, or -1, to start from.

    exact : bool
        If false, what the bounds leave undecided keeps the best colouring known, if there is one.

    Returns
    -------
    _Outcome
        The labels, or None if it is proved that there are none; whether an integer program was needed; whether the
        labels are proved optimal.
    """
    order, parent, core = fold_leaves(costs, graph.indptr, graph.indices)
    inner = graph.subgraph(core)
    rows = costs[core]
    if inner.indices.size == core.size * (core.size - 1):
        outcome = _Outcome(_colour_clique(rows))
    else:
        known = np.full(core.size, -1, np.intp) if incumbent is None else incumbent[core]
        outcome = _colour_core(rows, inner, known, exact, ilp)
    if outcome.labels is None:
        return outcome
    labels = np.empty(graph.size, np.intp)
    labels[core] = outcome.labels
    unfold_leaves(costs, order, parent, labels)
    return replace(outcome, labels=labels)


def _colour_core(costs: Costs, graph: ConflictGraph, labels: Nodes, exact: bool, ilp: str) -> _Outcome:
    """Colour a graph with cycles, given a colouring or -1: bounds first, then what they leave."""
    from pcsos.assignment.integer_program import solve_colouring

    if labels[0] < 0:
        labels = _some_colouring(costs, graph)
    rounding = tolerances.IMPROVEMENT * float(np.abs(costs.min(axis=1)).sum())
    lower, upper, belief = ascend(costs, graph.edges, graph.indptr, graph.indices, ASCENT_ROUNDS, rounding, labels)
    if lower == np.inf:
        return _Outcome(None)
    if lower >= upper - rounding:
        return _Outcome(labels)
    excess = belief - belief.min(axis=1, keepdims=True)
    kept = (excess <= upper - lower + rounding) & np.isfinite(costs)
    narrowed = np.where(kept, costs, np.inf)
    if np.count_nonzero(kept) <= NARROW * np.count_nonzero(np.isfinite(costs)):
        colouring = cheapest_colouring(narrowed, graph, start=labels, exact=exact, ilp=ilp)
        if colouring is not None:
            return _Outcome(colouring.labels, colouring.num_integer > 0, colouring.proved)
    if not exact and np.isfinite(upper):
        return _Outcome(labels, proved=False)
    return _Outcome(solve_colouring(narrowed, graph.edges, ilp=ilp), by_program=True)


def _some_colouring(costs: Costs, graph: ConflictGraph) -> Nodes:
    """Return a proper colouring, found by DSATUR or tabu search, or -1."""
    allowed = np.isfinite(costs)
    labels: Nodes = np.empty(graph.size, np.intp)
    if allowed.all():
        status = dsatur(graph.indptr, graph.indices, costs.shape[1], 20 * graph.size, labels)
        if status == COLOURED:
            return labels
    labels[:] = np.argmin(costs, axis=1)
    rng = np.random.default_rng(0)
    if tabu_colouring(graph.indptr, graph.indices, allowed, TABU_STEPS, rng, labels):
        return labels
    return np.full(graph.size, -1, np.intp)


def _colour_clique(costs: Costs) -> Nodes | None:
    from scipy.optimize import linear_sum_assignment

    if costs.shape[0] > costs.shape[1]:
        return None
    try:
        columns: Nodes = linear_sum_assignment(costs)[1].astype(np.intp)
    except ValueError:  # the infinite entries leave no assignment
        return None
    return columns


@njit(cache=True, nogil=True)
def _gather(costs: Costs, nodes: Nodes, pinned: Nodes, rows: Costs) -> None:
    """Copy the costs of some nodes; at a pinned node every other colour is forbidden."""
    for i in range(nodes.size):
        v = nodes[i]
        only = pinned[v] if pinned.size > 0 else -1
        for c in range(costs.shape[1]):
            rows[i, c] = costs[v, c] if only < 0 or c == only else np.inf


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
                at = filled
                while at > start and others[at - 1] > j:
                    others[at] = others[at - 1]
                    at -= 1
                others[at] = j
                filled += 1
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
    for i in range(core.size):
        local[core[i]] = i
    near, others = _inside(core, indptr, indices, local)
    for v in range(labels.size):
        labels[v] = -1
    if core.size >= LARGE_CLIQUE and others.size == core.size * (core.size - 1):
        return UNDECIDED
    colours = np.empty(core.size, np.intp)
    status = search_colouring(costs[core], near, others, budget, colours)
    if colours[0] >= 0:
        for i in range(core.size):
            labels[core[i]] = colours[i]
        unfold_leaves(costs, order, parent, labels)
    return status
