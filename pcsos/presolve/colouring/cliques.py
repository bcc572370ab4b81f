"""Cliques and cores of the cannot-link graph, and sets of its nodes as rows of bits.

To intersect two sets of 500 nodes takes eight instructions. A core is what is left of a graph when nodes with few
neighbours are taken away, again and again.
"""

import numpy as np
from numpy.typing import NDArray

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.typing import Indices
from pcsos.problem.conflict_graph import ConflictGraph

Bits = NDArray[np.uint64]


@kernel
def neighbour_sets(indptr: Indices, indices: Indices) -> Bits:
    """Return the neighbours of every node as a set, shape (s, ceil(s / 64))."""
    size = indptr.size - 1
    sets = np.zeros((size, (size + 63) // 64), np.uint64)
    for v in range(size):
        for w in indices[indptr[v] : indptr[v + 1]]:
            sets[v, w >> 6] |= np.uint64(1) << np.uint64(w & 63)
    return sets


@inner_kernel
def contains(members: Bits, v: int) -> bool:
    """Return whether a node is in a set."""
    return bool((members[v >> 6] >> np.uint64(v & 63)) & np.uint64(1))


@inner_kernel
def keep_common(members: Bits, others: Bits) -> None:
    """Keep of a set what is in the other one, too."""
    for word in range(members.size):
        members[word] &= others[word]


@inner_kernel
def first_member(members: Bits) -> int:
    """Return the smallest node of a set, or -1."""
    for word in range(members.size):
        bits = members[word]
        if bits:
            lowest = bits & (~bits + np.uint64(1))
            return 64 * word + count_bits(lowest - np.uint64(1))
    return -1


@inner_kernel
def count_bits(bits: int) -> int:
    """Return the number of ones of a 64-bit word, adding up neighbouring fields of 1, 2 and 4 bits."""
    x = np.uint64(bits)
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inner_kernel
def count_common(a: Bits, b: Bits) -> int:
    """Return the size of the intersection of two sets."""
    total = 0
    for word in range(a.size):
        total += count_bits(a[word] & b[word])
    return total


@inner_kernel
def list_members(members: Bits) -> Indices:
    """Return the nodes of a set in increasing order."""
    total = 0
    for word in members:
        total += count_bits(word)
    nodes = np.empty(total, np.intp)
    filled = 0
    for word in range(members.size):
        bits = members[word]
        while bits:
            lowest = bits & (~bits + np.uint64(1))
            nodes[filled] = 64 * word + count_bits(lowest - np.uint64(1))
            filled += 1
            bits ^= lowest
    return nodes


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
    """Return a clique with ``target`` nodes if greedy growth from any node finds one, else the largest found."""
    return largest_greedy_clique(neighbour_sets(graph.indptr, graph.indices), target)


@kernel
def largest_greedy_clique(sets: Bits, target: int) -> Indices:
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
def grow_clique(clique: Indices, size: int, target: int, candidates: Bits, sets: Bits) -> int:
    """Add to a clique, up to a size, the candidate with the most neighbours among the candidates, again and again.

    The clique is the first ``size`` entries, ``candidates`` its common neighbours; both change, and the new size is
    returned.
    """
    while size < target:
        node, most = -1, -1
        for v in list_members(candidates):
            common = count_common(sets[v], candidates)
            if common > most:
                node, most = v, common
        if node < 0:
            break
        clique[size] = node
        size += 1
        keep_common(candidates, sets[node])
    return size
