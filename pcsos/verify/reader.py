"""Reads a run file for the checker, trusting nothing in it (docs/certificate.md, sections 1 and 2)."""

import math
import sqlite3
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from pcsos.exceptions import PcsosError

FORMAT = [(0x70635253,), (1,), ("ok",)]  # application id, schema version, and what SQLite says of a sound file
TABLES = {("table", name) for name in ("instance", "nodes", "steps", "incumbents", "events", "claim")}
LARGEST_ARRAY = 1 << 30  # bytes
LARGEST_TOTAL = 1 << 60  # of the multipliers of cuts, which are summed in 64-bit integers

Cuts = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]  # centres (m,), members (m, size), mu (m,)


class VerificationError(PcsosError):
    """The first thing in a run file that does not hold."""


def require(holds: object, otherwise: str) -> None:
    """Refuse the run file if something does not hold."""
    if not holds:
        raise VerificationError(otherwise)


class Blob:
    """Decodes the arrays of one blob, one after the other."""

    def __init__(self, data: object, name: str) -> None:
        self.data, self.name, self.at = data if isinstance(data, bytes) else b"", name, 0

    def take(self, layout: str) -> tuple[Any, ...]:
        """Return the next few numbers of a fixed layout."""
        start, self.at = self.at, self.at + struct.calcsize(layout)
        require(self.at <= len(self.data), f"{self.name}: missing, or too short")
        return struct.unpack_from(layout, self.data, start)

    def array(self, ndim: int, kinds: bytes = b"id") -> NDArray[Any]:
        """Return the next array: int64 of kind ``i`` or ``d`` (differences), or float64 of kind ``f``."""
        code, width, dimensions, length = self.take("<cBBI")
        known = code in kinds and width <= 8 and dimensions == ndim and (code != b"f" or width == 8)
        require(known, f"{self.name}: an array of another kind than expected")
        shape = self.take(f"<{ndim}I")
        count, start = math.prod(shape), self.at
        self.at += length
        require(8 * count <= LARGEST_ARRAY and self.at <= len(self.data), f"{self.name}: too large an array")
        inflater = zlib.decompressobj()
        content = inflater.decompress(self.data[start : self.at], count * width + 1)
        require(len(content) == count * width and inflater.eof, f"{self.name}: an array of another size than stated")
        words = np.zeros((count, 8), np.uint8)
        words[:, :width] = np.frombuffer(content, np.uint8).reshape(width, count).T
        if code == b"f":
            return words.reshape(-1).view("<f8").astype(np.float64).reshape(shape)
        folded = words.reshape(-1).view("<u8").astype(np.uint64)
        values = (folded >> np.uint64(1)).view(np.int64) ^ -(folded & np.uint64(1)).view(np.int64)
        return (np.cumsum(values) if code == b"d" else values).reshape(shape)


def read_multipliers(data: object) -> tuple[NDArray[np.int64], arb, list[Cuts], arb]:
    """Return N and its unit, the cuts for each size of S, none with a negative multiplier, and the unit of mu."""
    blob = Blob(data, "multipliers")
    box_exponent, cut_exponent, num_runs = blob.take("<iiI")
    require(max(abs(box_exponent), abs(cut_exponent)) <= 2000, "multipliers: too large an exponent")
    triangle = blob.array(1)
    s = (math.isqrt(8 * triangle.size + 1) - 1) // 2
    box, cuts, total = np.zeros((s, s), np.int64), list[Cuts](), 0
    require(s * (s + 1) // 2 == triangle.size, "multipliers: N is not the upper triangle of a matrix")
    box[np.triu_indices(s)] = triangle
    for _ in range(num_runs):
        table, weights = blob.array(2), blob.array(1)
        require(len(table) >= 2 and table.shape[1] == weights.size, "multipliers: cuts of an impossible size")
        require(weights.min(initial=0) >= 0, "multipliers: a cut with a negative multiplier")
        total += sum(weights.tolist())
        cuts.append((table[0], table[1:].T, weights))
    require(total <= LARGEST_TOTAL, "multipliers: those of cuts have too many digits")
    return (np.where(np.tri(s, k=-1), box.T, box), arb(2) ** box_exponent, cuts, arb(2) ** cut_exponent)


def connect(path: str | Path) -> sqlite3.Connection:
    """Open a run file for reading only; rows are read by the names of the columns."""
    require(Path(path).is_file(), f"{path} is not a file")
    connection = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, timeout=0.0)
    pragmas = ("trusted_schema = OFF", "query_only = ON", "application_id", "user_version", "quick_check(1)")
    found = [row for pragma in pragmas for row in connection.execute(f"PRAGMA {pragma}")]
    require(found == FORMAT, f"{path} is not a sound run file of format {FORMAT[1][0]}")
    objects = set(connection.execute("SELECT type, name FROM sqlite_master"))
    objects -= {("index", name) for _, name in objects if name.startswith("sqlite_autoindex_")}
    require(objects == TABLES, f"{path} does not hold the tables of a run file and nothing else")
    connection.row_factory = sqlite3.Row
    return connection


def only_row(connection: sqlite3.Connection, table: str, name: str) -> sqlite3.Row:
    """Return the one row of a table that fits."""
    rows = connection.execute(f"SELECT * FROM {table} LIMIT 2").fetchall()
    require(len(rows) == 1, f"{len(rows)} rows for {name}")
    return rows[0]  # type: ignore[no-any-return]


def whole(value: Any, low: int, high: int, name: str) -> int:
    """Return ``value`` if it is an int in ``low <= value < high``."""
    require(type(value) is int and low <= value < high, f"{name} is {value!r}, not from {low} to {high - 1}")
    return int(value)


def finite(value: Any, name: str) -> float:
    """Return ``value`` if it is a finite float."""
    require(type(value) is float and math.isfinite(value), f"{name} is {value!r}, not a finite number")
    return float(value)
