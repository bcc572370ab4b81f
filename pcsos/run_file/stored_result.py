"""Stored result: what a run claims and what happened in it, read back from its file."""

import dataclasses
from typing import Any

from pcsos.events import KINDS, Event
from pcsos.exceptions import FormatError
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.proofs.conflict import Conflict
from pcsos.reading.rows import Row
from pcsos.reading.structures import NULL, Shape, items, members, structure
from pcsos.result import Certification, Reason, Result, Status

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


def read_result(row: Row, instance: Instance, partition: Partition | None, best: Partition | None, seed: int) -> Result:
    """Return what a run claims, given its best partition."""
    details = dict(members(structure(row["details"], "the details"), "the details", SHAPE))
    if row["status"] in ("OPTIMAL", "FEASIBLE") and partition is None:
        raise FormatError(f"the claim is {row['status']} without labels")
    if row["status"] == "INFEASIBLE" and partition is not None:
        raise FormatError("the claim is INFEASIBLE with labels")
    kind: type[Result] = Result
    if "n_blocks" in details:
        kind = Certification
        is_better = best is not None and partition is not None and best.objective < partition.objective
        details["better"] = best if is_better else None
    if "conflict" in details:
        details["conflict"] = _conflict(details["conflict"], instance)
    reason = Reason(details.pop("reason"))
    return kind.of(
        instance, Status(row["status"]), reason, partition, lower_bound=row["lower_bound"], seed=seed, **details
    )


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
