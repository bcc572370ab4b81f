"""Lies to put into the claim of a run file, and changes of its tree that are to support them."""

import json
import math
import sqlite3
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.problem.instance import Instance
from pcsos.verify.reading.columns import DEDUCTIONS, LEAVES
from tests.exact_oracle import ExactTruth

Labels = NDArray[np.intp]
#: By which evidence is moved to make room for what comes before it.
ROOM = 10**6


@dataclass(eq=False)
class Forgery:
    """An open file to change, the truth about it, and the bound that the changes are to support."""

    connection: sqlite3.Connection
    rng: np.random.Generator
    instance: Instance
    truth: ExactTruth
    proved: float
    target: float = 0.0
    other_instance: bool = False  #: whether the instance in the file was changed
    lie: str = ""
    supports: list[str] = field(default_factory=list)

    def run(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement, values).fetchall()

    def claim(self, status: str, labels: Labels | None, objective: float | None, bound: float | None) -> None:
        blob = None if labels is None else encode_integers(labels)
        statement = "UPDATE claim SET status = ?, objective = ?, lower_bound = ?, labels = ?"
        self.run(statement, status, objective, bound, blob)
        self.target = 1e300 if status == "INFEASIBLE" else bound if bound is not None else 0.0

    def options(self, text: str) -> None:
        self.run("UPDATE instance SET options = ?", text)

    def gap(self, gap: float) -> None:
        self.options(json.dumps({"gap": gap}))

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def any_of(self, values: Any) -> Any:
        """Return one of some values, as it is."""
        return values[int(self.rng.integers(len(values)))]

    def feasible_labels(self) -> Labels:
        """Return some feasible labels, most often the worst; any if there are none."""
        if not self.truth.feasible:
            return self.rng.permutation(np.arange(self.instance.n_points) % self.instance.n_clusters)
        if self.chance(0.6):
            return self.truth.worst_labels
        return self.truth.labels[int(self.rng.integers(len(self.truth.labels)))]

    def problems(self) -> list[int]:
        return [0, *(problem for (problem,) in self.run("SELECT problem FROM problems ORDER BY problem"))]

    def positions(self, *kinds: str) -> list[int]:
        chosen = ", ".join(f"'{kind}'" for kind in kinds) or "kind"
        return [at for (at,) in self.run(f"SELECT position FROM evidence WHERE kind IN ({chosen}) ORDER BY position")]

    def leaves(self) -> list[int]:
        """Return where leaves stand with a bound below the target."""
        query = "SELECT position FROM evidence WHERE position = ? AND (kind = 'infeasible' OR bound < ?)"
        return [at for at in self.positions(*LEAVES) if self.run(query, at, self.target)]

    def replace(self, position: int, kind: str, payload: object, bound: object = None) -> None:
        """Let evidence be of another kind, as high as needed unless a bound is given."""
        own = self.target if bound is None else bound
        statement = "UPDATE evidence SET kind = ?, bound = ?, payload = ? WHERE position = ?"
        self.run(statement, kind, own, payload, position)

    def add(self, problem: int, kind: str, payload: object, *, first: bool = False) -> None:
        """Add evidence of a problem, behind all that there is of it or before."""
        ((position,),) = self.run("SELECT coalesce(max(position), 0) + 1 FROM evidence")
        if first:
            self.run("UPDATE evidence SET position = position + ? WHERE problem = ?", position + ROOM, problem)
        statement = "INSERT INTO evidence VALUES (?, ?, ?, ?, ?, 0.0, '')"
        self.run(statement, position, problem, kind, self.target, payload)

    def add_problem(self, parent: int, change: str, content: bytes) -> int:
        number = max(self.problems()) + 1
        self.run("INSERT INTO problems VALUES (?, ?, ?, ?, '')", number, parent, change, content)
        return number


def rounded(exact: Fraction, *, down: bool) -> float:
    """Return the double next to an exact number, on one side."""
    value = float(exact)
    if down:
        return math.nextafter(value, -math.inf) if Fraction(value) > exact else value
    return math.nextafter(value, math.inf) if Fraction(value) < exact else value


# Lies


