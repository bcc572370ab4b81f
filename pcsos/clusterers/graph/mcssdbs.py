"""MCSSDBS: density-based clustering with seeds, must-links and cannot-links."""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cache, cached_property, partial
from heapq import heappop, heappush
from typing import Any

import numpy as np

from pcsos.analysis.active.answers import checked
from pcsos.base.exceptions import InputError
from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.clusterers.graph.base import GraphClusterer, Leftovers, Principal, count_of_neighbours
from pcsos.clusterers.graph.side_information import SideInformation
from pcsos.heuristics.neighbours import SharedNeighbourGraph, closest, squared_distance

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
    """

    edges: Indices  #: shape (n - 1, 2): the edges, the smaller end first
    #: shape (n - 1,): their squared lengths, and -1 between points that must be linked, whatever their distance
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
            if square <= known and _precedes(square, newest, i, known, parent[i], i):
                squares[i] = known = square
                parent[i] = newest
            if following < 0 or (
                known <= least and _precedes(known, parent[i], i, least, parent[following], following)
            ):
                following = i
                least = known
        newest = following
    return newest


@inner_kernel
def _precedes(square: float, i: int, j: int, other: float, k: int, m: int) -> bool:
    """Return whether the edge ij of this squared length comes before the edge km of the other one."""
    return (square, min(i, j), max(i, j)) < (other, min(k, m), max(k, m))


#: Says whether two points belong together, and None where that is not known.
Ask = Callable[[int, int], bool | None]


@dataclass(frozen=True)
class Growth:
    """The tree of a seed, in the order in which Prim's algorithm has grown it."""

    points: list[int]  #: the points: the seed, and those that have entered
    edges: list[tuple[int, int]]  #: the edges by which they have entered, one less than points
    squares: list[float]  #: the squared lengths of the edges
    met_rival: bool  #: whether the last point is a seed of another label, or else everything was reached


def grow(start: int, tree: ReachabilityTree, labels: Indices) -> Growth:
    """Grow a tree from a seed until a seed of another label enters (Dang et al. 2021, section 2).

    Prim's algorithm never takes an edge that is not in the spanning tree of all points. Labels are those of points,
    shape (n,), -1 where they are not known.
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

    The first edge whose points a cannot-link keeps ``apart``, else the heaviest that the oracle calls wrong, else the
    heaviest, the first of them where there are several. Edges are asked about from the heaviest on, until the first
    "no".
    """
    wrong = next((position for position, edge in enumerate(growth.edges) if apart(*edge)), None)
    if wrong is not None or not growth.met_rival:
        return wrong
    heaviest_first = sorted(range(len(growth.edges)), key=lambda position: -growth.squares[position])
    if ask is not None:
        for position in heaviest_first:
            if growth.squares[position] != LINKED and ask(*growth.edges[position]) is False:
                return position
    return heaviest_first[0]


