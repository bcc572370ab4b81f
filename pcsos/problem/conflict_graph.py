"""The cannot-link graph of the super-points, in compressed form."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.typing import Flags, Indices
from pcsos.problem.conditions.pairs import connected_components, distinct


@dataclass(frozen=True, eq=False)
class ConflictGraph:
    """Nodes that cannot share a cluster with their neighbours; build it with :meth:`build`."""

    size: int  #: number of nodes s, with or without neighbours
    #: the neighbours of node i are ``indices[indptr[i]:indptr[i + 1]]``, in increasing order
    indptr: Indices
    indices: Indices

    @classmethod
    def build(cls, size: int, pairs: ArrayLike) -> "ConflictGraph":
        """Return the graph with these edges, shape (c, 2); duplicates and either order are fine, loops are not."""
        array = np.asarray(pairs, dtype=np.intp).reshape(-1, 2)
        keys = distinct(np.concatenate([array[:, 0] * size + array[:, 1], array[:, 1] * size + array[:, 0]]))
        indptr = np.zeros(size + 1, np.intp)
        indptr[1:] = np.cumsum(np.bincount(keys // max(size, 1), minlength=size))
        return cls(size, indptr, (keys % max(size, 1)).astype(np.intp))

    @cached_property
    def component(self) -> Indices:
        """Connected component of each node, numbered by first appearance; -1 for a node without neighbours."""
        component, has_neighbours = np.full(self.size, -1, np.intp), self.degrees > 0
        every = connected_components(self.size, self.edges)[has_neighbours]
        component[has_neighbours] = np.unique(every, return_inverse=True)[1]
        return component

    @property
    def num_components(self) -> int:
        """Number of connected components with at least one edge."""
        return int(self.component.max(initial=-1)) + 1

    @property
    def degrees(self) -> Indices:
        """Number of neighbours of each node, shape (s,)."""
        return np.diff(self.indptr)

    def neighbours(self, node: int) -> Indices:
        """Return the neighbours of a node, in increasing order."""
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

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