def worst_called_optimal(forgery: Forgery) -> None:
    """A partition that is not optimal is, and its cost is the bound."""
    labels = forgery.feasible_labels()
    cost = float(forgery.truth.cost(labels))
    forgery.gap(forgery.any_of([1e-9, 1e-4, 0.0]))
    forgery.claim("OPTIMAL", labels, cost, cost * forgery.any_of([1.0, 1.0 - 1e-10, 1.0 + 1e-10]))


def bound_above_the_optimum(forgery: Forgery) -> None:
    """The best partition costs less than the bound."""
    labels = forgery.truth.best_labels if forgery.truth.feasible else forgery.feasible_labels()
    cost = float(forgery.truth.cost(labels))
    bound = cost * (1.0 + 10.0 ** forgery.rng.uniform(-9.0, 1.0)) + (5e-324 if not cost else 0.0)
    forgery.claim(forgery.any_of(["OPTIMAL", "FEASIBLE"]), labels, cost, bound)


def unknown_with_a_bound(forgery: Forgery) -> None:
    """No partition is known, but a bound is."""
    labels = forgery.feasible_labels()
    forgery.claim("UNKNOWN", None, None, 2.0 * float(forgery.truth.cost(labels)) + 5e-324)


def infeasible(forgery: Forgery) -> None:
    forgery.claim("INFEASIBLE", None, None, None)


def labels_that_break_a_rule(forgery: Forgery) -> None:
    """A partition that breaks a constraint, or has another number of clusters."""
    n, k = forgery.instance.n_points, forgery.instance.n_clusters
    drawn = [forgery.rng.integers(0, k + 1, n) for _ in range(20)]
    broken = [labels for labels in drawn if not forgery.truth.admits(labels)]
    labels = min(broken, key=forgery.truth.cost, default=np.zeros(n + 1, np.intp))
    cost = float(forgery.truth.cost(labels)) if len(labels) == n else 0.0
    forgery.claim(forgery.any_of(["OPTIMAL", "FEASIBLE"]), labels, cost, min(cost, max(forgery.proved, 0.0)))


def misstated_objective(forgery: Forgery) -> None:
    labels = forgery.feasible_labels()
    factor = 1.0 + forgery.any_of([-1.0, 1.0]) * 10.0 ** forgery.rng.uniform(-11.5, 0.0)
    cost = float(forgery.truth.cost(labels)) * factor + (5e-324 if forgery.chance(0.1) else 0.0)
    bound = min(forgery.proved, cost)
    forgery.claim(forgery.any_of(["OPTIMAL", "FEASIBLE"]), labels, cost, bound if math.isfinite(bound) else 0.0)


def wide_gap(forgery: Forgery) -> None:
    """Optimal within a gap that says nothing."""
    labels = forgery.feasible_labels()
    gap = forgery.any_of(["5.0", "1.0", "1e308", "-1.0", "NaN", "Infinity", "true", '"1"', "1"])
    forgery.options(f'{{"gap": {gap}}}')
    forgery.claim("OPTIMAL", labels, float(forgery.truth.cost(labels)), forgery.any_of([-1e300, 0.0]))
    if forgery.chance(0.5):
        no_evidence(forgery)


def other_k(forgery: Forgery) -> None:
    """The instance in the file has another number of clusters, and the tree is kept."""
    n, k = forgery.instance.n_points, forgery.instance.n_clusters
    other = forgery.any_of([k - 1, k + 1, 1, n, n + 1, 0, -1])
    forgery.run("UPDATE instance SET n_clusters = ?", other)
    labels = forgery.rng.permutation(np.arange(n) % max(other, 1))
    cost = float(forgery.truth.cost(labels))
    forgery.claim("OPTIMAL", labels, cost, cost)


