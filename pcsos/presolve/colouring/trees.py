"""Trees that hang on a graph, folded into it exactly by min-sum dynamic programming.

A leaf tells its only neighbour what it would pay for each colour that the neighbour may take: its cheapest other
colour. That is its smallest entry, except where the neighbour takes that very colour, and there the second smallest;
so a message costs O(k). What remains when no leaf is left is a single node (the graph was a tree) or the 2-core.
"""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices


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


@kernel
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


@kernel
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
