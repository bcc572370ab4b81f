"""Contents: what a report tells, from a result at hand or from the file of a run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pcsos.evidence.kinds import Line
from pcsos.evidence.result import CertainPairs, Reason, Result, Status
from pcsos.evidence.run_file import RunFile
from pcsos.evidence.run_file.rows import explained
from pcsos.io.source import PathLike
from pcsos.problem.instance import Instance
from pcsos.problem.options import CERTAIN_SECONDS, Options
from pcsos.report.blocks import Block, PriceProof, cover_of, prices_of
from pcsos.report.course import Course
from pcsos.report.tree import Node, nodes_of

if TYPE_CHECKING:
    from pcsos.verify import Verdict


class Source(NamedTuple):
    """Where the data of a page come from, as far as that is known."""

    data: str = ""  #: what people call them, such as the name of their file
    run_file: str = ""  #: the name of the file of the run
    begun: datetime | None = None  #: when the run began


@dataclass(frozen=True, eq=False)
class Check:
    """What the checker said of a run file."""

    verdict: "Verdict | None"  #: what it has proved; None if it refuses the file
    steps: tuple[str, ...]  #: what it has checked, in order
    refusal: str = ""  #: the first thing that does not hold


@dataclass(frozen=True, eq=False)
class Contents:
    """What a report tells."""

    instance: Instance  #: what the run is about
    result: Result  #: what it found and claims
    course: Course  #: how bound and incumbent went; empty where that is not written down
    options: Options | None = None  #: how it was started, where that is known
    nodes: tuple[Node, ...] = ()  #: its tree, where that is known
    cover: tuple[Block, ...] = ()  #: the blocks whose bounds add up to its bound, where that is known
    prices: PriceProof | None = None  #: the prices that prove a bound of the whole, where that is known
    is_on_line: bool = False  #: whether the bound of a line proves one
    check: Check | None = None  #: what the checker said; None if it was not asked
    has_ended: bool = True  #: whether the run ended by itself, so that the file holds a claim
    certain: CertainPairs | None = None  #: what all partitions nearly as good agree on; None unless asked for
    source: Source = field(default_factory=Source)  #: where the data come from


def of_run_file(
    path: PathLike,
    *,
    verify: bool = True,
    workers: int = 1,
    certain: float | None = None,
    certain_seconds: float = CERTAIN_SECONDS,
    on_progress: Callable[[CertainPairs], object] | None = None,
    data: str = "",
) -> Contents:
    """Return what the file of a run tells, what the checker says of it, and what is certain within a share of cost."""
    with RunFile.read(path) as file, explained(file.path):
        claim = file.claim()
        result = claim or _unfinished(file)
        if not verify:
            file.refuse_unfounded(result)
        if result.conflict is not None:
            from pcsos.presolve.deletion_filter import refuse_false_conflict

            refuse_false_conflict(result, file.path)
        str(result)  # refused here if its figures are none
        course = Course.of(file.events())
        nodes, cover = nodes_of(file.records()), cover_of(file, result.labels)
        beside = list(file.records_beside_tree())
        prices = prices_of(beside)
        is_on_line = any(isinstance(each, Line) for record in beside for each in record.evidence)
        source = Source(data, Path(path).name, file.begun())
        instance, options = file.instance, file.options
    check = _checked(path, workers) if verify and claim is not None else None
    agreed = None
    if certain is not None:
        agreed = result.certain_pairs(certain, time_limit=certain_seconds, on_progress=on_progress)
    return Contents(
        instance, result, course, options, nodes, cover, prices, is_on_line, check, claim is not None, agreed, source
    )


def _unfinished(file: RunFile) -> Result:
    """Return what a run has found that was killed, and claims nothing."""
    best = file.incumbent()
    status = Status.UNKNOWN if best is None else Status.FEASIBLE
    return Result(file.instance, status, Reason.INTERRUPTED, best, seconds=0.0, seed=file.options.seed)


def _checked(path: PathLike, workers: int) -> Check:
    from pcsos.verify import VerificationError, verify

    steps: list[str] = []

    def on_step(sentence: str) -> None:
        if not sentence.startswith(("node ", "part ")):
            steps.append(sentence)

    try:
        verdict = verify(path, workers=workers, on_step=on_step)  # type: ignore[arg-type]
    except VerificationError as error:
        return Check(None, tuple(steps), str(error))
    return Check(verdict, tuple(steps))
