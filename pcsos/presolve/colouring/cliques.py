"""Cliques of the cannot-link graph: a cover of its edges, and large ones to be found quickly."""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Indices
from pcsos.presolve.colouring.bitsets import Bits, count_common, keep_common, list_members, neighbour_sets
from pcsos.presolve.colouring.branch_and_bound import adjacent
from pcsos.problem.conflict_graph import ConflictGraph


def find_clique(graph: ConflictGraph, target: int) -> Indices:
    """Return a clique with ``target`` nodes if greedy growth from any node finds one, else the largest found."""
    if graph.size == 0:
        return np.empty(0, np.intp)
    return _largest_greedy_clique(neighbour_sets(graph.indptr, graph.indices), target)


@kernel
def _largest_greedy_clique(sets: Bits, target: int) -> Indices:
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


@kernel
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


@kernel
def cover_edges(indptr: Indices, indices: Indices) -> tuple[Indices, Indices]:
    """Cover every edge by greedily grown cliques.

    Returns
    -------
    starts, members : ndarray of int
        The nodes of clique q are ``members[starts[q]:starts[q + 1]]``; every edge lies in at least one clique.
    """
    covered = np.zeros(indices.size, np.bool_)
    starts = [0]
    members = [0 for _ in range(0)]
    for v in range(indptr.size - 1):
        for e in range(indptr[v], indptr[v + 1]):
            if covered[e] or indices[e] < v:
                continue
            clique = _first_clique(v, indices[e], indptr, indices)
            for a in clique:
                members.append(a)
                for b in clique:
                    if a != b:
                        covered[_edge_position(indptr, indices, a, b)] = True
            starts.append(len(members))
    return np.array(starts, np.intp), np.array(members, np.intp)


@kernel
def _first_clique(v: int, w: int, indptr: Indices, indices: Indices) -> list[int]:
    clique = [v, w]
    for other in indices[indptr[v] : indptr[v + 1]]:
        joined = other != w
        for t in range(1, len(clique)):
            if not joined:
                break
            joined = adjacent(indptr, indices, clique[t], other)
        if joined:
            clique.append(other)
    return clique


@kernel
def _edge_position(indptr: Indices, indices: Indices, v: int, w: int) -> int:
    """Return the place of neighbour w in the list of v."""
    return int(indptr[v] + np.searchsorted(indices[indptr[v] : indptr[v + 1]], w))
