"""Schema: the tables of a run file, and what goes wrong with one, in one sentence."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from pcsos.base.exceptions import PcsosError, RunFileError
from pcsos.verify.reading import database

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


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn whatever SQLite or a decoder says about a file into one sentence."""
    try:
        with database.explained(path):
            yield
    except RunFileError:
        raise
    except (PcsosError, ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        raise RunFileError(f"{path} was changed or damaged ({error}); start the run anew") from error