@dataclass(eq=False, repr=False)
class MCSSDBS(GraphClusterer):
    """Trees that grow from seeds through dense regions, and are cut where they meet seeds of other labels.

    From each seed, Prim's algorithm grows a tree over mutual reachability distances until a seed of another label
    enters. One edge is cut then: the first that has a cannot-link, else one that a user rejects, else the longest. What
    lies before it takes the seed's label; of several labels, that of the first seed. Nothing is random.

    Parameters
    ----------
    min_samples : int
        A sample is at least as far from others as from its neighbour of this rank, itself not
        counted: from the last one where there are fewer.
    leftovers : {"nearest", "noise"}
        What becomes of samples before no cut: they join the nearest cluster that they may, or a new one where there is
        none (with a warning), or their label is -1.
    ask : callable or None
        ``ask(i, j)`` tells whether two samples belong together, or None if not known. It is asked about the edges
        of a tree from the longest on until it says no, and about each pair once.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Labels as in ``y``; new ones go on after the greatest. -1 is noise.
    principal_labels_ : ndarray of int, shape (n_samples,)
        Labels in the trees, -1 for samples that were placed afterwards.
    threshold_ : ndarray, shape (n_seeds,)
        Length of the edge that was cut for each seed, in the order of the samples, those that must-links connect
        counting once; infinity where nothing was cut, and 0 where it joined samples at one place.
    n_questions_ : int
        Number of questions.
    n_violations_ : int
        Number of cannot-links that ``labels_`` break. Only those on edges of trees are heeded while trees grow.
    n_features_in_, feature_names_in_
        As in :class:`SSGC`.

    See Also
    --------
    MCSSGC : satisfies all pairs, and is fast on many samples.

    Notes
    -----
    Must-links are satisfied: linked samples enter a tree together. Time grows with the square of ``n_samples``, and
    memory with ``n_samples``: 100,000 samples with two features take less than a minute. At least one seed is needed.

    References
    ----------
    Dang, Vu, Do, Le, Graph based clustering with constraints and active learning (2021), section 2. Distances are those
    of SSDBSCAN (Lelis and Sander, 2009); the order of questions and what becomes of several labels are our choice.

    Examples
    --------
    >>> from pcsos.clusterers import MCSSDBS
    >>> X = [[0.0], [1.0], [2.0], [5.0], [6.0], [7.5]]
    >>> model = MCSSDBS(min_samples=1).fit(X, [0, -1, -1, -1, -1, 1])
    >>> model.labels_.tolist(), model.threshold_.tolist()
    ([0, 0, 0, 1, 1, 1], [3.0, 3.0])
    >>> model.fit(X, [0, -1, -1, -1, -1, 1], cannot_link=[(1, 2)]).labels_.tolist()
    [0, 0, 1, 1, 1, 1]
    """

    min_samples: int = 3
    _: KW_ONLY
    leftovers: Leftovers = "nearest"
    ask: Ask | None = None

    def _grow(self, points: Floats, side: SideInformation) -> tuple[Principal, SharedNeighbourGraph]:
        min_samples = count_of_neighbours("min_samples", self.min_samples, len(points))
        if not side.classes.size:
            raise InputError(
                "MCSSDBS requires y to be passed, but the target y is None or has no seed; label at least one sample, "
                "or use MCSSGC"
            )
        if self.ask is not None and not callable(self.ask):
            raise InputError(
                f"ask is {self.ask!r}; give a function of two samples that tells whether they belong together, or None"
            )
        tree = ReachabilityTree.of(points, min_samples, side.group)
        apart, ask = _test_of_pairs(side), None if self.ask is None else cache(partial(_checked_answer, self.ask))
        labels, cuts = side.labels.copy(), []
        first = np.unique(side.group, return_index=True)[1]  # the first point of each super-point
        for seed in np.sort(first[side.labels >= 0]).tolist():
            growth = grow(seed, tree, side.labels[side.group])
            position = cut_position(growth, apart, ask)
            cuts.append(math.inf if position is None else math.sqrt(growth.squares[position]))
            reached = side.group[growth.points[: None if position is None else position + 1]]
            labels[reached[labels[reached] < 0]] = side.labels[side.group[seed]]
        self.threshold_ = np.array(cuts)
        self.n_questions_ = 0 if ask is None else ask.cache_info().currsize
        nothing_shared = SharedNeighbourGraph(side.size, np.empty((0, 2), np.intp), np.empty(0, np.intp))
        return Principal(np.arange(side.size), labels), nothing_shared

    def __sklearn_tags__(self) -> Any:
        """Return what scikit-learn may expect: there is nothing to grow without seeds."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _test_of_pairs(side: SideInformation) -> Callable[[int, int], bool]:
    """Return what tells whether a cannot-link keeps two points apart."""
    pairs = set(map(tuple, side.cannot_link.tolist()))
    return lambda i, j: tuple(sorted(side.group[[i, j]].tolist())) in pairs


def _checked_answer(ask: Ask, i: int, j: int) -> bool | None:
    return checked((i, j), ask(i, j), max(i, j) + 1).same
