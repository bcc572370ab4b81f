"""A state: which points are together and apart, and what follows by colouring (docs/certificate.md, section 4)."""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from pcsos.verify.effort import OF_A_NUMBER, OF_A_STEP, OF_AN_ITEM, spend
from pcsos.verify.reader import VerificationError, require

WIDTH = 10  # of a mask, as a power of two


class Bits:
    """A set of integers from 0 on, as masks of 1,024 bits: dense sets take a bit a number, sparse ones a mask."""

    __slots__ = ("_masks",)

    def __init__(self) -> None:
        self._masks: dict[int, int] = {}

    def add(self, number: int) -> None:
        """Add a number."""
        place = number >> WIDTH
        self._masks[place] = self._masks.get(place, 0) | 1 << (number & (1 << WIDTH) - 1)

    def discard(self, number: int) -> None:
        """Remove a number, if it is there."""
        place = number >> WIDTH
        mask = self._masks.get(place, 0) & ~(1 << (number & (1 << WIDTH) - 1))
        if mask:
            self._masks[place] = mask
        else:
            self._masks.pop(place, None)

    def __contains__(self, number: int) -> bool:
        return bool(self._masks.get(number >> WIDTH, 0) >> (number & (1 << WIDTH) - 1) & 1)

    def __bool__(self) -> bool:
        return bool(self._masks)

    def __len__(self) -> int:
        return sum(mask.bit_count() for mask in self._masks.values())

    def __iter__(self) -> Iterator[int]:
        spend(2 * OF_AN_ITEM * (len(self) + len(self._masks)))
        for place in sorted(self._masks):
            mask = self._masks[place]
            while mask:
                lowest = mask & -mask
                yield (place << WIDTH) + lowest.bit_length() - 1
                mask ^= lowest


