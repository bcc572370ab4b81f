"""Reads a run file for the checker, trusting nothing in it (docs/certificate.md, sections 1 and 2)."""

import json
import math
import re
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from pcsos.exceptions import PcsosError, RunFileError
from pcsos.verify.exact import exact, exact_rows, image

APPLICATION, SCHEMAS = 0x70635253, (5, 6, 7)
TABLES = ("claim", "covers", "events", "incumbents", "instance", "nodes", "parts", "steps")
#: Of which the statements that create the tables may consist: nothing in them can be made to compute.
WORDS = """
( ) , CREATE TABLE INTEGER REAL TEXT BLOB NOT NULL UNIQUE PRIMARY KEY claim covers events incumbents instance nodes
branch_i branch_j cannot_link closing closing_bound conditions data decisions details digest forced gram i j kind
labels lower_bound multipliers must_link n_clusters name names node objective options parent part parts penalty points
position prices search seconds source status steps time version weights witness
"""
LARGEST_BLOB = 1 << 28  # bytes that all arrays of one blob may have together, once they are expanded
LARGEST_TOTAL = 1 << 60  # of the multipliers of cuts, which are summed in 64-bit integers

Cuts = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]  # centres (m,), members (m, size), mu (m,)


class VerificationError(PcsosError):
    """The first thing in a run file that does not hold."""


def require(holds: object, otherwise: str) -> None:
    """Refuse the run file if something does not hold."""
    if not holds:
        raise VerificationError(otherwise)


class Blob:
    """Decodes the arrays of one blob, one after the other, and refuses them before they take more than LARGEST_BLOB."""

    def __init__(self, data: object, name: str) -> None:
        self.data, self.name, self.at, self.left = data if isinstance(data, bytes) else b"", name, 0, LARGEST_BLOB
        self.image = b""  # of the last numbers

    def take(self, layout: str) -> tuple[Any, ...]:
        """Return the next few numbers of a fixed layout."""
        start, self.at = self.at, self.at + struct.calcsize(layout)
        require(self.at <= len(self.data), f"{self.name}: missing, or too short")
        return struct.unpack_from(layout, self.data, start)

    def integers(self, ndim: int, size: int | None = None, most: int | None = None) -> NDArray[np.int64]:
        """Return the next array of integers, which has so many entries, or at most so many."""
        code, words, shape = self._words(ndim, b"id", size, most)
        folded = words.reshape(-1).view("<u8").astype(np.uint64)
        values = (folded >> np.uint64(1)).view(np.int64) ^ -(folded & np.uint64(1)).view(np.int64)
        return (np.cumsum(values) if code == b"d" else values).reshape(shape)

    def numbers(self, ndim: int, size: int | None = None) -> list[Any]:
        """Return the next array of finite doubles, as nested lists of rational numbers."""
        _, words, shape = self._words(ndim, b"f", size, None)
        values = words.reshape(-1).view("<f8").astype(np.float64).reshape(shape)
        require(np.isfinite(values).all(), f"{self.name}: not all of them are finite numbers")
        self.image = image(values)
        return exact_rows(values)

    def finished(self) -> None:
        """Refuse what follows the last array."""
        require(self.at == len(self.data), f"{self.name}: longer than what is in it")

    def _words(
        self, ndim: int, kinds: bytes, size: int | None, most: int | None
    ) -> tuple[bytes, NDArray[np.uint8], tuple[int, ...]]:
        code, width, dimensions, length = self.take("<cBBI")
        known = code in kinds and width <= 8 and dimensions == ndim and (code != b"f" or width == 8)
        require(known, f"{self.name}: an array of another kind than expected")
        shape = self.take(f"<{ndim}I")
        count, start = math.prod(shape), self.at
        require(size is None or count == size, f"{self.name}: an array of {count} numbers instead of {size}")
        require(most is None or count <= most, f"{self.name}: an array of {count} numbers, more than there can be")
        self.at += length
        self.left -= 8 * count
        require(self.left >= 0 and self.at <= len(self.data), f"{self.name}: too large an array")
        inflater = zlib.decompressobj()
        with reading(self.name):
            content = inflater.decompress(self.data[start : self.at], count * width + 1)
        require(len(content) == count * width and inflater.eof, f"{self.name}: an array of another size than stated")
        words = np.zeros((count, 8), np.uint8)
        words[:, :width] = np.frombuffer(content, np.uint8).reshape(width, count).T
        return code, words, shape


