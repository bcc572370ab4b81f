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
from tests.exact_oracle import ExactTruth

Labels = NDArray[np.intp]
KINDS = ("contradiction", "too_few_points", "clique", "odd_cycle", "colouring", "search")


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
        """Write the claim."""
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

    def nodes(self) -> list[int]:
        return [node for (node,) in self.run("SELECT node FROM nodes ORDER BY position")]

    def leaves(self) -> list[int]:
        """Return the leaves with a bound below the target."""
        query = "SELECT node FROM nodes WHERE closing != 'branched' AND (closing_bound IS NULL OR closing_bound < ?)"
        return [node for (node,) in self.run(query, self.target)]


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
    """There is no partition."""
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
    """The partition costs something else."""
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
        no_nodes(forgery)


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
    for table, column in (("nodes", "closing_bound"), ("steps", "lower_bound")):
        forgery.run(f"UPDATE {table} SET {column} = max({column}, ?) WHERE {column} IS NOT NULL", forgery.target)


def no_nodes(forgery: Forgery) -> None:
    """There is no tree."""
    forgery.run("DELETE FROM nodes")
    forgery.run("DELETE FROM steps")


def dropped_leaves(forgery: Forgery) -> None:
    """Leaves that are in the way are gone."""
    for node in forgery.leaves():
        if forgery.chance(0.8):
            forgery.run("DELETE FROM nodes WHERE node = ?", node)
            forgery.run("DELETE FROM steps WHERE node = ?", node)


def only_the_root(forgery: Forgery) -> None:
    """The root is closed, in one way or another."""
    forgery.run("DELETE FROM nodes WHERE node != 0")
    closing = forgery.any_of(["single", "infeasible", "bound", "open", "branched", "line", "prices"])
    witness, prices = _witness(forgery), false_prices(forgery, forgery.instance.n_points)
    statement = "UPDATE nodes SET closing = ?, closing_bound = ?, witness = ?, prices = ?"
    forgery.run(statement, closing, forgery.target, witness, prices)


def leaves_called_infeasible(forgery: Forgery) -> None:
    """Leaves that are in the way hold no partition."""
    for node in forgery.leaves():
        forgery.run("UPDATE nodes SET closing = 'infeasible', multipliers = NULL WHERE node = ?", node)
        forgery.run("UPDATE nodes SET closing_bound = NULL, witness = ? WHERE node = ?", _witness(forgery), node)


def leaves_called_single(forgery: Forgery) -> None:
    """Leaves that are in the way hold one partition."""
    for node in forgery.leaves():
        forgery.run("UPDATE nodes SET closing = 'single', closing_bound = ? WHERE node = ?", forgery.target, node)


def leaves_called_lines(forgery: Forgery) -> None:
    """Leaves that are in the way are closed by a penalty, of any size; in a line the penalty is another one."""
    for node in forgery.leaves():
        size = forgery.any_of([0.0, forgery.target, float(np.ptp(forgery.instance.points)) ** 2, 1e300, 5e-324])
        penalty = forgery.any_of([size, -size, size * 10.0 ** float(forgery.rng.uniform(-12.0, 3.0))])
        statement = (
            "UPDATE nodes SET closing = 'line', multipliers = NULL, penalty = ?, closing_bound = ? WHERE node = ?"
        )
        forgery.run(statement, forgery.any_of([penalty, penalty, penalty, None, "x", 3]), forgery.target, node)


def leaves_called_priced(forgery: Forgery) -> None:
    """Leaves that are in the way are closed by prices, which may be as many as there are super-points."""
    for node in forgery.leaves():
        size = max(1, forgery.instance.n_points - int(forgery.rng.integers(0, 4)))
        forgery.run(
            "UPDATE nodes SET closing = 'prices', multipliers = NULL, prices = ?, closing_bound = ? WHERE node = ?",
            false_prices(forgery, size), forgery.target, node,
        )  # fmt: skip


def leaves_called_open(forgery: Forgery) -> None:
    """Leaves that are in the way are open, whatever that proves."""
    for node in forgery.leaves():
        forgery.run("UPDATE nodes SET closing = 'open' WHERE node = ?", node)


