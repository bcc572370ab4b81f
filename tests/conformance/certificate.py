"""A certificate as the rows of its tables, and as SQL text that writes it."""

import json
import math
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pcsos.evidence.run_file.rows import TABLES as STATEMENTS
from pcsos.verify.reading.columns import TABLES
from pcsos.verify.reading.database import APPLICATION_ID, FORMAT
from tests.conformance.encoding import axes, cliques, decisions, doubles, integers, pairs

Row = dict[str, Any]
LABEL = re.compile(r"([a-z0-9-]+): (.*) \(([0-9, ]+)\)")
#: What stands in columns that prove nothing.
FILLING = {"digest": "", "version": "1", "names": '{"first": 0, "ids": null, "features": null}', "seconds": 0.0}
#: The changes that bound the weight of a cluster.
WEIGHTS = ("lighter", "heavier")
#: Between positions of evidence, so that more can be put there.
STRIDE = 10
#: The values in the payload of each kind of evidence, and what makes arrays of them.
PAYLOADS: Mapping[str, Mapping[str, Callable[[Any], bytes]]] = {
    "bound": {"multipliers": bytes},
    "open": {"multipliers": bytes},
    "prices": {"prices": doubles, "knots": integers, "axes": axes},
    "line": {"penalty": lambda penalty: doubles([penalty])},
    "single": {},
    "infeasible": {"search": integers},
    "forced": {"decisions": decisions, "cliques": cliques},
    "fixed": {"decisions": decisions, "multipliers": bytes},
    "soft": {"decisions": decisions, "multipliers": bytes},
    "far": {"decisions": decisions},
    "equal": {"decisions": decisions},
    "branching": {"children": integers, "split": doubles},
    "cover": {"parts": integers},
}
#: Values that need not be named.
OMITTED: Row = {"knots": (), "axes": (), "search": (), "split": ()}


@dataclass(frozen=True)
class Evidence:
    """A row of ``evidence``; what is given as bytes stands in its payload as it is."""

    problem: int
    kind: str
    bound: float
    values: Mapping[str, Any]

    @property
    def row(self) -> Row:
        values = {**OMITTED, **self.values}
        held = [
            own if isinstance(own := values[name], bytes) else encode(own)
            for name, encode in PAYLOADS[self.kind].items()
        ]
        payload = b"".join([*held, self.values.get("behind", b"")])
        return {"problem": self.problem, "kind": self.kind, "bound": self.bound, "payload": payload}


@dataclass(frozen=True)
class Problem:
    number: int
    parent: int
    change: str
    content: bytes

    @property
    def row(self) -> Row:
        return {"problem": self.number, "parent": self.parent, "change": self.change, "content": self.content}


def evidence(problem: int, kind: str, bound: float = 0.0, **values: Any) -> Evidence:
    """Evidence of a problem, with the values that ``PAYLOADS`` names, and bytes ``behind`` them."""
    return Evidence(problem, kind, bound, values)


def child(number: int, parent: int, said: str) -> Problem:
    """A problem that knows more than its parent, said as ``ML 0 1`` or ``lighter 0 2.5``."""
    change, i, j = said.split()
    content = integers([int(i)]) + doubles([float(j)]) if change in WEIGHTS else integers([int(i), int(j)])
    return Problem(number, parent, change, content)


def part(number: int, parent: int, points: Sequence[int], weights: Sequence[float]) -> Problem:
    """A problem of some points of its parent."""
    return Problem(number, parent, "part", integers(points, "d") + doubles(weights))


def branching(problem: int, together: int, apart: int, said: str) -> list[Evidence | Problem]:
    """A branching on a pair, said as ``0 1``, and its children."""
    children = [child(together, problem, f"ML {said}"), child(apart, problem, f"CL {said}")]
    return [evidence(problem, "branching", children=[together, apart]), *children]


def weighing(problem: int, lighter: int, heavier: int, said: str) -> list[Evidence | Problem]:
    """A branching on the weight of the cluster of a point, said as ``0 2.5``, and its children."""
    children = [
        child(number, problem, f"{own} {said}") for own, number in zip(WEIGHTS, (lighter, heavier), strict=True)
    ]
    return [evidence(problem, "branching", children=[lighter, heavier]), *children]


