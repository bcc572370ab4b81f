"""The tables of a run file, the rows of its instance, and the digests that notice changes."""

import contextlib
import hashlib
import json
import math
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pcsos._version import __version__
from pcsos.base.exceptions import PcsosError, RunFileError
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.verify.reading import database
from pcsos.verify.reading.rows import Row

TABLES = """
CREATE TABLE instance (
    n_clusters INTEGER NOT NULL, points BLOB NOT NULL, weights BLOB NOT NULL, must_link BLOB NOT NULL,
    cannot_link BLOB NOT NULL, digest TEXT NOT NULL, options TEXT NOT NULL, names TEXT NOT NULL,
    version TEXT NOT NULL, conditions TEXT NOT NULL, gram BLOB
);
CREATE TABLE problems (
    problem INTEGER PRIMARY KEY, parent INTEGER NOT NULL, change TEXT NOT NULL, content BLOB NOT NULL,
    digest TEXT NOT NULL
);
CREATE TABLE evidence (
    position INTEGER PRIMARY KEY, problem INTEGER NOT NULL, kind TEXT NOT NULL, bound REAL NOT NULL,
    payload BLOB NOT NULL, seconds REAL NOT NULL, digest TEXT NOT NULL, UNIQUE (problem, position)
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


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite or a decoder says about a file into one sentence."""
    try:
        with database.explained(path):
            yield
    except RunFileError:
        raise
    except (PcsosError, ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        raise RunFileError(f"{path} was changed or damaged ({error}); start the run anew") from error


def instance_digest(instance: Instance) -> str:
    """Return the SHA-256 digest of points, weights, constraints, k and what else there is (docs/certificate.md, 1)."""
    digest = hashlib.sha256(b"pcsos instance 1")
    digest.update(struct.pack("<QQQ", instance.n_points, instance.n_features, instance.n_clusters))
    for array, kind in (
        (instance.points, "<f8"), (instance.weights, "<f8"), (instance.must_link, "<i8"), (instance.cannot_link, "<i8")
    ):  # fmt: skip
        digest.update(struct.pack("<Q", array.size) + np.ascontiguousarray(array, kind).tobytes())
    if not instance.is_plain:
        digest.update(json.dumps(instance.asked.to_dict(), sort_keys=True).encode())
    if instance.gram is not None:
        digest.update(b"gram" + np.ascontiguousarray(instance.gram.matrix, "<f8").tobytes())
    return digest.hexdigest()


def row_digest(previous: str, *rows: Row) -> str:
    """Return the SHA-256 digest of the rows and of what came before them."""
    digest = hashlib.sha256(previous.encode())
    for row in rows:
        for name, value in row.items():
            content = value if isinstance(value, bytes) else repr(value).encode()
            digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()


def insert(connection: sqlite3.Connection, table: str, row: Row) -> None:
    """Append a row to a table."""
    columns, places = ", ".join(row), ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", tuple(row.values()))


def real(value: float | None) -> float | None:
    """Return a number as SQLite gives it back, None for none."""
    return None if value is None else exact(value)


def exact(value: float) -> float:
    """Return a number as SQLite gives it back: a float of Python's own, without a sign on 0."""
    return float(value) + 0.0


def plain(value: object) -> object:
    """Return a value for JSON, which has no infinities."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def instance_row(instance: Instance, options: Options) -> tuple[object, ...]:
    """Return the row of the table ``instance``."""
    return (
        instance.n_clusters,
        encode_floats(instance.points),
        encode_floats(instance.weights),
        encode_integers(instance.must_link),
        encode_integers(instance.cannot_link),
        instance_digest(instance),
        json.dumps(options.to_dict()),
        json.dumps(_names_row(instance)),
        __version__,
        json.dumps(instance.asked.to_dict()),
        None if instance.gram is None else encode_floats(instance.gram.matrix),
    )


def _names_row(instance: Instance) -> Row:
    """Return what points and features are called, and how far points are off what was given.

    Labels that are neither text nor whole numbers become text.
    """
    names = instance.names
    ids = names.ids and [name if type(name) in {int, str} else str(name) for name in names.ids]
    off = {"off": instance.geometry.off} if instance.geometry.off else {}
    return {"first": names.first, "ids": ids, "features": instance.feature_names, **off}
