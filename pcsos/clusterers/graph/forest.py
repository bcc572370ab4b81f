"""The maximum spanning forest of a graph, which alone tells the components above every threshold."""

from dataclasses import dataclass

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.typing import Indices
from pcsos.heuristics.neighbours import SharedNeighbourGraph


@dataclass(frozen=True, eq=False)
class Forest:
    """Edges without cycles such that any two nodes are joined by edges as heavy as in the whole graph.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    edges : ndarray of int, shape (f, 2)
        The edges, the heaviest first.
    weights : ndarray of int, shape (f,)
        Their weights.
    """

    n_nodes: int
    edges: Indices
    weights: Indices

    @classmethod
    def of(cls, graph: SharedNeighbourGraph) -> "Forest":
        """Return a maximum spanning forest of a graph, by Kruskal's algorithm on buckets of weights."""
        kept = _kruskal(graph.n_nodes, graph.edges, graph.weights)
        return cls(graph.n_nodes, graph.edges[kept], graph.weights[kept])

    def components(self, threshold: int) -> Indices:
        """Return the component of each node under the edges of at least this weight, by first appearance."""
        return components(self.n_nodes, self.edges[self.weights >= threshold])

    def separating_threshold(self, labels: Indices) -> int:
        """Return the least threshold above which no component holds two labels.

        It is one more than the greatest weight at which nodes of different labels are joined, and 0 where they never
        are: what the loop of Dang et al. (2021), Algorithm 1, lines 2 to 6, arrives at.

        Parameters
        ----------
        labels : ndarray of int, shape (n_nodes,)
            The label of each node, -1 where there is none.
        """
        return int(_first_threshold(self.edges, self.weights, labels.copy()))


@kernel
def components(n_nodes: int, edges: Indices) -> Indices:
    """Return the component of each node under these edges, numbered by first appearance, shape (n_nodes,)."""
    parent = np.arange(n_nodes)
    for edge in range(len(edges)):
        one, other = find(parent, edges[edge, 0]), find(parent, edges[edge, 1])
        parent[max(one, other)] = min(one, other)
    component = np.empty(n_nodes, np.intp)
    count = 0
    for node in range(n_nodes):
        root = find(parent, node)
        if root == node:
            component[node] = count
            count += 1
        else:
            component[node] = component[root]
    return component


@inner_kernel
def find(parent: Indices, node: int) -> int:
    """Return the root of a node, and halve the path to it."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@kernel
def _kruskal(n_nodes: int, edges: Indices, weights: Indices) -> Indices:
    """Return the edges of a maximum spanning forest, the heaviest first and equally heavy ones in their order."""
    order = _heaviest_first(weights)
    parent = np.arange(n_nodes)
    kept = np.empty(max(min(n_nodes - 1, len(edges)), 0), np.intp)
    size = 0
    for position in range(order.size):
        edge = order[position]
        one, other = find(parent, edges[edge, 0]), find(parent, edges[edge, 1])
        if one != other:
            parent[max(one, other)] = min(one, other)
            kept[size] = edge
            size += 1
    return kept[:size].copy()


@inner_kernel
def _heaviest_first(weights: Indices) -> Indices:
    """Return the order of falling weights, which are few and whole, by counting them."""
    greatest = 0
    for edge in range(weights.size):
        greatest = max(greatest, weights[edge])
    start = np.zeros(greatest + 2, np.intp)
    for edge in range(weights.size):
        start[greatest - weights[edge] + 1] += 1
    for bucket in range(greatest + 1):
        start[bucket + 1] += start[bucket]
    order = np.empty(weights.size, np.intp)
    for edge in range(weights.size):
        bucket = greatest - weights[edge]
        order[start[bucket]] = edge
        start[bucket] += 1
    return order


@kernel
def _first_threshold(edges: Indices, weights: Indices, label: Indices) -> int:
    parent = np.arange(label.size)
    for edge in range(weights.size):
        one, other = find(parent, edges[edge, 0]), find(parent, edges[edge, 1])
        if label[one] >= 0 and label[other] >= 0 and label[one] != label[other]:
            return int(weights[edge]) + 1
        root = min(one, other)
        label[root] = max(label[one], label[other])
        parent[max(one, other)] = root
    return 0
