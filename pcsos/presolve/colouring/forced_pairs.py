"""Pairs of nodes that every k-colouring puts together or apart, as far as cliques show it cheaply.

A clique of k - 1 nodes leaves one colour: all nodes that are adjacent to all of it share that colour. If a clique of k
nodes is covered by the neighbours of i and those of j together, i and j cannot share a colour: none would be left.
"""

import numpy as np

from pcsos.base.numerics.kernels import copy_to, inlined_kernel, inner_kernel, kernel
from pcsos.base.typing import Flags, Indices
from pcsos.evidence.node import Kind
from pcsos.presolve.colouring.branch_and_bound import adjacent
from pcsos.presolve.colouring.cliques import core, first_of, grow_clique, members_of, narrow
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.params import ColouringParams

ForcedPair = tuple[Kind, int, int, list[int]]


def forced_pairs(graph: ConflictGraph, n_clusters: int, params: ColouringParams | None = None) -> list[ForcedPair]:
    """Return pairs of non-adjacent nodes that every colouring with ``n_clusters`` colours puts together or apart.

    Parameters
    ----------
    params : ColouringParams, optional
        How many nodes take part, and how much may be spent on cannot-links.

    Returns
    -------
    list of (kind, i, j, witness)
        ``ML``: i and j are adjacent to every node of the clique ``witness`` of k - 1 nodes; of a set that must be
        together only a spanning tree is listed. ``CL``: every node of the clique ``witness`` of k nodes is adjacent to
        i or j. For k = 2 the must-links are complete and imply all else; for k >= 3 the search is greedy, from every
        edge and node. Cannot-links are looked for only where no must-link is found: contract first, then ask again.
    """
    k, params = n_clusters, params or ColouringParams()
    if k < 2 or graph.num_components == 0:
        return []
    if core(graph, k - 1).size == 0:  # without a clique of k nodes nothing is found
        return []
    if k == 2:
        found = _common_neighbours(graph.indptr, graph.indices, np.arange(graph.size))
        return [("ML", i, j, [w]) for i, j, w in found.tolist()]
    nodes = core(graph, k - 2)  # with neighbours enough to be in a clique of k - 1 nodes
    nodes = nodes[np.argsort(-graph.subgraph(nodes).degrees, kind="stable")][: params.forced_nodes]
    inner = graph.subgraph(nodes)
    sets = inner.adjacency()
    pairs, witness, large = _together(sets, inner.edges, k, np.arange(nodes.size))
    if pairs.size:
        return _named("ML", nodes[pairs], nodes[witness])
    large = np.unique(np.sort(large, axis=1), axis=0)
    affordable = max(1, params.forced_intersections // (sets.size * k))
    if large.shape[0] > affordable:
        large = large[np.linspace(0, large.shape[0] - 1, affordable).astype(np.intp)]
    found = _apart(sets, large)
    return _named("CL", nodes[found[:, :2]], nodes[large[found[:, 2]]])


def _named(kind: Kind, pairs: Indices, cliques: Indices) -> list[ForcedPair]:
    ordered = np.sort(pairs, axis=1).tolist()
    return [(kind, i, j, clique) for (i, j), clique in zip(ordered, cliques.tolist(), strict=True)]


@kernel
def _common_neighbours(indptr: Indices, indices: Indices, root: Indices) -> Indices:
    """Return a spanning set of the non-adjacent pairs with a common neighbour, and that neighbour."""
    found, filled = np.empty((root.size, 3), np.intp), 0
    for w in range(root.size):
        around = indices[indptr[w] : indptr[w + 1]]
        for t in range(1, around.size):
            i, j = around[t - 1], around[t]
            if not adjacent(indptr, indices, i, j) and _join(root, i, j):
                found[filled, 0], found[filled, 1], found[filled, 2] = i, j, w
                filled += 1
    return found[:filled]


@inner_kernel
def _join(root: Indices, i: int, j: int) -> bool:
    """Join the sets of two nodes; return whether they were different."""
    while root[i] != i:
        root[i] = root[root[i]]
        i = root[i]
    while root[j] != j:
        root[j] = root[root[j]]
        j = root[j]
    root[max(i, j)] = min(i, j)
    return bool(i != j)


@kernel
def _together(sets: Flags, edges: Indices, k: int, root: Indices) -> tuple[Indices, Indices, Indices]:
    """Grow cliques from all edges and nodes, and look at what shares a neighbourhood of k - 1 of their nodes.

    Returns
    -------
    tuple
        A spanning set of the pairs that must be together, the clique of k - 1 nodes for each, and cliques of k nodes.
    """
    size, num_edges = sets.shape[0], edges.shape[0]
    pairs = np.empty((size, 2), np.intp)
    witness = np.empty((size, k - 1), np.intp)
    large = np.empty((num_edges + size, k), np.intp)
    filled, num_large = 0, 0
    around = np.empty(size, np.bool_)
    for seed in range(num_edges + size):
        clique = large[num_large]
        if seed < num_edges:
            clique[0], clique[1] = edges[seed, 0], edges[seed, 1]
            copy_to(around, sets[clique[0]])
            narrow(around, sets[clique[1]])
            grown = _grow_first(clique, k - 1, around, sets)
        else:
            clique[0] = seed - num_edges
            copy_to(around, sets[clique[0]])
            grown = grow_clique(clique, 1, k - 1, around, sets)
        last = first_of(around)
        if grown < k - 1 or last < 0:
            continue
        clique[k - 1] = last
        num_large += 1
        for left_out in range(k):
            around[:] = True
            for t in range(k):
                if t != left_out:
                    narrow(around, sets[clique[t]])
            members = members_of(around)
            for t in range(1, members.size):
                i, j = members[t - 1], members[t]
                if not sets[i, j] and _join(root, i, j):
                    pairs[filled, 0], pairs[filled, 1] = i, j
                    for u in range(k - 1):
                        witness[filled, u] = clique[u if u < left_out else u + 1]
                    filled += 1
    return pairs[:filled], witness[:filled], large[:num_large]


@inlined_kernel
def _grow_first(clique: Indices, target: int, around: Flags, sets: Flags) -> int:
    """Grow a clique from an edge, always by the first common neighbour; return its size, and what is left of those."""
    size = 2
    while size < target:
        node = first_of(around)
        if node < 0:
            break
        clique[size] = node
        narrow(around, sets[node])
        size += 1
    return size


@kernel
def _apart(sets: Flags, cliques: Indices) -> Indices:
    """Return the non-adjacent pairs whose neighbours cover a clique, and the number of that clique."""
    size = sets.shape[0]
    known, rest = sets.copy(), np.empty(size, np.bool_)
    found, filled = np.empty((size * size // 2, 3), np.intp), 0
    for q in range(cliques.shape[0]):
        for i in range(size):
            missing = 0
            for node in cliques[q]:
                missing += not sets[i, node]
            if missing == 0 or missing == cliques.shape[1]:
                continue
            rest[:] = True
            for node in cliques[q]:
                if not sets[i, node]:
                    narrow(rest, sets[node])
            for j in members_of(rest):
                if not known[i, j]:
                    found[filled, 0], found[filled, 1], found[filled, 2] = i, j, q
                    filled += 1
                    known[i, j] = known[j, i] = True
    return found[:filled]