def read_multipliers(data: object, s: int) -> tuple[NDArray[np.int64], arb, list[Cuts], arb]:
    """Return N and its unit, the cuts for each size of S, none with a negative multiplier, and the unit of mu."""
    blob = Blob(data, "multipliers")
    box_exponent, cut_exponent, num_runs = blob.take("<iiI")
    require(max(abs(box_exponent), abs(cut_exponent)) <= 2000, "multipliers: too large an exponent")
    triangle = blob.integers(1, s * (s + 1) // 2)
    box, cuts, total = np.zeros((s, s), np.int64), list[Cuts](), 0
    box[np.triu_indices(s)] = triangle
    for _ in range(num_runs):
        table = blob.integers(2)
        require(2 <= len(table) <= s + 1, "multipliers: cuts of an impossible size")
        weights = blob.integers(1, table.shape[1])
        require(weights.min(initial=0) >= 0, "multipliers: a cut with a negative multiplier")
        total += sum(weights.tolist())
        cuts.append((table[0], table[1:].T, weights))
    blob.finished()
    require(total <= LARGEST_TOTAL, "multipliers: those of cuts have too many digits")
    return (np.where(np.tri(s, k=-1), box.T, box), arb(2) ** box_exponent, cuts, arb(2) ** cut_exponent)


def connect(path: str | Path) -> sqlite3.Connection:
    """Open a run file for reading only; rows are read by the names of the columns.

    Raises :class:`RunFileError` for what is no run file of this format, or is being written.
    """
    if not Path(path).is_file():
        raise RunFileError(f"there is no run file {path}; check the name")
    connection = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, timeout=0.0)
    try:
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    except sqlite3.OperationalError as error:
        raise RunFileError(f"{path} is in use by another process, or cannot be read; wait, or copy it") from error
    except sqlite3.DatabaseError as error:
        raise RunFileError(f"{path} is not a run file; give the file of a run of pcsos") from error
    if found[0] != APPLICATION:
        raise RunFileError(f"{path} is a database, but not a run file of pcsos; give another file")
    if found[1] not in SCHEMAS:
        raise RunFileError(
            f"{path} has format {found[1]}, not {SCHEMAS[0]} to {SCHEMAS[-1]}; verify it with the version of pcsos "
            "that wrote it"
        )
    with reading("the database"):
        for pragma in ("trusted_schema = OFF", "query_only = ON"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        _require_plain_tables(connection, path)
        require(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok", f"{path} is a damaged database")
    connection.row_factory = sqlite3.Row
    return connection


def _require_plain_tables(connection: sqlite3.Connection, path: str | Path) -> None:
    """Refuse views, triggers, virtual tables, and columns that are computed or checked, before anything is read."""
    objects = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
    tables = [(name, sql) for kind, name, sql in objects if kind == "table"]
    indices = [name for kind, name, sql in objects if kind == "index" and sql is None]
    known = tuple(name for name, _ in tables) == TABLES and len(tables) + len(indices) == len(objects)
    require(known, f"{path} does not hold the tables of a run file and nothing else")
    for name, sql in tables:
        strange = set(re.findall(r"\w+|[^\w\s]", str(sql))) - set(WORDS.split())
        require(not strange, f"{path}: the table {name} is more than a table of columns ({', '.join(sorted(strange))})")


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Refuse whatever makes a reader fail, in words of the checker's own."""
    try:
        yield
    except VerificationError:
        raise
    except (sqlite3.Error, zlib.error, ValueError, TypeError, LookupError, OverflowError, MemoryError) as error:
        raise VerificationError(f"{name}: damaged, or not as the format says") from error


def only_row(connection: sqlite3.Connection, table: str, name: str) -> sqlite3.Row:
    """Return the one row of a table that fits."""
    rows = connection.execute(f"SELECT * FROM {table} LIMIT 2").fetchall()
    require(len(rows) == 1, f"{len(rows)} rows for {name}")
    return rows[0]  # type: ignore[no-any-return]


def from_json(text: object, name: str) -> Any:
    """Return what JSON text says."""
    with reading(name):
        require(isinstance(text, str), f"{name}: missing")
        return json.loads(str(text))


def gap_of(options: object) -> fmpq:
    """Return the relative gap that the options of a run ask for."""
    with reading("the options"):
        gap = finite(from_json(options, "the options"), "gap", "the gap asked for")
    require(0 <= gap < 1, f"the gap asked for is {gap}, not from 0 to less than 1")
    return gap


def whole(value: Any, low: int, high: int, name: str) -> int:
    """Return ``value`` if it is an int in ``low <= value < high``."""
    require(type(value) is int and low <= value < high, f"{name} is {value!r}, not from {low} to {high - 1}")
    return int(value)


def stated(row: Any, column: str, name: str) -> fmpq | None:
    """Return the same as :func:`finite`, or None where the file states nothing."""
    return None if row[column] is None else finite(row, column, name)


def finite(row: Any, column: str, name: str) -> fmpq:
    """Return a double that the file states, if it is finite, as a rational number."""
    value = row[column]
    require(type(value) is float and math.isfinite(value), f"{name} is {value!r}, not a finite number")
    return exact(value)
