"""Nearest neighbours of points, and the graph of those that points share."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.pairs import connected_components, distinct


@inner_kernel
def squared_distance(some: Floats, i: int, others: Floats, j: int) -> float:
    """Return the squared distance of two points, summed in the order of the features."""
    total = 0.0
    for feature in range(some.shape[1]):
        difference = some[i, feature] - others[j, feature]
        total += difference * difference
    return total


#: With more features, trees look almost everywhere, and are slower than looking everywhere.
MOST_FEATURES_OF_A_TREE = 8

#: Queries that are compared with a point at a time.
TILE = 256

#: Candidates that are held in memory at a time.
BATCH = 4_000_000

#: Beyond this factor a candidate is farther away, however the sums of squares were rounded.
SURELY_FARTHER = 1.0 + 1e-9


def nearest_neighbours(points: Floats, n_neighbours: int) -> Indices:
    """Return the nearest other points of each point, nearest first, equally near ones by index.

    Coordinates (n, d) are finite, and there are fewer neighbours than points. The indices have shape (n, n_neighbours).
    """
    found = closest(points, points, n_neighbours + 1)
    is_left_out = found == np.arange(len(points))[:, None]
    is_left_out[~is_left_out.any(axis=1), -1] = True  # behind as many others at the same place
    others: Indices = found[~is_left_out].reshape(len(points), n_neighbours)
    return others


def closest(points: Floats, queries: Floats, count: int) -> Indices:
    """Return the points that are closest to each query, in order, equally close ones by index, shape (q, count).

    Where there are many features, all points are scanned for each query: time grows with n * q, memory with n + q.
    """
    if points.shape[1] > MOST_FEATURES_OF_A_TREE:
        blocks = [np.ascontiguousarray(queries[row : row + TILE].T) for row in range(0, len(queries), TILE)]
        return np.vstack([_scan(points, block, count) for block in blocks])
    return _closest_in_tree(points, queries, count)


def _closest_in_tree(points: Floats, queries: Floats, count: int) -> Indices:
    places, place = np.unique(points + 0.0, axis=0, return_inverse=True)
    copies = np.argsort(place.ravel(), kind="stable")
    starts = np.searchsorted(place.ravel()[copies], np.arange(len(places) + 1))
    tree = cKDTree(places)
    result = np.empty((len(queries), count), np.intp)
    waiting, width = np.arange(len(queries)), min(count + 1, len(places))
    while waiting.size:
        unsettled = []
        for block in np.array_split(waiting, -(-waiting.size * width // BATCH)):
            ranks = [*range(1, width + 1)]  # a list, so that answers have two dimensions for one neighbour, too
            distances, candidates = (array.reshape(-1, width) for array in tree.query(queries[block], ranks))
            _keep_closest(places, queries, block, candidates, copies, starts, result)
            last = distances[:, min(count, width) - 1]
            is_settled = (distances[:, -1] > last * SURELY_FARTHER) | (width == len(places))
            unsettled.append(block[~is_settled])
        waiting, width = np.concatenate(unsettled), min(2 * width, len(places))
    return result


@kernel
def _keep_closest(
    places: Floats,
    queries: Floats,
    block: Indices,
    candidates: Indices,
    copies: Indices,
    starts: Indices,
    result: Indices,
) -> None:
    """Fill the rows of a block of queries with the closest points at the candidate places."""
    count = result.shape[1]
    squares = np.empty(count)
    for row in range(block.size):
        query = block[row]
        size = 0
        for column in range(candidates.shape[1]):
            place = candidates[row, column]
            square = squared_distance(places, place, queries, query)
            for position in range(starts[place], min(starts[place + 1], starts[place] + count)):
                point = copies[position]
                slot = size
                while slot > 0 and (
                    squares[slot - 1] > square or (squares[slot - 1] == square and result[query, slot - 1] > point)
                ):
                    if slot < count:
                        squares[slot] = squares[slot - 1]
                        result[query, slot] = result[query, slot - 1]
                    slot -= 1
                if slot < count:
                    squares[slot] = square
                    result[query, slot] = point
                    size = min(size + 1, count)


@kernel
def _scan(points: Floats, queries: Floats, count: int) -> Indices:
    """Return the points that are closest to a block of queries, which are columns: shape (d, q)."""
    n, size = len(points), queries.shape[1]
    squares, found = np.full((size, count), np.inf), np.empty((size, count), np.intp)
    total = np.empty(size)
    for point in range(n):
        for query in range(size):
            total[query] = 0.0
        for feature in range(points.shape[1]):
            coordinate = points[point, feature]
            for query in range(size):
                difference = queries[feature, query] - coordinate
                total[query] += difference * difference
        for query in range(size):
            square = total[query]
            if square < squares[query, count - 1]:
                slot = count - 1
                while slot > 0 and squares[query, slot - 1] > square:
                    squares[query, slot] = squares[query, slot - 1]
                    found[query, slot] = found[query, slot - 1]
                    slot -= 1
                squares[query, slot] = square
                found[query, slot] = point
    return found


@dataclass(frozen=True, eq=False)
class SharedNeighbourGraph:
    """A graph whose edges have whole numbers as weights.

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.heuristics.neighbours import SharedNeighbourGraph
    >>> graph = SharedNeighbourGraph.of(np.array([[0.0], [1.0], [3.0], [7.0]]), 2)
    >>> graph.edges.tolist(), graph.weights.tolist()
    ([[0, 1], [0, 2], [1, 2]], [1, 1, 1])
    """

    n_nodes: int  #: number of nodes
    edges: Indices  #: shape (m, 2): pairs of nodes, which may occur several times where nodes are several points
    weights: Indices  #: shape (m,): the number of neighbours that the two ends share, at least 0

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
        codes = distinct(codes.ravel())
        each, neighbour = np.divmod(codes, n)
        is_edge = (each < neighbour) & np.isin(n * neighbour + each, codes)
        edges = np.column_stack([each, neighbour])[is_edge]
        starts = np.searchsorted(each, np.arange(n + 1))
        counts = np.diff(starts)
        is_shorter = counts[edges[:, 0]] < counts[edges[:, 1]]
        own, other = np.where(is_shorter[:, None], edges, edges[:, ::-1]).T  # the fewer neighbours are gone through
        edge = np.repeat(np.arange(len(edges)), counts[own])
        behind = np.arange(edge.size) - np.searchsorted(edge, edge)  # the neighbours before it
        third = neighbour[starts[own][edge] + behind]
        is_shared = np.isin(n * other[edge] + third, codes)
        return cls(n, edges, np.bincount(edge[is_shared], minlength=len(edges)))

    def components(self, threshold: int) -> Indices:
        """Return the component of each node under the edges of at least this weight, by first appearance."""
        return connected_components(self.n_nodes, self.edges[self.weights >= threshold])

    def contracted(self, group: Indices, n_groups: int, apart: Indices) -> "SharedNeighbourGraph":
        """Return the graph between groups of nodes, without the edges between groups that must be apart.

        Each node has its group in ``group`` (n_nodes,); ``apart`` (c, 2) are pairs of groups, the smaller one first.
        """
        edges = np.sort(group[self.edges], axis=1)
        is_kept = edges[:, 0] != edges[:, 1]
        is_kept &= ~np.isin(edges @ [n_groups, 1], apart @ [n_groups, 1])
        return SharedNeighbourGraph(n_groups, edges[is_kept], self.weights[is_kept])
