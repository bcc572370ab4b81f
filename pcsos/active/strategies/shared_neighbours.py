"""The strategy ``asc``: pairs on weak edges of the graph of shared neighbours, after active constraint selection (ASC).

An edge joins points that are among each other's nearest neighbours; its weight is the number of neighbours that they
share. Edges below a threshold are candidates, in the order of their utility, and the other edges follow. The source
(Dang, Vu, Do and Le, 2021) names ASC without its formulas; the utility here is a reading of it.
"""

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from pcsos.active.state import State
from pcsos.instance import Instance
from pcsos.typing import Floats, Indices

#: Neighbours of a point.
NEIGHBOURS = 10


class SharedNeighbours:
    """Questions about edges with few shared neighbours, between points in dense places first.

    Parameters
    ----------
    instance : Instance
        The points.
    """

    def __init__(self, instance: Instance) -> None:
        number = min(NEIGHBOURS, instance.n_points - 1)
        self.edges = np.empty((0, 2), np.intp)
        if number > 0:
            edges, weights = shared_neighbour_graph(instance.points, number)
            density = np.bincount(edges.ravel(), np.repeat(weights, 2), instance.n_points) / number
            utility = (number - weights) + 1.0 + density[edges].min(axis=1)
            is_strong = weights >= 0.5 * number
            self.edges = edges[np.lexsort((edges[:, 1], edges[:, 0], -utility, is_strong))]

    def next_pair(self, state: State) -> tuple[int, int] | None:
        """Return the open edge of largest utility."""
        return next(((i, j) for i, j in self.edges.tolist() if state.is_open(i, j)), None)


def shared_neighbour_graph(points: Floats, number: int) -> tuple[Indices, Floats]:
    """Return the pairs of points that are among each other's nearest neighbours, and how many neighbours they share.

    Parameters
    ----------
    number : int
        Nearest neighbours of a point, itself left out, at least one and fewer than there are points.

    Returns
    -------
    edges : ndarray of int, shape (m, 2)
        Pairs i < j, sorted.
    weights : ndarray, shape (m,)
        Number of common neighbours.
    """
    n = len(points)
    found = cKDTree(points).query(points, k=number + 1)[1]
    own = found == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True  # a point with many others at its place may not be among its own neighbours
    neighbours = found[~own].reshape(n, number)
    lists = csr_array((np.ones(n * number), neighbours.ravel(), np.arange(0, n * number + 1, number)), shape=(n, n))
    mutual = lists.multiply(lists.T).tocoo()
    edges = np.column_stack([mutual.row, mutual.col]).astype(np.intp)
    edges = edges[edges[:, 0] < edges[:, 1]]
    edges = edges[np.lexsort((edges[:, 1], edges[:, 0]))]
    shared = lists[edges[:, 0]].multiply(lists[edges[:, 1]]).sum(axis=1)
    return edges, np.asarray(shared, np.float64).reshape(-1)
