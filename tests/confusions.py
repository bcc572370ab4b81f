"""Confused run files: honest ones in which values are of another kind or range, with all digests renewed.

Whatever a command is given, it ends with a documented status and sentences of its own.
"""

import contextlib
import copy
import io
import json
import shutil
import signal
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import pcsos
from pcsos.base.exceptions import PcsosError
from pcsos.cli import main
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.run_file import stored
from pcsos.evidence.run_file.rows import row_digest
from pcsos.problem.params import BlockParams, Params, PriceParams
from pcsos.verify.reading.memory import Memory
from tests.blobs import arrays_in, decode_array
from tests.judgement import Judgement

#: Files that are made of one seed.
FILES = 10
SECONDS = 60
TABLES = ("instance", "problems", "evidence", "incumbents", "events", "claim")
VALUES: tuple[Any, ...] = (
    *(None, -1, 0, 1, 7, 2**31, 2**62, -(2**63), 2**63 - 1),
    *(0.5, -0.0, 1e308, -1e308, 5e-324, float("inf"), float("-inf")),
    *("", "x", "0", "null", "[]", "{}", "[[", "1e999", "NaN", "[" * 100_000, '{"a":' * 50_000, "9" * 5000),
    *("\x1b[2J\x1b[31mred", "ML", "CL", "part", "G"),
    *("bound", "single", "line", "prices", "open", "infeasible", "forced", "fixed", "branching", "cover"),
    *(b"", b"\0", b"\xff" * 40),
)
MEMBERS = (None, True, -1, 0, 1, 2**70, 1.5, 1e308, "", "x", "\x1b[31m", [], [1], [[1]], {}, {"a": 1}, [None], ["x"])


