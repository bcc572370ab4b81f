"""Rows: what a run file holds, as rows of its tables, and the digests that notice changes."""

import dataclasses
import hashlib
import json
import math
import struct

import numpy as np

from pcsos._version import __version__
from pcsos.instance import Instance
from pcsos.options import Options
from pcsos.proof import (
    BoundClosing,
    Branching,
    EqualStep,
    FarStep,
    ForcedStep,
    InfeasibleClosing,
    LineClosing,
    NodeRecord,
    OpenClosing,
    PriceClosing,
    SingleClosing,
    SoftStep,
    Step,
)
from pcsos.reading.rows import Row
from pcsos.run_file.codec import encode_decisions, encode_floats, encode_integers, encode_multipliers


def instance_digest(instance: Instance) -> str:
    """Return the SHA-256 digest of points, weights, constraints, k and what else there is (docs/certificate.md, 1)."""
    digest = hashlib.sha256(b"pcsos instance 1")
    digest.update(struct.pack("<QQQ", instance.n_points, instance.n_features, instance.n_clusters))
    for array, kind in (
        (instance.points, "<f8"), (instance.weights, "<f8"), (instance.must_link, "<i8"), (instance.cannot_link, "<i8")
    ):  # fmt: skip
        digest.update(struct.pack("<Q", array.size) + np.ascontiguousarray(array, kind).tobytes())
    if not instance.is_plain:
        digest.update(json.dumps(instance.conditions, sort_keys=True).encode())
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
    """Return a number as SQLite gives it back: a float of Python's own, without a sign on 0."""
    return None if value is None else float(value) + 0.0


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
        json.dumps(dataclasses.asdict(options)),
        json.dumps(_names_row(instance)),
        __version__,
        json.dumps(instance.conditions),
        None if instance.gram is None else encode_floats(instance.gram.matrix),
    )


def _names_row(instance: Instance) -> Row:
    """Return what points and features are called; labels that are neither text nor whole numbers become text."""
    names = instance.names
    ids = names.ids and [name if type(name) in {int, str} else str(name) for name in names.ids]
    return {"first": names.first, "ids": ids, "features": instance.feature_names}


def node_row(record: NodeRecord, part: int) -> Row:
    """Return the row of the table ``nodes``, but for its digest."""
    closing, decision = record.closing, record.decision
    row: Row = {
        "part": part, "node": record.node, "parent": record.parent,
        "kind": decision and decision.kind, "i": decision and decision.i, "j": decision and decision.j,
        "closing": "branched", "closing_bound": None, "multipliers": None, "prices": None, "witness": None,
        "search": None, "labels": None, "branch_i": None, "branch_j": None, "penalty": None,
        "lower_bound": real(record.lower_bound), "seconds": real(record.seconds),
    }  # fmt: skip
    match closing:
        case BoundClosing() | OpenClosing():
            how = "bound" if isinstance(closing, BoundClosing) else "open"
            blob = encode_multipliers(closing.multipliers)
            row |= {"closing": how, "closing_bound": real(closing.lower_bound), "multipliers": blob}
        case InfeasibleClosing():
            search = encode_integers(closing.search, differences=True)
            row |= {"closing": "infeasible", "witness": json.dumps(closing.witness), "search": search}
        case SingleClosing():
            labels = encode_integers(closing.labels)
            row |= {"closing": "single", "closing_bound": real(closing.lower_bound), "labels": labels}
        case LineClosing():
            penalty = real(closing.penalty)
            row |= {"closing": "line", "closing_bound": real(closing.lower_bound), "penalty": penalty}
        case PriceClosing():
            prices = encode_floats(closing.prices)
            row |= {"closing": "prices", "closing_bound": real(closing.lower_bound), "prices": prices}
        case Branching():
            start = None if closing.multipliers is None else encode_multipliers(closing.multipliers)
            row |= {"branch_i": closing.decision.i, "branch_j": closing.decision.j}
            row |= {"multipliers": start, "penalty": real(closing.penalty)}
    return row


def step_row(part: int, node: int, position: int, step: Step) -> Row:
    """Return the row of the table ``steps``."""
    row: Row = {
        "part": part, "node": node, "position": position, "kind": "forced", "forced": None, "decisions": None,
        "multipliers": None, "lower_bound": None,
    }  # fmt: skip
    if isinstance(step, ForcedStep):
        forced = [[f.decision.kind, f.decision.i, f.decision.j, list(f.witness)] for f in step.forced]
        return row | {"forced": json.dumps(forced)}
    row |= {"decisions": encode_decisions(step.decisions)}
    if isinstance(step, EqualStep):
        return row | {"kind": "equal"}
    row |= {"lower_bound": real(step.lower_bound)}
    if isinstance(step, FarStep):
        return row | {"kind": "far"}
    kind = "soft" if isinstance(step, SoftStep) else "fixed"
    return row | {"kind": kind, "multipliers": encode_multipliers(step.multipliers)}