class Groups(Sequence[list[int]]):
    """Groups of points, one after the other in one array; each is a list where it is asked for.

    Parameters
    ----------
    groups : iterable of iterables of int
        The points of each group.
    """

    def __init__(self, groups: Iterable[Iterable[int]]) -> None:
        self._points, self._ends = array("q"), array("q", [0])
        for group in groups:
            self._points.extend(group)
            spend(OF_AN_ITEM * (5 + len(self._points) - self._ends[-1]))
            self._ends.append(len(self._points))

    def __len__(self) -> int:
        return len(self._ends) - 1

    @property
    def firsts(self) -> NDArray[np.int64]:
        """The first point of each group."""
        return np.array(self._points, np.int64)[np.array(self._ends[:-1], np.int64)]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of points of each group."""
        ends = np.array(self._ends, np.int64)
        return ends[1:] - ends[:-1]

    def __getitem__(self, at: Any) -> Any:
        """Return a group, or a list of groups."""
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        place = at if at >= 0 else at + len(self)
        if not 0 <= place < len(self):
            raise IndexError(at)
        start, end = self._ends[place : place + 2]
        spend(OF_AN_ITEM * (5 + end - start))
        return self._points[start:end].tolist()


NO_POINTS = Bits()
#: Changes: a pair of super-points is apart from now on, or is no more, as one of them is gone; or two became one; or a
#: weight is bounded.
LINKED, RELEASED, MERGED, BOUNDED = range(4)
Change = tuple[Any, ...]
Blocks = Sequence[Sequence[int]]
Mark = tuple[int, bool, Blocks]


class State:
    """Super-points, each named by one of its points, and their neighbours in the cannot-link graph.

    What was added since a :meth:`mark` can be taken back, so that one state walks a whole tree.

    Attributes
    ----------
    name : sequence of int
        The super-point of each point.
    size : int
        Number of super-points.
    broken : bool
        Whether two points are to be both together and apart: no partition belongs to the state then.
    moved : sequence of sequences
        Blocks of points with an origin of their own, because no cluster meets two of them.
    bounds : list of (str, int, fmpq)
        The cluster of a point weighs at most (``lighter``) or at least (``heavier``) so much.
    """

    def __init__(self, n: int) -> None:
        spend(OF_AN_ITEM * n)
        self.name = array("q", range(n))
        self.size, self.broken = n, False
        self.moved: Blocks = [range(n)]
        self.bounds: list[tuple[str, int, fmpq]] = []
        self._points: dict[int, list[int]] = {}  # of super-points with two points or more
        self._neighbours: dict[int, Bits] = {}
        self._trail: list[Change] = []
        self._is_kept = False

    def mark(self) -> Mark:
        """Return a place to come back to."""
        self._is_kept = True
        return len(self._trail), self.broken, self.moved

    def undo(self, mark: Mark) -> None:
        """Take back whatever was added since a mark."""
        length, self.broken, self.moved = mark
        while len(self._trail) > length:
            kind, first, second, *more = self._trail.pop()
            if kind == MERGED:
                self._part(first, second, *more)
            elif kind == LINKED:
                self._unlink(first, second)
            elif kind == BOUNDED:
                self.bounds.pop()
            else:
                self._link(first, second)

    @property
    def num_changes(self) -> int:
        """How many changes are remembered, to be taken back."""
        return len(self._trail)

    def add(self, kind: str, i: int, j: int) -> None:
        """Add a must-link (``ML``) or a cannot-link (``CL``) between two points, to be taken back later."""
        spend(2 * OF_A_STEP)
        first, second = self.name[i], self.name[j]
        if kind == "CL":
            self.broken |= first == second
            if first != second:
                self._separate(first, second)
        elif first != second:
            self.broken |= second in self.around(first)
            is_larger = len(self.points(first)) >= len(self.points(second))
            self._merge(*((first, second) if is_larger else (second, first)))

    def bound(self, kind: str, point: int, weight: fmpq) -> None:
        """Bound the weight of the cluster of a point, to be taken back later."""
        self.bounds.append((kind, point, weight))
        self._note(BOUNDED, point, point)

    def _separate(self, first: int, second: int) -> None:
        if second not in self.around(first):
            self._link(first, second)
            self._note(LINKED, first, second)

    def _release(self, first: int, second: int) -> None:
        self._unlink(first, second)
        self._note(RELEASED, first, second)

    def _merge(self, keep: int, gone: int) -> None:
        """Let the points and neighbours of one super-point be those of another, which has no fewer points."""
        for neighbour in list(self.around(gone)):
            spend(2 * OF_A_STEP)
            self._release(neighbour, gone)
            if neighbour != keep:
                self._separate(keep, neighbour)
        others, group = self._points.pop(gone, [gone]), self._points.setdefault(keep, [keep])
        length = len(group)
        group += others
        self._rename(others, keep)
        self.size -= 1

        self._note(MERGED, keep, gone, length, others)

    def _part(self, keep: int, gone: int, length: int, others: list[int]) -> None:
        """Take back that the points of one super-point were added to those of another."""
        group = self._points[keep]
        del group[length:]
        for name, points in ((keep, group), (gone, others)):
            self._points[name] = points
            if len(points) == 1:
                del self._points[name]
        self._rename(others, gone)
        self.size += 1

    def _rename(self, points: list[int], name: int) -> None:
        spend(OF_AN_ITEM * len(points))
        for point in points:
            self.name[point] = name

    def _link(self, first: int, second: int) -> None:
        self._neighbours.setdefault(first, Bits()).add(second)
        self._neighbours.setdefault(second, Bits()).add(first)

    def _unlink(self, first: int, second: int) -> None:
        for own, other in ((first, second), (second, first)):
            self._neighbours[own].discard(other)
            if not self._neighbours[own]:
                del self._neighbours[own]

    def _note(self, *change: Any) -> None:
        """Remember a change, if there is a mark to come back to."""
        if self._is_kept:
            self._trail.append(change)

    def names(self) -> list[int]:
        """Return the super-points in the order of their smallest points."""
        return list(self._names())

    def _names(self) -> Iterator[int]:
        spend(OF_AN_ITEM * len(self.name))
        seen = set[int]()
        for point, name in enumerate(self.name):
            if name not in self._points:
                yield point
            elif name not in seen:
                seen.add(name)
                yield name

    def points(self, name: int) -> list[int]:
        """Return the points of a super-point."""
        return self._points.get(name) or [name]

    def around(self, name: int) -> Bits:
        """Return the super-points that are apart from one."""
        return self._neighbours.get(name, NO_POINTS)

    def groups(self) -> Groups:
        """Return the points of each super-point, ordered by the smallest point."""
        return Groups(sorted(self.points(name)) for name in self._names())

    def blocks(self) -> Blocks:
        """Return the points in blocks, such that super-points of different blocks are all apart from one another.

        They are the connected components of the pairs of super-points that may share a cluster.
        """
        if not self._neighbours:
            return [range(len(self.name))]
        names = self.names()
        left, blocks = set(names), []
        for start in names:
            if start not in left:
                continue
            left.discard(start)
            block = [start]
            for name in block:  # which grows meanwhile
                spend(OF_AN_ITEM * len(left))
                near = left.difference(self.around(name))
                block += near
                left -= near
            blocks.append(sorted(point for name in block for point in self.points(name)))
        return blocks

    def of_part(self, points: NDArray[np.int64]) -> "State":
        """Return the state of some points, numbered anew: together, or apart, are those whose super-points are here."""
        found, first = State(len(points)), dict[int, int]()
        for at, point in enumerate(points.tolist()):
            before = first.setdefault(self.name[point], at)
            found.add("ML", before, at)
        for name, at in first.items():
            for other in self.around(name):
                if first.get(other, -1) > at:
                    found.add("CL", at, first[other])
        return found

    @property
    def num_apart(self) -> int:
        """How many super-points are apart from others, each as often as it is."""
        return sum(map(len, self._neighbours.values()))

    def apart(self, i: int, j: int) -> bool:
        """Tell whether a cannot-link separates the super-points of two points."""
        return self.name[j] in self.around(self.name[i])

    def force(self, kind: str, i: int, j: int, witness: Sequence[int], k: int) -> None:
        """Add a pair that every colouring with k colours puts together or apart, after checking the witness.

        A clique takes a cluster for each point. ``ML``: one of k - 1 points, all apart from i and from j, leaves both
        the same. ``CL``: if i and j were together, one of k points, each apart from i or from j, would leave them none.
        """
        spend(OF_A_NUMBER * len(witness) * (2 + len(witness)))
        size, ends = (k - 1, all) if kind == "ML" else (k, any)
        holds = (
            len(witness) == size
            and all(ends((self.apart(w, i), self.apart(w, j))) for w in witness)
            and all(self.apart(p, q) for position, p in enumerate(witness) for q in witness[:position])
        )
        require(holds or self.broken, f"the clique {list(witness)} does not force {kind} {i} {j}")
        self.add(kind, i, j)


def largest_clusters(weights: Sequence[fmpq], neighbours: Iterable[Collection[int]], k: int) -> list[fmpq]:
    """Return M_i: a cluster with i weighs no more, as outside lie its neighbours and at least k - 1 super-points."""
    everything = sum(weights, fmpq(0))
    price = OF_AN_ITEM + (int(everything.p).bit_length() + int(everything.q).bit_length()) // 3
    spend(price * len(weights))
    order, result = sorted(range(len(weights)), key=weights.__getitem__), []
    for i, around in enumerate(neighbours):
        spend(price * (1 + k + len(around)))
        others = [j for j in order[: k + len(around)] if j != i and j not in around]
        outside = [*around, *others[: max(0, k - 1 - len(around))]]
        result.append(everything - sum((weights[j] for j in outside), fmpq(0)))
    return result


def refute(state: State, k: int, search: Sequence[int]) -> None:
    """Check that k colours are not enough, by repeating a search that took the points in the order of ``search``.

    Every colour that the neighbours of a point leave is tried, in increasing order, but only one of those that none
    has yet. Where none is left, the point before takes its next colour. The list must end just when its first point has
    no more colours. For a clique of k + 1 points, or an odd cycle and k = 2, it is simply the list of their points.
    """
    for point in search:
        require(0 <= point < len(state.name), f"{point!r} is not a point to colour")
    spend(OF_AN_ITEM * len(search))
    bit = {name: 1 << position for position, name in enumerate({state.name[point]: None for point in search})}
    long, around = OF_AN_ITEM + len(bit) // 16, dict[int, int]()  # what it takes to look at a set of them
    for name in bit:
        spend(long * (1 + len(state.around(name))))
        around[name] = sum(bit[other] for other in state.around(name) if other in bit)
    blocked, used = [0] * k, 0  # by colour, the super-points with a neighbour of this colour; colours that somebody has
    trail: list[tuple[int, list[int], int]] = []
    undo: list[tuple[int, int]] = []
    coloured = 0
    for position, point in enumerate(search):
        spend(OF_A_STEP + long * min(used + 1, k))
        name = state.name[point]
        require(not coloured & bit[name], f"an exhaustive colouring takes point {point} twice")
        coloured |= bit[name]
        free = [colour for colour in reversed(range(min(used + 1, k))) if not blocked[colour] & bit[name]]
        trail.append((name, free, used))
        while not trail[-1][1]:
            coloured &= ~bit[trail.pop()[0]]
            if not trail:
                require(position == len(search) - 1, "an exhaustive colouring goes on after its end")
                return
            colour, before = undo.pop()
            blocked[colour] = before
        name, free, used = trail[-1]
        colour = free.pop()
        undo.append((colour, blocked[colour]))
        blocked[colour] |= around[name]
        used = max(used, colour + 1)
    raise VerificationError("an exhaustive colouring leaves colours untried")
