"""Checks a run file: the instance, the partition, the tree with every step and leaf, and then the claim.

Whatever the file says, what is accepted is true: nothing in it is believed but what the instance is, and the first
thing that does not hold is named. With the instance's own data at hand, not even that is believed.
"""

import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx
from numpy.typing import ArrayLike

from pcsos.verify.bound import Bound, Data
from pcsos.verify.reader import (
    Reader,
    VerificationError,
    finite,
    parsed,
    read_array,
    read_multipliers,
    require,
    whole,
)
from pcsos.verify.state import State

PRECISION = 128  # bits of the balls
OBJECTIVE_TOLERANCE = 2.0**-40  # relative; a stated objective or gap that is off by more is refused

Pairs = Sequence[tuple[int, int]]
Branches = list[tuple[int, State, arb]]


class Verdict(NamedTuple):
    """What has been proved from a run file."""

    status: str  #: as claimed, and justified
    lower_bound: float  #: no partition that satisfies the constraints costs less; infinity if there is none
    objective: float | None  #: cost of the partition in the file, rounded upwards; None without one
    gap: float | None  #: (objective - lower_bound) / objective, 0 if the objective is 0
    num_nodes: int
    num_open: int  #: children that were left open
    checks: tuple[str, ...]  #: what was checked, a sentence each


def verify(
    run_file: str | Path,
    points: ArrayLike | None = None,
    constraints: tuple[Pairs, Pairs] | None = None,
    *,
    weights: ArrayLike | None = None,
    on_step: Callable[[str], None] | None = None,
) -> Verdict:
    """Check the claim of a run, and that it is about the points and (must_link, cannot_link) pairs, if given.

    ``weights`` belong to ``points`` and are 1 unless given; ``on_step`` is told each check in a sentence.
    Raises :class:`VerificationError` with the first thing that does not hold.
    """
    with ctx.workprec(PRECISION):
        checker = _Checker(Reader(run_file), on_step or (lambda sentence: None))
        checker.compare(points, weights, constraints)
        return checker.judge()