def wrong_decisions(forgery: Forgery) -> None:
    """A child has another decision, or its parent branches on another pair."""
    nodes, points = forgery.nodes()[1:], range(forgery.instance.n_points)
    if not nodes:
        return
    node = forgery.any_of(nodes)
    change = forgery.any_of(["kind", "i", "j", "branch_i", "branch_j"])
    value = forgery.any_of(["ML", "CL"]) if change == "kind" else forgery.any_of(points)
    forgery.run(f"UPDATE nodes SET {change} = ? WHERE node = ?", value, node)


def moved_subtrees(forgery: Forgery) -> None:
    """A node hangs elsewhere: on a leaf, on itself, on nothing."""
    nodes = forgery.nodes()
    if nodes:
        parent = forgery.any_of([*nodes, None, 10**9])
        forgery.run("UPDATE nodes SET parent = ? WHERE node = ?", parent, forgery.any_of(nodes))


def false_forced_pairs(forgery: Forgery) -> None:
    """Pairs are forced that are not, so that the best partition is lost."""
    n, k, rng = forgery.instance.n_points, forgery.instance.n_clusters, forgery.rng
    forced = []
    for _ in range(int(rng.integers(1, 4))):
        i, j = rng.choice(n, 2, replace=False).tolist() if n > 1 else (0, 0)
        kind = "CL" if _together(forgery, i, j) else "ML"
        size = max(0, (k if kind == "CL" else k - 1) + forgery.any_of([0, 0, 0, -1, 1]))
        witness = rng.integers(0, n, size).tolist() if forgery.chance(0.5) else [i] * size
        forced.append([kind, i, j, witness])
    node = forgery.any_of(forgery.nodes() or [0])
    statement = "INSERT INTO steps (part, node, position, kind, forced) VALUES (0, ?, ?, 'forced', ?)"
    forgery.run(statement, node, forgery.any_of([-1, 10**6]), json.dumps(forced))


def false_fixed_pairs(forgery: Forgery) -> None:
    """Pairs are fixed so that the best partition is lost."""
    n, rng = forgery.instance.n_points, forgery.rng
    i, j = sorted(rng.choice(n, 2, replace=False).tolist()) if n > 1 else (0, 0)
    row = encode_integers(np.array([[int(_together(forgery, i, j))], [i], [j]]), differences=True)
    statement = (
        "INSERT INTO steps (part, node, position, kind, decisions, multipliers, lower_bound) "
        "VALUES (0, ?, ?, ?, ?, ?, ?)"
    )
    blob = huge_multipliers(forgery, forgery.any_of([n, n - 1, n - 2, 1]))
    node, kind = forgery.any_of(forgery.nodes() or [0]), forgery.any_of(["fixed", "fixed", "far"])
    forgery.run(statement, node, forgery.any_of([-1, 10**6]), kind, row, blob, forgery.target)


def exchanged_kinds_of_steps(forgery: Forgery) -> None:
    """A step is of another kind than it was written as."""
    rows = [row for (row,) in forgery.run("SELECT rowid FROM steps")]
    if rows:
        kind = forgery.any_of(["far", "fixed", "forced"])
        forgery.run("UPDATE steps SET kind = ? WHERE rowid = ?", kind, forgery.any_of(rows))


def dropped_steps(forgery: Forgery) -> None:
    """Steps are gone, or repeated at another node."""
    if forgery.chance(0.5):
        forgery.run("DELETE FROM steps")
    else:
        forgery.run("UPDATE steps SET node = ?", forgery.any_of(forgery.nodes() or [0]))


def hostile_leaves(forgery: Forgery) -> None:
    """Leaves are closed by huge multipliers of the right size."""
    query = "SELECT node, multipliers FROM nodes WHERE multipliers IS NOT NULL"
    for node, blob in forgery.run(query):
        forgery.run("UPDATE nodes SET multipliers = ? WHERE node = ?", huge_multipliers(forgery, _size(blob)), node)


def exchanged_blobs(forgery: Forgery) -> None:
    """Two nodes exchange their multipliers, or a column holds what belongs into another."""
    blobs = [b for (b,) in forgery.run("SELECT multipliers FROM nodes WHERE multipliers IS NOT NULL")]
    blobs += [b for (b,) in forgery.run("SELECT points FROM instance")] if forgery.chance(0.1) else []
    nodes = forgery.nodes()
    if blobs and nodes:
        column = forgery.any_of(["multipliers", "multipliers", "multipliers", "labels", "witness"])
        forgery.run(f"UPDATE nodes SET {column} = ? WHERE node = ?", forgery.any_of(blobs), forgery.any_of(nodes))


