"""Rows: what a run file holds, as rows of its tables, and the digests that notice changes."""

import hashlib
import json
import math
import struct

import numpy as np

from pcsos._version import __version__
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.role import ColumnWriter, Step
from pcsos.evidence.run_file.codec import encode_decisions, encode_floats, encode_integers, encode_multipliers
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.verify.reading.rows import Row


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
    """What columns hold of the values of proofs; see :class:`pcsos.evidence.role.ColumnWriter`."""

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
