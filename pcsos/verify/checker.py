"""Checks instance, partition, tree and claim of a run file: whatever it says, what is accepted is true."""

from collections.abc import Callable, Sequence
from pathlib import Path
from sqlite3 import Connection, Row
from typing import Any

from flint import arb, ctx, fmpq
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from pcsos.exceptions import InputError, RunFileError
from pcsos.verify.bound import Bound, Data, pair_cost
from pcsos.verify.exact import exact, image_of_points, image_of_weights, shown
from pcsos.verify.reader import (
    Blob,
    VerificationError,
    connect,
    finite,
    from_json,
    gap_of,
    only_row,
    require,
    stated,
    whole,
)
from pcsos.verify.state import State, refute
from pcsos.verify.verdict import Verdict

KINDS = ("ML", "CL")
STATUSES = ("OPTIMAL", "FEASIBLE", "INFEASIBLE", "UNKNOWN")
OFF, LEAST = fmpq(1, 2**40), fmpq(1, 2**1074)  # by which a stated objective may differ: relatively; the least double
Links = tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]
Branches = list[tuple[int, State, arb]]


def verify(
    run_file: str | Path,
    points: ArrayLike | None = None,
    constraints: Links | None = None,
    *,
    weights: ArrayLike | None = None,
    n_clusters: int | None = None,
    gap: float | None = None,
    on_step: Callable[[str], object] | None = None,
) -> Verdict:
    """Check the claim of a run, and that it is about the instance and the gap that are given.

    Parameters
    ----------
    run_file : path
        What a run has written.
    points, weights : array_like, optional
        What the run must be about; weights are 1 unless given with the points.
    constraints : pair of sequences of (int, int), optional
        Must-links and cannot-links that the run must be about. Without them only those in the file are checked.
    n_clusters : int, optional
        The k that the run must be about.
    gap : float, optional
        The relative gap that must be proved, whatever the run itself was asked for.
    on_step : callable, optional
        Told each check in a sentence.

    Raises
    ------
    VerificationError
        With the first thing that does not hold.
    RunFileError, InputError
        If the file is no run file, or an argument cannot be used.

    Examples
    --------
    >>> import pcsos, tempfile
    >>> from pcsos.verify import verify
    >>> points = [0.0, 1.0, 5.0, 6.0]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = pcsos.solve(points, 2, run_file=f"{folder}/points.run")
    ...     verdict = verify(f"{folder}/points.run", points, ([], []), n_clusters=2, gap=1e-4)
    >>> verdict.status, verdict.objective, verdict.lower_bound <= 1.0
    ('OPTIMAL', 1.0, True)
    """
    if gap is not None and not 0 <= gap < 1:
        raise InputError(f"gap is {gap!r}; give a number from 0 to less than 1")
    if points is None and weights is not None:
        raise InputError("weights say nothing without points; give the points too")
    try:
        with ctx.workprec(128), threadpool_limits(1):
            checker = _Checker(connect(run_file), on_step or (lambda sentence: None))
            if points is not None:
                checker.compare_points(image_of_points(points), image_of_weights(weights, checker.n))
            checker.compare(constraints, n_clusters, points is None)
            return checker.judge(None if gap is None else exact(gap))
    except (VerificationError, RunFileError, InputError):
        raise
    except Exception as error:  # a file that makes the checker fail is refused like any other
        raise VerificationError("the file is damaged, or not as the format says") from error


