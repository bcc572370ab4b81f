"""Certification: one run, from somebody's labels to a bound on how far they are from the best."""

import contextlib
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np
from threadpoolctl import threadpool_limits

from pcsos import tolerances
from pcsos.control.aside import run_aside
from pcsos.control.signals import Signals, acknowledged
from pcsos.control.stop import GRACE, Interrupted, ProgramLostError, Stop
from pcsos.decomposition.block import Bounded
from pcsos.decomposition.crew import Crew
from pcsos.decomposition.ladder import Ladder
from pcsos.decomposition.piece import Piece
from pcsos.events import BlockBounded, Event, IncumbentFound, Notice, RunStarted
from pcsos.exceptions import RunFileError
from pcsos.heuristics.local_search import improve
from pcsos.incumbent import Incumbent
from pcsos.instance import Instance
from pcsos.options import Options
from pcsos.partition import Partition
from pcsos.reduction import Reduced, reduce_instance
from pcsos.result import Certification, Reason, Result, Status
from pcsos.run_file import RunFile
from pcsos.tree.journal import Journal, NullJournal
from pcsos.tree.search import reason_of
from pcsos.tree.workers import Workers
from pcsos.typing import Indices

#: Super-points times clusters from which on the local search runs where it can be left.
LARGE_SEARCH = 100_000

Notify = Callable[[Event], None]


def run_certification(
    instance: Instance,
    given: Partition,
    options: Options,
    *,
    journal: Journal | None = None,
    executor: Executor | None = None,
    on_event: Notify | None = None,
) -> Certification:
    """Bound the instance as closely as it takes for the given partition; see :func:`pcsos.certify.certify`."""
    own = _Run(instance, given, options, journal or NullJournal(), on_event)
    with Signals() as signals, threadpool_limits(1), Workers(options.num_workers, executor) as workers:
        interrupted = acknowledged(signals, lambda sentence: own.tell(Notice(sentence)))
        stop = Stop(interrupted, urgent=signals.urgent, time_limit=options.time_limit)
        return own.certify(workers, stop)


def go_on(
    run_file: RunFile,
    given: Partition,
    claim: Result | None,
    options: Options,
    *,
    executor: Executor | None = None,
    on_event: Notify | None = None,
) -> Result:
    """Go on with the certification in a run file; no block is bounded twice. What it has reached stays as it is."""
    if claim is not None and claim.reason is Reason.GAP_REACHED:
        return claim
    return run_certification(
        run_file.instance, given, options, journal=run_file, executor=executor, on_event=on_event
    )  # fmt: skip


