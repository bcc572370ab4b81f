"""The database: opens the SQLite file of a run, and refuses whatever is not just its tables."""

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from pcsos.verify.errors import FormatError, RunFileError
from pcsos.verify.reading.columns import TABLES

#: "pcRS" in the header of the SQLite file.
APPLICATION_ID = 0x70635253
#: Raised whenever what tables hold, or what it means, is changed.
FORMAT = 10
#: In the place of a centre: that of a clique, the least one in files of a family that names no pair, the first of those
#: about pairs, and how many of these there are.
CLIQUE, LEAST_CODE, ABOUT_PAIRS, OF_PAIRS = -1, -2, -4, 2
#: Super-points up to which there are cuts about pairs, whose codes have 32 bits.
MOST_IN_PAIRS = 2**15 - 1
#: Of which the statements that create the tables may consist, with the names of tables and columns.
KEYWORDS = "( ) , CREATE TABLE INTEGER REAL TEXT BLOB NOT NULL UNIQUE PRIMARY KEY"
#: Tables with an index, and its columns: rows are found at once by them, and no reader reads from another one.
KEYS = [("evidence", ["problem", "position"])]
#: The last bytes of a journal of SQLite that names a further one.
JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
#: Instructions of SQLite's machine between two looks at signals.
INSTRUCTIONS = 100_000


def open_to_read(path: str | Path) -> sqlite3.Connection:
    """Return a connection that only reads, after checking that the file holds the tables of a run and nothing else.

    Raises
    ------
    RunFileError
        If there is no such file, or it is of another kind or version, or in use.
    FormatError
        If it holds anything else than plain tables, or is damaged.
    """
    refuse_missing(path)
    if _is_at_rest(path):
        return _opened_to_read(path, "ro&immutable=1")
    try:
        with _removed_on_error(Path(f"{path}-shm")):
            return _opened_to_read(path, "ro")
    except _NoSpaceError as error:
        raise RunFileError(
            f"{path} cannot be read ({error}): part of it is in {path}-wal, as its run was killed or its disk is full, "
            "and some space is needed to put them together; free some, or copy both to another disk"
        ) from error


def _opened_to_read(path: str | Path, mode: str) -> sqlite3.Connection:
    with explained(path):
        connection = _connected(path, mode)
        with _closed_on_error(connection):
            try:
                _check(connection, path)
            except sqlite3.OperationalError as error:
                if _name(error).startswith(("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN")):
                    raise _NoSpaceError(error) from error
                raise
            connection.execute("PRAGMA query_only = ON")
    return connection


class _NoSpaceError(Exception):
    """SQLite cannot write what it needs to read a file."""


def open_to_write(path: str | Path) -> sqlite3.Connection:
    """Return the same to read and write; it keeps everybody else out until it is closed or its process ends."""
    refuse_missing(path)
    _refuse_super_journal(path)
    with explained(path):
        connection = _connected(path, "rw")
        with _closed_on_error(connection):
            connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
            _check(connection, path)
            _begin_to_write(connection)
    return connection


def create(path: str | Path) -> sqlite3.Connection:
    """Return a connection to a file that is new, or empty, and keeps everybody else out in the same way."""
    _refuse_super_journal(path)
    with explained(path):
        connection = _connected(path, "rwc")
        with _closed_on_error(connection):
            connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
            _begin_to_write(connection)
    return connection


def holds_nothing(path: str | Path) -> bool:
    """Tell whether a file is empty, or a database without anything, as a run leaves that is killed while it begins."""
    if not Path(path).is_file():
        return False
    if not _size(str(path)):
        return True
    _refuse_super_journal(path)
    try:
        with contextlib.closing(_connected(path, "rw")) as connection:
            number = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            return number == 0 and _pragma(connection, "application_id") == 0
    except sqlite3.Error:
        return False


def refuse_missing(path: str | Path) -> None:
    """Refuse a run file that is not there."""
    if not Path(path).is_file():
        raise RunFileError(f"there is no run file {path}; check the name")


