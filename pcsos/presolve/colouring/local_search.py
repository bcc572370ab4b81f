"""Descent from a proper colouring to a cheaper one: single nodes, and nodes that make neighbours give way."""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices


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


@kernel
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
    """Move nodes in conflict to their cheapest free colours; tell whether that makes the labels proper."""
    for v in range(labels.size):
        for w in indices[indptr[v] : indptr[v + 1]]:
            if labels[w] == labels[v]:
                labels[v] = cheapest_free(v, costs, indptr, indices, labels)
                break
        if labels[v] < 0:
            return False
    return True


@kernel
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


@kernel
def total_cost(costs: Floats, labels: Indices) -> float:
    """Return the cost of the labels."""
    total = 0.0
    for v in range(labels.size):
        total += costs[v, labels[v]]
    return total
