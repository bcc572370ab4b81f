"""The shared-neighbour graph: mutual neighbours are joined, and weighed by the neighbours that they share."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pcsos.kernels import kernel
from pcsos.neighbours.nearest import nearest_neighbours
from pcsos.typing import Floats, Indices


@dataclass(frozen=True, eq=False)
class SharedNeighbourGraph:
    """A graph whose edges have whole numbers as weights.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    edges : ndarray of int, shape (m, 2)
        Pairs of nodes, which may occur several times where nodes are several points.
    weights : ndarray of int, shape (m,)
        The number of neighbours that the two ends share, at least 0.

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.neighbours.shared import SharedNeighbourGraph
    >>> graph = SharedNeighbourGraph.of(np.array([[0.0], [1.0], [3.0], [7.0]]), 2)
    >>> graph.edges.tolist(), graph.weights.tolist()
    ([[0, 1], [0, 2], [1, 2]], [1, 1, 1])
    """

    n_nodes: int
    edges: Indices
    weights: Indices

    @classmethod
    def of(cls, points: Floats, n_neighbours: int) -> "SharedNeighbourGraph":
        """Return the graph of points, shape (n, d): an edge where each is a neighbour of the other.

        Its weight is the number of points that are neighbours of both: Dang et al. (2021), section 3.1, equation (1).
        A point is no neighbour of itself, so that weights are less than the number of neighbours.
        """
        edges, weights = _mutual_neighbours(np.sort(nearest_neighbours(points, n_neighbours), axis=1))
        return cls(len(points), edges, weights)

    def contracted(self, group: Indices, n_groups: int, apart: Indices) -> "SharedNeighbourGraph":
        """Return the graph between groups of nodes, without the edges between groups that must be apart.

        Parameters
        ----------
        group : ndarray of int, shape (n_nodes,)
            The group of each node.
        n_groups : int
            Number of groups.
        apart : ndarray of int, shape (c, 2)
            Pairs of groups, the smaller one first.
        """
        edges = np.sort(group[self.edges], axis=1)
        is_kept = edges[:, 0] != edges[:, 1]
        is_kept &= ~np.isin(edges @ [n_groups, 1], apart @ [n_groups, 1])
        return SharedNeighbourGraph(n_groups, edges[is_kept], self.weights[is_kept])

    def to_networkx(self) -> Any:
        """Return the graph as one of networkx, for small graphs that are to be looked at or drawn."""
        import networkx

        graph = networkx.Graph()
        graph.add_nodes_from(range(self.n_nodes))
        graph.add_weighted_edges_from(
            (i, j, weight) for (i, j), weight in zip(self.edges.tolist(), self.weights.tolist(), strict=True)
        )
        return graph


@kernel
def _mutual_neighbours(neighbours: Indices) -> tuple[Indices, Indices]:
    """Return the edges and weights, given the neighbours of each point in increasing order."""
    n, width = neighbours.shape
    edges = np.empty((n * width // 2, 2), np.intp)
    weights = np.empty(n * width // 2, np.intp)
    size = 0
    for i in range(n):
        for column in range(width):
            j = neighbours[i, column]
            if j > i and _holds(neighbours, j, i):
                edges[size, 0] = i
                edges[size, 1] = j
                weights[size] = _shared(neighbours, i, j)
                size += 1
    return edges[:size].copy(), weights[:size].copy()


@kernel
def _holds(neighbours: Indices, i: int, wanted: int) -> bool:
    """Tell whether a point is a neighbour of point i."""
    low, high = 0, neighbours.shape[1]
    while low < high:
        middle = (low + high) // 2
        if neighbours[i, middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return bool(low < neighbours.shape[1] and neighbours[i, low] == wanted)


@kernel
def _shared(neighbours: Indices, i: int, j: int) -> int:
    """Return the number of points that are neighbours of both i and j."""
    width = neighbours.shape[1]
    count, one, other = 0, 0, 0
    while one < width and other < width:
        difference = neighbours[i, one] - neighbours[j, other]
        if difference == 0:
            count += 1
        if difference <= 0:
            one += 1
        if difference >= 0:
            other += 1
    return count
