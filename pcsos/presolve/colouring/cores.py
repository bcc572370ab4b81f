"""Cores: what is left of a graph when nodes with few neighbours are taken away, again and again."""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Indices
from pcsos.problem.conflict_graph import ConflictGraph


def outside_core(graph: ConflictGraph, degree: int) -> Indices:
    """Return the nodes outside the core, each with fewer than ``degree`` neighbours that are not before it."""
    return _peel(graph.indptr, graph.indices, degree)


def core(graph: ConflictGraph, degree: int) -> Indices:
    """Return the nodes of the largest subgraph in which everyone has at least ``degree`` neighbours."""
    return np.setdiff1d(np.arange(graph.size), outside_core(graph, degree), assume_unique=True)


@kernel
def _peel(indptr: Indices, indices: Indices, degree: int) -> Indices:
    size = indptr.size - 1
    left = np.empty(size, np.intp)
    order = np.empty(size, np.intp)
    filled = 0
    for v in range(size):
        left[v] = indptr[v + 1] - indptr[v]
        if left[v] < degree:
            order[filled] = v
            filled += 1
    at = 0
    while at < filled:
        v = order[at]
        at += 1
        for t in range(indptr[v], indptr[v + 1]):
            w = indices[t]
            left[w] -= 1
            if left[w] == degree - 1:
                order[filled] = w
                filled += 1
    return order[:filled]
