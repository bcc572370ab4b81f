"""Tree: walks the nodes of one part of a run, checking that they cover every partition, and what each leaf proves."""

from array import array
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from pcsos.verify.bound import OF_AN_ENTRY, Bound
from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.effort import OF_A_ROW, OF_A_STEP, OF_AN_ITEM, charged, spend
from pcsos.verify.errors import FormatError
from pcsos.verify.exact import shown
from pcsos.verify.file import File
from pcsos.verify.line import line_bound
from pcsos.verify.links import AT_ONCE, KINDS, Links
from pcsos.verify.prices import check_prices
from pcsos.verify.reader import VerificationError, finite, require, whole
from pcsos.verify.reading.arrays import integers
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.multipliers import LARGEST
from pcsos.verify.reading.rows import Row, only_row, rows
from pcsos.verify.reading.structures import items, structure
from pcsos.verify.state import Mark, State, refute


class Decisions:
    """The decisions in a blob; walking over them yields (kind, i, j), with few of them as objects at a time.

    Parameters
    ----------
    data : object
        The value of the column.
    n : int
        Number of points.
    memory : Memory
        What they may take.
    """

    def __init__(self, data: object, n: int, memory: Memory) -> None:
        listed = integers(data, "the fixed pairs", memory, ndim=2, most=3 * n * (n + 1) // 2)
        require(len(listed) == len(("kind", "i", "j")), "the fixed pairs: no decisions")
        kinds, points = listed[0], listed[1:]
        require(((kinds == 0) | (kinds == 1)).all(), "the fixed pairs: of an unknown kind")
        require(((points >= 0) & (points < n)).all(), f"the fixed pairs: a point that is not from 0 to {n - 1}")
        require((points[0] != points[1]).all(), "the fixed pairs: a point and itself are not a decision")
        self._listed = listed

    def __len__(self) -> int:
        return int(self._listed.shape[1])

    def __iter__(self) -> Iterator[tuple[str, int, int]]:
        for start in range(0, len(self), AT_ONCE):
            own = self._listed[:, start : start + AT_ONCE].T.tolist()
            spend(OF_AN_ITEM * len(own))
            for kind, i, j in own:
                yield KINDS[kind], i, j


MOST_STEPS = 1 << 22  # of a search for a colouring
OF_A_BALL, OF_AN_OBJECT, PANEL = (
    48,
    100,
    64,
)  # bytes of a ball in a matrix, and by itself; rows that are formed at a time
OF_A_LINE = 64  # binary digits beyond those of the points; bytes of a point
OF_A_CHANGE = 160  # bytes of a change of the state, which is taken back later


class Branch(NamedTuple):
    """A node to walk to: what it adds to the state at a mark, both None at the root, and a bound that holds for it."""

    node: int
    decision: tuple[str, int, int] | None
    mark: Mark | None
    bound: arb


class Tree:
    """The tree of one part: the instance itself (number 0), or some of its points with some of their weight.

    Parameters
    ----------
    file : File
        The run file.
    part : int
        Number of the part.
    data : Data
        Its points and weights.
    links : Links
        The constraints among its points.
    conditions : Conditions
        Limits of its clusters, and soft pairs.
    claimed : arb
        What is claimed of it.
    notify : callable
        Called with a sentence about each check.

    Attributes
    ----------
    proved : arb
        No partition into k clusters costs less; infinity if there is none.
    num_nodes, num_open : int
        Nodes, and those that were left open.
    """

    def __init__(
        self,
        file: File,
        part: int,
        data: Data,
        links: Links,
        conditions: Conditions,
        claimed: arb,
        notify: Callable[[str], object],
    ) -> None:
        self.file, self.part, self.data, self.claimed, self.notify = file, part, data, claimed, notify
        self.conditions, self.k = conditions, conditions.k
        self.n, self.state = len(data.points), State(len(data.points))
        for link in links:
            self.state.add(*link)
        self.most_paid = conditions.soft.most_paid(self.state)  # before steps are added to the root
        self.proved, self.num_open = arb.pos_inf(), 0
        self.num_nodes = self.walk()

    def walk(self) -> int:
        """Walk the tree from its root, and return the number of nodes."""
        children: dict[object, list[tuple[int, object, object, object]]] = {None: []}
        nodes: set[int] = set()
        query = "SELECT node, parent, kind, i, j FROM nodes WHERE part = ?"
        for node, parent, *decision in charged(self.file.connection.execute(query, (self.part,)), OF_A_ROW):
            require(node not in nodes, f"node {node!r:.40} appears twice")
            nodes.add(whole(node, 0, 1 << 62, "a node's number"))
            children.setdefault(parent, []).append((node, *decision))
        roots = children.pop(None)
        require(roots in ([], [(0, None, None, None)]), "a root other than node 0 without a decision")
        if not roots:
            self.num_open += 1
            self.count(arb(0), self.claimed, "the root is missing")
        stack = [Branch(0, None, None, arb(0)) for _ in roots]
        while stack:
            branch = stack.pop()
            if branch.mark is not None:
                self.state.undo(branch.mark)
            if branch.decision is not None:
                self.state.add(*branch.decision)
            try:
                stack += self.node(branch.node, branch.bound, children.pop(branch.node, []))
            except (VerificationError, FormatError) as error:
                raise VerificationError(f"node {branch.node}: {error}") from error
        require(not children, f"nodes hang on {list(children)[:1]}, which is not a node of the tree")
        return len(nodes)

    def node(self, node: int, bound: arb, children: list[Any]) -> list[Branch]:
        """Check the steps and the closing of a node; return the children to go on with."""
        state, own = self.state, ("WHERE part = ? AND node = ?", self.part, node)
        row = only_row(self.file.connection, "nodes", "the node", *own)
        for step in rows(self.file.connection, "steps", f"{own[0]} ORDER BY position", *own[1:]):
            spend(OF_A_ROW)
            bound = self.step(state, bound, step)
            self.remember()
        closing = row["closing"]
        if row["multipliers"] is not None:
            bound = max(bound, self.bound(state, row["multipliers"]).value.lower())
        if closing == "branched":
            return self.branches(bound, row, children)
        require(not children, f"closed ({closing}), but has children")
        self.notify(f"node {node}: closed ({closing})" if closing != "open" else f"node {node}: left open")
        if closing == "infeasible":
            if not (state.broken or state.size < self.k or self.conditions.refute(state)):
                self.refute(row["search"])
            return []
        if closing == "line":
            penalty = finite(row, "penalty", "the penalty")
            bits = self.data.weights.bits + 2 * self.data.points.bits + OF_A_LINE
            self.file.memory.need(self.n * (3 * bits // 8 + OF_A_LINE), "a line")
            bound = max(bound, arb(line_bound(self.data, state, penalty, self.k)).lower())
        elif closing == "prices":
            claimed = finite(row, "closing_bound", "the bound")
            check_prices(self.data, state, row["prices"], claimed, self.k, self.file.memory, row["search"])
            bound = max(bound, arb(claimed).lower())
        elif closing == "single":
            require(self.k in (1, state.size) and not state.broken, "more than one partition is left, or none")
            clusters = [range(self.n)] if self.k == 1 else state.groups()
            spend(OF_AN_ITEM * self.n)
            cluster_of = {p: number for number, cluster in enumerate(clusters) for p in cluster}
            paid = self.conditions.soft.cost([cluster_of[p] for p in range(self.n)])
            bound = max(bound, arb(self.data.cost(clusters) + paid).lower())
        else:
            require(closing in ("bound", "open"), f"{closing!r} is not a way to close a node")
            require(row["multipliers"] is not None, "multipliers: missing")
            self.num_open += closing == "open"
        self.count(bound, finite(row, "closing_bound", "the bound"), "the bound")
        return []

    def step(self, state: State, bound: arb, row: Row) -> arb:
        """Check a step, add it to the state, and return the best bound proved for the state so far."""
        kind = row["kind"]
        if kind == "forced":
            held = cache(lambda name, size: self.conditions.held(state.points(name)))  # those of one name grow
            for forced in items(structure(row["forced"], "the forced pairs"), "the forced pairs", (list,)):
                spend(OF_A_STEP * (1 + len(forced)))
                require(len(forced) == 4, "the forced pairs: not a pair and its witness")
                kind, i, j = self.decision(*forced[:3])
                for point in items(forced[3], "the forced pairs", (int,)):
                    whole(point, 0, self.n, "a point")
                ends = {state.name[i], state.name[j]}
                by_limits = kind == "CL" and not forced[3] and self.conditions.limits and len(ends) == 2
                if by_limits and self.conditions.beyond(*(held(name, len(state.points(name))) for name in ends)):
                    state.add(kind, i, j)
                else:
                    state.force(kind, i, j, forced[3], self.k)
            return bound
        decisions = Decisions(row["decisions"], self.n, self.file.memory)
        if kind == "equal":
            self.join_equal(state, decisions)
            return bound
        if kind == "far":
            least = self.far(state, bound, decisions)
        elif kind == "soft":
            least = self.soft(state, bound, row["multipliers"], decisions)
        else:
            proof = self.bound(state, row["multipliers"])
            bound, least = max(bound, proof.value.lower()), arb.pos_inf()
            for other, i, j in decisions:
                least = min(least, max(bound, proof.with_pair(KINDS[other == "ML"], i, j).lower()))
        for decision in decisions:
            state.add(*decision)
        if kind == "far":
            state.moved = state.blocks()
        self.count(least, finite(row, "lower_bound", "the bound of fixed pairs"), "the bound of fixed pairs")
        return bound

    def refute(self, blob: object) -> None:
        """Check that a search for a colouring ends without one."""
        search = integers(blob, "the search for a colouring", self.file.memory, ndim=1, most=MOST_STEPS)
        self.file.memory.need(len(np.unique(search)) ** 2 // 4, "the search for a colouring")
        refute(self.state, self.k, array("q", search.tobytes()))

    def bound(self, state: State, multipliers: object, *, has_open_pairs: bool = True) -> Bound:
        """Return what multipliers prove in a state."""
        d = self.data.points.shape[1]
        self.file.memory.need(state.size * d * OF_A_BALL + PANEL * d * OF_AN_OBJECT, "multipliers")
        memory, conditions = self.file.matrices, self.conditions
        memory.grant(OF_AN_ENTRY * min(state.size, LARGEST) ** 2)
        return Bound(self.data, state, multipliers, self.k, conditions, memory, has_open_pairs=has_open_pairs)

    def soft(self, state: State, bound: arb, multipliers: object, decisions: Decisions) -> arb:
        """Return the least cost of a partition that breaks one of these pairs: its penalty, and a bound without any."""
        hard = self.bound(state, multipliers, has_open_pairs=False).value
        open_pairs, least = self.conditions.soft.open(state, state.name), arb.pos_inf()
        for kind, i, j in charged(decisions, OF_A_STEP):
            first, second = sorted((state.name[i], state.name[j]))
            require(first != second and not state.apart(i, j), f"points {i} and {j} are decided already")
            apart, together = open_pairs.get((first, second), (0, 0))
            least = min(least, max(bound, (hard + (apart if kind == "ML" else together)).lower()))
        return least

    def join_equal(self, state: State, decisions: Decisions) -> None:
        """Put points at the same place together that no cannot-link holds: the best of the state loses nothing."""
        require(not self.conditions.stated_any, "points are joined, but there are limits or soft pairs")
        at_one_place: set[int] = set()
        for kind, i, j in decisions:
            for point in (i, j):
                name = state.name[point]
                require(not state.around(name), f"point {point} is joined, but has a cannot-link")
                if name not in at_one_place:
                    places = self.data.points.take(state.points(name))
                    require(places.is_constant(), f"points {i} and {j} are joined, but are not at one place")
            is_same = self.data.points.take([i, j]).is_constant()
            require(kind == "ML" and is_same, f"points {i} and {j} are joined, but are not at one place")
            state.add(kind, i, j)
            at_one_place.add(state.name[i])
        require(state.size >= self.k, "too many points are joined")

    def far(self, state: State, bound: arb, decisions: Decisions) -> arb:
        """Return the least cost of a partition that has one of these pairs together: it pays at least for that pair."""
        require(len(decisions), "far pairs: none")
        inside = self.data.cost_below(state.groups())
        merged = cache(lambda name: self.data.super_point(sorted(state.points(name))))
        least = arb.pos_inf()
        for kind, i, j in charged(decisions, OF_A_STEP):
            first, second = state.name[i], state.name[j]
            require(kind == "CL" and first != second, f"points {i} and {j} are fixed, but not apart")
            least = min(least, max(bound, arb(inside + self.data.pair_cost(merged(first), merged(second))).lower()))
        return least

    def remember(self) -> None:
        """Refuse more changes of the state, to be taken back later, than fit into memory."""
        self.file.memory.need(self.state.num_changes * OF_A_CHANGE, "the pairs of all steps above")

    def decision(self, kind: object, i: object, j: object) -> tuple[str, int, int]:
        """Return the decision, if it is one."""
        require(kind in KINDS and i != j, f"{kind!r} {i!r} {j!r} is not a decision")
        return str(kind), whole(i, 0, self.n, "a point"), whole(j, 0, self.n, "a point")

    def branches(self, bound: arb, row: Row, children: list[Any]) -> list[Branch]:
        """Check that the children cover the state: one pair, together in one child and apart in the other."""
        _, i, j = self.decision("ML", row["branch_i"], row["branch_j"])
        result, missing, mark = [], set(KINDS), self.state.mark()
        for node, *listed in children:
            kind, a, b = self.decision(*listed)
            require({a, b} == {i, j} and kind in missing, f"{kind} {a} {b} is not a child of a branching on {i}, {j}")
            missing.remove(kind)
            result.append(Branch(node, (kind, i, j), mark, bound))
        for kind in sorted(missing):
            self.num_open += 1
            self.count(bound, self.claimed, f"the child {kind} {i} {j} is missing")
        return result

    def count(self, bound: arb, claimed: arb | fmpq, name: str) -> None:
        """Count a bound that covers a part of the tree, if it is at least what is claimed for it."""
        if self.conditions.limits and bound > self.most:
            bound = arb.pos_inf()
        self.proved = min(self.proved, bound)
        require(bound >= claimed, f"{name}: {shown(claimed)} is claimed, but only {shown(bound)} is proved")

    @cached_property
    def most(self) -> fmpq:
        """What no partition costs more than: all points in one cluster, and all penalties (section 13)."""
        return self.data.cost([range(self.n)]) + self.most_paid
