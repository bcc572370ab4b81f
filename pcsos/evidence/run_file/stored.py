"""What a run file says, read back: the instance, what the run claims, and the bound that its records state."""

import dataclasses
import math
import sqlite3
from typing import Any

from pcsos.base.events import KINDS, Event
from pcsos.base.exceptions import FormatError
from pcsos.base.tolerances import LARGEST_COORDINATE
from pcsos.base.typing import Floats, Indices
from pcsos.evidence.result import Certification, Reason, Result, Status
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.evidence.status import Conflict
from pcsos.problem.conditions.conditions import stated
from pcsos.problem.gram import FactoredGram
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.params import Params
from pcsos.problem.partition import Partition
from pcsos.problem.validation.names import PointNames
from pcsos.problem.validation.rounding import Rounded
from pcsos.verify.reading.arrays import Arrays, only
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.rows import Row, only_row
from pcsos.verify.reading.structures import NULL, Shape, items, members, structure

COUNT, NUMBER, OPTIONAL = (int, NULL), (int, float), (int, float, NULL)
OPTIONS: Shape = {
    "gap": NUMBER,
    **dict.fromkeys(("time_limit", "node_limit", "workers"), OPTIONAL),
    "seed": (int,),
    **dict.fromkeys(("engine", "ilp"), (str,)),
    "params": (dict,),
}
NAMES: Shape = {"first": (int,), "ids": (list, NULL), "features": (list, NULL), "off": (float,)}
#: Fields of a result that the claim does not state itself, stored for a finished run that is resumed.
DETAILS = ("n_super_points", "seconds", "nodes", "root_lower_bound", "root_seconds", "message")
SHAPE: Shape = {
    **dict.fromkeys(("n_super_points", "n_blocks"), COUNT),
    "nodes": (int,),
    "seconds": NUMBER,
    **dict.fromkeys(("root_lower_bound", "root_seconds"), OPTIONAL),
    **dict.fromkeys(("message", "reason"), (str,)),
    "conflict": (dict,),
}
CONFLICT: Shape = {**dict.fromkeys(("must_link", "cannot_link"), (list,)), "is_irreducible": (bool,)}
#: What the fields of events may be in JSON, which has no infinities, by how they are annotated.
OF_FIELDS: dict[object, tuple[type, ...]] = {bool: (bool,), int: COUNT, float: OPTIONAL, str: (str,), int | None: COUNT}
#: Bytes that an instance takes for each number of a point, for each point besides, and for each pair.
OF_A_NUMBER, OF_A_POINT, OF_A_PAIR = 16, 100, 64


def read_instance(connection: sqlite3.Connection, memory: Memory) -> tuple[Instance, Options]:
    """Return what the run is about, and how it was started."""
    row = only_row(connection, "instance", "the instance")
    points = only(Arrays.doubles, row["points"], "points", memory, ndim=2)
    n = len(points)
    memory.need(points.size * OF_A_NUMBER + n * OF_A_POINT, "points")
    weights = only(Arrays.doubles, row["weights"], "weights", memory, ndim=1, size=n)
    names, features, off = _names(structure(row["names"], "names"), n)
    gram = None if row.get("gram") is None else _gram(row["gram"], points, weights, memory)
    instance = Instance(
        Rounded(points, off) if gram is None else gram,
        row["n_clusters"],
        _pairs(row["must_link"], "must-links", n, memory),
        _pairs(row["cannot_link"], "cannot-links", n, memory),
        weights,
        names=names,
        feature_names=features,
        conditions=stated(structure(row.get("conditions", "{}"), "conditions")),
    )
    if instance_digest(instance) != row["digest"]:
        raise FormatError("the instance has another digest")
    return instance, _options(row["options"])


def _pairs(blob: object, name: str, n: int, memory: Memory) -> Indices:
    """Return pairs of points, shape (m, 2)."""
    pairs = only(Arrays.integers, blob, name, memory, ndim=2, most=n * (n + 1))
    memory.need(len(pairs) * OF_A_PAIR, name)
    return pairs