def damaged_blobs(forgery: Forgery) -> None:
    """A blob is cut off, or one bit of it differs."""
    tables = {"nodes": "multipliers", "steps": "decisions", "claim": "labels"}
    table = forgery.any_of(list(tables))
    columns = [name for _, name, *_ in forgery.run(f"PRAGMA table_info({table})")]
    column = "search" if "search" in columns and forgery.chance(0.3) else tables[table]
    rows = forgery.run(f"SELECT rowid, {column} FROM {table} WHERE length({column}) > 1")
    if rows:
        row, data = forgery.any_of(rows)
        at = int(forgery.rng.integers(len(data)))
        flipped = data[:at] + bytes([data[at] ^ (1 << int(forgery.rng.integers(8)))]) + data[at + 1 :]
        forgery.run(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", forgery.any_of([data[:at], flipped]), row)


def search_of_nothing(forgery: Forgery) -> None:
    """The record of a search, where a file has one, is empty, random, or that of another node."""
    if "search" not in [name for _, name, *_ in forgery.run("PRAGMA table_info(nodes)")]:
        return
    others = [b for (b,) in forgery.run("SELECT search FROM nodes WHERE search IS NOT NULL")]
    blob = forgery.any_of([b"", forgery.rng.bytes(20), encode_integers(np.zeros(5, np.int64)), *others])
    leaves = forgery.leaves() or [0]
    for node in leaves:
        forgery.run(
            "UPDATE nodes SET closing = 'infeasible', multipliers = NULL, witness = ?, search = ? WHERE node = ?",
            _witness(forgery), blob, node,
        )  # fmt: skip


def generated_column(forgery: Forgery) -> None:
    """A column is computed, not stored."""
    table, column = forgery.any_of([("nodes", "closing_bound"), ("claim", "lower_bound"), ("steps", "lower_bound")])
    forgery.run(f"ALTER TABLE {table} RENAME COLUMN {column} TO hidden")
    forgery.run(f"ALTER TABLE {table} ADD COLUMN {column} REAL GENERATED ALWAYS AS ({forgery.target!r}) VIRTUAL")


def virtual_table(forgery: Forgery) -> None:
    """A table that nothing reads is a virtual one."""
    forgery.run("DROP TABLE events")
    module = forgery.any_of(["fts5vocab('nodes', 'row')", "dbstat", "fts5(text)", "rtree(id, low, high)"])
    forgery.run(f"CREATE VIRTUAL TABLE events USING {module}")


SUPPORTS: dict[str, Callable[[Forgery], None]] = {
    "raised bounds": raised_bounds,
    "no nodes": no_nodes,
    "dropped leaves": dropped_leaves,
    "only the root": only_the_root,
    "leaves called infeasible": leaves_called_infeasible,
    "leaves called single": leaves_called_single,
    "leaves called lines": leaves_called_lines,
    "leaves called priced": leaves_called_priced,
    "leaves called open": leaves_called_open,
    "wrong decisions": wrong_decisions,
    "moved subtrees": moved_subtrees,
    "false forced pairs": false_forced_pairs,
    "false fixed pairs": false_fixed_pairs,
    "exchanged kinds of steps": exchanged_kinds_of_steps,
    "dropped steps": dropped_steps,
    "hostile leaves": hostile_leaves,
    "exchanged blobs": exchanged_blobs,
    "damaged blobs": damaged_blobs,
    "search of nothing": search_of_nothing,
    "changed conditions": changed_conditions,
    "generated column": generated_column,
    "virtual table": virtual_table,
}


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
    return encode_floats(prices)


def _size(blob: object) -> int:
    """Return s, from the shape of the triangle of N, which follows the exponents and a head of seven bytes."""
    count = struct.unpack_from("<I", blob, 19)[0] if isinstance(blob, bytes) and len(blob) > 23 else 1
    return min(40, (math.isqrt(8 * int(count) + 1) - 1) // 2)


def _witness(forgery: Forgery) -> str:
    points = forgery.rng.permutation(forgery.instance.n_points)[: forgery.instance.n_clusters + 1].tolist()
    return json.dumps({"kind": forgery.any_of(KINDS), "points": points})


def _together(forgery: Forgery, i: int, j: int) -> bool:
    """Tell whether two points are together in the best partition."""
    if not forgery.truth.feasible:
        return forgery.chance(0.5)
    labels = forgery.truth.best_labels
    return bool(labels[i] == labels[j])
