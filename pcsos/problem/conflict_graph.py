"""The cannot-link graph of the super-points, in compressed form."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Flags, Indices
from pcsos.problem.conditions.pairs import distinct


@dataclass(frozen=True, eq=False)
class ConflictGraph:
    """Nodes that cannot share a cluster with their neighbours; build it with :meth:`build`.

    Parameters
    ----------
    size : int
        Number of nodes s, with or without neighbours.
    indptr, indices : ndarray of int
        The neighbours of node i are ``indices[indptr[i]:indptr[i + 1]]``, in increasing order.
    component : ndarray of int, shape (s,)
        Connected component of each node, numbered by first appearance; -1 for a node without neighbours.
    num_components : int
        Number of connected components with at least one edge.
    """

    size: int
    indptr: Indices
    indices: Indices
    component: Indices
    num_components: int

    @classmethod
    def build(cls, size: int, pairs: ArrayLike) -> "ConflictGraph":
        """Return the graph with these edges, shape (c, 2); duplicates and either order are fine, loops are not."""
        array = np.asarray(pairs, dtype=np.intp).reshape(-1, 2)
        keys = distinct(np.concatenate([array[:, 0] * size + array[:, 1], array[:, 1] * size + array[:, 0]]))
        indptr = np.zeros(size + 1, np.intp)
        np.cumsum(
            np.bincount(keys // size, minlength=size) if keys.size else np.zeros(size, np.intp),
            out=indptr[1:],
        )
        indices = (keys % size).astype(np.intp)
        component, num_components = _components(indptr, indices)
        return cls(size, indptr, indices, component, num_components)

    @property
    def degrees(self) -> Indices:
        """Number of neighbours of each node, shape (s,)."""
        return np.diff(self.indptr)

    @cached_property
    def has_cycles(self) -> bool:
        """Whether the graph is more than a forest, whose trees have one node more than edges each."""
        return self.indices.size // 2 > int((self.component >= 0).sum()) - self.num_components

    @property
    def edges(self) -> Indices:
        """The edges with i < j, sorted, shape (c, 2)."""
        sources = np.repeat(np.arange(self.size), self.degrees)
        forward = sources < self.indices
        return np.column_stack([sources[forward], self.indices[forward]])

    def subgraph(self, nodes: Indices) -> "ConflictGraph":
        """Return the graph among some nodes, renumbered by their position in ``nodes``."""
        position = np.full(self.size, -1, np.intp)
        position[nodes] = np.arange(nodes.size)
        pairs = position[self.edges]
        return ConflictGraph.build(nodes.size, pairs[(pairs >= 0).all(axis=1)])

    def adjacency(self) -> Flags:
        """Return the dense adjacency matrix, shape (s, s)."""
        matrix = np.zeros((self.size, self.size), np.bool_)
        matrix[np.repeat(np.arange(self.size), self.degrees), self.indices] = True
        return matrix


@kernel
def _components(indptr: Indices, indices: Indices) -> tuple[Indices, int]:
    size = indptr.size - 1
    component = np.full(size, -1, np.intp)
    stack = np.empty(size, np.intp)
    count = 0
    for start in range(size):
        if component[start] >= 0 or indptr[start] == indptr[start + 1]:
            continue
        component[start] = count
        stack[0] = start
        height = 1
        while height > 0:
            height -= 1
            node = stack[height]
            for other in indices[indptr[node] : indptr[node + 1]]:
                if component[other] < 0:
                    component[other] = count
                    stack[height] = other
                    height += 1
        count += 1
    return component, count
