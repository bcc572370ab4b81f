"""Lies to put into the claim of a run file; ``supports`` has changes of its tree that are to support them."""

import json
import math
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.problem.instance import Instance
from pcsos.verify.reading.columns import LEAVES
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


def no_evidence(forgery: Forgery) -> None:
    """There is no evidence, and there may be no problems either."""
    forgery.run("DELETE FROM evidence")
    if forgery.chance(0.5):
        forgery.run("DELETE FROM problems")


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