@lru_cache(maxsize=1)
def bases() -> tuple[bytes, ...]:
    """Return honest files of every kind of evidence and condition."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "base.run"
        found = []
        for make in _makers(rng):
            with contextlib.suppress(PcsosError):
                make(path)
            found.append(path.read_bytes())
            path.unlink()
    return tuple(found)


def _makers(rng: np.random.Generator) -> Iterator[Callable[[Path], object]]:
    plane, line = rng.standard_normal((14, 2)), rng.standard_normal(12)
    tight = rng.standard_normal((24, 3))
    triangle = [(0, 1), (1, 2), (0, 2)]
    yield lambda path: pcsos.solve(tight, 5, cannot_link=[(0, 1), (1, 2), (2, 3)], gap=1e-6, run_file=path, workers=1)
    yield lambda path: pcsos.solve(plane, 3, must_link=[(0, 1)], cannot_link=triangle[1:], run_file=path, workers=1)
    yield lambda path: pcsos.solve(line, 3, run_file=path, workers=1)
    yield lambda path: pcsos.solve(plane, 2, cannot_link=triangle, run_file=path, workers=1)
    yield lambda path: pcsos.solve(
        plane, 3, size_min=4, run_file=path, workers=1, conditions=[pcsos.SoftPairs(must_link=[(0, 5, 2.0)])]
    )
    yield lambda path: pcsos.solve(pcsos.Kernel(plane, "rbf"), 3, run_file=path, workers=1)
    yield lambda path: pcsos.solve(tight, 5, gap=1e-9, run_file=path, workers=1, options=pcsos.Options(node_limit=1))
    yield lambda path: pcsos.certify(plane, np.arange(14) % 3, run_file=path, workers=1)
    blocks = Params(blocks=BlockParams(whole_up_to=10, least_size=10))
    priced = Params(prices=PriceParams(points_from=2))
    yield lambda path: pcsos.certify(
        rng.standard_normal((60, 3)),
        np.arange(60) % 3,
        time_limit=5.0,
        run_file=path,
        workers=1,
        options=pcsos.Options(params=blocks),
    )
    yield lambda path: pcsos.certify(
        plane, np.arange(14) % 3, run_file=path, workers=1, options=pcsos.Options(params=priced)
    )


def judge(seed: int) -> Judgement:
    """Confuse some files, and see how the commands end that read them."""
    rng = np.random.default_rng(seed)
    counts: Counter[str] = Counter()
    wrong = []
    base = int(rng.integers(len(bases())))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(FILES):
            path = Path(folder) / "confused.run"
            path.write_bytes(bases()[base])
            for _ in range(int(rng.integers(1, 3))):
                confuse(path, rng)
            renew(path)
            counts["files"] += 1
            for ending, problem in endings(path):
                counts[ending] += 1
                if problem:
                    wrong.append((ending, f"file {number}: {problem}"))
    return Judgement(seed, f"base {base}", counts, wrong)


def endings(path: Path) -> Iterator[tuple[str, str]]:
    """Yield how each command ends on a copy of the file, and what is wrong about that; nothing if all is well."""
    page, copied = path.with_name("page.html"), path.with_name("copy.run")
    for command in (
        ["info", str(path)],
        ["verify", str(path)],
        ["report", str(path), "--no-verify", "-o", str(page)],
        ["resume", str(copied), "--time-limit", "0.1", "--quiet", "--workers", "1"],
    ):
        shutil.copy(path, copied)
        status, out, err = outcome(command)
        problem = ""
        if status not in range(7) or "unexpected error" in err or "Traceback" in err:
            problem = err or f"status {status}"
        elif "\x1b" in out + err:
            problem = f"steers the terminal: {out + err!r}"
        yield f"{command[0]} ends with {status}", f"{' '.join(command)}: {problem}" if problem else ""


class _OutOfTimeError(BaseException):
    """A command takes too long."""


def outcome(arguments: list[str]) -> tuple[int, str, str]:

    def ring(number: int, frame: object) -> None:
        raise _OutOfTimeError

    out, err = io.StringIO(), io.StringIO()
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(arguments)
    except _OutOfTimeError:
        status = -1
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return status, out.getvalue(), err.getvalue()


def confuse(path: Path, rng: np.random.Generator) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        filled = [t for t in TABLES if connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0]]
        table = str(rng.choice(filled))
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = str(rng.choice(columns))
        rows = connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
        rowid, value = rows[int(rng.integers(len(rows)))]
        with contextlib.suppress(sqlite3.IntegrityError):  # where NULL, or a twin, is not let in
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (confused(value, rng), rowid))


def confused(value: Any, rng: np.random.Generator) -> Any:
    """Return another value in place of one: of another kind, or changed inside."""
    if rng.random() < 0.6:
        with contextlib.suppress(ValueError, PcsosError, TypeError, IndexError, RecursionError):
            if isinstance(value, str) and value[:1] in ("{", "["):
                return json.dumps(confused_structure(json.loads(value), rng))
            if isinstance(value, bytes):
                return confused_array(value, rng)
    return VALUES[int(rng.integers(len(VALUES)))]


def confused_structure(value: Any, rng: np.random.Generator) -> Any:
    """Return a JSON structure in which something, however deep, is of another kind."""
    value = copy.deepcopy(value)
    if not isinstance(value, list | dict) or not value or rng.random() < 0.2:
        if isinstance(value, dict) and rng.random() < 0.5:
            return value | {"more": 1}
        return MEMBERS[int(rng.integers(len(MEMBERS)))]
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[int(rng.integers(len(keys)))]
    if rng.random() < 0.15:
        del value[key]
    else:
        value[key] = confused_structure(value[key], rng)
    return value


def confused_array(data: bytes, rng: np.random.Generator) -> bytes:
    """Return bytes in which an array that can be read has other numbers, another kind or another shape."""
    places = arrays_in(data)
    start, end = places[int(rng.integers(len(places)))]
    array = decode_array(data[start:end])
    kind = int(rng.integers(5))
    if kind == 0:
        own = encode_integers(array.astype(np.int64)) if array.dtype == np.float64 else encode_floats(array)
        return data[:start] + own + data[end:]
    if kind == 1:
        array = array.reshape(-1) if array.ndim == 2 else array[:, None]
    elif kind == 2:
        array = array[:-1]
    elif kind == 3:
        array = np.concatenate([array, array])
    else:
        array = array.copy()
        place = tuple(int(rng.integers(m)) for m in array.shape)
        array[place] = rng.choice([-1, 0, 10**6, -(2**40), 2**62])
    own = encode_floats(array) if array.dtype == np.float64 else encode_integers(array)
    return data[:start] + own + data[end:]


def renew(path: Path) -> None:
    """Write all digests anew, as far as the file can be read."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        instance = digest_of_instance(connection, path)
        if instance is None:
            return
        connection.execute("UPDATE instance SET digest = ?", (instance,))
        for table in ("problems", "claim"):
            for row in connection.execute(f"SELECT rowid AS place, * FROM {table}").fetchall():
                _seal(connection, table, row, row_digest(instance, _sealed(row)))
        last = instance
        for row in connection.execute("SELECT rowid AS place, * FROM evidence ORDER BY position").fetchall():
            last = row_digest(last, _sealed(row))
            _seal(connection, "evidence", row, last)


def _seal(connection: sqlite3.Connection, table: str, row: sqlite3.Row, digest: str) -> None:
    connection.execute(f"UPDATE {table} SET digest = ? WHERE rowid = ?", (digest, row["place"]))


def _sealed(row: sqlite3.Row) -> dict[str, Any]:
    return {name: value for name, value in dict(row).items() if name not in ("position", "digest", "place")}


def digest_of_instance(connection: sqlite3.Connection, path: Path) -> str | None:
    """Return the digest that the instance of a file has; None where it is none."""
    found: list[str] = []

    def note(instance: pcsos.Instance) -> str:
        found.append(kept(instance))
        return found[0]

    kept = stored.instance_digest
    noting = mock.patch.object(stored, "instance_digest", note)
    with contextlib.closing(sqlite3.connect(path)) as plain, noting, contextlib.suppress(Exception):
        stored.read_instance(plain, Memory.of_file(path))
    return found[0] if found else None
