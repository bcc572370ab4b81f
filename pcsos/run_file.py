"""The run file: an append-only SQLite journal of a run, which is its checkpoint, its log and its certificate.

``docs/certificate.md`` specifies the format. Nothing in a run file is trusted when it is opened: a file that is
foreign, damaged, changed or of another version is refused with one sentence.
"""

import contextlib
import dataclasses
import hashlib
import json
import math
import os
import sqlite3
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pcsos._version import __version__
from pcsos.events import Event
from pcsos.exceptions import PcsosError, RunFileError
from pcsos.instance import Instance
from pcsos.options import Options
from pcsos.partition import Partition
from pcsos.proof import (
    BoundClosing,
    Branching,
    Closing,
    Decision,
    FarStep,
    FixedStep,
    Forced,
    ForcedStep,
    InfeasibleClosing,
    NodeRecord,
    OpenClosing,
    SingleClosing,
    Step,
)
from pcsos.result import Reason, Result, Status
from pcsos.run_file_codec import (
    decode_array,
    decode_decisions,
    decode_multipliers,
    encode_decisions,
    encode_floats,
    encode_integers,
    encode_multipliers,
)

PathLike = str | os.PathLike[str]

#: "pcRS" in the header of the SQLite file.
APPLICATION_ID = 0x70635253
#: Raised whenever a file of an older version could be misread.
SCHEMA_VERSION = 2

TABLES = """
CREATE TABLE instance (
    n_clusters INTEGER NOT NULL, points BLOB NOT NULL, weights BLOB NOT NULL, must_link BLOB NOT NULL,
    cannot_link BLOB NOT NULL, digest TEXT NOT NULL, options TEXT NOT NULL, version TEXT NOT NULL
);
CREATE TABLE nodes (
    position INTEGER PRIMARY KEY, node INTEGER NOT NULL UNIQUE, parent INTEGER, kind TEXT, i INTEGER, j INTEGER,
    closing TEXT NOT NULL, closing_bound REAL, multipliers BLOB, witness TEXT, search BLOB, labels BLOB,
    branch_i INTEGER, branch_j INTEGER, penalty REAL, lower_bound REAL NOT NULL, seconds REAL NOT NULL,
    digest TEXT NOT NULL
);
CREATE TABLE steps (
    node INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, forced TEXT, decisions BLOB,
    multipliers BLOB, lower_bound REAL, PRIMARY KEY (node, position)
);
CREATE TABLE incumbents (
    position INTEGER PRIMARY KEY, labels BLOB NOT NULL, objective REAL NOT NULL, source TEXT NOT NULL,
    seconds REAL NOT NULL
);
CREATE TABLE events (position INTEGER PRIMARY KEY, name TEXT NOT NULL, time REAL NOT NULL, data TEXT NOT NULL);
CREATE TABLE claim (
    status TEXT NOT NULL, objective REAL, lower_bound REAL, labels BLOB, details TEXT NOT NULL, digest TEXT NOT NULL
);
"""

#: Fields of a result that the claim does not state itself, stored for whoever resumes a finished run.
DETAILS = ("n_super_points", "seconds", "nodes", "root_lower_bound", "root_seconds", "message")

Row = dict[str, Any]


