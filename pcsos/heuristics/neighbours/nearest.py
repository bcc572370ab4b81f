"""Nearest neighbours, the same ones on every machine: those at equal distance are taken by their index."""

import numpy as np
from scipy.spatial import cKDTree

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.neighbours.squares import squared_distance

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

    Parameters
    ----------
    points : ndarray, shape (n, d)
        Finite coordinates.
    n_neighbours : int
        Number of neighbours, less than n.

    Returns
    -------
    ndarray of int, shape (n, n_neighbours)
        Their indices.
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
            distances, candidates = (array.reshape(-1, width) for array in tree.query(queries[block], [*_ranks(width)]))
            _keep_closest(places, queries, block, candidates, copies, starts, result)
            last = distances[:, min(count, width) - 1]
            is_settled = (distances[:, -1] > last * SURELY_FARTHER) | (width == len(places))
            unsettled.append(block[~is_settled])
        waiting, width = np.concatenate(unsettled), min(2 * width, len(places))
    return result


def _ranks(width: int) -> range:
    """Return the ranks of neighbours that are asked for, so that answers have two dimensions whatever their number."""
    return range(1, width + 1)


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
