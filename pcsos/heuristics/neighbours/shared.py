"""The shared-neighbour graph: mutual neighbours are joined, and weighed by the neighbours that they share."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.neighbours.nearest import nearest_neighbours
from pcsos.problem.conditions.pairs import distinct


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
    >>> from pcsos.heuristics.neighbours.shared import SharedNeighbourGraph
    >>> graph = SharedNeighbourGraph.of(np.array([[0.0], [1.0], [3.0], [7.0]]), 2)
    >>> graph.edges.tolist(), graph.weights.tolist()
    ([[0, 1], [0, 2], [1, 2]], [1, 1, 1])
    """

    n_nodes: int
    edges: Indices
    weights: Indices

    @classmethod
    def of(cls, points: Floats, n_neighbours: int, linked: Indices | None = None) -> "SharedNeighbourGraph":
        """Return the graph of points, shape (n, d): an edge where each is a neighbour of the other.

        Its weight is the number of points that are neighbours of both: Dang et al. (2021), section 3.1, equation (1).
        A point is no neighbour of itself, so that weights are less than the number of neighbours.

        Parameters
        ----------
        points : ndarray, shape (n, d)
            Coordinates.
        n_neighbours : int
            Number of nearest points that are neighbours of a point.
        linked : ndarray of int, shape (m, 2), optional
            Pairs of points that are neighbours of each other besides, however far apart they are.
        """
        n = len(points)
        codes = n * np.arange(n)[:, None] + nearest_neighbours(points, n_neighbours)  # of a point and its neighbour
        if linked is not None:
            codes = np.concatenate([codes.ravel(), linked @ [n, 1], linked @ [1, n]])
        each, neighbour = np.divmod(distinct(codes), n)
        starts = np.searchsorted(each, np.arange(n + 1))
        edges, weights = _mutual_neighbours(starts, neighbour)
        return cls(n, edges, weights)

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
def _mutual_neighbours(starts: Indices, neighbours: Indices) -> tuple[Indices, Indices]:
    """Return edges and weights; the neighbours of point i begin at ``starts[i]``, in increasing order."""
    edges = np.empty((neighbours.size // 2, 2), np.intp)
    weights = np.empty(neighbours.size // 2, np.intp)
    size = 0
    for i in range(starts.size - 1):
        own = neighbours[starts[i] : starts[i + 1]]
        for j in own:
            if j > i:
                others = neighbours[starts[j] : starts[j + 1]]
                if _holds(others, i):
                    edges[size, 0] = i
                    edges[size, 1] = j
                    weights[size] = _shared(own, others)
                    size += 1
    return edges[:size].copy(), weights[:size].copy()


@kernel
def _holds(neighbours: Indices, wanted: int) -> bool:
    """Tell whether a point is among these, which increase."""
    place = np.searchsorted(neighbours, wanted)
    return bool(place < neighbours.size and neighbours[place] == wanted)


@kernel
def _shared(some: Indices, others: Indices) -> int:
    """Return the number of points that are among both, which increase."""
    count, one, other = 0, 0, 0
    while one < some.size and other < others.size:
        difference = some[one] - others[other]
        if difference == 0:
            count += 1
        if difference <= 0:
            one += 1
        if difference >= 0:
            other += 1
    return count
