"""A proper colouring at little cost by regret and tabu search, and the descent from one to a cheaper one.

Next comes the node that would lose most by waiting (regret), or cannot wait. Where nodes are left without a colour, a
tabu search takes over. The descent moves single nodes, and nodes that make neighbours give way.
"""

import math

import numpy as np

from pcsos.base.numerics.kernels import inlined_kernel, inner_kernel, kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.presolve.colouring.k_colouring import tabu_colouring
from pcsos.problem.conflict_graph import ConflictGraph

#: A node with no more colours left than this comes before all that have more, whatever it may lose.
FEW = 3
#: Steps of the tabu search.
TABU_STEPS = 20_000


def colour_by_regret(costs: Floats, graph: ConflictGraph, steps: int = TABU_STEPS) -> Indices | None:
    """Return a proper colouring, or None where none is found.

    A node takes its cheapest free colour; its regret is what the next one costs more. Costs of colours at nodes (s, k)
    are infinite where a colour is forbidden; the steps are those of the tabu search.
    """
    labels, costs = np.full(graph.size, -1, np.intp), np.ascontiguousarray(costs)
    urgency = np.empty(graph.size)
    if colour_in_turn(costs, graph.indptr, graph.indices, labels, urgency, urgency.view(np.int64)):
        return labels
    labels = np.where(labels < 0, costs.argmin(axis=1), labels).astype(np.intp)
    rng = np.random.default_rng(0)
    is_proper = tabu_colouring(graph.indptr, graph.indices, np.isfinite(costs), steps, rng, labels)
    return labels if is_proper else None


@kernel
def colour_in_turn(
    costs: Floats, indptr: Indices, indices: Indices, labels: Indices, urgency: Floats, bits: Indices
) -> bool:
    """Colour nodes, whose labels are -1, by regret; return whether each has found a colour.

    What comes next is the greatest of some non-negative numbers, which are in the same order as their bits.
    """
    s, k = costs.shape
    closed, unit = np.zeros((s, k), np.bool_), _span(costs)
    free, cheapest, second = np.empty(s, np.intp), np.empty(s, np.intp), np.empty(s, np.intp)
    for v in range(s):
        free[v], cheapest[v], second[v], regret = outlook(costs, closed, v)
        urgency[v] = _urgency(free[v], regret / unit)
    is_proper = True
    for _ in range(s):
        pick = _first_greatest(bits)
        urgency[pick] = -1.0
        if free[pick] == 0:
            is_proper = False
            continue
        colour = cheapest[pick]
        labels[pick] = colour
        for t in range(indptr[pick], indptr[pick + 1]):
            w = indices[t]
            if labels[w] < 0 and not closed[w, colour]:
                closed[w, colour] = True
                free[w] -= costs[w, colour] < np.inf
                if urgency[w] >= 0.0 and (colour == cheapest[w] or colour == second[w] or free[w] <= FEW):
                    free[w], cheapest[w], second[w], regret = outlook(costs, closed, w)
                    urgency[w] = _urgency(free[w], regret / unit)
    return is_proper


@inner_kernel
def outlook(costs: Floats, closed: Flags, v: int) -> tuple[int, int, int, float]:
    """Return how many colours are free at a node, the cheapest two (-1 without), and what the second one costs more."""
    free, cheapest, second, least, next_least = 0, -1, -1, np.inf, np.inf
    for c in range(costs.shape[1]):
        if not closed[v, c] and costs[v, c] < np.inf:
            free += 1
            if costs[v, c] < least:
                next_least, second = least, cheapest
                least, cheapest = costs[v, c], c
            elif costs[v, c] < next_least:
                next_least, second = costs[v, c], c
    return free, cheapest, second, float(next_least - least) if free > 0 else 0.0


@inlined_kernel
def _span(costs: Floats) -> float:
    """Return the greatest finite cost, or one if there is none above zero."""
    greatest = 0.0
    for v in range(costs.shape[0]):
        for c in range(costs.shape[1]):
            if greatest < costs[v, c] < np.inf:
                greatest = costs[v, c]
    return greatest if greatest > 0.0 else 1.0


@inlined_kernel
def _urgency(free: int, regret: float) -> float:
    """Return a number that is greater for nodes that come first; the regret is at most one, or infinite."""
    return float(regret) if free > FEW else math.ldexp(1.0 + regret, 2 * (FEW + 1 - free))


@inlined_kernel
def _first_greatest(values: Indices) -> int:
    """Return where the first of the greatest values stands."""
    greatest = values[0]
    for at in range(values.size):  # done with several at a time
        greatest = max(greatest, values[at])
    at = 0
    while values[at] != greatest:
        at += 1
    return at


@kernel
def improve_colouring(costs: Floats, indptr: Indices, indices: Indices, labels: Indices) -> None:
    """Move nodes to cheaper colours while that lowers the total cost; changes ``labels`` in place.

    Neighbours that have the new colour of a node go, one after another, to their cheapest free colour; the move is
    taken if all of them find one and the node saves more than they lose.
    """
    m, k = costs.shape
    improved = True
    while improved:
        improved = False
        for v in range(m):
            for c in range(k):
                if costs[v, c] < costs[v, labels[v]] and _make_way(v, c, costs, indptr, indices, labels):
                    improved = True


@inlined_kernel
def _make_way(v: int, c: int, costs: Floats, indptr: Indices, indices: Indices, labels: Indices) -> bool:
    old = labels[v]
    saved = costs[v, old] - costs[v, c]
    labels[v] = c
    end = indptr[v]
    while end < indptr[v + 1] and saved > 0.0:
        w = indices[end]
        if labels[w] == c:
            other = cheapest_free(w, costs, indptr, indices, labels)
            if other < 0:
                break
            saved -= costs[w, other] - costs[w, c]
            labels[w] = -2 - other  # marked as moved, so that it can be taken back
        end += 1
    done = end == indptr[v + 1] and saved > 0.0
    for w in indices[indptr[v] : indptr[v + 1]]:
        if labels[w] <= -2:
            labels[w] = -2 - labels[w] if done else c
    if not done:
        labels[v] = old
    return bool(done)


@kernel
def resolve_conflicts(costs: Floats, indptr: Indices, indices: Indices, labels: Indices) -> bool:
    """Move nodes in conflict to their cheapest free colours; return whether that makes the labels proper."""
    for v in range(labels.size):
        for w in indices[indptr[v] : indptr[v + 1]]:
            if labels[w] == labels[v]:
                labels[v] = cheapest_free(v, costs, indptr, indices, labels)
                break
        if labels[v] < 0:
            return False
    return True


@inner_kernel
def cheapest_free(v: int, costs: Floats, indptr: Indices, indices: Indices, labels: Indices) -> int:
    """Return the cheapest colour of a node that no neighbour has, or -1; -2 - c also stands for colour c."""
    least, at = np.inf, -1
    for c in range(costs.shape[1]):
        if costs[v, c] < least:
            free = True
            for w in indices[indptr[v] : indptr[v + 1]]:
                if labels[w] == c or labels[w] == -2 - c:
                    free = False
                    break
            if free:
                least, at = costs[v, c], c
    return at
