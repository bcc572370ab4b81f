"""Records: the processed nodes of a run, read back from the rows of its file."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import FormatError
from pcsos.base.typing import Floats, Indices
from pcsos.evidence.closings import CLOSINGS
from pcsos.evidence.decision import Decision
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.run_file.codec import decode_decisions, decode_multipliers
from pcsos.evidence.steps import STEPS
from pcsos.verify.reading.arrays import integers
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.multipliers import LARGEST, OF_AN_ENTRY, read_prices
from pcsos.verify.reading.rows import Row
from pcsos.verify.reading.structures import items, structure

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

    # What a :class:`pcsos.evidence.role.Reader` has

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
        return read_prices(data, self.memory, most=self.n)

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