def other_instance(forgery: Forgery) -> None:
    """The instance in the file differs from the one given to the checker."""
    instance, rng = forgery.instance, forgery.rng
    column = forgery.any_of(["points", "weights", "must_link", "cannot_link"])
    values = getattr(instance, column).copy()
    if column in ("points", "weights"):
        place = tuple(int(rng.integers(m)) for m in values.shape)
        values[place] = np.nextafter(values[place], np.inf) if forgery.chance(0.5) else values[place] * 2.0 + 1.0
        blob = encode_floats(values)
    else:
        n = instance.n_points
        pairs = {(i, j) for i, j in values.tolist()}
        changed = pairs ^ {tuple(sorted(rng.choice(n, 2, replace=False).tolist()))}
        blob = encode_integers(np.array(sorted(changed), np.int64).reshape(-1, 2))
    forgery.run(f"UPDATE instance SET {column} = ?", blob)
    forgery.other_instance = True


def other_conditions(forgery: Forgery) -> None:
    """The limits or the soft pairs in the file differ from those given to the checker, or there were none."""
    columns = [name for _, name, *_ in forgery.run("PRAGMA table_info(instance)")]
    if "conditions" not in columns:
        other_instance(forgery)
        return
    changed_conditions(forgery)
    forgery.other_instance = json.loads(forgery.run("SELECT conditions FROM instance")[0][0]) != dict(
        forgery.instance.asked.to_dict()
    )


def changed_conditions(forgery: Forgery) -> None:
    """A limit or a soft pair more, fewer, or another one; what is changed already is not changed back."""
    if forgery.other_instance:
        return
    rng, n, k = forgery.rng, forgery.instance.n_points, forgery.instance.n_clusters
    own = json.loads(forgery.run("SELECT conditions FROM instance")[0][0])
    limits, soft = dict(own.get("limits", {})), list(own.get("soft", []))
    match forgery.any_of(["size", "weight", "sizes", "fewer", "soft", "penalty", "none"]):
        case "size":
            limits[str(rng.choice(["size_min", "size_max"]))] = int(rng.integers(1, n + 1))
        case "weight":
            total = float(forgery.instance.weights.sum())
            limits[str(rng.choice(["weight_min", "weight_max"]))] = total * float(rng.random())
        case "sizes":
            cuts = np.sort(rng.choice(np.arange(1, n), k - 1, replace=False))
            limits["sizes"] = sorted(np.diff([0, *cuts, n]).tolist())
        case "fewer":
            limits = dict(list(limits.items())[1:])
        case "soft":
            i, j = rng.choice(n, 2, replace=False).tolist()
            size = float(np.ptp(forgery.instance.points)) ** 2
            soft.append([i, j, float(forgery.any_of([0.0, size])), float(forgery.any_of([size + 1.0, 1e300]))])
        case "penalty":
            soft = [[i, j, 2.0 * t, a] for i, j, a, t in soft]
        case _:
            limits, soft = {}, []
    stated = ({"limits": limits} if limits else {}) | ({"soft": soft} if soft else {})
    forgery.run("UPDATE instance SET conditions = ?", json.dumps(stated))


def as_the_checker_says(forgery: Forgery) -> None:
    """What the tree proves by the word of the checker, and the cheapest partition that is not cheaper."""
    if not forgery.truth.feasible or not math.isfinite(forgery.proved):
        infeasible(forgery)
        return
    drawn = [forgery.truth.worst_labels, *(forgery.feasible_labels() for _ in range(10)), forgery.truth.best_labels]
    costs = [forgery.truth.cost(labels) for labels in drawn]
    cost, position = min(((c, p) for p, c in enumerate(costs) if c >= Fraction(forgery.proved)), default=(costs[0], 0))
    close = float(cost) * (1.0 - 1e-9) <= forgery.proved
    forgery.gap(1e-9)
    forgery.claim("OPTIMAL" if close else "FEASIBLE", drawn[position], float(cost), forgery.proved)


#: Each with its share: most often those that only the tree refutes.
LIES: dict[str, tuple[Callable[[Forgery], None], float]] = {
    "the worst is optimal": (worst_called_optimal, 4.0),
    "bound above the optimum": (bound_above_the_optimum, 4.0),
    "a bound without labels": (unknown_with_a_bound, 4.0),
    "infeasible": (infeasible, 4.0),
    "as the checker says": (as_the_checker_says, 2.0),
    "labels that break a rule": (labels_that_break_a_rule, 1.0),
    "misstated objective": (misstated_objective, 1.0),
    "wide gap": (wide_gap, 1.0),
    "other k": (other_k, 1.0),
    "other instance": (other_instance, 1.0),
    "other conditions": (other_conditions, 1.0),
}


