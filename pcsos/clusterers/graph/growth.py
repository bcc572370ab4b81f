"""Growth: trees that grow from a seed until a seed of another label enters, and the edge that is cut then."""

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush

from pcsos.base.typing import Indices
from pcsos.clusterers.graph.reachability import LINKED, ReachabilityTree

#: Tells whether two points belong together, and None where that is not known.
Ask = Callable[[int, int], bool | None]


@dataclass(frozen=True)
class Growth:
    """The tree of a seed, in the order in which Prim's algorithm has grown it.

    Parameters
    ----------
    points : list of int
        The points: the seed, and those that have entered.
    edges : list of (int, int)
        The edges by which they have entered, one less than points.
    squares : list of float
        The squared lengths of the edges.
    met_rival : bool
        Whether the last point is a seed of another label, or else everything was reached.
    """

    points: list[int]
    edges: list[tuple[int, int]]
    squares: list[float]
    met_rival: bool


def grow(start: int, tree: ReachabilityTree, labels: Indices) -> Growth:
    """Grow a tree from a seed until a seed of another label enters (Dang et al. 2021, section 2).

    Parameters
    ----------
    start : int
        The seed.
    tree : ReachabilityTree
        The spanning tree of all points: Prim's algorithm never takes another edge.
    labels : ndarray of int, shape (n,)
        Labels of points, -1 where they are not known.
    """
    points = [start]
    edges: list[tuple[int, int]] = []
    squares: list[float] = []
    seen = {start}
    queue: list[tuple[float, int, int, int]] = []
    while True:
        for edge in tree.neighbours[points[-1]]:
            if edge[3] not in seen:
                heappush(queue, edge)
        if not queue:
            return Growth(points, edges, squares, met_rival=False)
        square, i, j, entering = heappop(queue)
        seen.add(entering)
        points.append(entering)
        edges.append((i, j))
        squares.append(square)
        if labels[entering] >= 0 and labels[entering] != labels[start]:
            return Growth(points, edges, squares, met_rival=True)


def cut_position(growth: Growth, apart: Callable[[int, int], bool], ask: Ask | None) -> int | None:
    """Return which edge is cut: the points up to it are of the seed's cluster; None where nothing is to be cut.

    The first edge with a cannot-link, else the heaviest of which somebody says that it is wrong, else the heaviest, the
    first of them where there are several.

    Parameters
    ----------
    growth : Growth
        The tree of a seed.
    apart : callable
        Tells whether a cannot-link keeps two points apart.
    ask : callable, optional
        Tells whether two points belong together. Edges are asked about from the heaviest on, until the first "no".
    """
    for position, (i, j) in enumerate(growth.edges):
        if apart(i, j):
            return position
    if not growth.met_rival:
        return None
    heaviest_first = sorted(range(len(growth.edges)), key=lambda position: -growth.squares[position])
    if ask is not None:
        for position in heaviest_first:
            if growth.squares[position] != LINKED and ask(*growth.edges[position]) is False:
                return position
    return heaviest_first[0]
