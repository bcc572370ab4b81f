"""A state: which points are together and apart, and what follows by colouring (docs/certificate.md, section 4)."""

from collections.abc import Sequence

from pcsos.verify.reader import VerificationError, require

COLOURING_STEPS = 100_000  # up to which an exhaustive colouring argument is repeated


class State:
    """Super-points, named by their smallest point, and for each its enemies: those it cannot be linked to.

    ``broken`` tells that two points are to be both together and apart: no partition belongs to the state then.
    """

    def __init__(self, n: int) -> None:
        self.name = list(range(n))
        self.points = {i: [i] for i in range(n)}
        self.enemies: dict[int, set[int]] = {i: set() for i in range(n)}
        self.broken = False

    def add(self, kind: str, i: int, j: int) -> None:
        """Add a must-link (``ML``) or a cannot-link (``CL``) between two points."""
        keep, gone = sorted((self.name[i], self.name[j]))
        if kind == "CL":
            self.broken |= keep == gone
            if keep != gone:
                self.enemies[keep].add(gone)
                self.enemies[gone].add(keep)
        elif keep != gone:
            self.broken |= gone in self.enemies[keep]
            for point in self.points[gone]:
                self.name[point] = keep
            self.points[keep] += self.points.pop(gone)
            for enemy in self.enemies.pop(gone):
                self.enemies[enemy].discard(gone)
                if enemy != keep:
                    self.enemies[enemy].add(keep)
                    self.enemies[keep].add(enemy)

    def groups(self) -> list[list[int]]:
        """Return the points of each super-point, ordered by the smallest point."""
        return [sorted(self.points[name]) for name in sorted(self.points)]

    def apart(self, i: int, j: int) -> bool:
        """Tell whether a cannot-link separates the super-points of two points."""
        return self.name[j] in self.enemies[self.name[i]]

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


def is_feasible(state: State, k: int, hint: Sequence[int]) -> bool:
    """Tell whether k clusters are possible, by an exhaustive search that colours the points of the hint first."""
    if state.broken or len(state.points) < k:
        return False
    first, enemies = {state.name[p] for p in hint}, state.enemies
    while easy := {v for v, around in enemies.items() if len(around) < k}:  # can be coloured after all the others
        enemies = {v: around - easy for v, around in enemies.items() if v not in easy}
    colour: dict[int, int] = {}
    trail: list[tuple[int, list[int]]] = []
    for _ in range(COLOURING_STEPS):
        if len(colour) == len(enemies):
            return True
        around = {v: {colour[w] for w in enemies[v] if w in colour} for v in enemies if v not in colour}
        node = max(around, key=lambda v: (v in first, len(around[v]), len(enemies[v])))
        used = max(colour.values(), default=-1) + 1  # one colour that nobody has yet stands for all of them
        trail.append((node, [c for c in range(min(used + 1, k)) if c not in around[node]]))
        while not trail[-1][1]:
            colour.pop(trail.pop()[0], None)
            if not trail:
                return False
            colour.pop(trail[-1][0])
        colour[trail[-1][0]] = trail[-1][1].pop()
    raise VerificationError("an exhaustive colouring argument takes too many steps to be repeated")