# Supports


def raised_bounds(forgery: Forgery) -> None:
    """Every bound is stated as high as needed."""
    forgery.run("UPDATE evidence SET bound = max(bound, ?)", forgery.target)


def no_evidence(forgery: Forgery) -> None:
    """There is no evidence, and there may be no problems either."""
    forgery.run("DELETE FROM evidence")
    if forgery.chance(0.5):
        forgery.run("DELETE FROM problems")


def dropped_leaves(forgery: Forgery) -> None:
    """Leaves that are in the way are gone, and their problems may be gone as well."""
    for position in forgery.leaves():
        if forgery.chance(0.8):
            if forgery.chance(0.3):
                own = "(SELECT problem FROM evidence WHERE position = ?)"
                forgery.run(f"DELETE FROM problems WHERE problem = {own}", position)
            forgery.run("DELETE FROM evidence WHERE position = ?", position)


def only_the_whole(forgery: Forgery) -> None:
    """The whole is closed, in one way or another, and nothing else is there."""
    forgery.run("DELETE FROM problems")
    kind = forgery.any_of([*LEAVES, "branching"])
    for position in forgery.positions():
        forgery.replace(position, kind, payload_of(forgery, kind, forgery.instance.n_points))
    forgery.run("UPDATE evidence SET problem = 0")


def leaves_called(kind: str) -> Callable[[Forgery], None]:
    """Return what lets leaves that are in the way be of another kind, with all that it takes."""

    def support(forgery: Forgery) -> None:
        for position in forgery.leaves():
            size = max(1, forgery.instance.n_points - int(forgery.rng.integers(0, 4)))
            forgery.replace(position, kind, payload_of(forgery, kind, size))

    return support


def leaves_called_open(forgery: Forgery) -> None:
    for position in forgery.leaves():
        forgery.run("UPDATE evidence SET kind = 'open' WHERE position = ?", position)


def wrong_changes(forgery: Forgery) -> None:
    """A problem differs from its parent by something else."""
    problems = forgery.problems()[1:]
    if not problems:
        return
    number = forgery.any_of(problems)
    if forgery.chance(0.4):
        change = forgery.any_of(["ML", "CL", "ML", "CL", "part"])
        forgery.run("UPDATE problems SET change = ? WHERE problem = ?", change, number)
    else:
        pair = forgery.rng.choice(forgery.instance.n_points, 2).tolist()
        forgery.run("UPDATE problems SET content = ? WHERE problem = ?", encode_integers(pair), number)


def moved_problems(forgery: Forgery) -> None:
    """A problem is the child of another one, of itself, or of nothing; or evidence names other children."""
    problems, branchings = forgery.problems(), forgery.positions("branching")
    if branchings and forgery.chance(0.5):
        children = [forgery.any_of([*problems, 10**9]) for _ in range(2)]
        forgery.run(
            "UPDATE evidence SET payload = ? WHERE position = ?", children_of(*children), forgery.any_of(branchings)
        )
    elif problems[1:]:
        parent = forgery.any_of([*problems, 10**9])
        forgery.run("UPDATE problems SET parent = ? WHERE problem = ?", parent, forgery.any_of(problems[1:]))


def moved_evidence(forgery: Forgery) -> None:
    """Evidence is that of another problem, or of another problem as well."""
    positions = forgery.positions()
    if not positions:
        return
    position, problem = forgery.any_of(positions), forgery.any_of(forgery.problems())
    if forgery.chance(0.5):
        forgery.run("UPDATE evidence SET problem = ? WHERE position = ?", problem, position)
    else:
        ((kind, payload),) = forgery.run("SELECT kind, payload FROM evidence WHERE position = ?", position)
        forgery.add(problem, kind, payload, first=forgery.chance(0.5))