class _Checker:
    def __init__(self, connection: Connection, say: Callable[[str], object]) -> None:
        self.connection, self.say = connection, say
        row = only_row(connection, "instance", "the instance")
        blobs = Blob(row["points"], "points"), Blob(row["weights"], "weights")
        points, weights = blobs[0].numbers(2), blobs[1].numbers(1)
        self.n, self.images = len(points), (blobs[0].image, blobs[1].image)
        require(points and points[0], "the points are empty")
        require(len(weights) == self.n, f"not one weight for each of {self.n} points")
        require(all(weight > 0 for weight in weights), "a weight is not positive")
        self.k = whole(row["n_clusters"], 1, self.n + 1, "the number of clusters")
        self.gap = gap_of(row["options"])
        self.links = [("ML", i, j) for i, j in self.pairs(row["must_link"])]
        self.links += [("CL", i, j) for i, j in self.pairs(row["cannot_link"])]
        self.data, self.root = Data(points, weights), State(self.n)
        for link in self.links:
            self.root.add(*link)
        self.proved, self.claimed, self.num_open = arb.pos_inf(), arb.neg_inf(), 0
        total = arb(sum(weights, fmpq(0))).str(6, radius=False)
        say(f"the instance: {self.n} points of weight {total}, k = {self.k}, {len(self.links)} pairs")

    def pairs(self, blob: object) -> list[list[int]]:
        pairs = Blob(blob, "constraints").integers(2)
        require(pairs.shape[1] == 2 and ((pairs >= 0) & (pairs < self.n)).all(), "constraints: not pairs of points")
        return list(pairs.tolist())

    def compare_points(self, points: bytes, weights: bytes) -> None:
        """Check that the run is about the points and weights with these images."""
        require((points, weights) == self.images, "the run is about other points or weights")
        self.say("the points and weights are those given")

    def compare(self, constraints: Links | None, n_clusters: int | None, nothing_given: bool) -> None:
        """Check that the run is about the given constraints and number of clusters."""
        if constraints is not None:
            wanted = {(kind, *sorted(p)) for kind, pairs in zip(KINDS, constraints, strict=True) for p in pairs}
            differing = wanted ^ {(kind, *sorted(pair)) for kind, *pair in self.links}
            differing -= {("ML", p, p) for p in range(self.n)}  # says nothing
            require(not differing, f"the run is about other constraints: {sorted(differing)[:3]}")
            self.say("the constraints are those given")
        elif not nothing_given:
            self.say("the constraints are those in the file, unchecked: none were given to compare with")
        if n_clusters is not None:
            require(n_clusters == self.k, f"the run is about {self.k} clusters, not {n_clusters}")
            self.say("the number of clusters is the one given")

    def judge(self, gap_wanted: fmpq | None) -> Verdict:
        """Check partition and tree, and return what they prove if that is at least what is claimed."""
        row = only_row(self.connection, "claim", "the claim, as if the run had not ended")
        status = row["status"]
        require(status in STATUSES, f"{status!r} is no status")
        cost = self.cost(row) if status in ("OPTIMAL", "FEASIBLE") else None
        claimed = stated(row, "lower_bound", "the claimed lower bound")
        require(claimed is not None or status != "OPTIMAL", "called optimal, but without a lower bound")
        if status == "INFEASIBLE":
            self.claimed = arb.pos_inf()
        elif claimed is not None:
            self.claimed = arb(claimed)
        num_nodes = self.tree()
        self.count(self.proved, self.claimed, "the lower bound")
        gap = None if cost is None else self.gap_to(cost)
        for wanted in (self.gap if status == "OPTIMAL" else None, gap_wanted if status != "INFEASIBLE" else None):
            holds = wanted is None or (gap is not None and gap <= wanted)
            require(holds, f"the gap should be at most {shown(wanted)}, but only {shown(gap)} is proved")
        counts = (num_nodes, self.num_open, self.n, self.k)
        self.say(f"the claim: {status}, lower bound {shown(self.proved)}, cost {shown(cost)}, gap {shown(gap)}")
        return Verdict.of(status, self.proved, cost, gap, counts, self.gap)

    def gap_to(self, cost: fmpq) -> arb:
        """Return the relative gap, rounded upwards; a bound above the cost of a partition proves nothing."""
        proved = self.proved
        require(
            proved <= arb(cost).upper(), f"a lower bound of {shown(proved)} contradicts the labels, which cost less"
        )
        return (max(cost - proved, arb(0)) / cost).upper() if cost > 0 else arb(0)

    def cost(self, row: Row) -> fmpq:
        """Return the cost of the labels after checking them."""
        labels = Blob(row["labels"], "labels").integers(1, self.n).tolist()
        clusters: dict[int, list[int]] = {}
        for point, label in enumerate(labels):
            clusters.setdefault(label, []).append(point)
        require(len(clusters) == self.k, f"the labels use {len(clusters)} clusters instead of {self.k}")
        for kind, i, j in self.links:
            require((labels[i] == labels[j]) == (kind == "ML"), f"the labels break {kind} {i} {j}")
        cost, said = self.data.cost(list(clusters.values())), finite(row, "objective", "the objective")
        close = abs(cost - said) <= (max(cost * OFF, LEAST) if cost > 0 else 0)
        require(close, f"the objective is said to be {shown(said)}, but the labels cost {shown(cost)}")
        self.say(f"the labels: {self.k} clusters that satisfy all constraints and cost {shown(cost)}")
        return cost

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
            self.num_open += 1
            self.count(arb(0), self.claimed, "the root is missing")
        stack: Branches = [(0, self.root, arb(0)) for _ in roots]
        while stack:
            node, state, bound = stack.pop()
            try:
                stack += self.node(node, state, bound, children.pop(node, []))
            except VerificationError as error:
                raise VerificationError(f"node {node}: {error}") from error
        require(not children, f"nodes hang on {list(children)[:1]}, which is not a node of the tree")
        self.say(f"the tree: {len(nodes)} nodes, {self.num_open} open, which cover every partition")
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
        self.say(f"node {node}: closed ({closing})" if closing != "open" else f"node {node}: left open")
        if closing == "infeasible":
            if not (state.broken or len(state.points) < self.k):
                refute(state, self.k, Blob(row["search"], "the search for a colouring").integers(1).tolist())
            return []
        if closing == "single":
            require(self.k in (1, len(state.points)) and not state.broken, "more than one partition is left, or none")
            bound = max(bound, arb(self.data.cost([range(self.n)] if self.k == 1 else state.groups())).lower())
        else:
            require(closing in ("bound", "open"), f"{closing!r} is no way to close a node")
            require(row["multipliers"] is not None, "multipliers: missing")
            self.num_open += closing == "open"
        self.count(bound, finite(row, "closing_bound", "the bound"), "the bound")
        return []

    def step(self, state: State, bound: arb, row: Row) -> arb:
        """Check a step, add it to the state, and return the best bound proved for the state so far."""
        kind = row["kind"]
        if kind == "forced":
            for forced in from_json(row["forced"], "the forced pairs"):
                require(isinstance(forced, list) and len(forced) == 4, "the forced pairs: not a pair and its witness")
                state.force(*self.decision(*forced[:3]), forced[3], self.k)
            return bound
        require(kind in ("fixed", "far"), f"{kind!r} is no kind of step")
        fixed = Blob(row["decisions"], "the fixed pairs").integers(2).T.tolist()
        require(
            all(len(decision) == 3 and decision[0] in (0, 1) for decision in fixed), "the fixed pairs: no decisions"
        )
        decisions = [self.decision(KINDS[code], i, j) for code, i, j in fixed]
        if kind == "far":
            least = self.far(state, bound, decisions)
        else:
            proof = Bound(self.data, state, row["multipliers"], self.k)
            bound, least = max(bound, proof.value.lower()), arb.pos_inf()
            for other, i, j in decisions:
                least = min(least, max(bound, proof.with_pair(KINDS[other == "ML"], i, j).lower()))
        for decision in decisions:
            state.add(*decision)
        if kind == "far":
            state.moved = state.blocks()
        self.count(least, finite(row, "lower_bound", "the bound of fixed pairs"), "the bound of fixed pairs")
        return bound

    def far(self, state: State, bound: arb, decisions: list[tuple[str, int, int]]) -> arb:
        """Return the least cost of a partition that has one of these pairs together: it pays at least for that pair."""
        groups = state.groups()
        inside = self.data.cost(groups)
        merged = {group[0]: self.data.super_point(group) for group in groups}
        least = arb.pos_inf()
        for kind, i, j in decisions:
            first, second = state.name[i], state.name[j]
            require(kind == "CL" and first != second, f"points {i} and {j} are fixed, but not apart")
            least = min(least, max(bound, arb(inside + pair_cost(merged[first], merged[second])).lower()))
        return least

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
            child = state.copy()
            child.add(kind, i, j)
            result.append((node, child, bound))
        for kind in sorted(missing):
            self.num_open += 1
            self.count(bound, self.claimed, f"the child {kind} {i} {j} is missing")
        return result

    def count(self, bound: arb, claimed: arb | fmpq, name: str) -> None:
        """Count a bound that covers a part of the tree, if it is at least what is claimed for it."""
        self.proved = min(self.proved, bound)
        require(bound >= claimed, f"{name}: {shown(claimed)} is claimed, but only {shown(bound)} is proved")