class RunFile:
    """A run file that is open for writing; no other process can open it meanwhile.

    Use :meth:`create` or :meth:`open`, and a ``with`` statement or :meth:`close`. Every method raises
    :class:`pcsos.exceptions.RunFileError` with one sentence if the file cannot be written or read any more; what was
    written before stays intact.

    Attributes
    ----------
    path : Path
        Where the file is.
    instance : Instance
        What the run is about.
    options : Options
        How it was started.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, instance: Instance, options: Options) -> None:
        self.path = path
        self.instance = instance
        self.options = options
        self._connection = connection
        self._last_digest = instance_digest(instance)

    @classmethod
    def create(cls, path: PathLike, instance: Instance, options: Options) -> Self:
        """Begin a new run file; one that exists is refused."""
        path = Path(path)
        if path.exists() and not (path.is_file() and path.stat().st_size == 0):
            raise RunFileError(f"{path} exists already; resume it, delete it, or give another run file")
        connection = _connect(path, "rwc")
        try:
            with _explained(path):
                connection.executescript(f"BEGIN; {TABLES}")
                connection.execute(
                    "INSERT INTO instance VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _instance_row(instance, options)
                )
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                connection.execute("COMMIT")
        except RunFileError:
            connection.close()
            raise
        return cls(path, connection, instance, options)

    @classmethod
    def open(cls, path: PathLike) -> Self:
        """Open the file of an earlier run, to go on with it; everything in it is read and checked for damage."""
        path = Path(path)
        if not path.is_file():
            raise RunFileError(f"there is no run file {path}; check the name")
        connection = _connect(path, "rw")
        try:
            with _explained(path):
                _check_format(connection, path)
                instance, options = _read_instance(connection)
            file = cls(path, connection, instance, options)
            for _ in file.records():
                pass
        except BaseException:
            connection.close()
            raise
        return file

    # Writing

    def add_node(self, record: NodeRecord) -> None:
        """Append a processed node, whole or not at all, in place of what was known while it was open.

        Its multipliers must be quantised.
        """
        row, steps = (
            _node_row(record),
            [_step_row(record.node, p, step) for p, step in enumerate(record.steps)],
        )
        digest = _digest(self._last_digest, row, *steps)
        with self._transaction():
            for table in ("steps", "nodes"):  # where an earlier part of the run left the node open
                self._connection.execute(f"DELETE FROM {table} WHERE node = ?", (record.node,))
            self._insert("nodes", row | {"digest": digest})
            for step in steps:
                self._insert("steps", step)
        if not isinstance(record.closing, OpenClosing):
            self._last_digest = digest

    def add_incumbent(self, labels: NDArray[np.intp], objective: float, source: str, seconds: float) -> None:
        """Append a partition of the original points, and what found it."""
        row = {
            "labels": encode_integers(labels),
            "objective": objective,
            "source": source,
            "seconds": seconds,
        }
        with self._transaction():
            self._insert("incumbents", row)

    def add_event(self, event: Event) -> None:
        """Append an event, with the time since the epoch."""
        data = {key: _plain(value) for key, value in dataclasses.asdict(event).items()}
        row = {"name": type(event).__name__, "time": time.time(), "data": json.dumps(data)}
        with self._transaction():
            self._insert("events", row)

    def set_claim(self, result: Result) -> None:
        """Write what the run claims in the end, in place of what an earlier part of it claimed."""
        details = {name: _plain(getattr(result, name)) for name in DETAILS} | {"reason": str(result.reason)}
        row = {
            "status": str(result.status),
            "objective": _real(result.objective),
            "lower_bound": _real(result.lower_bound),
            "labels": None if result.labels is None else encode_integers(result.labels),
            "details": json.dumps(details),
        }
        with self._transaction():
            self._connection.execute("DELETE FROM claim")
            self._insert("claim", row | {"digest": _digest(instance_digest(self.instance), row)})

    def _insert(self, table: str, row: Row) -> None:
        columns, places = ", ".join(row), ", ".join("?" * len(row))
        self._connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", tuple(row.values()))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with _explained(self.path):
            self._connection.execute("BEGIN")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    # Reading

    def records(self) -> Iterator[NodeRecord]:
        """Yield the processed nodes in the order in which they were added."""
        digest = instance_digest(self.instance)
        with _explained(self.path):
            for row in _rows(self._connection, "SELECT * FROM nodes ORDER BY position"):
                steps = _rows(self._connection, "SELECT * FROM steps WHERE node = ? ORDER BY position", row["node"])
                kept = {key: value for key, value in row.items() if key not in ("position", "digest")}
                own = _digest(digest, kept, *steps)
                if own != row["digest"]:
                    raise RunFileError(f"{self.path} was changed or damaged at node {row['node']}; start the run anew")
                digest = digest if row["closing"] == "open" else own  # an open node can still be replaced
                yield _record(row, steps)
        self._last_digest = digest

    def incumbent(self) -> Partition | None:
        """Return the best partition found so far, recomputed from its labels."""
        with _explained(self.path):
            rows = _rows(self._connection, "SELECT labels FROM incumbents ORDER BY objective, position LIMIT 1")
            return Partition.of(self.instance, decode_array(rows[0]["labels"])) if rows else None

    def claim(self) -> Result | None:
        """Return the result that the run ended with, or None if it did not end by itself."""
        with _explained(self.path):
            rows = _rows(self._connection, "SELECT * FROM claim")
            if not rows:
                return None
            digest = rows[0].pop("digest")
            if len(rows) > 1 or digest != _digest(instance_digest(self.instance), rows[0]):
                raise RunFileError(f"the claim in {self.path} was changed or damaged; start the run anew")
            return self._result(rows[0])

    def _result(self, row: Row) -> Result:
        details = json.loads(row["details"])
        labels = row["labels"]
        return Result(
            status=Status(row["status"]),
            reason=Reason(details.pop("reason")),
            partition=None if labels is None else Partition.of(self.instance, decode_array(labels)),
            lower_bound=row["lower_bound"],
            n_points=self.instance.n_points,
            n_features=self.instance.n_features,
            n_clusters=self.instance.n_clusters,
            n_must_link=len(self.instance.must_link),
            n_cannot_link=len(self.instance.cannot_link),
            seed=self.options.seed,
            **details,
        )

    # Ending

    def close(self) -> None:
        """Leave a single file behind, and let others open it."""
        with contextlib.suppress(sqlite3.Error):  # what is not moved from the log to the file now is moved later
            self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def instance_digest(instance: Instance) -> str:
    """Return the SHA-256 digest of points, weights, constraints and k (docs/certificate.md, section 1)."""
    digest = hashlib.sha256(b"pcsos instance 1")
    digest.update(struct.pack("<QQQ", instance.n_points, instance.n_features, instance.n_clusters))
    for array, kind in (
        (instance.points, "<f8"), (instance.weights, "<f8"), (instance.must_link, "<i8"), (instance.cannot_link, "<i8")
    ):  # fmt: skip
        digest.update(struct.pack("<Q", array.size) + np.ascontiguousarray(array, kind).tobytes())
    return digest.hexdigest()


def _digest(previous: str, *rows: Row) -> str:
    """Return the SHA-256 digest of the rows and of what came before them."""
    digest = hashlib.sha256(previous.encode())
    for row in rows:
        for name, value in row.items():
            content = value if isinstance(value, bytes) else repr(value).encode()
            digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()


# SQLite


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection that keeps everybody else out until it is closed or its process ends, however it ends."""
    with _explained(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=0.0, isolation_level=None
        )
        try:
            for pragma in (
                "trusted_schema = OFF",
                "locking_mode = EXCLUSIVE",
                "journal_mode = WAL",
                "synchronous = NORMAL",
            ):
                connection.execute(f"PRAGMA {pragma}").fetchall()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except BaseException:
            connection.close()
            raise
    return connection


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn whatever SQLite or a decoder says about a file into one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise RunFileError(_sentence(path, error)) from error
    except RunFileError:
        raise
    except (PcsosError, ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        raise RunFileError(f"{path} was changed or damaged ({error}); start the run anew") from error


def _sentence(path: Path, error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"{path} is in use by another process; wait until it ends, or give another run file"
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return f"{path} cannot be written ({error}); free some space: what was written before is intact"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"{path} cannot be written ({error}); check that the folder exists and may be written to"
    return f"{path} is not a run file, or it is damaged ({error}); give another file"


def _rows(connection: sqlite3.Connection, query: str, *parameters: object) -> list[Row]:
    cursor = connection.execute(query, parameters)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, values, strict=True)) for values in cursor]


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise RunFileError(f"{path} is a database, but not a run file of pcsos; give another file")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != SCHEMA_VERSION:
        raise RunFileError(
            f"{path} has format {version}, but this is pcsos {__version__} with format {SCHEMA_VERSION}; "
            "go on with the version that wrote it, or start the run anew"
        )
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise RunFileError(f"{path} is damaged ({found}); start the run anew")


