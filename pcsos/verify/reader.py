"""Reads a run file for the checker, trusting nothing in it (docs/certificate.md, sections 1 and 2)."""

import json
import math
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from flint import arb
from numpy.typing import NDArray

from pcsos.exceptions import PcsosError

FORMAT = [(0x70635253,), (1,)]  # application id and schema version
TABLES = {("table", t) for t in ("instance", "nodes", "steps", "incumbents", "events", "claim")}
LARGEST_ARRAY = 1 << 30  # bytes
LARGEST_EXPONENT = 2000
LARGEST_TOTAL = 1 << 60  # of the multipliers of cuts, which are summed in 64-bit integers

Integers = NDArray[np.int64]


class VerificationError(PcsosError):
    """The first thing in a run file that does not hold."""


def require(holds: object, otherwise: str) -> None:
    """Refuse the run file if something does not hold."""
    if not holds:
        raise VerificationError(otherwise)


class Multipliers(NamedTuple):
    """N and mu as integers in the units ``box_unit`` and ``cut_unit``."""

    box: Integers
    box_unit: arb
    cuts: list[tuple[Integers, Integers, Integers]]  #: centres (m,), members (m, size), mu (m,) for each size of S
    cut_unit: arb


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
        inflater, content = zlib.decompressobj(), b""
        try:
            content = inflater.decompress(self.data[start : self.at], count * width + 1)
        except zlib.error as error:
            require(False, f"{self.name}: cannot be decompressed ({error})")
        require(len(content) == count * width and inflater.eof, f"{self.name}: an array of another size")
        words = np.zeros((count, 8), np.uint8)
        words[:, :width] = np.frombuffer(content, np.uint8).reshape(width, count).T
        if code == b"f":
            return words.reshape(-1).view("<f8").astype(np.float64).reshape(shape)
        folded = words.reshape(-1).view("<u8").astype(np.uint64)
        values = (folded >> np.uint64(1)).view(np.int64) ^ -(folded & np.uint64(1)).view(np.int64)
        return (np.cumsum(values) if code == b"d" else values).reshape(shape)


def read_array(data: object, ndim: int, name: str, kinds: bytes = b"id") -> NDArray[Any]:
    """Return the array of a blob."""
    return Blob(data, name).array(ndim, kinds)


def read_multipliers(data: object) -> Multipliers:
    """Decode multipliers and check that those of cuts are not negative."""
    blob = Blob(data, "the multipliers")
    box_exponent, cut_exponent, num_runs = blob.take("<iiI")
    exponent = max(abs(box_exponent), abs(cut_exponent))
    require(exponent <= LARGEST_EXPONENT, f"the multipliers: an exponent of {exponent}")
    triangle = blob.array(1)
    s = (math.isqrt(8 * triangle.size + 1) - 1) // 2
    require(s * (s + 1) // 2 == triangle.size, "the multipliers: N is not the upper triangle of a matrix")
    box, cuts, total = np.zeros((s, s), np.int64), [], 0
    box[np.triu_indices(s)] = triangle
    for _ in range(num_runs):
        table, weights = blob.array(2), blob.array(1)
        fits = 2 <= table.shape[0] <= s + 1 and table.shape[1] == weights.size
        require(fits, "the multipliers: cuts of an impossible size")
        require(weights.min(initial=0) >= 0, "the multipliers: a cut with a negative multiplier")
        total += sum(weights.tolist())
        cuts.append((table[0], table[1:].T, weights))
    require(total <= LARGEST_TOTAL, "the multipliers: those of cuts have too many digits")
    box = np.where(np.tri(s, k=-1, dtype=bool), box.T, box)
    return Multipliers(box, arb(2) ** box_exponent, cuts, arb(2) ** cut_exponent)


class Reader:
    """The rows of a run file as dictionaries."""

    def __init__(self, path: str | Path) -> None:
        require(Path(path).is_file(), f"{path} is not a file")
        uri = f"{Path(path).absolute().as_uri()}?mode=ro"
        try:
            self.connection = sqlite3.connect(uri, uri=True, timeout=0.0)
            pragmas = ("trusted_schema = OFF", "query_only = ON", "application_id", "user_version")
            found = [row for pragma in pragmas for row in self.connection.execute(f"PRAGMA {pragma}")]
            objects = set(self.connection.execute("SELECT type, name FROM sqlite_master"))
        except sqlite3.Error as error:
            raise VerificationError(f"{path} cannot be read as a run file: {error}") from error
        require(found == FORMAT, f"{path} is not a run file of format {FORMAT[1][0]}")
        objects = {o for o in objects if not o[1].startswith("sqlite_autoindex_")}
        require(objects == TABLES, f"{path} does not hold the tables of a run file and nothing else")

    def rows(self, query: str, *parameters: object) -> Iterator[dict[str, Any]]:
        """Yield the rows of a query."""
        try:
            cursor = self.connection.execute(query, parameters)
            names = [column[0] for column in cursor.description]
            yield from (dict(zip(names, row, strict=True)) for row in cursor)
        except sqlite3.Error as error:
            raise VerificationError(f"the run file cannot be read: {error}") from error

    def only(self, query: str, name: str) -> dict[str, Any]:
        """Return the one row of a query."""
        rows = list(self.rows(f"SELECT * FROM {query} LIMIT 2"))
        require(len(rows) == 1, f"{'more than one' if rows else 'no'} row for {name}")
        return rows[0]


def whole(value: Any, low: int, high: int, name: str) -> int:
    """Return ``value`` if it is an int in ``low <= value < high``."""
    holds = type(value) is int and low <= value < high
    require(holds, f"{name} is {value!r} instead of a whole number from {low} to {high - 1}")
    return int(value)


def finite(value: Any, name: str) -> float:
    """Return ``value`` if it is a finite float."""
    require(type(value) is float and math.isfinite(value), f"{name} is {value!r} instead of a finite number")
    return float(value)


def parsed(text: Any, kind: type, name: str) -> Any:
    """Return JSON of this kind as Python values."""
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        value = None
    require(isinstance(value, kind), f"{name}: not the JSON that it should be")
    return value
