"""The tables of a run file, what it holds as their rows, the digests that notice changes, and the nodes read back."""

import contextlib
import hashlib
import json
import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pcsos._version import __version__
from pcsos.base.exceptions import FormatError, PcsosError, RunFileError
from pcsos.base.typing import Floats, Indices
from pcsos.evidence.closings import CLOSINGS
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import ColumnWriter, Decision, NodeRecord, Step
from pcsos.evidence.run_file.codec import (
    decode_decisions,
    decode_multipliers,
    encode_decisions,
    encode_floats,
    encode_integers,
    encode_multipliers,
)
from pcsos.evidence.steps import STEPS
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.verify.reading import database
from pcsos.verify.reading.arrays import Arrays, integers
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.multipliers import LARGEST, OF_AN_ENTRY
from pcsos.verify.reading.payloads import read_prices
from pcsos.verify.reading.rows import Row
from pcsos.verify.reading.structures import items, structure

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


class _Writer:
    """What columns hold of the values of proofs; see :class:`pcsos.evidence.node.ColumnWriter`."""

    number = staticmethod(exact)
    numbers = staticmethod(encode_floats)
    integers = staticmethod(encode_integers)
    multipliers = staticmethod(encode_multipliers)
    decisions = staticmethod(encode_decisions)

    @staticmethod
    def structure(value: object) -> str:
        """Return lists and dictionaries of plain values as text."""
        return json.dumps(value)


WRITER: ColumnWriter = _Writer()


def node_row(record: NodeRecord, part: int) -> Row:
    """Return the row of the table ``nodes``, but for its digest."""
    closing, decision = record.closing, record.decision
    row: Row = {
        "part": part, "node": record.node, "parent": record.parent,
        "kind": decision and decision.kind, "i": decision and decision.i, "j": decision and decision.j,
        "closing": closing.how, "closing_bound": None, "multipliers": None, "prices": None, "witness": None,
        "search": None, "labels": None, "branch_i": None, "branch_j": None, "penalty": None,
        "lower_bound": exact(record.lower_bound), "seconds": exact(record.seconds),
    }  # fmt: skip
    return row | closing.to_columns(WRITER)


def step_row(part: int, node: int, position: int, step: Step) -> Row:
    """Return the row of the table ``steps``."""
    row: Row = {
        "part": part, "node": node, "position": position, "kind": step.kind, "forced": None, "decisions": None,
        "multipliers": None, "lower_bound": None,
    }  # fmt: skip
    return row | step.to_columns(WRITER)


#: Kinds of closings and steps by what a run file calls them.
OF_CLOSINGS = {kind.how: kind for kind in CLOSINGS}
OF_STEPS = {kind.kind: kind for kind in STEPS}

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Records:
    """Makes records of rows.

    Parameters
    ----------
    n, k : int
        Numbers of points and of clusters.
    memory : Memory
        What a record may take, all of it together.
    """

    n: int
    k: int
    memory: Memory

    def record(self, row: Row, steps: list[Row]) -> NodeRecord:
        """Return the node that the rows describe."""
        own = replace(self, memory=Memory(self.memory.left))
        own.memory.grant(OF_AN_ENTRY * min(self.n, LARGEST) ** 2)
        decision = None if row["kind"] is None else self.decision(row["kind"], row["i"], row["j"])
        made = tuple(_called(step["kind"], OF_STEPS).of_columns(step, own) for step in steps)
        closing = _called(row["closing"], OF_CLOSINGS).of_columns(row, own)
        return NodeRecord(row["node"], row["parent"], decision, made, closing, row["lower_bound"], row["seconds"])

    def labels(self, blob: object) -> Indices:
        """Return the cluster of each point."""
        return integers(blob, "labels", self.memory, ndim=1, size=self.n)

    # What a :class:`pcsos.evidence.node.ColumnReader` has

    def number(self, value: float | None, name: str) -> float:
        """Return a number that has to be there."""
        if value is None:
            raise FormatError(f"{name}: missing")
        return value

    def integers(self, data: object, name: str, most: int | None = None) -> NDArray[np.int64]:
        """Return an array of at most so many integers, or as many as there are points."""
        return integers(data, name, self.memory, ndim=1, most=self.n if most is None else most)

    def multipliers(self, data: object) -> Multipliers:
        """Return multipliers."""
        return decode_multipliers(data, self.n, self.memory)

    def prices(self, data: object) -> tuple[Floats, NDArray[np.int64] | None]:
        """Return at most as many prices as there are points, and their axes, if there are any."""
        prices, _, axes = read_prices(Arrays(data, "prices", self.memory), most=self.n)
        return prices, axes

    def decision(self, kind: object, i: object, j: object) -> Decision:
        """Return a decision about two different points of the instance."""
        for point in (i, j):
            if type(point) is not int or not 0 <= point < self.n:
                raise FormatError(f"{point!r:.40} is not a point of the instance")
        if kind not in ("ML", "CL") or i == j:
            raise FormatError(f"{kind!r:.40} {i} {j} is not a decision")
        return Decision(kind, i, j)  # type: ignore[arg-type]

    def decisions(self, data: object) -> tuple[Decision, ...]:
        """Return decisions about points of the instance."""
        return decode_decisions(data, self.n, self.memory)

    def points(self, value: object, name: str) -> tuple[int, ...]:
        """Return a list of points of the instance."""
        points = items(value, name, (int,))
        if not all(0 <= point < self.n for point in points):
            raise FormatError(f"{name}: no point of the instance")
        return tuple(points)

    def listed(self, text: object, name: str) -> list[list[Any]]:
        """Return a list of lists."""
        return items(structure(text, name), name, (list,))

    def mapping(self, text: object, name: str) -> dict[str, object]:
        """Return a dictionary."""
        found = structure(text, name)
        if not isinstance(found, dict):
            raise FormatError(f"{name}: not a JSON object")
        return found


def _called(name: str, kinds: Mapping[str, Kind]) -> Kind:
    """Return the kind of closing or step that a run file means."""
    if name not in kinds:
        raise FormatError(f"{name!r:.40} is not a kind of closing or step")
    return kinds[name]
