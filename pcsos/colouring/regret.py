"""A proper colouring at little cost: next comes the node that would lose most by waiting (regret), or cannot wait."""

import numpy as np

from pcsos.conflict_graph import ConflictGraph
from pcsos.kernels import kernel
from pcsos.typing import Flags, Floats, Indices

#: A node with no more colours left than this comes before all that have more, whatever it may lose.
FEW = 3


def colour_by_regret(costs: Floats, graph: ConflictGraph) -> Indices | None:
    """Return a proper colouring, or None where some node is left without a colour.

    A node takes its cheapest free colour; its regret is what the next one costs more.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Cost of each colour at each node, infinity where it is forbidden.
    """
    labels = np.full(graph.size, -1, np.intp)
    is_proper = colour_in_turn(np.ascontiguousarray(costs), graph.indptr, graph.indices, labels)
    return labels if is_proper else None


@kernel
def colour_in_turn(costs: Floats, indptr: Indices, indices: Indices, labels: Indices) -> bool:
    """Colour all nodes, whose labels are -1, by regret; tell whether each has found a colour."""
    s, k = costs.shape
    closed = np.zeros((s, k), np.bool_)
    free, cheapest, regret = np.empty(s, np.intp), np.empty(s, np.intp), np.empty(s)
    for v in range(s):
        free[v], cheapest[v], regret[v] = outlook(costs, closed, v)
    for _ in range(s):
        pick, fewest, top = -1, k + 1, -1.0
        for v in range(s):
            if labels[v] < 0:
                count = free[v] if free[v] <= FEW else k
                if count < fewest or (count == fewest and regret[v] > top):
                    pick, fewest, top = v, count, regret[v]
        if free[pick] == 0:
            return False
        labels[pick] = cheapest[pick]
        for t in range(indptr[pick], indptr[pick + 1]):
            w = indices[t]
            if labels[w] < 0 and not closed[w, labels[pick]]:
                closed[w, labels[pick]] = True
                free[w], cheapest[w], regret[w] = outlook(costs, closed, w)
    return True


@kernel
def outlook(costs: Floats, closed: Flags, v: int) -> tuple[int, int, float]:
    """Return how many colours are free at a node, the cheapest one, and what the next one costs more, if there is."""
    free, cheapest, least, next_least = 0, -1, np.inf, np.inf
    for c in range(costs.shape[1]):
        if not closed[v, c] and costs[v, c] < np.inf:
            free += 1
            if costs[v, c] < least:
                next_least = least
                least = costs[v, c]
                cheapest = c
            elif costs[v, c] < next_least:
                next_least = costs[v, c]
    return free, cheapest, float(next_least - least) if free > 0 else 0.0