@contextlib.contextmanager
def explained(path: str | Path) -> Iterator[None]:
    """Turn what SQLite says about a file into one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        if was_interrupted(error):
            raise KeyboardInterrupt from error
        raise RunFileError(_sentence(path, error)) from error


def was_interrupted(error: sqlite3.Error) -> bool:
    """Tell whether a statement was ended by a signal that Python heard meanwhile."""
    return _name(error) == "SQLITE_INTERRUPT"


def _connected(path: str | Path, mode: str) -> sqlite3.Connection:
    """Return a connection on which Python hears signals, however long a statement takes."""
    address = f"{Path(path).absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, timeout=0.0, isolation_level=None)
    connection.set_progress_handler(lambda: 0, INSTRUCTIONS)
    with _closed_on_error(connection):
        connection.execute("PRAGMA trusted_schema = OFF").fetchall()
    return connection


def _begin_to_write(connection: sqlite3.Connection) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")


def _is_at_rest(path: str | Path) -> bool:
    """Tell whether nothing lies beside a file: no process writes it, and SQLite need not write to read it."""
    return not any(_size(f"{path}{suffix}") for suffix in ("-wal", "-journal"))


def _refuse_super_journal(path: str | Path) -> None:
    """Refuse a journal that names another file, which SQLite would delete; no run writes one."""
    journal = Path(f"{path}-journal")
    with contextlib.suppress(OSError):
        with journal.open("rb") as stream:
            stream.seek(-len(JOURNAL_MAGIC), os.SEEK_END)
            ends = stream.read()
        if ends == JOURNAL_MAGIC:
            raise RunFileError(f"{journal} names another file, as no run of pcsos does; delete it, or move {path} away")


def _size(path: str) -> int:
    with contextlib.suppress(OSError):
        return Path(path).stat().st_size
    return 0


def _check(connection: sqlite3.Connection, path: str | Path) -> None:
    """Refuse a file of another program or version, one that holds more than plain tables, and one that is damaged."""
    if _pragma(connection, "application_id") != APPLICATION_ID:
        raise RunFileError(f"{path} is a database, but not a run file of pcsos; give another file")
    version = _pragma(connection, "user_version")
    if version != FORMAT:
        raise RunFileError(
            f"{path} has format {version}, but this version of pcsos reads format {FORMAT}; use the version "
            "that wrote it, or start the run anew"
        )
    _require_plain_tables(connection)
    for table, columns in TABLES.items():
        if [name for (name,) in connection.execute("SELECT name FROM pragma_table_xinfo(?)", (table,))] != [*columns]:
            raise FormatError(f"the table {table} has other columns than it should have")
    found = _pragma(connection, "integrity_check(1)")  # which finds that an index says the same as its table
    if found != "ok":
        raise FormatError(f"the database is damaged ({found})")


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _require_plain_tables(connection: sqlite3.Connection) -> None:
    """Refuse views, triggers, virtual tables, and columns that are computed or checked, before anything is read."""
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name LIMIT 64"
    objects = connection.execute(query).fetchall()
    tables = [(name, sql) for kind, name, _, sql in objects if kind == "table"]
    indices = [(table, name) for kind, name, table, sql in objects if kind == "index" and sql is None]
    if [name for name, _ in tables] != sorted(TABLES) or len(tables) + len(indices) != len(objects):
        raise FormatError("it does not hold the tables of a run file and nothing else")
    known = {*KEYWORDS.split(), *TABLES, *(column for columns in TABLES.values() for column in columns)}
    for name, sql in tables:
        strange = set(re.findall(r"\w+|[^\w\s]", str(sql))) - known
        if strange:
            words = ", ".join(sorted(strange)[:5])
            raise FormatError(f"the table {name} is more than a table of columns ({words})")

    (first,) = connection.execute(
        "SELECT count(*) FROM pragma_table_info('problems') WHERE name = 'problem' AND pk = 1"
    ).fetchone()
    columns = "SELECT name FROM pragma_index_info(?)"
    keys = [(table, [name for (name,) in connection.execute(columns, (index,))]) for table, index in indices]
    if not first or sorted(keys) != KEYS:
        raise FormatError("its tables have other keys than those of a run file")


@contextlib.contextmanager
def _removed_on_error(path: Path) -> Iterator[None]:
    """Leave no file behind that was not there before."""
    was_there = path.exists()
    try:
        yield
    except BaseException:
        if not was_there:
            path.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _sentence(path: str | Path, error: sqlite3.Error) -> str:
    name = _name(error)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"{path} is in use by another process; wait until it ends, or give another run file"
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return f"{path} cannot be written ({error}); free some space: what was written before is intact"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"{path} cannot be opened ({error}); check that the folder exists, may be written to, and has space"
    return f"{path} is not a run file, or it is damaged ({error}); give another file"


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", "")