def false_forced_pairs(forgery: Forgery) -> None:
    """Pairs are forced that are not, so that the best partition is lost."""
    n, k, rng = forgery.instance.n_points, forgery.instance.n_clusters, forgery.rng
    rows, witnesses = [], list[int]()
    for _ in range(int(rng.integers(1, 4))):
        i, j = rng.choice(n, 2, replace=False).tolist() if n > 1 else (0, 0)
        is_apart = _together(forgery, i, j)
        size = max(0, (k if is_apart else k - 1) + forgery.any_of([0, 0, 0, -1, 1]))
        witness = rng.integers(0, n, size).tolist() if forgery.chance(0.5) else [i] * size
        rows.append([int(is_apart), i, j])
        witnesses += [len(witness), *witness]
    payload = decisions(rows) + encode_integers(np.array(witnesses, np.int64))
    forgery.add(forgery.any_of(forgery.problems()), "forced", payload, first=forgery.chance(0.5))


def false_fixed_pairs(forgery: Forgery) -> None:
    """Pairs are fixed so that the best partition is lost."""
    n, rng = forgery.instance.n_points, forgery.rng
    i, j = sorted(rng.choice(n, 2, replace=False).tolist()) if n > 1 else (0, 0)
    kind = forgery.any_of(["fixed", "fixed", "far"])
    payload = decisions([[int(_together(forgery, i, j)), i, j]])
    if kind == "fixed":
        payload += huge_multipliers(forgery, forgery.any_of([n, n - 1, n - 2, 1]))
    forgery.add(forgery.any_of(forgery.problems()), kind, payload, first=forgery.chance(0.5))


def exchanged_kinds(forgery: Forgery) -> None:
    """Evidence is of another kind than it was written as."""
    positions = forgery.positions(*DEDUCTIONS) if forgery.chance(0.5) else forgery.positions()
    if positions:
        kind = forgery.any_of(["far", "fixed", "forced", "equal", "soft", "single", "infeasible", "open"])
        forgery.run("UPDATE evidence SET kind = ? WHERE position = ?", kind, forgery.any_of(positions))


def dropped_deductions(forgery: Forgery) -> None:
    """Deductions are gone, or those of another problem."""
    problem = forgery.any_of(forgery.problems())
    is_gone = forgery.chance(0.5)
    for position in forgery.positions(*DEDUCTIONS):
        if is_gone:
            forgery.run("DELETE FROM evidence WHERE position = ?", position)
        else:
            forgery.run("UPDATE evidence SET problem = ? WHERE position = ?", problem, position)


def hostile_leaves(forgery: Forgery) -> None:
    """Leaves are closed by huge multipliers of the right size."""
    for position in forgery.positions("bound", "open"):
        ((payload,),) = forgery.run("SELECT payload FROM evidence WHERE position = ?", position)
        blob = huge_multipliers(forgery, _size(payload))
        forgery.run("UPDATE evidence SET payload = ? WHERE position = ?", blob, position)


def exchanged_payloads(forgery: Forgery) -> None:
    """Two problems exchange their multipliers, or a payload is that of another kind."""
    positions = forgery.positions("bound", "open")
    payloads = [
        payload
        for at in (positions or forgery.positions())
        for (payload,) in forgery.run("SELECT payload FROM evidence WHERE position = ?", at)
    ]
    payloads += [b for (b,) in forgery.run("SELECT points FROM instance")] if forgery.chance(0.1) else []
    targets = positions if positions and forgery.chance(0.7) else forgery.positions()
    if payloads and targets:
        forgery.run(
            "UPDATE evidence SET payload = ? WHERE position = ?", forgery.any_of(payloads), forgery.any_of(targets)
        )