class _Run:
    """What a certification knows while it runs."""

    def __init__(
        self, instance: Instance, given: Partition, options: Options, journal: Journal, on_event: Notify | None
    ) -> None:
        self.instance, self.given, self.options, self.journal = instance, given, options, journal
        self.incumbent: Incumbent[Partition] = Incumbent()
        self.written: set[int] = set()
        self._on_event = on_event

    def tell(self, event: Event) -> None:
        """Tell journal and listener."""
        with contextlib.suppress(RunFileError):  # the next part meets the same, and says so
            self.journal.add_event(event)
        if self._on_event is not None:
            self._on_event(event)

    def offer(self, partition: Partition, source: str, seconds: float) -> None:
        """Take over a partition if it is better."""
        if self.incumbent.offer(partition):
            self.journal.add_incumbent(partition.labels, partition.objective, source, seconds)
            self.tell(IncumbentFound(partition.objective, source, seconds))

    def certify(self, workers: Workers, stop: Stop) -> Certification:
        """Climb the ladder, and write down what is proved."""
        instance, options = self.instance, self.options
        reduced = reduce_instance(instance)
        n, d = instance.points.shape
        self.tell(RunStarted(n, d, instance.n_clusters, reduced.size, len(reduced.cannot_link)))
        earlier = self.journal.incumbent()
        if earlier is None:
            self.offer(self.given, "G", stop.seconds)
        else:
            self.incumbent.offer(earlier)
            self.tell(IncumbentFound(earlier.objective, "", stop.seconds))
        better = None if earlier is not None else _improved(reduced, self.given.labels, stop)
        if better is not None:
            self.offer(Partition.of(instance, better), "L", stop.seconds)
        best = self.incumbent.best or self.given
        crew = Crew(instance, best.labels, options, workers, stop)
        ladder: Ladder | None = None
        failure = ""

        def note(pieces: list[Piece], piece: Piece, found: Bounded) -> None:
            self._note(pieces, piece, found, stop.seconds)

        try:
            known = list(self.journal.parts())
            self.written |= {part.number for part in known}
            ladder = Ladder(instance, reduced, best.labels, best.objective, options, crew.bound_all, note, known)
            ladder.climb()
            self._write_cover(ladder.pieces)
        except RunFileError as error:
            failure = f"the run stops because its run file cannot be written: {error}"
        pieces = [] if ladder is None else ladder.pieces
        result = self._result(0.0 if ladder is None else ladder.lower_bound, pieces, reduced.size, stop, failure)
        if not failure:
            try:
                self.journal.set_claim(result)
            except RunFileError as error:
                self.tell(Notice(f"the result could not be written to the run file: {error}"))
        return result

    def _note(self, pieces: list[Piece], piece: Piece, found: Bounded, seconds: float) -> None:
        """Write down what is proved of a piece, and tell the outside."""
        if piece.number in piece.proof and found.records:
            self._write_part(piece, found)
        if piece.is_whole and found.labels is not None:
            self.offer(Partition.of(self.instance, found.labels), "S", seconds)
        done = [other for other in pieces if other.is_bounded]
        bound = sum(other.lower_bound for other in pieces)
        probed = sum(other.objective for other in done)
        lacking = sum(other.loss for other in done) / probed if probed > 0.0 else 0.0
        projected = sum(other.objective for other in pieces) * (1.0 - lacking)
        objective = self.incumbent.objective
        self.tell(
            BlockBounded(
                found.size,
                tolerances.relative_gap(piece.objective, piece.lower_bound),
                len(done),
                len(pieces),
                bound,
                tolerances.relative_gap(objective, bound),
                tolerances.relative_gap(objective, projected),
                seconds,
            )
        )

    def _write_part(self, piece: Piece, found: Bounded | None) -> None:
        if piece.number not in self.written:
            self.written.add(piece.number)
            part = piece.part
            self.journal.add_part(piece.number, part.points, part.weights_of(self.instance), found)

    def _write_cover(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            if piece.number in piece.proof:
                self._write_part(piece, None)
        self.journal.add_cover([number for piece in pieces for number in piece.proof])

    def _result(self, bound: float, pieces: list[Piece], size: int, stop: Stop, failure: str) -> Certification:
        given, best = self.given, self.incumbent.best
        bound = min(bound, self.incumbent.objective)
        reached = tolerances.reaches(tolerances.relative_gap(given.objective, bound), self.options.gap)
        if failure:
            reason = Reason.RUN_FILE_FAILED
        elif reached:
            reason = Reason.GAP_REACHED
        else:
            reason = reason_of(stop) if stop.asked() else Reason.STALLED
        better = None if best is None or best.objective >= given.objective else best
        message = failure
        if better is not None and not reached:
            share = (given.objective - better.objective) / given.objective
            message = message or f"a better partition was met: the labels given cost {100.0 * share:.3g} % more"
        elif reason is Reason.STALLED:
            message = "larger blocks do not fit, and those that do prove no more"
        return Certification.of(
            self.instance,
            Status.OPTIMAL if reached else Status.FEASIBLE,
            reason,
            given,
            lower_bound=bound,
            n_super_points=size,
            seconds=stop.seconds,
            seed=self.options.seed,
            message=message,
            better=better,
            n_blocks=sum(len(piece.proof) for piece in pieces),
        )


def _improved(reduced: Reduced, labels: Indices, stop: Stop) -> Indices | None:
    """Return better labels of the points by local search, if there are any."""
    call = (_search, reduced, labels)
    with contextlib.suppress(Interrupted, ProgramLostError):
        if reduced.size * reduced.n_clusters < LARGE_SEARCH:
            return call[0](*call[1:])
        return run_aside(*call, stop=stop, grace=GRACE)
    return None


def _search(reduced: Reduced, labels: Indices) -> Indices | None:
    own = reduced.project(labels)
    swaps = reduced.size <= 2000
    found, _ = improve(reduced, own, swaps=swaps)
    return None if np.array_equal(found.labels, own) else reduced.lift(found.labels)
