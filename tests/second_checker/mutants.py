"""Files changed blindly: bytes of the file itself, bytes of a value in it, behind what packs them, or whole rows."""

import contextlib
import sqlite3
import struct
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from tests.blobs import HEAD, arrays_in
from tests.conformance.texts import honest_files

#: Shares of the files in which bytes of the file, of arrays, and rows are changed; in the others bytes of any value.
OF_THE_FILE, OF_ARRAYS, OF_ROWS = 0.2, 0.4, 0.2
EMPTY = zlib.compress(b"")


@cache
def sound_files() -> tuple[bytes, ...]:
    return tuple(honest_files().values())


def write_mutant(path: Path, seed: int, number: int) -> None:
    """Write the file of a number: a sound one with one to four changes."""
    rng = np.random.default_rng([seed, number, 200])
    files = sound_files()
    path.write_bytes(files[int(rng.integers(len(files)))])
    kind, changes = rng.random(), int(rng.integers(1, 5))
    if kind < OF_THE_FILE:
        path.write_bytes(changed(path.read_bytes(), rng, changes))
        return
    connection = sqlite3.connect(path, isolation_level=None)
    with contextlib.closing(connection):
        for _ in range(changes):
            with contextlib.suppress(sqlite3.Error, OverflowError, zlib.error, struct.error):
                if kind < OF_THE_FILE + OF_ROWS:
                    _change_rows(connection, rng)
                else:
                    is_packed = kind < OF_THE_FILE + OF_ROWS + OF_ARRAYS
                    _change_value(connection, rng, packed if is_packed else changed)


def changed(content: bytes, rng: np.random.Generator, times: int = 1) -> bytes:
    """Return bytes of which some are other ones, one is missing, or one is there twice."""
    own = bytearray(content)
    for _ in range(times if own else 0):
        at, kind = int(rng.integers(len(own))), rng.random()
        if kind < 0.5:
            own[at] ^= 1 << int(rng.integers(8))
        elif kind < 0.8:
            own[at] = int(rng.choice([0, 1, 2, 127, 128, 255, int(rng.integers(256))]))
        elif kind < 0.9 and len(own) > 1:
            del own[at]
        else:
            own.insert(at, own[at])
    return bytes(own)


def packed(blob: bytes, rng: np.random.Generator) -> bytes:
    """Return a blob of arrays, a byte of one of which is another one; header, length and stream fit it."""
    places = []
    for at, end in arrays_in(blob):
        _, _, dimensions, length = HEAD.unpack_from(blob, at)
        if length > len(EMPTY):
            places.append((at, at + HEAD.size + 4 * dimensions, end))
    if not places:
        return changed(blob, rng)
    head, start, end = places[int(rng.integers(len(places)))]
    planes = bytearray(zlib.decompress(blob[start:end]))
    if not planes:
        return changed(blob, rng)
    planes[int(rng.integers(len(planes)))] ^= 1 << int(rng.integers(8))
    stream = zlib.compress(bytes(planes))
    size = struct.pack("<I", len(stream))
    return blob[: head + 3] + size + blob[head + HEAD.size : start] + stream + blob[end:]


def _change_rows(connection: sqlite3.Connection, rng: np.random.Generator) -> None:
    """Take a row of a proof away, put it last, or let two of them exchange what is in a column, or have the same."""
    table = str(rng.choice(["problems", "evidence", "evidence"]))
    first, *columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    column, kind = str(rng.choice(columns)), rng.random()
    rows = connection.execute(f"SELECT {first}, {column} FROM {table} ORDER BY {first}").fetchall()
    if not rows:
        return
    (at, own), (other, its) = (rows[int(rng.integers(len(rows)))] for _ in range(2))
    if kind < 0.2:
        connection.execute(f"DELETE FROM {table} WHERE {first} = ?", (at,))
    elif kind < 0.4:
        connection.execute(f"UPDATE {table} SET {first} = ? WHERE {first} = ?", (rows[-1][0] + 1, at))
    else:
        values = [(its, at), (own, other)] if kind < 0.7 else [(its, at)]
        connection.executemany(f"UPDATE {table} SET {column} = ? WHERE {first} = ?", values)


def _change_value(
    connection: sqlite3.Connection, rng: np.random.Generator, change: Callable[[bytes, np.random.Generator], bytes]
) -> None:
    """Change a value of a table on which something depends."""
    table = str(rng.choice(["instance", "problems", "evidence", "evidence", "evidence", "claim"]))
    rows = connection.execute(f"SELECT rowid, * FROM {table}").fetchall()
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    if not rows:
        return
    rowid, *values = rows[int(rng.integers(len(rows)))]
    known = [at for at, value in enumerate(values) if value is not None]
    at = int(rng.choice(known))
    value = _changed(values[at], rng, change)
    connection.execute(f"UPDATE {table} SET {columns[at]} = ? WHERE rowid = ?", (value, rowid))


def _changed(value: object, rng: np.random.Generator, change: Callable[[bytes, np.random.Generator], bytes]) -> object:
    if isinstance(value, bytes):
        return change(value, rng) if value else value
    if isinstance(value, str):
        return changed(value.encode(), rng).decode(errors="replace")
    if isinstance(value, int):
        return int(rng.choice([value + 1, value - 1, 0, -1, 1 << 62, (1 << 62) - 1, value ^ 2]))
    assert isinstance(value, float)
    return float(rng.choice([value * 1.001, value * 0.999, -value, 0.0, np.inf, 1e300, value + 1.0, value - 1.0]))
