"""Colouring with k colours: by DSATUR (Brelaz, 1979), and by tabu search (Hertz and de Werra, 1987).

DSATUR colours the node with the most colours around it next, and may prove that there is no colouring; tabu search
finds colourings that it misses, and proves nothing.
"""

import numpy as np

from pcsos.base.numerics.kernels import inlined_kernel, integer, kernel
from pcsos.base.typing import Flags, Indices
from pcsos.problem.conflict_graph import ConflictGraph

#: What a search found.
IMPOSSIBLE, COLOURED, GAVE_UP = 0, 1, 2


@kernel
def dsatur(indptr: Indices, indices: Indices, k: int, budget: int, labels: Indices, trace: Indices) -> tuple[int, int]:
    """Colour a graph with k colours, or prove by exhaustion that it cannot be done.

    The first descent is the greedy heuristic; backtracking is chronological, and among the colours that no node has yet
    only the first is tried. The budget is the number of nodes coloured (and uncoloured) before giving up. A colouring
    is written into ``labels`` (m,), and into ``trace`` the nodes in the order in which the search takes them, as many
    as it holds.

    Returns
    -------
    tuple of int
        ``COLOURED``, ``IMPOSSIBLE`` or ``GAVE_UP``, and how many nodes the search took.
    """
    m = labels.size
    for v in range(m):
        labels[v] = -1
    around = np.zeros((m, k), np.intp)  # number of neighbours with each colour
    saturation = np.zeros(m, np.intp)
    chosen = np.empty(m, np.intp)
    used = np.zeros(m + 1, np.intp)  # colours in use before each depth
    depth, taken = 0, 0
    descending = True
    while depth < m:
        if budget == 0:
            return GAVE_UP, taken
        budget -= 1
        if descending:
            chosen[depth] = _most_saturated(labels, saturation, indptr)
            if taken < trace.size:
                trace[taken] = chosen[depth]
            taken += 1
            first = 0
        else:
            first = labels[chosen[depth]] + 1
            _uncolour(chosen[depth], indptr, indices, around, saturation, labels)
        node = chosen[depth]
        colour = first
        limit = min(used[depth] + 1, k)
        while colour < limit and around[node, colour] > 0:
            colour += 1
        descending = colour < limit
        if descending:
            _colour(node, colour, indptr, indices, around, saturation, labels)
            used[depth + 1] = max(used[depth], colour + 1)
            depth += 1
        else:
            depth -= 1
            if depth < 0:
                return IMPOSSIBLE, taken
    return COLOURED, taken


def try_colouring(graph: ConflictGraph, k: int, budget: int) -> tuple[int, Indices]:
    """Return what :func:`dsatur` finds, and the colouring, or the nodes as it takes them where there is none.

    The search for these is repeated with the room that they need, so that one that does not end costs no memory.
    """
    labels = np.empty(graph.size, np.intp)
    status, taken = dsatur(graph.indptr, graph.indices, k, budget, labels, np.empty(0, np.intp))
    if status != IMPOSSIBLE:
        return status, labels
    trace = np.empty(taken, np.intp)
    dsatur(graph.indptr, graph.indices, k, budget, labels, trace)
    return status, trace


@inlined_kernel
def _most_saturated(labels: Indices, saturation: Indices, indptr: Indices) -> int:
    node, most, degree = -1, -1, -1
    for v in range(labels.size):
        if labels[v] >= 0:
            continue
        around = indptr[v + 1] - indptr[v]
        if saturation[v] > most or (saturation[v] == most and around > degree):
            node, most, degree = v, saturation[v], around
    return node


@inlined_kernel
def _colour(
    v: int, c: int, indptr: Indices, indices: Indices, around: Indices, saturation: Indices, labels: Indices
) -> None:
    labels[v] = c
    for w in indices[indptr[v] : indptr[v + 1]]:
        saturation[w] += around[w, c] == 0
        around[w, c] += 1


@inlined_kernel
def _uncolour(v: int, indptr: Indices, indices: Indices, around: Indices, saturation: Indices, labels: Indices) -> None:
    c = labels[v]
    labels[v] = -1
    for w in indices[indptr[v] : indptr[v + 1]]:
        around[w, c] -= 1
        saturation[w] -= around[w, c] == 0


@kernel
def tabu_colouring(
    indptr: Indices,
    indices: Indices,
    allowed: Flags,
    steps: int,
    rng: np.random.Generator,
    labels: Indices,
) -> bool:
    """Recolour one node in conflict after another until no conflict is left or the steps are used up.

    Each step makes the best move of a node in conflict to another colour; the node may not go back for a while (0.6
    times the number of nodes in conflict, plus up to 10 steps) unless that beats the fewest conflicts so far.

    It starts from ``labels`` (m,), all of them ``allowed`` (m, k), and leaves the last ones there. Returned is whether
    these are a proper colouring.
    """
    m, k = allowed.shape
    # Number of neighbours with each colour; a forbidden colour counts as more conflicts than there can be.
    around = np.zeros((m, k), np.intp)
    for v in range(m):
        for c in range(k):
            if not allowed[v, c]:
                around[v, c] = 2 * indices.size + 1
        for w in indices[indptr[v] : indptr[v + 1]]:
            around[v, labels[w]] += 1
    until = np.zeros((m, k), np.intp)
    conflicts = integer(0)
    for v in range(m):
        conflicts += around[v, labels[v]]
    fewest = conflicts
    for step in range(1, steps + 1):
        if conflicts == 0:
            return True
        node, colour, disputed = _best_move(labels, around, until, step, conflicts, fewest, rng)
        if node < 0:
            continue
        old = labels[node]
        conflicts += 2 * (around[node, colour] - around[node, old])
        fewest = min(fewest, conflicts)
        labels[node] = colour
        until[node, old] = step + int(0.6 * disputed) + int(10.0 * rng.random())
        for w in indices[indptr[node] : indptr[node + 1]]:
            around[w, old] -= 1
            around[w, colour] += 1
    return conflicts == 0


@inlined_kernel
def _best_move(
    labels: Indices,
    around: Indices,
    until: Indices,
    step: int,
    conflicts: int,
    fewest: int,
    rng: np.random.Generator,
) -> tuple[int, int, int]:
    """Return a node in conflict and the colour that helps most, ties at random, and the number of such nodes."""
    node, colour, disputed, ties = -1, -1, 0, 0
    best = labels.size
    for v in range(labels.size):
        own = around[v, labels[v]]
        if own == 0:
            continue
        disputed += 1
        for c in range(around.shape[1]):
            change = around[v, c] - own
            if c == labels[v] or change > best or (until[v, c] > step and conflicts + 2 * change >= fewest):
                continue
            ties = ties + 1 if change == best else 1
            if change < best or ties * rng.random() < 1.0:
                node, colour, best = v, c, change
    return node, colour, disputed