def _names(value: object, n: int) -> tuple[PointNames, list[str] | None, float]:
    """Return the names of points and of features that a file holds, and how far points are off what was given."""
    row = members(value, "names", NAMES)
    first, ids, features = row["first"], row["ids"], row["features"]
    if first not in (0, 1) or (ids is not None and len(items(ids, "names", (int, str))) != n):
        raise FormatError("names: not one for each point")
    off = row.get("off", 0.0)
    if not 0.0 <= off < LARGEST_COORDINATE:
        raise FormatError("names: points are off by no distance")
    return PointNames(n, first=first, ids=ids), features and items(features, "features", (str,)), off


def _gram(blob: object, points: Floats, weights: Floats, memory: Memory) -> FactoredGram:
    """Return the Gram matrix of a file, whose points are its factor."""
    n = len(points)
    matrix = only(Arrays.doubles, blob, "the Gram matrix", memory, ndim=2, size=n * n)
    if matrix.shape != (n, n) or not (matrix == matrix.T).all():
        raise FormatError("the Gram matrix is not symmetric, with a row for each point")
    return FactoredGram.with_factor(matrix, points, weights)


def _options(text: object) -> Options:
    """Return how a run was started."""
    values: Row = members(structure(text, "the options"), "the options", OPTIONS)
    params = values.get("params", {})
    if not all(isinstance(part, dict) for part in params.values()):
        raise FormatError("the options: params are of another kind than expected")
    return Options(**values | {"params": Params.from_dict(params)})


def read_result(
    row: Row, instance: Instance, partition: Partition | None, best: Partition | None, options: Options
) -> Result:
    """Return what a run claims, given its best partition and how it was started."""
    details = dict(members(structure(row["details"], "the details"), "the details", SHAPE))
    status, reason, bound = Status(row["status"]), Reason(details.pop("reason")), row["lower_bound"]
    _refuse_contradiction(status, reason, bound, instance, partition, options.gap)
    kind: type[Result] = Result
    if "n_blocks" in details:
        kind = Certification
        is_better = best is not None and partition is not None and best.objective < partition.objective
        details["better"] = best if is_better else None
    if "conflict" in details:
        details["conflict"] = _conflict(details["conflict"], instance)
    return kind(instance, status, reason, partition, lower_bound=bound, seed=options.seed, **details)


def _refuse_contradiction(
    status: Status, reason: Reason, bound: float | None, instance: Instance, partition: Partition | None, gap: float
) -> None:
    """Refuse a claim that says one thing here and another there."""
    has_labels = partition is not None
    if has_labels is (status in {Status.INFEASIBLE, Status.UNKNOWN}):
        raise FormatError(f"the claim is {status} with{'' if has_labels else 'out'} labels")
    for proof, only_reason in ((Status.INFEASIBLE, Reason.INFEASIBLE), (Status.OPTIMAL, Reason.GAP_REACHED)):
        if (status is proof) is not (reason is only_reason):
            raise FormatError(f"the claim is {status}, but its reason {reason}")
    if partition is None or status is not Status.OPTIMAL:
        return
    proved = math.inf if bound is None else instance.gap(partition.objective, bound)
    if proved > gap:
        raise FormatError(f"the claim is OPTIMAL with a gap of {proved:.3g}, but {gap:.3g} was asked for")


def _conflict(value: object, instance: Instance) -> Conflict:
    """Return constraints that cannot hold together, all of them the instance's own."""
    values = members(value, "the conflict", CONFLICT)
    for name in ("must_link", "cannot_link"):
        listed = [tuple(items(pair, "the conflict", (int,))) for pair in items(values[name], "the conflict", (list,))]
        strange = set(listed) - {(i, j) for i, j in getattr(instance, name).tolist()}
        if strange:
            raise FormatError(f"the pairs {sorted(strange)[:3]} are not among the constraints")
    return Conflict.from_dict(values)


def read_event(row: Row) -> Event:
    """Return what happened; nothing of it is checked but of which kind its figures are."""
    kind: Any = KINDS.get(row["name"])
    if kind is None:
        raise FormatError(f"an event is called {row['name']!r:.40}")
    shape = {field.name: OF_FIELDS[field.type] for field in dataclasses.fields(kind)}
    event: Event = kind(**members(structure(row["data"], "an event"), "an event", shape))
    return event
