"""Schema: the tables of a run file, its format, and what SQLite says, in one sentence."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pcsos._version import __version__
from pcsos.exceptions import PcsosError, RunFileError

Row = dict[str, Any]

#: "pcRS" in the header of the SQLite file.
APPLICATION_ID = 0x70635253
#: Raised whenever a file of an older version could be misread.
SCHEMA_VERSION = 7
#: What is read and gone on with besides: 5 has neither conditions nor Gram matrices, 6 no set cuts.
READABLE = (5, 6, SCHEMA_VERSION)

TABLES = """
CREATE TABLE instance (
    n_clusters INTEGER NOT NULL, points BLOB NOT NULL, weights BLOB NOT NULL, must_link BLOB NOT NULL,
    cannot_link BLOB NOT NULL, digest TEXT NOT NULL, options TEXT NOT NULL, names TEXT NOT NULL,
    version TEXT NOT NULL, conditions TEXT NOT NULL, gram BLOB
);
CREATE TABLE nodes (
    position INTEGER PRIMARY KEY, part INTEGER NOT NULL, node INTEGER NOT NULL, parent INTEGER, kind TEXT, i INTEGER,
    j INTEGER, closing TEXT NOT NULL, closing_bound REAL, multipliers BLOB, prices BLOB, witness TEXT, search BLOB,
    labels BLOB, branch_i INTEGER, branch_j INTEGER, penalty REAL, lower_bound REAL NOT NULL, seconds REAL NOT NULL,
    digest TEXT NOT NULL, UNIQUE (part, node)
);
CREATE TABLE steps (
    part INTEGER NOT NULL, node INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, forced TEXT,
    decisions BLOB, multipliers BLOB, lower_bound REAL, PRIMARY KEY (part, node, position)
);
CREATE TABLE parts (
    part INTEGER PRIMARY KEY, points BLOB NOT NULL, weights BLOB NOT NULL, lower_bound REAL NOT NULL,
    digest TEXT NOT NULL
);
CREATE TABLE covers (position INTEGER PRIMARY KEY, parts BLOB NOT NULL, digest TEXT NOT NULL);
CREATE TABLE incumbents (
    position INTEGER PRIMARY KEY, labels BLOB NOT NULL, objective REAL NOT NULL, source TEXT NOT NULL,
    seconds REAL NOT NULL
);
CREATE TABLE events (position INTEGER PRIMARY KEY, name TEXT NOT NULL, time REAL NOT NULL, data TEXT NOT NULL);
CREATE TABLE claim (
    status TEXT NOT NULL, objective REAL, lower_bound REAL, labels BLOB, details TEXT NOT NULL, digest TEXT NOT NULL
);
"""


def refuse_missing(path: Path) -> None:
    """Refuse a run file that is not there."""
    if not path.is_file():
        raise RunFileError(f"there is no run file {path}; check the name")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection that keeps everybody else out until it is closed or its process ends, however it ends."""
    with explained(path):
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


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection that only reads, and keeps out nobody but who would write."""
    with explained(path):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0.0, isolation_level=None)
        try:
            for pragma in ("trusted_schema = OFF", "query_only = ON"):
                connection.execute(f"PRAGMA {pragma}").fetchall()
        except BaseException:
            connection.close()
            raise
    return connection


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
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


def read_rows(connection: sqlite3.Connection, query: str, *parameters: object) -> list[Row]:
    """Return what a query finds, by the names of the columns."""
    cursor = connection.execute(query, parameters)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, values, strict=True)) for values in cursor]


def check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of another program or version, or one that is damaged."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise RunFileError(f"{path} is a database, but not a run file of pcsos; give another file")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in READABLE:
        raise RunFileError(
            f"{path} has format {version}, but this is pcsos {__version__} with format {SCHEMA_VERSION}; "
            "go on with the version that wrote it, or start the run anew"
        )
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise RunFileError(f"{path} is damaged ({found}); start the run anew")


def renew_format(connection: sqlite3.Connection) -> None:
    """Raise format 6, whose tables are those of 7: what is appended from now on may hold set cuts."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION - 1:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
