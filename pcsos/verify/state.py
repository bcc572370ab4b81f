"""A state: which points are together and apart, and what follows by colouring (docs/certificate.md, section 4)."""

from collections.abc import Sequence
from typing import Self

from flint import fmpq

from pcsos.verify.reader import VerificationError, require


class State:
    """Super-points, named by their smallest point, and for each its neighbours in the cannot-link graph.

    ``broken`` tells that two points are to be both together and apart: no partition belongs to the state then.
    ``moved`` are blocks of points with an origin of their own, because no cluster meets two of them.
    """

    def __init__(self, n: int) -> None:
        self.name = list(range(n))
        self.points = {i: [i] for i in range(n)}
        self.neighbours: dict[int, set[int]] = {i: set() for i in range(n)}
        self.broken = False
        self.moved = [list(range(n))]

    def copy(self) -> Self:
        """Return a state that can be added to without changing this one."""
        other = type(self)(0)
        other.name, other.broken, other.moved = list(self.name), self.broken, self.moved
        other.points = {name: list(group) for name, group in self.points.items()}
        other.neighbours = {name: set(around) for name, around in self.neighbours.items()}
        return other

    def add(self, kind: str, i: int, j: int) -> None:
        """Add a must-link (``ML``) or a cannot-link (``CL``) between two points."""
        keep, gone = sorted((self.name[i], self.name[j]))
        if kind == "CL":
            self.broken |= keep == gone
            if keep != gone:
                self.neighbours[keep].add(gone)
                self.neighbours[gone].add(keep)
        elif keep != gone:
            self.broken |= gone in self.neighbours[keep]
            for point in self.points[gone]:
                self.name[point] = keep
            self.points[keep] += self.points.pop(gone)
            for neighbour in self.neighbours.pop(gone):
                self.neighbours[neighbour].discard(gone)
                if neighbour != keep:
                    self.neighbours[neighbour].add(keep)
                    self.neighbours[keep].add(neighbour)

    def groups(self) -> list[list[int]]:
        """Return the points of each super-point, ordered by the smallest point."""
        return [sorted(self.points[name]) for name in sorted(self.points)]

    def blocks(self) -> list[list[int]]:
        """Return the points in blocks, such that super-points of different blocks are all apart from one another.

        They are the connected components of the pairs of super-points that may share a cluster.
        """
        left, blocks = set(self.points), []
        for start in sorted(self.points):
            if start not in left:
                continue
            left.discard(start)
            block = [start]
            for name in block:  # which grows meanwhile
                block += (near := left - self.neighbours[name])
                left -= near
            blocks.append(sorted(point for name in block for point in self.points[name]))
        return blocks

    def apart(self, i: int, j: int) -> bool:
        """Tell whether a cannot-link separates the super-points of two points."""
        return self.name[j] in self.neighbours[self.name[i]]

    def force(self, kind: str, i: int, j: int, witness: Sequence[int], k: int) -> None:
        """Add a pair that every colouring with k colours puts together or apart, after checking the witness.

        A clique takes a cluster for each point. ``ML``: one of k - 1 points, all apart from i and from j, leaves both
        the same. ``CL``: if i and j were together, one of k points, each apart from i or from j, would leave them none.
        """
        holds = all(self.apart(p, q) for position, p in enumerate(witness) for q in witness[:position])
        if kind == "ML":
            holds &= len(witness) == k - 1 and all(self.apart(w, i) and self.apart(w, j) for w in witness)
        else:
            holds &= len(witness) == k and all(self.apart(w, i) or self.apart(w, j) for w in witness)
        require(holds or self.broken, f"the clique {list(witness)} does not force {kind} {i} {j}")
        self.add(kind, i, j)


def largest_clusters(weights: Sequence[fmpq], neighbours: Sequence[set[int]], k: int) -> list[fmpq]:
    """Return M_i: a cluster with i weighs no more, as outside lie its neighbours and at least k - 1 super-points."""
    order, everything = sorted(range(len(weights)), key=weights.__getitem__), sum(weights, fmpq(0))
    result = []
    for i, around in enumerate(neighbours):
        others = [j for j in order[: k + len(around)] if j != i and j not in around]
        outside = [*around, *others[: max(0, k - 1 - len(around))]]
        result.append(everything - sum((weights[j] for j in outside), fmpq(0)))
    return result


def refute(state: State, k: int, search: Sequence[int]) -> None:
    """Check that k colours are not enough, by repeating a search that took the points in the order of ``search``.

    Every colour that the neighbours of a point leave is tried, in increasing order, but only one of those that nobody
    has yet. Where none is left, the point before takes its next colour. The list must end just when its first point has
    no more colours. For a clique of k + 1 points, or an odd cycle and k = 2, it is simply the list of their points.
    """
    for point in search:
        require(type(point) is int and 0 <= point < len(state.name), f"{point!r} is no point to colour")
    bit = {name: 1 << position for position, name in enumerate({state.name[point]: None for point in search})}
    around = {name: sum(bit[other] for other in state.neighbours[name] if other in bit) for name in bit}
    blocked, used = [0] * k, 0  # by colour, the super-points with a neighbour of this colour; colours that somebody has
    trail: list[tuple[int, list[int], int]] = []
    undo: list[tuple[int, int]] = []
    for position, point in enumerate(search):
        name = state.name[point]
        free = [colour for colour in reversed(range(min(used + 1, k))) if not blocked[colour] & bit[name]]
        trail.append((name, free, used))
        while not trail[-1][1]:
            trail.pop()
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
