"""Records: the processed nodes of a run, read back from the rows of its file."""

from dataclasses import dataclass

from pcsos.exceptions import FormatError
from pcsos.multipliers import Multipliers
from pcsos.proof import (
    BoundClosing,
    Branching,
    Closing,
    Decision,
    EqualStep,
    FarStep,
    FixedStep,
    Forced,
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
from pcsos.reading.arrays import doubles, integers
from pcsos.reading.memory import Memory
from pcsos.reading.rows import Row
from pcsos.reading.structures import items, structure
from pcsos.run_file.codec import decode_decisions, decode_multipliers
from pcsos.typing import Indices

#: Steps of a search for a colouring that are read.
MOST_STEPS = 1 << 22


@dataclass(frozen=True)
class Records:
    """Makes records of rows.

    Parameters
    ----------
    n, k : int
        Numbers of points and of clusters.
    memory : Memory
        What a record may take.
    """

    n: int
    k: int
    memory: Memory

    def record(self, row: Row, steps: list[Row]) -> NodeRecord:
        """Return the node that the rows describe."""
        decision = None if row["kind"] is None else self._decision(row["kind"], row["i"], row["j"])
        made = tuple(self._step(step) for step in steps)
        closing = self._closing(row)
        return NodeRecord(row["node"], row["parent"], decision, made, closing, row["lower_bound"], row["seconds"])

    def labels(self, blob: object) -> Indices:
        """Return the cluster of each point."""
        return integers(blob, "labels", self.memory, ndim=1, size=self.n)

    def _closing(self, row: Row) -> Closing:  # noqa: PLR0911 - one for each way to close a node
        bound = row["closing_bound"]
        match row["closing"]:
            case "branched":
                start = None if row["multipliers"] is None else self._multipliers(row)
                return Branching(self._decision("ML", row["branch_i"], row["branch_j"]), start, row["penalty"] or 0.0)
            case "infeasible":
                search = integers(row["search"], "the search for a colouring", self.memory, ndim=1, most=MOST_STEPS)
                witness = structure(row["witness"], "the witness")
                if not isinstance(witness, dict):
                    raise FormatError("the witness: not a JSON object")
                return InfeasibleClosing(witness, search)
            case _ if bound is None:
                raise FormatError(f"a node is closed ({row['closing']}) without a bound")
            case "bound":
                return BoundClosing(self._multipliers(row), bound)
            case "open":
                return OpenClosing(self._multipliers(row), bound)
            case "single":
                labels = integers(row["labels"], "labels", self.memory, ndim=1, most=self.n)  # of the points of a part
                return SingleClosing(labels, bound)
            case "line" if row["penalty"] is not None:
                return LineClosing(row["penalty"], bound)
            case "prices":
                return PriceClosing(doubles(row["prices"], "prices", self.memory, ndim=1, most=self.n), bound)
        raise FormatError(f"a node is closed ({row['closing']}) without what that takes")

    def _step(self, row: Row) -> Step:
        if row["kind"] == "forced":
            listed = items(structure(row["forced"], "the forced pairs"), "the forced pairs", (list,))
            return ForcedStep(tuple(self._forced(*entry) for entry in listed))
        decisions = decode_decisions(row["decisions"], self.n, self.memory)
        if row["kind"] == "equal":
            return EqualStep(decisions)
        if row["lower_bound"] is None:
            raise FormatError(f"a step ({row['kind']}) without a bound")
        if row["kind"] == "far":
            return FarStep(decisions, row["lower_bound"])
        made = SoftStep if row["kind"] == "soft" else FixedStep
        return made(self._multipliers(row), decisions, row["lower_bound"])

    def _multipliers(self, row: Row) -> Multipliers:
        return decode_multipliers(row["multipliers"], self.n, self.memory)

    def _forced(self, kind: object, i: object, j: object, witness: object) -> Forced:
        points = items(witness, "the forced pairs", (int,))
        if not all(0 <= point < self.n for point in points):
            raise FormatError("the forced pairs: no point of the instance")
        return Forced(self._decision(kind, i, j), tuple(points))

    def _decision(self, kind: object, i: object, j: object) -> Decision:
        """Return a decision about two different points of the instance."""
        for point in (i, j):
            if type(point) is not int or not 0 <= point < self.n:
                raise FormatError(f"{point!r:.40} is no point of the instance")
        if kind not in ("ML", "CL") or i == j:
            raise FormatError(f"{kind!r:.40} {i} {j} is no decision")
        return Decision(kind, i, j)  # type: ignore[arg-type]