@dataclass(frozen=True)
class Claim:
    """What a run claims; what it proves at least is the lower bound unless ``proved`` says otherwise."""

    status: str
    labels: Sequence[int] | None = None
    objective: float | None = None
    lower_bound: float | None = None
    proved: float | None = None


@dataclass(frozen=True)
class Certificate:
    """An honest run file: what it is an example of, its rows, and what they were made of."""

    name: str
    kind: str
    shows: str
    section: str
    rows: dict[str, list[Row]]
    claim: Claim
    gap: float
    instance: dict[str, Any] = field(default_factory=dict)
    evidence: Sequence[Evidence] = ()

    @property
    def sql(self) -> str:
        lines = [f"-- {self.shows}", f"PRAGMA application_id = {APPLICATION_ID};"]
        lines += [f"PRAGMA user_version = {FORMAT};", STATEMENTS.strip()]
        lines += [f"{insertion(table, row)};" for table in TABLES for row in self.rows.get(table, [])]
        return "\n".join(lines) + "\n"


def certificate(
    label: str,
    kind: str,
    instance: Mapping[str, Any],
    claim: Claim,
    proof: Sequence[Evidence | Problem] = (),
    *,
    gap: float = 1e-4,
    **columns: object,
) -> Certificate:
    """A certificate from what is asked, what is claimed and what proves it; ``columns`` are those of the instance."""
    name, shows, section = labelled(label)
    own = [row for row in proof if isinstance(row, Evidence)]
    rows = {
        "instance": [asked(instance, gap) | columns],
        "problems": [row.row for row in proof if isinstance(row, Problem)],
        "evidence": [{"position": STRIDE * at} | row.row for at, row in enumerate(own, 1)],
        "claim": [claimed(claim)],
    }
    filled = {table: [filling(table) | row for row in found] for table, found in rows.items()}
    return Certificate(name, kind, shows, section, filled, claim, gap, dict(instance), own)


def labelled(label: str) -> tuple[str, str, str]:
    """The three of a label ``name: What it is about. (section)``."""
    found = LABEL.fullmatch(label)
    assert found, label
    return found[1], found[2], found[3]


def filling(table: str) -> Row:
    return {name: FILLING[name] for name in FILLING if name in TABLES[table]}


def asked(instance: Mapping[str, Any], gap: float) -> Row:
    points = [[float(x) for x in ([p] if isinstance(p, int | float) else p)] for p in instance["points"]]
    gram = instance.get("gram")
    return {
        "n_clusters": instance["k"],
        "points": doubles(points),
        "weights": doubles([float(w) for w in instance.get("weights", [1.0] * len(points))]),
        "must_link": pairs(instance.get("must_link", ())),
        "cannot_link": pairs(instance.get("cannot_link", ())),
        "options": json.dumps({"gap": gap}),
        "conditions": json.dumps(instance.get("conditions", {})),
        "gram": gram and doubles(gram),
    }


def claimed(claim: Claim) -> Row:
    labels = None if claim.labels is None else integers(claim.labels)
    own = {"objective": claim.objective, "lower_bound": claim.lower_bound}
    return {"status": claim.status, "labels": labels, "details": "{}"} | own


def insertion(table: str, row: Mapping[str, Any]) -> str:
    own = {name: value for name, value in row.items() if value is not None}
    return f"INSERT INTO {table} ({', '.join(own)}) VALUES ({', '.join(map(literal, own.values()))})"


def literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "9e999" if value > 0 else "-9e999"
    if isinstance(value, float) and 0.0 < abs(value) < 1e-290 and len(repr(value)) > 15:  # SQLite may lose a digit
        mantissa, exponent = math.frexp(value)
        return " / ".join(map(repr, [mantissa, *[2.0**30] * (-exponent // 30), 2.0 ** (-exponent % 30)]))
    return repr(value)


def written(path: Path, *texts: str) -> Path:
    """The file that texts write, one after the other."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA journal_mode = MEMORY")
    for text in texts:
        connection.executescript(text)
    connection.close()
    return path
