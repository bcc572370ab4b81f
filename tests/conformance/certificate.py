"""A certificate as the rows of its tables, and as SQL text that writes it."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pcsos.evidence.run_file.rows import TABLES as STATEMENTS
from pcsos.verify.reading.columns import TABLES
from pcsos.verify.reading.database import APPLICATION_ID, FORMAT
from tests.conformance.encoding import doubles, integers, pairs

Row = dict[str, Any]
#: What stands in columns that prove nothing.
FILLING = {"digest": "", "version": "1", "names": '{"first": 0, "ids": null, "features": null}', "seconds": 0.0}


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
    """An honest run file: what it is an example of, and its rows."""

    name: str
    kind: str
    shows: str
    section: str
    rows: dict[str, list[Row]]
    claim: Claim
    gap: float
    problem: dict[str, Any] = field(default_factory=dict)

    @property
    def sql(self) -> str:
        """The text that writes it."""
        lines = [f"-- {self.shows}", f"PRAGMA application_id = {APPLICATION_ID};"]
        lines += [f"PRAGMA user_version = {FORMAT};", STATEMENTS.strip()]
        for table, columns in TABLES.items():
            for row in self.rows.get(table, []):
                names = [name for name in columns if row.get(name) is not None]
                values = ", ".join(literal(row[name]) for name in names)
                lines.append(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values});")
        return "\n".join(lines) + "\n"


def certificate(
    name: str,
    kind: str,
    shows: str,
    section: str,
    problem: Mapping[str, Any],
    claim: Claim,
    nodes: Sequence[Row] = (),
    steps: Sequence[Row] = (),
    *,
    parts: Mapping[int, tuple[Sequence[int], Sequence[float]]] | None = None,
    covers: Sequence[Sequence[int]] = (),
    gap: float = 1e-4,
    **columns: object,
) -> Certificate:
    """A certificate from what is asked, what is claimed and what proves it; ``columns`` are those of the instance."""
    rows = {
        "instance": [instance(problem, gap) | columns],
        "nodes": [{"position": at} | row for at, row in enumerate(nodes, 1)],
        "steps": list(steps),
        "parts": [
            {"part": number, "points": integers(points, "d"), "weights": doubles(weights), "lower_bound": 0.0}
            for number, (points, weights) in (parts or {}).items()
        ],
        "covers": [{"position": at, "parts": integers(numbers)} for at, numbers in enumerate(covers, 1)],
        "claim": [claimed(claim)],
    }
    filled = {
        table: [{name: FILLING[name] for name in FILLING if name in TABLES[table]} | row for row in own]
        for table, own in rows.items()
    }
    return Certificate(name, kind, shows, section, filled, claim, gap, dict(problem))


def instance(problem: Mapping[str, Any], gap: float) -> Row:
    """The row of an instance."""
    points = [[float(x) for x in ([p] if isinstance(p, int | float) else p)] for p in problem["points"]]
    gram = problem.get("gram")
    return {
        "n_clusters": problem["k"],
        "points": doubles(points),
        "weights": doubles([float(w) for w in problem.get("weights", [1.0] * len(points))]),
        "must_link": pairs(problem.get("must_link", ())),
        "cannot_link": pairs(problem.get("cannot_link", ())),
        "options": json.dumps({"gap": gap}),
        "conditions": json.dumps(problem.get("conditions", {})),
        "gram": gram and doubles(gram),
    }


def claimed(claim: Claim) -> Row:
    """The row of a claim."""
    labels = None if claim.labels is None else integers(claim.labels)
    own = {"objective": claim.objective, "lower_bound": claim.lower_bound}
    return {"status": claim.status, "labels": labels, "details": "{}"} | own


def node(number: int, closing: str, bound: float | None = None, part: int = 0, **columns: Any) -> Row:
    """A node; ``parent`` and ``decision``, as ``ML 0 1``, where it is no root, and ``branch``, as ``0 1``."""
    row: Row = {"part": part, "node": number, "closing": closing, "closing_bound": bound, "lower_bound": 0.0} | columns
    if said := row.pop("decision", None):
        kind, i, j = said.split()
        row |= {"kind": kind, "i": int(i), "j": int(j)}
    if said := row.pop("branch", None):
        row["branch_i"], row["branch_j"] = map(int, said.split())
    return row


def step(number: int, kind: str, position: int = 0, part: int = 0, **columns: Any) -> Row:
    """A step of a node; ``forced`` as ``[["ML", 0, 1, [2]]]``."""
    row: Row = {"part": part, "node": number, "position": position, "kind": kind} | columns
    if isinstance(row.get("forced"), list):
        row["forced"] = json.dumps(row["forced"])
    return row


def literal(value: object) -> str:
    """A value as SQL says it."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "9e999" if value > 0 else "-9e999"
    return repr(value)


def written(path: Path, *texts: str) -> Path:
    """The file that texts write, one after the other."""
    connection = sqlite3.connect(path)
    for text in texts:
        connection.executescript(text)
    connection.close()
    return path
