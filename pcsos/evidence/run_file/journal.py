"""The run file: an append-only SQLite journal of a run, which is its checkpoint, its log and its certificate.

``docs/certificate.md`` specifies the format. Nothing in a run file is trusted when it is opened: a file that is
foreign, damaged, changed or of another version is refused with one sentence.
"""

import contextlib
import dataclasses
import json
import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np

from pcsos.base.events import Event
from pcsos.base.exceptions import InputError, RunFileError
from pcsos.base.typing import Floats, Indices
from pcsos.evidence.closings import LineClosing, OpenClosing, PriceClosing
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.result import Certification, Result, Status
from pcsos.evidence.run_file.codec import encode_floats, encode_integers
from pcsos.evidence.run_file.rows import (
    TABLES,
    Records,
    explained,
    instance_digest,
    instance_row,
    node_row,
    plain,
    real,
    row_digest,
    step_row,
)
from pcsos.evidence.run_file.stored import DETAILS, read_event, read_instance, read_result, stated_bound
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import Partition
from pcsos.verify.reading import database
from pcsos.verify.reading.arrays import doubles, integers
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.rows import Row, rows

#: The part that is the whole instance.
WHOLE = 0

PathLike = str | os.PathLike[str]
#: Closings of parts that can still be bounded better, as a condition on the table of nodes.
UNFINISHED = f"closing IN ('{OpenClosing.how}', '{PriceClosing.how}', '{LineClosing.how}')"


class KnownPart(NamedTuple):
    """A part that an earlier part of the run has bounded.

    Parameters
    ----------
    number : int
        Its number.
    points, weights : ndarray, shape (m,)
        Its points and their weights in it.
    lower_bound : float
        What is proved of it.
    is_open : bool
        Whether more might be proved of it.
    """

    number: int
    points: Indices
    weights: Floats
    lower_bound: float
    is_open: bool


