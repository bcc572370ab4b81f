"""Mutual reachability: distances that are not less than those to some neighbour, and their spanning tree."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.neighbours import closest, squared_distance

#: The squared length of edges within a super-point: less than that of all others.
LINKED = -1.0

#: Distances that are computed before an interrupt is heard.
AT_A_TIME = 20_000_000


@dataclass(frozen=True, eq=False)
class ReachabilityTree:
    """The minimum spanning tree of the complete graph, under a strict order of its edges.

    An edge is as long as the greatest of the distance of its ends and of their distances to their m-th neighbours.
    Edges of one length are ordered by their ends, so that the tree, and the order in which Prim's algorithm visits
    points from any start, are the only ones.

    Parameters
    ----------
    edges : ndarray of int, shape (n - 1, 2)
        The edges, the smaller end first.
    squares : ndarray, shape (n - 1,)
        Their squared lengths, and -1 between points that must be linked, whatever their distance.
    """

    edges: Indices
    squares: Floats

    @classmethod
    def of(cls, points: Floats, min_samples: int, group: Indices) -> "ReachabilityTree":
        """Return the tree of points, shape (n, d), in which those of a group, shape (n,), are neighbours.

        Time grows with the square of n, memory with n.
        """
        farthest = closest(points, points, min_samples + 1)[:, -1].copy()
        parent, squares = spanning_tree(points, farthest, group)
        child = np.arange(1, len(points))
        edges = np.sort(np.column_stack([parent[1:], child]), axis=1)
        return cls(edges, squares[1:])

    @cached_property
    def neighbours(self) -> list[list[tuple[float, int, int, int]]]:
        """The edges at each point: squared length, ends in order, and the other end."""
        found: list[list[tuple[float, int, int, int]]] = [[] for _ in range(len(self.edges) + 1)]
        for (i, j), square in zip(self.edges.tolist(), self.squares.tolist(), strict=True):
            found[i].append((square, i, j, j))
            found[j].append((square, i, j, i))
        return found


def spanning_tree(points: Floats, farthest: Indices, group: Indices) -> tuple[Indices, Floats]:
    """Return the parent of each point in the tree that grows from point 0, and the squared length of that edge.

    An interrupt is heard many times a second.
    """
    n = len(points)
    core, parent, squares = _squares_to(points, farthest), np.zeros(n, np.intp), np.full(n, np.inf)
    is_in, newest = np.zeros(n, np.bool_), 0
    steps = max(AT_A_TIME // n, 1)
    for entered in range(0, n - 1, steps):
        outside = np.flatnonzero(~is_in)
        count = min(steps, n - 1 - entered)
        newest = _take_in(points, core, group, parent, squares, outside, is_in, newest, count)
    return parent, squares


@kernel
def _squares_to(points: Floats, others: Indices) -> Floats:
    """Return the squared distance of each point to another one."""
    squares = np.empty(len(points))
    for i in range(len(points)):
        squares[i] = squared_distance(points, i, points, others[i])
    return squares


@kernel
def _take_in(
    points: Floats,
    core: Floats,
    group: Indices,
    parent: Indices,
    squares: Floats,
    outside: Indices,
    is_in: Flags,
    newest: int,
    count: int,
) -> int:
    """Let so many of the points outside enter the tree, one after the other, and return the last of them."""
    here = np.empty((1, points.shape[1]))
    for _ in range(count):
        is_in[newest] = True
        own_core, own_group = core[newest], group[newest]
        for c in range(points.shape[1]):
            here[0, c] = points[newest, c]
        following = -1
        least = np.inf
        for i in outside:
            if is_in[i]:
                continue
            square = LINKED
            if group[i] != own_group:
                square = max(core[i], own_core, squared_distance(points, i, here, 0))
            known = squares[i]
            if square < known or (square == known and _precedes(square, newest, i, known, parent[i], i)):
                squares[i] = known = square
                parent[i] = newest
            if (
                following < 0
                or known < least
                or (known == least and _precedes(known, parent[i], i, least, parent[following], following))
            ):
                following = i
                least = known
        newest = following
    return newest


@kernel
def _precedes(square: float, i: int, j: int, other: float, k: int, m: int) -> bool:
    """Tell whether the edge ij of this squared length comes before the edge km of the other one."""
    if square != other:
        return square < other
    if min(i, j) != min(k, m):
        return min(i, j) < min(k, m)
    return max(i, j) < max(k, m)
