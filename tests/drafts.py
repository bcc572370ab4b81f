"""Drafts of run files: rows written without the package's own writer, so that nothing stops them from being absurd."""

import contextlib
import hashlib
import json
import math
import sqlite3
import struct
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.run_file.rows import TABLES, row_digest
from pcsos.problem.options import Options
from pcsos.verify.reading.database import APPLICATION_ID, FORMAT
from tests.blobs import decode_array

Rng = np.random.Generator
Row = dict[str, Any]


class Draft(NamedTuple):
    """The rows of a run file; evidence is numbered by its place."""

    instance: Row
    problems: list[Row]
    evidence: list[Row]
    events: list[Row]
    claim: Row

    def add(self, problem: int, kind: str, *payload: bytes, bound: float = 0.0) -> None:
        self.evidence.append(evidence(kind, *payload, bound=bound) | {"problem": problem})

    def make(self, parent: int, change: str, *content: bytes) -> int:
        number = len(self.problems) + 1
        self.problems.append({"problem": number, "parent": parent, "change": change, "content": b"".join(content)})
        return number

    def branch(self, problem: int, i: int, j: int) -> tuple[int, int]:
        """Branch on two points; return the numbers of the problems that have them together, and apart."""
        pair = encode_integers(np.array([i, j]))
        children = self.make(problem, "ML", pair), self.make(problem, "CL", pair)
        self.add(problem, "branching", encode_integers(np.array(children)), zeros(0, kind=b"f"))
        return children


def zeros(*shape: int, kind: bytes = b"i") -> bytes:
    """Return an array of zeros, which takes as good as no bytes."""
    width = 8 if kind == b"f" else 0
    content = zlib.compress(bytes(math.prod(shape) * width), 9)
    return struct.pack(f"<cBBI{len(shape)}I", kind, width, len(shape), len(content), *shape) + content


def multipliers(s: int, *tables: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]) -> bytes:
    blobs = [encode_integers(table, differences=True) + encode_integers(mu) for table, mu in tables]
    return struct.pack("<iiI", 0, -20, len(tables)) + zeros(s * (s + 1) // 2) + b"".join(blobs)


def evidence(kind: str, *payload: bytes, bound: float = 0.0) -> Row:
    return {"problem": 0, "kind": kind, "bound": bound, "payload": b"".join(payload), "seconds": 0.0}


def draft(n: int, k: int, points: bytes, *proof: Row, **columns: Any) -> Draft:
    """Return a file about n points with this evidence."""
    instance = {
        "n_clusters": k, "points": points, "weights": constant(n, 1.0), "must_link": zeros(0, 2),
        "cannot_link": zeros(0, 2), "digest": "", "options": _OPTIONS, "names": json.dumps(_NAMES), "version": "0",
        "conditions": "{}", "gram": None,
    } | columns  # fmt: skip
    claim = {"status": "UNKNOWN", "objective": None, "lower_bound": 0.0, "labels": None, "details": _DETAILS}
    return Draft(instance, [], list(proof), [], claim)


_NAMES = {"first": 0, "ids": None, "features": None}
_OPTIONS = json.dumps(Options().to_dict())
_DETAILS = json.dumps(
    {"n_super_points": 1, "seconds": 0.0, "nodes": 1, "root_lower_bound": 0.0, "root_seconds": 0.0, "message": ""}
    | {"reason": "INTERRUPTED"}
)


def constant(n: int, value: float) -> bytes:
    return encode_floats(np.full(n, value))


def decisions(kinds: Any, first: Any, second: Any) -> bytes:
    return encode_integers(np.stack(np.broadcast_arrays(kinds, first, second)), differences=True)


def line() -> Row:
    return evidence("line", constant(1, 1.0))


def prices(each: bytes, d: int, knots: bytes = b"", bound: float = 0.0) -> Row:
    return evidence("prices", each, knots or zeros(0), zeros(0, d), bound=bound)


def infeasible(searched: bytes = b"") -> Row:
    return evidence("infeasible", searched or zeros(0))


def size(rng: Rng, least: float, most: float) -> int:
    """Return a whole number between powers of two, all magnitudes alike."""
    return int(2.0 ** rng.uniform(least, most))


def some_points(rng: Rng, n: int, d: int) -> bytes:
    """Return points that take few bytes: equal ones, or small whole numbers in turn."""
    values = np.zeros((n, d))
    if rng.random() < 0.6:
        values += (np.arange(n) % int(rng.choice([2, 256, n])))[:, None]
    return encode_floats(values)


def write(path: Path, found: Draft) -> None:
    """Write a file whose digests are right."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; {TABLES}")
        digest = instance_digest(found.instance)
        _insert(connection, "instance", found.instance | {"digest": digest})
        for row in found.problems:
            _insert(connection, "problems", row | {"digest": row_digest(digest, row)})
        last = digest
        for position, row in enumerate(found.evidence):
            last = row_digest(last, row)
            _insert(connection, "evidence", row | {"position": position, "digest": last})
        for row in found.events:
            _insert(connection, "events", row)
        _insert(connection, "claim", found.claim | {"digest": row_digest(digest, found.claim)})
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")


def _insert(connection: sqlite3.Connection, table: str, row: Row) -> None:
    places = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", tuple(row.values()))


def instance_digest(row: Row) -> str:
    """Return the digest of an instance (docs/certificate.md, 1), as far as its arrays can be made out."""
    with contextlib.suppress(Exception):
        arrays = {name: decode_array(row[name]) for name in ("points", "weights", "must_link", "cannot_link")}
        digest = hashlib.sha256(b"pcsos instance 1")
        digest.update(struct.pack("<QQQ", *arrays["points"].shape, row["n_clusters"]))
        for name, array in arrays.items():
            kind = "<f8" if name in ("points", "weights") else "<i8"
            digest.update(struct.pack("<Q", array.size) + np.ascontiguousarray(array, kind).tobytes())
        if row["conditions"] != "{}":
            digest.update(json.dumps(json.loads(row["conditions"]), sort_keys=True).encode())
        if row["gram"] is not None:
            digest.update(b"gram" + np.ascontiguousarray(decode_array(row["gram"]), "<f8").tobytes())
        return digest.hexdigest()
    return ""