class _Checker:
    def __init__(self, reader: Reader, on_step: Callable[[str], None]) -> None:
        self.reader, self.on_step = reader, on_step
        self.checks: list[str] = []
        row = reader.only("instance", "the instance")
        self.points, self.weights = (
            read_array(row[name], ndim, name, b"f") for name, ndim in (("points", 2), ("weights", 1))
        )
        self.n = len(self.points)
        sound = np.isfinite(self.points).all() and np.isfinite(self.weights).all() and (self.weights > 0.0).all()
        sound = sound and self.weights.shape == (self.n,) and self.points.size
        require(sound, "the points are not finite numbers, or the weights are not positive")
        self.k = whole(row["n_clusters"], 1, self.n + 1, "the number of clusters")
        self.gap = finite(parsed(row["options"], dict, "the options").get("gap"), "the gap")
        self.links = {"ML": self.pairs(row["must_link"]), "CL": self.pairs(row["cannot_link"])}
        self.data, self.root = Data(self.points, self.weights), State(self.n)
        for kind, pairs in self.links.items():
            for i, j in pairs:
                self.root.add(kind, i, j)
        self.proved, self.claimed, self.num_open = arb("inf"), -math.inf, 0
        constraints = " and ".join(f"{len(pairs)} {kind}" for kind, pairs in self.links.items())
        self.say(
            f"the instance: {self.n} points, k = {self.k}, {constraints}, weights add up to {self.weights.sum():g}"
        )

    def say(self, sentence: str) -> None:
        self.checks.append(sentence)
        self.on_step(sentence)

    def pairs(self, blob: object) -> list[tuple[int, int]]:
        pairs = read_array(blob, 2, "the constraints")
        require(
            pairs.shape[1] == 2 and ((pairs >= 0) & (pairs < self.n)).all(),
            "the constraints: not pairs of points",
        )
        return [(i, j) for i, j in pairs.tolist()]

    def compare(self, points: ArrayLike | None, weights: ArrayLike | None, constraints: Any) -> None:
        """Check that the run is about the given points and constraints."""
        if points is not None:
            given = np.asarray(points, np.float64)
            own = np.ones(self.n) if weights is None else np.asarray(weights, np.float64)
            require(np.array_equal(given.reshape(len(given), -1), self.points), "the run is about other points")
            require(np.array_equal(own, self.weights), "the run is about other weights")
            self.say("the points and weights are those given")
        for kind, pairs in zip(self.links, constraints or (), strict=False):
            wanted, found = ({frozenset(map(int, p)) for p in listed} for listed in (pairs, self.links[kind]))
            loops = {p for p in wanted ^ found if len(p) == 1 and kind == "ML"}  # say nothing
            require(wanted ^ found == loops, f"the run is about other constraints ({kind})")
            self.say(f"the constraints ({kind}) are those given")

    def judge(self) -> Verdict:
        """Check partition and tree, and return what they prove if that is at least what is claimed."""
        row = self.reader.only("claim", "the claim, as if the run had not ended")
        status, cost = row["status"], None
        if status in ("OPTIMAL", "FEASIBLE"):
            cost = self.cost(
                read_array(row["labels"], 1, "the labels").tolist(), finite(row["objective"], "the objective")
            )
        else:
            fits = status in ("INFEASIBLE", "UNKNOWN") and row["labels"] is None is row["objective"]
            require(fits, f"the status {status!r} does not go with the rest of the claim")
        if status == "INFEASIBLE":
            self.claimed = math.inf
        elif status == "OPTIMAL" or row["lower_bound"] is not None:
            self.claimed = finite(row["lower_bound"], "the claimed lower bound")
        num_nodes = self.tree()
        shown = f"the claimed lower bound is {self.claimed!r}, but only {self.proved} is proved"
        require(self.proved >= self.claimed, shown)
        lower, upper = _next(self.proved, -math.inf), None if cost is None else _next(cost, math.inf)
        gap = None if upper is None else max(0.0, upper - lower) / upper if upper > 0.0 else 0.0
        justified = status != "OPTIMAL" or (gap is not None and gap <= self.gap + OBJECTIVE_TOLERANCE)
        require(justified, f"called optimal within a gap of {self.gap}, but the gap is {gap}")
        self.say(f"the claim: {status}, lower bound {lower!r}, objective {upper!r}, gap {gap!r}")
        return Verdict(status, lower, upper, gap, num_nodes, self.num_open, tuple(self.checks))

    def cost(self, labels: list[int], stated: float) -> arb:
        """Return the upper end of the cost of the labels, after checking them."""
        clusters = {label: [p for p in range(len(labels)) if labels[p] == label] for label in set(labels)}
        fits = len(labels) == self.n and len(clusters) == self.k
        require(fits, f"the labels put {len(labels)} points into {len(clusters)} clusters instead of {self.k}")
        for kind, pairs in self.links.items():
            for i, j in pairs:
                require((labels[i] == labels[j]) == (kind == "ML"), f"the labels break {kind} {i} {j}")
        cost = self.data.cost(list(clusters.values()))
        close = abs(cost - stated) <= abs(cost) * OBJECTIVE_TOLERANCE
        require(close, f"the objective is said to be {stated!r}, but the labels cost {cost.str(17)}")
        self.say(f"the labels: {self.k} clusters that satisfy all constraints and cost {cost.str(17, radius=False)}")
        return cost.upper()

    def tree(self) -> int:
        """Walk the tree from the root, checking that it covers every partition, and what each leaf proves."""
        children: dict[object, list[tuple[int, object, object, object]]] = {None: []}
        nodes: set[int] = set()
        for row in self.reader.rows("SELECT node, parent, kind, i, j FROM nodes"):
            node = whole(row["node"], 0, 1 << 62, "a node's number")
            require(node not in nodes, f"node {node} appears twice")
            nodes.add(node)
            children.setdefault(row["parent"], []).append((node, row["kind"], row["i"], row["j"]))
        roots = children.pop(None)
        require(roots in ([], [(0, None, None, None)]), "a root other than node 0 without a decision")
        if not roots:
            self.leave_open("the root", arb(0))
        stack: Branches = [(0, self.root, arb(0)) for _ in roots]
        while stack:
            node, state, bound = stack.pop()
            try:
                stack += self.node(node, state, bound, children.pop(node, []))
            except VerificationError as error:
                raise VerificationError(f"node {node}: {error}") from error
        require(not children, f"nodes hang on {list(children)[:1]}, which is not a branched node of the tree")
        proved = self.proved.str(15, radius=False)
        self.say(f"the tree: {len(nodes)} nodes, {self.num_open} open, every partition costs at least {proved}")
        return len(nodes)

    def node(self, node: int, state: State, bound: arb, children: list[Any]) -> Branches:
        """Check the steps and the closing of a node; return the children to go on with."""
        row = self.reader.only(f"nodes WHERE node = {node}", "the node")
        for step in self.reader.rows("SELECT * FROM steps WHERE node = ? ORDER BY position", node):
            bound = self.step(state, bound, step)
        closing = row["closing"]
        if closing == "branched":
            return self.branches(state, bound, row, children)
        require(not children, f"closed ({closing}), but has children")
        if closing == "infeasible":
            points = parsed(row["witness"], dict, "the witness").get("points")
            hint = [state.name[p] for p in points if p in state.points] if isinstance(points, list) else []
            require(not state.is_feasible(self.k, hint), "said to be infeasible, which does not hold")
            self.say(f"node {node}: infeasible")
            return []
        if closing == "bound":
            proof = Bound(self.data, state, read_multipliers(row["multipliers"]), self.k).value
        else:
            single = closing == "single" and not state.broken and self.k in (1, len(state.points))
            require(single, f"closed as {closing!r}, which does not hold")
            proof = self.data.cost([list(range(self.n))] if self.k == 1 else state.groups())
        bound = _better(bound, proof)
        self.accept(bound, finite(row["closing_bound"], "the bound"))
        self.say(f"node {node}: {closing}, costs at least {bound.str(15, radius=False)}")
        return []

    def step(self, state: State, bound: arb, row: dict[str, Any]) -> arb:
        """Check a step, add it to the state, and return the best bound proved for the state so far."""
        if row["kind"] == "forced":
            for item in parsed(row["forced"], list, "the forced pairs"):
                fits = isinstance(item, list) and len(item) == 4 and isinstance(item[3], list)
                require(fits, "a forced pair is not [kind, i, j, witness]")
                witness = [whole(p, 0, self.n, "a point of a witness") for p in item[3]]
                state.force(*self.decision(*item[:3]), witness, self.k)
            return bound
        rows = read_array(row["decisions"], 2, "the fixed pairs")
        require(row["kind"] == "fixed" and len(rows) == 3, "a step that is neither forced pairs nor fixed pairs")
        proof = Bound(self.data, state, read_multipliers(row["multipliers"]), self.k)
        bound, least = _better(bound, proof.value), arb("inf")
        decisions = [self.decision("CL" if kind else "ML", i, j) for kind, i, j in rows.T.tolist()]
        for kind, i, j in decisions:
            least = least.min(_better(bound, proof.with_pair("ML" if kind == "CL" else "CL", i, j)))
        for decision in decisions:
            state.add(*decision)
        self.accept(least, finite(row["lower_bound"], "the bound of fixed pairs"))
        return bound

    def decision(self, kind: object, i: object, j: object) -> tuple[str, int, int]:
        require(kind in ("ML", "CL") and i != j, f"{kind!r} {i!r} {j!r} is no decision")
        return str(kind), whole(i, 0, self.n, "a point"), whole(j, 0, self.n, "a point")

    def branches(self, state: State, bound: arb, row: dict[str, Any], children: list[Any]) -> Branches:
        """Check that the children cover the state: one pair, together in one child and apart in the other."""
        _, i, j = self.decision("ML", row["branch_i"], row["branch_j"])
        result: Branches = []
        missing = {"ML", "CL"}
        for node, *listed in children:
            kind, a, b = self.decision(*listed)
            fits = {a, b} == {i, j} and kind in missing
            require(fits, f"the child {node} ({kind} {a} {b}) does not belong to a branching on {i}, {j}")
            missing.remove(kind)
            child = deepcopy(state)
            child.add(kind, i, j)
            result.append((node, child, bound))
        for kind in sorted(missing):
            self.leave_open(f"the child {kind} {i} {j}", bound)
        return result

    def leave_open(self, name: str, bound: arb) -> None:
        """Count what no node covers with the bound proved above it."""
        self.num_open += 1
        self.proved = self.proved.min(bound)
        require(bound >= self.claimed, f"{name} is missing, and only {bound.str(15)} is proved for it")

    def accept(self, bound: arb, stated: float) -> None:
        """Count a bound that covers a part of the tree, if it is at least what the file states."""
        self.proved = self.proved.min(bound)
        require(bound >= stated, f"the bound is said to be {stated!r}, but only {bound.str(17)} is proved")


def _better(bound: arb, proof: arb) -> arb:
    """Return the better of two bounds; the second counts with its lower end, and not at all if it is not a number."""
    return proof.lower() if proof.lower() > bound else bound


def _next(exact: arb, direction: float) -> float:
    """Return the next float in this direction."""
    value = float(exact)
    while not (exact >= value if direction < 0 else exact <= value):
        value = math.nextafter(value, direction)
    return value
