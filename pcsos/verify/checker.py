"""Checks instance, partition, tree and claim of a run file: whatever it says, what is accepted is true."""

import json
import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from sqlite3 import Connection, Row
from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from pcsos.verify.bound import Bound, Data
from pcsos.verify.reader import Blob, VerificationError, connect, finite, only_row, require, whole
from pcsos.verify.state import State, is_feasible

KINDS = ("ML", "CL")
TOLERANCE = 2.0**-40  # relative; a stated objective or gap that is off by more is refused
Array = ArrayLike | None
Links = tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]] | None
Say = Callable[[str], object] | None
Branches = list[tuple[int, State, arb]]


class Verdict(NamedTuple):
    """What has been proved from a run file."""

    status: str  #: as claimed, and justified
    lower_bound: float  #: no partition that satisfies the constraints costs less; infinity if there is none
    objective: float | None  #: cost of the partition in the file, rounded upwards; None without one
    gap: float | None  #: (objective - lower_bound) / objective, 0 if the objective is 0
    num_nodes: int
    num_open: int  #: children that were left open


def verify(
    run_file: str | Path, points: Array = None, constraints: Links = None, *, weights: Array = None, on_step: Say = None
) -> Verdict:
    """Check the claim of a run, and that it is about the points and (must_link, cannot_link) pairs, if given.

    ``weights`` belong to ``points`` and are 1 unless given; ``on_step`` is told each check in a sentence.
    Raises :class:`VerificationError` with the first thing that does not hold.
    """
    try:
        with ctx.workprec(128), threadpool_limits(1):
            checker = _Checker(connect(run_file), on_step or (lambda sentence: None))
            checker.compare(points, weights, constraints)
            return checker.judge()
    except VerificationError:
        raise
    except Exception as error:  # a file that makes the checker fail is refused like any other
        raise VerificationError(f"the file is damaged: {error!r}") from error


