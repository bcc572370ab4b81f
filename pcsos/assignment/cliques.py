"""Cliques of the cannot-link graph: a cover of its edges, and large ones to be found quickly."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pcsos.assignment.colour_search import adjacent

Nodes = NDArray[np.intp]


@njit(cache=True, nogil=True)
def cover_edges(indptr: Nodes, indices: Nodes) -> tuple[Nodes, Nodes]:
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
            clique = _grow(v, indices[e], indptr, indices)
            for a in clique:
                members.append(a)
                for b in clique:
                    if a != b:
                        covered[edge_position(indptr, indices, a, b)] = True
            starts.append(len(members))
    return np.array(starts, np.intp), np.array(members, np.intp)


@njit(cache=True, nogil=True)
def _grow(v: int, w: int, indptr: Nodes, indices: Nodes) -> list[int]:
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


@njit(cache=True, nogil=True)
def edge_position(indptr: Nodes, indices: Nodes, v: int, w: int) -> int:
    """Return the place of neighbour w in the list of v."""
    return int(indptr[v] + np.searchsorted(indices[indptr[v] : indptr[v + 1]], w))
