"""Cliques and cores of the cannot-link graph, and sets of its nodes as rows of truth values.

A core is what is left of a graph when nodes with few neighbours are taken away, again and again.
"""

import numpy as np

from pcsos.base.numerics.kernels import inlined_kernel, inner_kernel, kernel
from pcsos.base.typing import Flags, Indices
from pcsos.problem.conflict_graph import ConflictGraph

#: Among so many nodes cliques are looked for: a table of all pairs takes 100 MB.
MOST_NODES = 10_000


def core(graph: ConflictGraph, degree: int) -> Indices:
    """Return the nodes of the largest subgraph in which everyone has at least ``degree`` neighbours."""
    return np.setdiff1d(np.arange(graph.size), outside_core(graph.indptr, graph.indices, degree), assume_unique=True)


@kernel
def outside_core(indptr: Indices, indices: Indices, degree: int) -> Indices:
    """Return the nodes outside the core, each with fewer than ``degree`` neighbours that are not before it."""
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
        for w in indices[indptr[v] : indptr[v + 1]]:
            left[w] -= 1
            if left[w] == degree - 1:
                order[filled] = w
                filled += 1
    return order[:filled]


def find_clique(graph: ConflictGraph, target: int) -> Indices:
    """Return a clique with ``target`` nodes if greedy growth from any node finds one, else the largest found.

    It is looked for among the nodes with the most neighbours.
    """
    nodes = np.sort(np.argsort(-graph.degrees, kind="stable")[:MOST_NODES])
    return nodes[largest_greedy_clique(graph.subgraph(nodes).adjacency(), target)]


@kernel
def largest_greedy_clique(sets: Flags, target: int) -> Indices:
    """Return a clique that grows greedily from some node, with ``target`` nodes or the largest found."""
    best, largest = np.empty(0, np.intp), 0
    for v in range(sets.shape[0]):
        clique = np.empty(target, np.intp)
        clique[0] = v
        size = grow_clique(clique, 1, target, sets[v].copy(), sets)
        if size > largest:
            best, largest = clique, size
        if largest >= target:
            break
    return best[:largest]


@inner_kernel
def grow_clique(clique: Indices, size: int, target: int, candidates: Flags, sets: Flags) -> int:
    """Add to a clique, up to a size, the candidate with the most neighbours among the candidates, again and again.

    The clique is the first ``size`` entries, ``candidates`` its common neighbours; both change, and the new size is
    returned.
    """
    while size < target:
        node, most = -1, -1
        nodes = members_of(candidates)
        for v in nodes:
            common = 0
            for w in nodes:
                common += sets[v, w]
            if common > most:
                node, most = int(v), common
        if node < 0:
            break
        clique[size] = node
        size += 1
        narrow(candidates, sets[node])
    return size


# NumPy's own functions of truth values take many times as long to compile as the loops.


@inner_kernel
def members_of(flags: Flags) -> Indices:
    """Return the nodes of a set."""
    members, size = np.empty(flags.size, np.intp), 0
    for v in range(flags.size):
        if flags[v]:
            members[size] = v
            size += 1
    return members[:size]


@inlined_kernel
def first_of(flags: Flags) -> int:
    """Return the first node of a set, -1 where it is empty."""
    for v in range(flags.size):
        if flags[v]:
            return v
    return -1


@inner_kernel
def narrow(flags: Flags, others: Flags) -> None:
    """Keep the nodes of a set that are in another one, too."""
    for v in range(flags.size):
        flags[v] = flags[v] and others[v]
