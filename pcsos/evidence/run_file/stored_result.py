"""Stored result: what a run claims and what happened in it, read back from its file."""

import dataclasses
import math
from typing import Any

from pcsos.base.events import KINDS, Event
from pcsos.base.exceptions import FormatError
from pcsos.evidence.conflict import Conflict
from pcsos.evidence.result import Certification, Reason, Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import Partition
from pcsos.verify.reading.rows import Row
from pcsos.verify.reading.structures import NULL, Shape, items, members, structure

#: Fields of a result that the claim does not state itself, stored for whoever resumes a finished run.
DETAILS = ("n_super_points", "seconds", "nodes", "root_lower_bound", "root_seconds", "message")
COUNT, NUMBER = (int, NULL), (int, float, NULL)
SHAPE: Shape = {
    **dict.fromkeys(("n_super_points", "n_blocks"), COUNT),
    "nodes": (int,),
    "seconds": (int, float),
    **dict.fromkeys(("root_lower_bound", "root_seconds"), NUMBER),
    **dict.fromkeys(("message", "reason"), (str,)),
    "conflict": (dict,),
}
CONFLICT: Shape = {**dict.fromkeys(("must_link", "cannot_link"), (list,)), "is_irreducible": (bool,)}
#: What the fields of events may be in JSON, which has no infinities, by how they are annotated.
OF_FIELDS: dict[object, tuple[type, ...]] = {int: COUNT, float: NUMBER, str: (str,), int | None: COUNT}


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
    return kind.of(instance, status, reason, partition, lower_bound=bound, seed=options.seed, **details)


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
