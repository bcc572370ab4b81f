"""Compiled parts of :mod:`minimum_cost`: regions of conflict grow and are coloured one by one, trees folded away first.

Trees that hang on a graph are folded into it exactly by min-sum dynamic programming. A leaf tells its only neighbour
what it would pay for each colour that the neighbour may take: its cheapest other colour. That is its smallest entry,
except where the neighbour takes that very colour, and there the second smallest; so a message costs O(k). What remains
when no leaf is left is a single node (the graph was a tree) or the 2-core.
"""

from typing import NamedTuple

import numpy as np

from pcsos.base.numerics.kernels import inlined_kernel, inner_kernel, integer, kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.presolve.colouring.branch_and_bound import NO_COLOURING, SEARCHED, UNDECIDED, search_colouring


@kernel
def fold_leaves(costs: Floats, indptr: Indices, indices: Indices) -> tuple[Indices, Indices, Indices]:
    """Fold leaves into their neighbours until none is left, for a connected graph; changes ``costs`` in place.

    Returns
    -------
    order, parent, core : ndarray of int
        The folded nodes in their order, the node that each node was folded into (-1 for the core), and the core.
    """
    m = costs.shape[0]
    degree = np.empty(m, np.intp)
    parent = np.full(m, -1, np.intp)
    order = np.empty(m, np.intp)
    folded = np.zeros(m, np.bool_)
    filled = 0
    for v in range(m):
        degree[v] = indptr[v + 1] - indptr[v]
        if degree[v] == 1:
            order[filled] = v
            filled += 1
    done = 0
    for at in range(m):
        if at == filled:
            break
        v = order[at]
        if degree[v] == 0:  # the other end of the last edge was folded into it
            continue
        order[done] = v
        done += 1
        folded[v] = True
        for t in range(indptr[v], indptr[v + 1]):
            w = indices[t]
            if not folded[w]:
                parent[v] = w
                _send(costs, v, w)
                degree[w] -= 1
                if degree[w] == 1:
                    order[filled] = w
                    filled += 1
    core, left = np.empty(m - done, np.intp), 0
    for v in range(m):
        if not folded[v]:
            core[left] = v
            left += 1
    return order[:done], parent, core


@inlined_kernel
def _send(costs: Floats, leaf: int, neighbour: int) -> None:
    least, second, at = np.inf, np.inf, -1
    for c in range(costs.shape[1]):
        value = costs[leaf, c]
        if value < least:
            least, second, at = value, least, c
        elif value < second:
            second = value
    for c in range(costs.shape[1]):
        costs[neighbour, c] += second if c == at else least


@inlined_kernel
def cheapest_except(row: Floats, banned: int) -> int:
    """Return the cheapest finite colour other than ``banned``, or -1 if there is none."""
    least, at = np.inf, -1
    for c in range(row.size):
        if c != banned and row[c] < least:
            least, at = row[c], c
    return at


@kernel
def unfold_leaves(costs: Floats, order: Indices, parent: Indices, labels: Indices) -> None:
    """Colour the folded nodes, last folded first, given the labels of the core; ``costs`` are the folded ones."""
    for at in range(order.size - 1, -1, -1):
        v = order[at]
        labels[v] = cheapest_except(costs[v], labels[parent[v]])


#: From this size on, a complete core is left to a linear assignment problem.
LARGE_CLIQUE = 6


@kernel
def gather_rows(costs: Floats, nodes: Indices, pinned: Indices, rows: Floats) -> None:
    """Copy the costs of some nodes; at a pinned node every other colour is forbidden."""
    for i in range(nodes.size):
        v = nodes[i]
        only = pinned[v] if pinned.size > 0 else -1
        for c in range(costs.shape[1]):
            rows[i, c] = costs[v, c] if only < 0 or c == only else np.inf


class Regions(NamedTuple):
    """How far regions have grown."""

    labels: Indices  #: colour of each node, shape (s,)
    region: Indices  #: nodes of one region share a number, shape (s,); -1 for those in none
    pending: Indices  #: room for the nodes of a region that the search leaves undecided
    found: Indices  #: their best colours so far, shape (s,); -1: none
    doubtful: Flags  #: whether the colour of a node is not known to be best, shape (s,)


@kernel
def grow_regions(
    costs: Floats, indptr: Indices, indices: Indices, pinned: Indices, budget: int, regions: Regions
) -> int:
    """Grow and colour regions until no conflict is left.

    Returns 0 when done, -1 when a region has no proper colouring, or the number of nodes of a region that the search
    left undecided.
    """
    labels, region, pending, found, doubtful = regions
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
            gather_rows(costs, nodes[:m], pinned, rows)
            near, others = _inside(nodes[:m], indptr, indices, local)
            status = _colour_region(rows, near, others, budget, colours)
            if status == NO_COLOURING:
                return -1
            if status == UNDECIDED:
                for i in range(m):
                    pending[i], found[nodes[i]] = nodes[i], colours[i]
                return m
            for i in range(m):
                labels[nodes[i]] = colours[i]
                doubtful[nodes[i]] = False
        local[:] = -1


@inlined_kernel
def _mark_conflicts(indptr: Indices, indices: Indices, labels: Indices, region: Indices, seeds: Indices) -> int:
    """Put the ends of violated edges into regions and list them."""
    count = 0
    for v in range(labels.size):
        for t in range(indptr[v], indptr[v + 1]):
            if labels[v] == labels[indices[t]]:
                region[v] = v
                seeds[count] = v
                count += 1
                break
    return count


@inlined_kernel
def _collect(seed: int, indptr: Indices, indices: Indices, region: Indices, local: Indices, nodes: Indices) -> int:
    """List and number the nodes of the region that holds the seed."""
    nodes[0] = seed
    local[seed] = 0
    region[seed] = seed
    count, at = 1, 0
    while at < count:
        v = nodes[at]
        at += 1
        for t in range(indptr[v], indptr[v + 1]):
            w = indices[t]
            if region[w] >= 0 and local[w] < 0:
                region[w] = seed
                local[w] = count
                nodes[count] = w
                count += 1
    return count


@inner_kernel
def _inside(nodes: Indices, indptr: Indices, indices: Indices, local: Indices) -> tuple[Indices, Indices]:
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
        for t in range(indptr[nodes[i]], indptr[nodes[i] + 1]):
            w = indices[t]
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


@inlined_kernel
def _colour_region(costs: Floats, indptr: Indices, indices: Indices, budget: int, labels: Indices) -> int:
    """Colour one connected region: leaves are folded, a tree is then solved, a core with cycles is searched."""
    order, parent, core = fold_leaves(costs, indptr, indices)
    if core.size == 1:
        labels[core[0]] = cheapest_except(costs[core[0]], integer(-1))
        if labels[core[0]] < 0:
            return NO_COLOURING
        unfold_leaves(costs, order, parent, labels)
        return SEARCHED
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