class _Checker:
    def __init__(self, connection: Connection, say: Callable[[str], object]) -> None:
        self.connection, self.say = connection, say
        row = only_row(connection, "instance", "the instance")
        self.points = Blob(row["points"], "points").array(2, b"f")
        self.weights = Blob(row["weights"], "weights").array(1, b"f")
        self.n = len(self.points)
        sound = np.isfinite(self.points).all() and ((self.weights > 0.0) & (self.weights < math.inf)).all()
        require(sound and self.weights.size == self.n and self.points.size, "points or weights are not numbers")
        self.k = whole(row["n_clusters"], 1, self.n + 1, "the number of clusters")
        self.gap = finite(json.loads(row["options"])["gap"], "the gap")
        self.links = [("ML", i, j) for i, j in self.pairs(row["must_link"])]
        self.links += [("CL", i, j) for i, j in self.pairs(row["cannot_link"])]
        self.data, self.root = Data(self.points, self.weights), State(self.n)
        for link in self.links:
            self.root.add(*link)
        self.proved, self.claimed, self.num_open = arb("inf"), -math.inf, 0
        say(f"the instance: {self.n} points of weight {self.weights.sum():g}, k = {self.k}, {len(self.links)} pairs")

    def pairs(self, blob: object) -> list[list[int]]:
        pairs = Blob(blob, "constraints").array(2)
        require(pairs.shape[1] == 2 and ((pairs >= 0) & (pairs < self.n)).all(), "constraints: not pairs of points")
        return list(pairs.tolist())

    def compare(self, points: Array, weights: Array, constraints: Links) -> None:
        """Check that the run is about the given points and constraints."""
        if points is not None:
            given = np.asarray(points, np.float64)
            own = np.ones(self.n) if weights is None else np.asarray(weights, np.float64)
            same = np.array_equal(given.reshape(len(given), -1), self.points) and np.array_equal(own, self.weights)
            require(same, "the run is about other points or weights")
            self.say("the points and weights are those given")
        if constraints is not None:
            wanted = {(kind, *sorted(p)) for kind, pairs in zip(KINDS, constraints, strict=True) for p in pairs}
            differing = wanted ^ {(kind, *sorted(pair)) for kind, *pair in self.links}
            differing -= {("ML", p, p) for p in range(self.n)}  # says nothing
            require(not differing, f"the run is about other constraints: {sorted(differing)[:3]}")
            self.say("the constraints are those given")

    def judge(self) -> Verdict:
        """Check partition and tree, and return what they prove if that is at least what is claimed."""
        row = only_row(self.connection, "claim", "the claim, as if the run had not ended")
        status = row["status"]
        require(status in ("OPTIMAL", "FEASIBLE", "INFEASIBLE", "UNKNOWN"), f"{status!r} is no status")
        upper = self.cost(row) if status in ("OPTIMAL", "FEASIBLE") else None
        if status == "INFEASIBLE":
            self.claimed = math.inf
        elif status == "OPTIMAL" or row["lower_bound"] is not None:
            self.claimed = finite(row["lower_bound"], "the claimed lower bound")
        num_nodes = self.tree()
        self.count(self.proved, self.claimed, "the lower bound")
        lower = _next(self.proved, -math.inf)
        gap = None if upper is None else max(0.0, upper - lower) / upper if upper > 0.0 else 0.0
        holds = status != "OPTIMAL" or (gap is not None and gap <= self.gap + TOLERANCE)
        require(holds, f"called optimal within a gap of {self.gap}, but the gap is {gap}")
        self.say(f"the claim: {status}, lower bound {lower!r}, objective {upper!r}, gap {gap!r}")
        return Verdict(status, lower, upper, gap, num_nodes, self.num_open)

    def cost(self, row: Row) -> float:
        """Return the cost of the labels, rounded upwards, after checking them."""
        labels = Blob(row["labels"], "labels").array(1).tolist()
        clusters = {label: [p for p, other in enumerate(labels) if other == label] for label in set(labels)}
        found = (len(labels), len(clusters))
        require(found == (self.n, self.k), f"points and clusters of the labels are {found}, not {(self.n, self.k)}")
        for kind, i, j in self.links:
            require((labels[i] == labels[j]) == (kind == "ML"), f"the labels break {kind} {i} {j}")
        cost, stated = arb(self.data.cost(list(clusters.values()))), finite(row["objective"], "the objective")
        close = abs(cost - stated) <= cost * TOLERANCE
        require(close, f"the objective is said to be {stated!r}, but the labels cost {cost.str(17)}")
        self.say(f"the labels: {self.k} clusters that satisfy all constraints and cost {cost.str(17, radius=False)}")
        return _next(cost.upper(), math.inf)

    def tree(self) -> int:
        """Walk the tree from the root, checking that it covers every partition, and what each leaf proves."""
        children: dict[object, list[tuple[int, object, object, object]]] = {None: []}
        nodes: set[int] = set()
        for row in self.connection.execute("SELECT node, parent, kind, i, j FROM nodes"):
            require(row["node"] not in nodes, f"node {row['node']} appears twice")
            nodes.add(whole(row["node"], 0, 1 << 62, "a node's number"))
            children.setdefault(row["parent"], []).append((row["node"], row["kind"], row["i"], row["j"]))
        roots = children.pop(None)
        require(roots in ([], [(0, None, None, None)]), "a root other than node 0 without a decision")
        if not roots:
            self.count(arb(0), self.claimed, "the root is missing")
        stack: Branches = [(0, self.root, arb(0)) for _ in roots]
        while stack:
            node, state, bound = stack.pop()
            try:
                stack += self.node(node, state, bound, children.pop(node, []))
            except VerificationError as error:
                raise VerificationError(f"node {node}: {error}") from error
        require(not children, f"nodes hang on {list(children)[:1]}, which is not a node of the tree")
        self.say(f"the tree: {len(nodes)} nodes, {self.num_open} open children, which cover every partition")
        return len(nodes)

    def node(self, node: int, state: State, bound: arb, children: list[Any]) -> Branches:
        """Check the steps and the closing of a node; return the children to go on with."""
        row = only_row(self.connection, f"nodes WHERE node = {node}", "the node")
        for step in self.connection.execute(f"SELECT * FROM steps WHERE node = {node} ORDER BY position"):
            bound = self.step(state, bound, step)
        closing = row["closing"]
        if row["multipliers"] is not None:
            bound = max(bound, Bound(self.data, state, row["multipliers"], self.k).value.lower())
        if closing == "branched":
            return self.branches(state, bound, row, children)
        require(not children, f"closed ({closing}), but has children")
        self.say(f"node {node}: closed ({closing})")
        if closing == "infeasible":
            hint = json.loads(row["witness"]).get("points") or []
            require(not is_feasible(state, self.k, hint), "said to be infeasible, which does not hold")
            return []
        if closing != "bound":
            require(closing == "single" and self.k in (1, len(state.points)), f"{closing!r} does not hold")
            bound = max(bound, arb(self.data.cost([range(self.n)] if self.k == 1 else state.groups())).lower())
        require(closing == "single" or row["multipliers"] is not None, "multipliers: missing")
        self.count(bound, finite(row["closing_bound"], "the bound"), "the bound")
        return []

    def step(self, state: State, bound: arb, row: Row) -> arb:
        """Check a step, add it to the state, and return the best bound proved for the state so far."""
        if row["kind"] == "forced":
            for kind, i, j, witness in json.loads(row["forced"]):
                state.force(*self.decision(kind, i, j), witness, self.k)
            return bound
        require(row["kind"] == "fixed", "a step that is neither forced pairs nor fixed pairs")
        fixed = Blob(row["decisions"], "the fixed pairs").array(2).T.tolist()
        decisions = [self.decision(KINDS[kind], i, j) for kind, i, j in fixed]
        proof = Bound(self.data, state, row["multipliers"], self.k)
        bound, least = max(bound, proof.value.lower()), arb("inf")
        for kind, i, j in decisions:
            least = min(least, max(bound, proof.with_pair(KINDS[kind == "ML"], i, j).lower()))
        for decision in decisions:
            state.add(*decision)
        self.count(least, finite(row["lower_bound"], "the bound of fixed pairs"), "the bound of fixed pairs")
        return bound

    def decision(self, kind: object, i: object, j: object) -> tuple[str, int, int]:
        require(kind in KINDS and i != j, f"{kind!r} {i!r} {j!r} is no decision")
        return str(kind), whole(i, 0, self.n, "a point"), whole(j, 0, self.n, "a point")

    def branches(self, state: State, bound: arb, row: Row, children: list[Any]) -> Branches:
        """Check that the children cover the state: one pair, together in one child and apart in the other."""
        _, i, j = self.decision("ML", row["branch_i"], row["branch_j"])
        result, missing = [], set(KINDS)
        for node, *listed in children:
            kind, a, b = self.decision(*listed)
            require({a, b} == {i, j} and kind in missing, f"{kind} {a} {b} is no child of a branching on {i}, {j}")
            missing.remove(kind)
            result.append((node, deepcopy(state), bound))
            result[-1][1].add(kind, i, j)
        for kind in sorted(missing):
            self.num_open += 1
            self.count(bound, self.claimed, f"the child {kind} {i} {j} is missing")
        return result

    def count(self, bound: arb, claimed: float, name: str) -> None:
        """Count a bound that covers a part of the tree, if it is at least what is claimed for it."""
        self.proved = min(self.proved, bound)
        require(bound >= claimed, f"{name}: {claimed!r} is claimed, but only {bound.str(17)} is proved")


def _next(exact: arb, direction: float) -> float:
    """Return the float nearest to an exact number, or the next one in this direction."""
    value = float(exact)
    return value if exact == value else math.nextafter(value, direction)