# Rows


def _real(value: float | None) -> float | None:
    """Return a number as SQLite gives it back: a float of Python's own, without a sign on 0."""
    return None if value is None else float(value) + 0.0


def _plain(value: object) -> object:
    """Return a value for JSON, which has no infinities."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _instance_row(instance: Instance, options: Options) -> tuple[object, ...]:
    return (
        instance.n_clusters,
        encode_floats(instance.points),
        encode_floats(instance.weights),
        encode_integers(instance.must_link),
        encode_integers(instance.cannot_link),
        instance_digest(instance),
        json.dumps(dataclasses.asdict(options)),
        __version__,
    )


def _read_instance(connection: sqlite3.Connection) -> tuple[Instance, Options]:
    (row,) = _rows(connection, "SELECT * FROM instance")
    must_link, cannot_link = (decode_array(row[name]).astype(np.intp) for name in ("must_link", "cannot_link"))
    points, weights = (decode_array(row[name]).astype(np.float64) for name in ("points", "weights"))
    instance = Instance(points, row["n_clusters"], must_link, cannot_link, weights)
    if instance_digest(instance) != row["digest"]:
        raise ValueError("the instance has another digest")
    return instance, Options(**json.loads(row["options"]))


def _node_row(record: NodeRecord) -> Row:
    closing, decision = record.closing, record.decision
    row: Row = {
        "node": record.node, "parent": record.parent,
        "kind": decision and decision.kind, "i": decision and decision.i, "j": decision and decision.j,
        "closing": "branched", "closing_bound": None, "multipliers": None, "witness": None, "search": None,
        "labels": None, "branch_i": None, "branch_j": None, "penalty": None, "lower_bound": _real(record.lower_bound),
        "seconds": _real(record.seconds),
    }  # fmt: skip
    match closing:
        case BoundClosing() | OpenClosing():
            how = "bound" if isinstance(closing, BoundClosing) else "open"
            blob = encode_multipliers(closing.multipliers)
            row |= {"closing": how, "closing_bound": _real(closing.lower_bound), "multipliers": blob}
        case InfeasibleClosing():
            search = encode_integers(closing.search, differences=True)
            row |= {"closing": "infeasible", "witness": json.dumps(closing.witness), "search": search}
        case SingleClosing():
            labels = encode_integers(closing.labels)
            row |= {"closing": "single", "closing_bound": _real(closing.lower_bound), "labels": labels}
        case Branching():
            start = None if closing.multipliers is None else encode_multipliers(closing.multipliers)
            row |= {"branch_i": closing.decision.i, "branch_j": closing.decision.j}
            row |= {"multipliers": start, "penalty": _real(closing.penalty)}
    return row


def _step_row(node: int, position: int, step: Step) -> Row:
    row: Row = {
        "node": node, "position": position, "kind": "forced", "forced": None, "decisions": None, "multipliers": None,
        "lower_bound": None,
    }  # fmt: skip
    if isinstance(step, ForcedStep):
        forced = [[f.decision.kind, f.decision.i, f.decision.j, list(f.witness)] for f in step.forced]
        return row | {"forced": json.dumps(forced)}
    row |= {"decisions": encode_decisions(step.decisions), "lower_bound": _real(step.lower_bound)}
    if isinstance(step, FarStep):
        return row | {"kind": "far"}
    return row | {"kind": "fixed", "multipliers": encode_multipliers(step.multipliers)}


def _record(row: Row, steps: list[Row]) -> NodeRecord:
    decision = None if row["kind"] is None else Decision(row["kind"], row["i"], row["j"])
    return NodeRecord(
        row["node"],
        row["parent"],
        decision,
        tuple(_step(step) for step in steps),
        _closing(row),
        row["lower_bound"],
        row["seconds"],
    )


def _closing(row: Row) -> Closing:
    match row["closing"]:
        case "bound":
            return BoundClosing(decode_multipliers(row["multipliers"]), row["closing_bound"])
        case "open":
            return OpenClosing(decode_multipliers(row["multipliers"]), row["closing_bound"])
        case "infeasible":
            return InfeasibleClosing(json.loads(row["witness"]), decode_array(row["search"]).astype(np.int64))
        case "single":
            return SingleClosing(decode_array(row["labels"]).astype(np.intp), row["closing_bound"])
        case "branched":
            start = None if row["multipliers"] is None else decode_multipliers(row["multipliers"])
            return Branching(Decision("ML", row["branch_i"], row["branch_j"]), start, row["penalty"])
        case other:
            raise ValueError(f"a node is closed as {other!r}")


def _step(row: Row) -> Step:
    if row["kind"] == "forced":
        listed = json.loads(row["forced"])
        return ForcedStep(tuple(Forced(Decision(kind, i, j), tuple(witness)) for kind, i, j, witness in listed))
    decisions = decode_decisions(row["decisions"])
    if row["kind"] == "far":
        return FarStep(decisions, row["lower_bound"])
    return FixedStep(decode_multipliers(row["multipliers"]), decisions, row["lower_bound"])
