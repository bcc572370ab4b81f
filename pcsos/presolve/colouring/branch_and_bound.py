"""Branch and bound for small graphs with cycles: branch on a node that disputes its cheapest colour.

A state bans some colours at some nodes. Every node takes the cheapest colour left to it; where neighbours take the same
one, either a node keeps it (and its neighbours are banned from it) or the node itself is banned from it. The bound
adds, over disjoint cliques of nodes that dispute one colour, what all but the most reluctant of them lose.
"""

import numpy as np

from pcsos.base.numerics.kernels import inlined_kernel, inner_kernel, integer, kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.presolve.colouring.local_search import outlook

#: What is known about a subproblem.
NO_COLOURING, SEARCHED, UNDECIDED = 0, 1, 2


@kernel
def search_colouring(costs: Floats, indptr: Indices, indices: Indices, budget: int, labels: Indices) -> int:
    """Find the cheapest proper colouring of a small graph.

    Parameters
    ----------
    costs : ndarray, shape (m, k)
        Cost of each colour at each node; infinity forbids a colour.
    indptr, indices : ndarray of int
        Sorted neighbours in compressed form.
    budget : int
        Number of steps (nodes of the search times nodes and edges of the graph) after which to give up.
    labels : ndarray of int, shape (m,)
        Receives the best colouring found; its first entry is -1 where there is none.

    Returns
    -------
    int
        ``SEARCHED``: the labels are optimal; ``NO_COLOURING``: there are none; ``UNDECIDED``: the budget was used up.
    """
    m, k = costs.shape
    banned = np.zeros((m, k), np.bool_)
    current = np.empty(m, np.intp)
    for v in range(m):
        _refresh(v, costs, banned, current)
    regret = np.empty(m)
    marked = np.empty(m, np.bool_)
    trail = np.empty((m * k, 2), np.intp)
    frames = np.empty((m * k + 1, 4), np.intp)  # node, colour, keeps first, second branch taken
    starts = np.empty(m * k + 1, np.intp)
    depth, length = 0, integer(0)
    best = np.inf
    labels[0] = -1
    price = m + indices.size
    while True:
        if budget < 0:
            return UNDECIDED
        budget -= price
        bound, node, keep = _examine(costs, banned, current, indptr, indices, regret, marked)
        if bound < best and node < 0:
            best = bound
            for v in range(m):
                labels[v] = current[v]
        if bound < best and node >= 0:
            frames[depth, 0] = node
            frames[depth, 1] = current[node]
            frames[depth, 2] = int(keep)
            frames[depth, 3] = 0
            starts[depth] = length
            depth += 1
        else:
            while depth > 0 and frames[depth - 1, 3] == 1:
                depth -= 1
                length = _undo(trail, length, starts[depth], costs, banned, current)
            if depth == 0:
                return SEARCHED if labels[0] >= 0 else NO_COLOURING
            length = _undo(trail, length, starts[depth - 1], costs, banned, current)
            frames[depth - 1, 3] = 1
        node, colour = frames[depth - 1, 0], frames[depth - 1, 1]
        if frames[depth - 1, 2] != frames[depth - 1, 3]:
            for other in indices[indptr[node] : indptr[node + 1]]:
                length = _ban(other, colour, trail, length, costs, banned, current)
        else:
            length = _ban(node, colour, trail, length, costs, banned, current)


@inner_kernel
def _refresh(v: int, costs: Floats, banned: Flags, current: Indices) -> None:
    least, at = np.inf, -1
    for c in range(costs.shape[1]):
        if not banned[v, c] and costs[v, c] < least:
            least, at = costs[v, c], c
    current[v] = at


@inner_kernel
def _ban(v: int, c: int, trail: Indices, length: int, costs: Floats, banned: Flags, current: Indices) -> int:
    if banned[v, c]:
        return length
    banned[v, c] = True
    trail[length, 0] = v
    trail[length, 1] = c
    if current[v] == c:
        _refresh(v, costs, banned, current)
    return length + 1


@inlined_kernel
def _undo(trail: Indices, length: int, start: int, costs: Floats, banned: Flags, current: Indices) -> int:
    for t in range(length - 1, start - 1, -1):
        banned[trail[t, 0], trail[t, 1]] = False
    for t in range(start, length):
        _refresh(trail[t, 0], costs, banned, current)
    return start


@inlined_kernel
def _examine(
    costs: Floats, banned: Flags, current: Indices, indptr: Indices, indices: Indices, regret: Floats, marked: Flags
) -> tuple[float, int, bool]:
    """Return the bound of a state, the node to branch on (-1: the colouring is proper), and whether it keeps first."""
    m = current.size
    bound = 0.0
    for v in range(m):
        if current[v] < 0:
            return np.inf, -1, False
        bound += costs[v, current[v]]
    disputes = False
    for v in range(m):
        marked[v] = True
        for w in indices[indptr[v] : indptr[v + 1]]:
            if current[w] == current[v]:
                marked[v] = False
                break
        if not marked[v]:
            disputes = True
            regret[v] = outlook(costs, banned, v)[3]
    if not disputes:
        return bound, -1, False
    node, keep = _disputed_node(current, indptr, indices, regret, marked)
    return bound + _dispute_bound(current, indptr, indices, regret, marked), node, keep


@inlined_kernel
def _disputed_node(
    current: Indices, indptr: Indices, indices: Indices, regret: Floats, settled: Flags
) -> tuple[int, bool]:
    """Return the node whose two branches raise the bound most (first by the smaller rise, then by the greater)."""
    node, keep = -1, False
    best_low, best_high = -1.0, -1.0
    for v in range(current.size):
        if settled[v]:
            continue
        keeps = 0.0
        for w in indices[indptr[v] : indptr[v + 1]]:
            if current[w] == current[v]:
                keeps += regret[w]
        low, high = min(keeps, regret[v]), max(keeps, regret[v])
        if low > best_low or (low == best_low and high > best_high):
            best_low, best_high = low, high
            node, keep = v, keeps <= regret[v]
    return node, keep


@inlined_kernel
def _dispute_bound(current: Indices, indptr: Indices, indices: Indices, regret: Floats, marked: Flags) -> float:
    """Return what disjoint cliques of disputing nodes must lose; a clique that disputes a colour keeps it once."""
    total = 0.0
    members = np.empty(current.size, np.intp)
    for v in range(current.size):
        if marked[v]:
            continue
        marked[v] = True
        members[0] = v
        count, most = 1, regret[v]
        for w in indices[indptr[v] : indptr[v + 1]]:
            if marked[w] or current[w] != current[v]:
                continue
            joined = True
            for t in range(1, count):
                if not adjacent(indptr, indices, members[t], w):
                    joined = False
                    break
            if joined:
                marked[w] = True
                members[count] = w
                count += 1
                total += min(most, regret[w])
                most = max(most, regret[w])
    return total


@inlined_kernel
def adjacent(indptr: Indices, indices: Indices, v: int, w: int) -> bool:
    """Return whether two nodes are neighbours, by bisection."""
    low, high = indptr[v], indptr[v + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < w:
            low = middle + 1
        else:
            high = middle
    return bool(low < indptr[v + 1] and indices[low] == w)