class RunFile:
    """A run file that is open for writing; no other process can open it meanwhile.

    Use :meth:`create`, :meth:`open` or, without writing, :meth:`read`, and a ``with`` statement or :meth:`close`. Every
    method raises :class:`pcsos.base.exceptions.RunFileError` with one sentence if the file cannot be written or read
    any more; what was written before stays intact.

    Attributes
    ----------
    path : Path
        Where the file is.
    instance : Instance
        What the run is about.
    options : Options
        How it was started.
    has_begun : bool
        Whether an earlier part of the run has found or proved anything.
    """

    keeps = True
    has_begun = False

    def __init__(self, path: Path, connection: sqlite3.Connection, instance: Instance, options: Options) -> None:
        self.path = path
        self.instance = instance
        self.options = options
        self._connection = connection
        self._last_digest = instance_digest(instance)

    @property
    def _records(self) -> Records:
        """What makes records of rows, in memory that goes with the present size of the file."""
        return Records(self.instance.n_points, self.instance.n_clusters, Memory.of_file(self.path))

    @classmethod
    def create(cls, path: PathLike, instance: Instance, options: Options, given: Partition | None = None) -> Self:
        """Begin a new run file, with the partition that is to be certified, if any; one that holds a run is refused."""
        path = _named(path)
        if path.exists() and not database.holds_nothing(path):
            raise RunFileError(f"{path} exists already; resume it, delete it, or give another run file")
        connection = database.create(path)
        try:
            with explained(path):
                connection.executescript(f"BEGIN; {TABLES}")
                connection.execute(
                    "INSERT INTO instance VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", instance_row(instance, options)
                )
                if given is not None:
                    connection.execute(
                        "INSERT INTO incumbents (labels, objective, source, seconds) VALUES (?, ?, 'G', 0.0)",
                        (encode_integers(given.labels), given.objective),
                    )
                connection.execute(f"PRAGMA application_id = {database.APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {database.FORMAT}")
                connection.execute("COMMIT")
        except RunFileError:
            connection.close()
            raise
        return cls(path, connection, instance, options)

    @classmethod
    def open(cls, path: PathLike) -> Self:
        """Open the file of an earlier run, to go on with it; everything in it is read and checked for damage."""
        return cls._open(_named(path), database.open_to_write)

    @classmethod
    def read(cls, path: PathLike) -> Self:
        """Open a file only to read it, even one that may not be written; it is checked for damage in the same way."""
        return cls._open(_named(path), database.open_to_read)

    @classmethod
    def _open(cls, path: Path, connect_to: Callable[[Path], sqlite3.Connection]) -> Self:
        with explained(path):
            connection = connect_to(path)
        try:
            with explained(path):
                instance, options = read_instance(connection, Memory.of_file(path))
            file = cls(path, connection, instance, options)
            num_records = sum(1 for _ in file.nodes())
            file.has_begun = num_records > 0 or file.incumbent() is not None
        except BaseException:
            connection.close()
            raise
        return file

    # Writing

    def add_node(self, record: NodeRecord) -> None:
        """Append a processed node, whole or not at all, in place of what was known while it was open.

        Its multipliers must be quantised.
        """
        with self._transaction():
            self._add_node(record, WHOLE)

    def add_part(
        self, number: int, points: Indices, weights: Floats, bound: float = 0.0, records: Sequence[NodeRecord] = ()
    ) -> None:
        """Append a part of the instance with what is proved of it, whole or not at all.

        Parameters
        ----------
        number : int
            Its number in this run, from 1.
        points : ndarray of int, shape (m,)
            Its points, increasing.
        weights : ndarray, shape (m,)
            Their weights in the part.
        bound, records : float, sequence of NodeRecord
            Its lower bound and what proves it.
        """
        row = {
            "part": number,
            "points": encode_integers(points, differences=True),
            "weights": encode_floats(weights),
            "lower_bound": real(bound),
        }
        with self._transaction():
            self._insert("parts", row | {"digest": self._digest_of(row)})
            for record in records:
                self._add_node(record, number)

    def add_cover(self, parts: list[int]) -> None:
        """Append a list of parts that together are the instance; the last one counts."""
        with self._transaction():
            row = {"parts": encode_integers(np.array(parts, np.intp))}
            self._insert("covers", row | {"digest": self._digest_of(row)})

    def _digest_of(self, row: Row) -> str:
        """Return the digest of a row that stands by itself."""
        return row_digest(instance_digest(self.instance), row)

    def _intact(self, table: str, what: str) -> list[Row]:
        """Return the rows of a table, each with its own digest, in their order."""
        found = list(rows(self._connection, table, f"ORDER BY {what}"))
        for row in found:
            digest = row.pop("digest")
            if digest != self._digest_of({name: value for name, value in row.items() if name != "position"}):
                raise RunFileError(f"{self.path} was changed or damaged among its {table}; start the run anew")
        return found

    def _add_node(self, record: NodeRecord, part: int) -> None:
        row = node_row(record, part)
        steps = [step_row(part, record.node, position, step) for position, step in enumerate(record.steps)]
        digest = row_digest(self._last_digest, row, *steps)
        for table in ("steps", "nodes"):  # where an earlier part of the run left the node open
            self._connection.execute(f"DELETE FROM {table} WHERE part = ? AND node = ?", (part, record.node))
        self._insert("nodes", row | {"digest": digest})
        for step in steps:
            self._insert("steps", step)
        if not isinstance(record.closing, OpenClosing):
            self._last_digest = digest

    def add_incumbent(self, labels: Indices, objective: float, source: str, seconds: float) -> None:
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
        data = {key: plain(value) for key, value in dataclasses.asdict(event).items()}
        row = {"name": type(event).__name__, "time": time.time(), "data": json.dumps(data)}
        with self._transaction():
            self._insert("events", row)

    def set_claim(self, result: Result) -> None:
        """Write what the run claims in the end, in place of what an earlier part of it claimed."""
        details = {name: plain(getattr(result, name)) for name in DETAILS} | {"reason": str(result.reason)}
        if isinstance(result, Certification):
            details["n_blocks"] = result.n_blocks
        if result.conflict is not None:
            details["conflict"] = result.conflict.to_dict()
        row = {
            "status": str(result.status),
            "objective": real(result.objective),
            "lower_bound": real(result.lower_bound),
            "labels": None if result.labels is None else encode_integers(result.labels),
            "details": json.dumps(details),
        }
        with self._transaction():
            self._connection.execute("DELETE FROM claim")
            self._insert("claim", row | {"digest": row_digest(instance_digest(self.instance), row)})

    def _insert(self, table: str, row: Row) -> None:
        columns, places = ", ".join(row), ", ".join("?" * len(row))
        self._connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", tuple(row.values()))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with explained(self.path):
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
        """Yield the processed nodes of the whole instance in the order in which they were added."""
        yield from (record for part, record in self.nodes() if part == WHOLE)

    def nodes(self) -> Iterator[tuple[int, NodeRecord]]:
        """Yield all processed nodes and the parts that they belong to, and notice changes."""
        digest, records = instance_digest(self.instance), self._records
        with explained(self.path):
            for row in rows(self._connection, "nodes", "ORDER BY position"):
                of_node = "WHERE part = ? AND node = ? ORDER BY position"
                steps = list(rows(self._connection, "steps", of_node, row["part"], row["node"]))
                kept = {key: value for key, value in row.items() if key not in ("position", "digest")}
                own = row_digest(digest, kept, *steps)
                if own != row["digest"]:
                    raise RunFileError(f"{self.path} was changed or damaged at node {row['node']}; start the run anew")
                digest = digest if row["closing"] == OpenClosing.how else own  # an open node can still be replaced
                yield row["part"], records.record(row, steps)
        self._last_digest = digest

    def parts(self) -> Iterator[KnownPart]:
        """Yield the parts that were bounded."""
        with explained(self.path):
            proved, left_open = self._parts_with("TRUE"), self._parts_with(UNFINISHED)
            n, memory = self.instance.n_points, Memory.of_file(self.path)
            for row in self._intact("parts", "part"):
                if row["lower_bound"] > 0.0 and row["part"] not in proved:
                    raise RunFileError(f"{self.path} has lost the proof of part {row['part']}; start the run anew")
                points = integers(row["points"], "points of a part", memory, ndim=1, most=n)
                weights = doubles(row["weights"], "weights of a part", memory, ndim=1, size=points.size)
                memory.keep(points.nbytes + weights.nbytes, "parts")
                yield KnownPart(row["part"], points, weights, row["lower_bound"], row["part"] in left_open)

    def _parts_with(self, condition: str) -> set[object]:
        """Return the parts that have nodes of a kind."""
        return {part for (part,) in self._connection.execute(f"SELECT DISTINCT part FROM nodes WHERE {condition}")}

    def cover(self) -> list[KnownPart]:
        """Return the parts that together are the instance, as the last list of them says; none without such a list."""
        with explained(self.path):
            covers = self._intact("covers", "position")
            if not covers:
                return []
            known = {part.number: part for part in self.parts()}
            blob = covers[-1]["parts"]
            numbers = integers(blob, "the cover", Memory.of_file(self.path), ndim=1, most=len(known) + 1).tolist()
            missing = [number for number in numbers if number not in known]
            if missing:
                raise RunFileError(f"{self.path} has lost part {missing[0]}; start the run anew")
            return [known[number] for number in numbers]

    def cover_bound(self) -> float:
        """Return the sum of the bounds of the parts that together are the instance, 0 without such."""
        total = math.fsum(part.lower_bound for part in self.cover())
        return math.nextafter(total, 0.0) if total > 0.0 else 0.0

    def stated_bound(self) -> float:
        """Return what all records of the run state of the whole, taken at their word; :mod:`pcsos.verify` proves it."""
        with explained(self.path):
            return stated_bound(self.records(), self.cover_bound())

    def begun(self) -> datetime | None:
        """Return when the first event was written, by the clock of that machine; None without events."""
        with explained(self.path):
            for (seconds,) in self._connection.execute("SELECT time FROM events ORDER BY position LIMIT 1"):
                return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        return None

    def events(self) -> Iterator[Event]:
        """Yield what happened, in order; numbers that were not finite are None, and nothing of it is checked."""
        with explained(self.path):
            for row in rows(self._connection, "events", "ORDER BY position"):
                yield read_event(row)

    def incumbent(self) -> Partition | None:
        """Return the best partition found so far, recomputed from its labels."""
        return self._incumbent("ORDER BY objective, position LIMIT 1")

    def given(self) -> Partition | None:
        """Return the partition that the run was to certify, None if it was to find one."""
        return self._incumbent("WHERE source = 'G' LIMIT 1")

    def _incumbent(self, which: str) -> Partition | None:
        with explained(self.path):
            found = [self._partition(row) for row in rows(self._connection, "incumbents", which)]
            return found[0] if found else None

    def _partition(self, row: Row) -> Partition:
        return Partition.of(self.instance, self._records.labels(row["labels"]))

    def claim(self) -> Result | None:
        """Return the result that the run ended with, or None if it did not end by itself."""
        with explained(self.path):
            found = list(rows(self._connection, "claim", "LIMIT 2"))
            if not found:
                return None
            row = found[0]
            digest = row.pop("digest")
            if len(found) > 1 or digest != row_digest(instance_digest(self.instance), row):
                raise RunFileError(f"the claim in {self.path} was changed or damaged; start the run anew")
            partition = None if row["labels"] is None else self._partition(row)
            return read_result(row, self.instance, partition, self.incumbent(), self.options)

    def refuse_unfounded(self, claim: Result) -> None:
        """Refuse what a run claims of all partitions if its records do not lead to that."""
        claimed = math.inf if claim.status is Status.INFEASIBLE else claim.lower_bound
        if claimed is None:
            return
        is_cover = isinstance(claim, Certification)
        what, stated = ("blocks", self.cover_bound()) if is_cover else ("nodes", self.stated_bound())
        proved = self.instance.proved(stated)
        if proved < claimed:
            raise RunFileError(
                f"{self.path} claims a lower bound of {claimed:.10g}, but its {what} state only {proved:.10g}; start "
                "the run anew"
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


def _named(path: object) -> Path:
    """Return the path of a run file; refuse what names none."""
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise InputError(f"run_file is {path!r:.60}; give the name of a file")
    return Path(path)