def damaged_blobs(forgery: Forgery) -> None:
    """A blob is cut off, or one bit of it differs."""
    table, column = forgery.any_of([("evidence", "payload")] * 3 + [("problems", "content"), ("claim", "labels")])
    rows = forgery.run(f"SELECT rowid, {column} FROM {table} WHERE length({column}) > 1")
    if rows:
        row, data = forgery.any_of(rows)
        at = int(forgery.rng.integers(len(data)))
        flipped = data[:at] + bytes([data[at] ^ (1 << int(forgery.rng.integers(8)))]) + data[at + 1 :]
        forgery.run(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", forgery.any_of([data[:at], flipped]), row)


def search_of_nothing(forgery: Forgery) -> None:
    """The record of a search is empty, random, or that of another problem."""
    others = [b for (b,) in forgery.run("SELECT payload FROM evidence WHERE kind = 'infeasible'")]
    blob = forgery.any_of([b"", forgery.rng.bytes(20), encode_integers(np.zeros(5, np.int64)), *others])
    for position in forgery.leaves():
        forgery.replace(position, "infeasible", blob)


def branching_twice(forgery: Forgery) -> None:
    """A problem branches once more: on the same children, on new ones that are closed, or on one of each."""
    branchings = forgery.positions("branching")
    if not branchings:
        return
    ((problem, payload),) = forgery.run(
        "SELECT problem, payload FROM evidence WHERE position = ?", forgery.any_of(branchings)
    )
    if forgery.chance(0.7):
        i, j = forgery.rng.choice(forgery.instance.n_points, 2, replace=False).tolist()
        kinds = forgery.any_of([("ML", "CL"), ("ML", "ML"), ("CL", "CL"), ("ML", "part")])
        children = [forgery.add_problem(problem, kind, encode_integers([i, j])) for kind in kinds]
        if forgery.chance(0.2):
            children[1] = children[0]
        for child in children:
            kind = forgery.any_of(LEAVES)
            forgery.add(child, kind, payload_of(forgery, kind, forgery.instance.n_points - 1))
        payload = children_of(*children)
    forgery.add(problem, "branching", payload, first=forgery.chance(0.5))


def cover_of_anything(forgery: Forgery) -> None:
    """A problem is covered by parts that bring more than it has, or less, and are closed."""
    problem, n = forgery.any_of(forgery.problems()), forgery.instance.n_points
    numbers = []
    for _ in range(int(forgery.rng.integers(1, 4))):
        points = np.flatnonzero(forgery.rng.random(n) < forgery.any_of([0.6, 1.0]))
        weights = forgery.instance.weights[points] * forgery.any_of([1.0, 1.0, 0.5, 1.0 / 3.0])
        content = encode_integers(points, differences=True) + encode_floats(weights)
        numbers.append(forgery.add_problem(forgery.any_of([problem, problem, problem, 0]), "part", content))
        kind = forgery.any_of(LEAVES)
        forgery.add(numbers[-1], kind, payload_of(forgery, kind, max(1, len(points))))
    if forgery.chance(0.2):
        numbers += numbers[:1]
    forgery.add(problem, "cover", encode_integers(np.array(numbers, np.int64)), first=forgery.chance(0.5))


def generated_column(forgery: Forgery) -> None:
    table, column = forgery.any_of([("evidence", "bound"), ("claim", "lower_bound"), ("evidence", "seconds")])
    forgery.run(f"ALTER TABLE {table} RENAME COLUMN {column} TO hidden")
    forgery.run(f"ALTER TABLE {table} ADD COLUMN {column} REAL GENERATED ALWAYS AS ({forgery.target!r}) VIRTUAL")


def virtual_table(forgery: Forgery) -> None:
    """A table that nothing reads is a virtual one."""
    forgery.run("DROP TABLE events")
    module = forgery.any_of(["fts5vocab('evidence', 'row')", "dbstat", "fts5(text)", "rtree(id, low, high)"])
    forgery.run(f"CREATE VIRTUAL TABLE events USING {module}")


SUPPORTS: dict[str, Callable[[Forgery], None]] = {
    "raised bounds": raised_bounds,
    "no evidence": no_evidence,
    "dropped leaves": dropped_leaves,
    "only the whole": only_the_whole,
    "leaves called infeasible": leaves_called("infeasible"),
    "leaves called single": leaves_called("single"),
    "leaves called lines": leaves_called("line"),
    "leaves called priced": leaves_called("prices"),
    "leaves called open": leaves_called_open,
    "wrong changes": wrong_changes,
    "moved problems": moved_problems,
    "moved evidence": moved_evidence,
    "false forced pairs": false_forced_pairs,
    "false fixed pairs": false_fixed_pairs,
    "exchanged kinds": exchanged_kinds,
    "dropped deductions": dropped_deductions,
    "hostile leaves": hostile_leaves,
    "exchanged payloads": exchanged_payloads,
    "damaged blobs": damaged_blobs,
    "search of nothing": search_of_nothing,
    "branching twice": branching_twice,
    "cover of anything": cover_of_anything,
    "changed conditions": changed_conditions,
    "generated column": generated_column,
    "virtual table": virtual_table,
}


def decisions(rows: list[list[int]]) -> bytes:
    """Return kinds (0 for ML) and pairs of points as a run file holds them."""
    return encode_integers(np.array(rows, np.int64).reshape(-1, 3).T, differences=True)


def children_of(first: int, second: int) -> bytes:
    """Return what a branching without a penalty holds."""
    return encode_integers([first, second]) + encode_floats([])


def payload_of(forgery: Forgery, kind: str, size: int) -> bytes:
    """Return what closes a problem of this many super-points in some way, or seems to."""
    if kind in ("bound", "open"):
        return huge_multipliers(forgery, min(size, 40))
    if kind == "prices":
        return false_prices(forgery, size)
    if kind == "line":
        own = forgery.any_of([0.0, forgery.target, float(np.ptp(forgery.instance.points)) ** 2, 1e300, 5e-324])
        penalty = forgery.any_of([own, -own, own * 10.0 ** float(forgery.rng.uniform(-12.0, 3.0))])
        return forgery.any_of([encode_floats([penalty])] * 3 + [b"", encode_integers([3])])
    if kind == "infeasible":
        points = forgery.rng.permutation(forgery.instance.n_points)[: forgery.instance.n_clusters + 1]
        return encode_integers(points, differences=True)
    return children_of(1, 2) if kind == "branching" else b""


def huge_multipliers(forgery: Forgery, size: int) -> bytes:
    """Return N = c I, or something else that is huge, for this many super-points, with or without cuts."""
    rng = forgery.rng
    numbers = np.eye(size) if forgery.chance(0.7) else rng.uniform(-1.0, 1.0, (size, size))
    units = np.rint(np.ldexp(numbers * rng.uniform(0.5, 1.0), 52)).astype(np.int64)[np.triu_indices(size)]
    scale = math.frexp(float(np.ptp(forgery.instance.points)) ** 2 or 1.0)[1]
    exponent, cut_exponent = (int(rng.integers(-60, 91)) + scale - 52 for _ in range(2))
    cuts = b""
    if size > 2 and forgery.chance(0.3):
        mu = int(rng.choice([-(2**40), 1, 2**50, 2**62]))
        table = rng.integers(-1, size, (int(rng.integers(2, size + 1)), 1))
        cuts = encode_integers(table) + encode_integers(np.array([mu]))
    return struct.pack("<iiI", exponent, cut_exponent, int(bool(cuts))) + encode_integers(units) + cuts


def false_prices(forgery: Forgery, size: int) -> bytes:
    """Return prices of this many super-points: of any size, or such that they are worth what is claimed."""
    rng = forgery.rng
    extent = float(np.ptp(forgery.instance.points)) ** 2 or 1.0
    scale = forgery.any_of([extent, extent * 10.0 ** float(rng.uniform(-6.0, 3.0)), 2.0 * forgery.target / size, 3e300])
    prices = scale * rng.uniform(forgery.any_of([0.0, -1.0, 0.9]), 1.0, size)
    if forgery.chance(0.3):
        prices[int(rng.integers(size))] = forgery.any_of([0.0, 1e300, -1e300, 5e-324, np.nan, np.inf, 1e6 * scale])
    return encode_floats(prices) + encode_integers([]) + encode_integers(np.empty((0, 0), np.int64))


def _size(blob: object) -> int:
    """Return s, from the shape of the triangle of N, which follows the exponents and a head of seven bytes."""
    count = struct.unpack_from("<I", blob, 19)[0] if isinstance(blob, bytes) and len(blob) > 23 else 1
    return min(40, (math.isqrt(8 * int(count) + 1) - 1) // 2)


def _together(forgery: Forgery, i: int, j: int) -> bool:
    """Tell whether two points are together in the best partition."""
    if not forgery.truth.feasible:
        return forgery.chance(0.5)
    labels = forgery.truth.best_labels
    return bool(labels[i] == labels[j])
