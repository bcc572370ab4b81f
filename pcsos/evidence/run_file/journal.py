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
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from pcsos.base.events import Event
from pcsos.base.exceptions import InputError, RunFileError
from pcsos.base.typing import Indices
from pcsos.evidence.codec import encode_integers
from pcsos.evidence.result import Certification, Result, Status
from pcsos.evidence.run_file.proof import Proof
from pcsos.evidence.run_file.rows import (
    TABLES,
    explained,
    insert,
    instance_digest,
    instance_row,
    plain,
    real,
    row_digest,
)
from pcsos.evidence.run_file.stored import DETAILS, read_event, read_instance, read_result
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import Partition
from pcsos.verify.reading import database
from pcsos.verify.reading.arrays import Arrays, only
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.rows import Row, rows

PathLike = str | os.PathLike[str]


class RunFile(Proof):
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
        super().__init__(connection, path, instance)
        self.options = options

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
            num_records = sum(1 for _ in file.records())
            file.has_begun = num_records > 0 or file.incumbent() is not None
        except BaseException:
            connection.close()
            raise
        return file

    # Writing

    def add_incumbent(self, labels: Indices, objective: float, source: str, seconds: float) -> None:
        """Append a partition of the original points, and what found it."""
        row = {
            "labels": encode_integers(labels),
            "objective": objective,
            "source": source,
            "seconds": seconds,
        }
        with self._transaction():
            insert(self._connection, "incumbents", row)

    def add_event(self, event: Event) -> None:
        """Append an event, with the time since the epoch."""
        data = {key: plain(value) for key, value in dataclasses.asdict(event).items()}
        row = {"name": type(event).__name__, "time": time.time(), "data": json.dumps(data)}
        with self._transaction():
            insert(self._connection, "events", row)

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
            insert(self._connection, "claim", row | {"digest": row_digest(instance_digest(self.instance), row)})

    # Reading

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
        memory, n = Memory.of_file(self.path), self.instance.n_points
        return Partition.of(self.instance, only(Arrays.integers, row["labels"], "labels", memory, ndim=1, size=n))

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
        proved = self.instance.proved(self.stated_bound())
        if proved < claimed:
            raise RunFileError(
                f"{self.path} claims a lower bound of {claimed:.10g}, but its evidence states only {proved:.10g}; "
                "start the run anew"
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
