"""Certification: one run, from somebody's labels to a bound on how far they are from the best."""

import contextlib
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace

import numpy as np

from pcsos import tolerances
from pcsos.control.aside import run_aside
from pcsos.control.signals import Signals, acknowledged
from pcsos.control.stop import GRACE, Interrupted, ProgramLostError, Stop, ahead_of, nobody
from pcsos.control.threads import one_blas_thread
from pcsos.decomposition.climb import Climb
from pcsos.decomposition.pricing import bound_by_prices
from pcsos.events import Event, IncumbentFound, Notice, RunStarted
from pcsos.exceptions import RunFileError
from pcsos.heuristics.local_search import improve
from pcsos.incumbent import Incumbent
from pcsos.instance import Instance
from pcsos.line import is_line
from pcsos.options import Options
from pcsos.partition import Partition, canonical_labels, violation
from pcsos.reduction import Reduced, reduce_instance
from pcsos.result import Certification, Reason, Result, Status
from pcsos.run_file import RunFile
from pcsos.tree.journal import Journal, NullJournal, teller
from pcsos.tree.search import reason_of
from pcsos.tree.workers import Workers, number_of_workers
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
    on_event: Notify,
    should_stop: Callable[[], bool] = nobody,
) -> Certification:
    """Bound the instance as closely as it takes for the given partition; see :func:`pcsos.certify.certify`."""
    own = _Run(instance, given, options, journal or NullJournal(), on_event)

    def say(sentence: str) -> None:
        own.tell(Notice(sentence))

    number = number_of_workers(options, say, executor)
    with Signals() as signals, one_blas_thread(), Workers(number, executor) as workers:
        interrupted = acknowledged(signals, say)
        limit = ahead_of(options.time_limit)
        stop = Stop(lambda: interrupted() or should_stop(), urgent=signals.urgent, time_limit=limit)
        return own.certify(workers, stop)


def go_on(
    run_file: RunFile,
    given: Partition,
    claim: Result | None,
    options: Options,
    *,
    executor: Executor | None = None,
    on_event: Notify,
    should_stop: Callable[[], bool] = nobody,
) -> Result:
    """Go on with the certification in a run file; no block is bounded twice. One that has ended by itself stays so.

    Raises
    ------
    RunFileError
        If its blocks state less than it claims.
    """
    if claim is not None and claim.reason in (Reason.GAP_REACHED, Reason.STALLED):
        stated = run_file.cover_bound()
        if claim.lower_bound is not None and stated < claim.lower_bound:
            raise RunFileError(
                f"{run_file.path} claims a lower bound of {claim.lower_bound:.10g}, but its blocks state only "
                f"{stated:.10g}; start the run anew"
            )
        return claim
    return run_certification(
        run_file.instance,
        given,
        options,
        journal=run_file,
        executor=executor,
        on_event=on_event,
        should_stop=should_stop,
    )


class _Run:
    """What a certification knows while it runs.

    Bounds are those of the instance without its conditions, which any partition costs that satisfies them.
    """

    def __init__(
        self, instance: Instance, given: Partition, options: Options, journal: Journal, on_event: Notify
    ) -> None:
        self.instance, self.given, self.gap, self.journal = instance, given, options.gap, journal
        self.plain = instance if instance.is_plain else instance.without_conditions()
        gap = tolerances.narrowed(options.gap, instance.cost_error, given.objective)  # of the points
        self.options = replace(options, gap=gap)
        self.incumbent: Incumbent[Partition] = Incumbent()
        self.tell = teller(journal, on_event)

    def offer(self, labels: Indices, source: str, seconds: float) -> None:
        """Take over labels if they satisfy the conditions and are better, penalties included."""
        if self.instance.limits is not None and violation(self.instance, canonical_labels(labels)):
            return
        partition = Partition.of(self.instance, labels)
        if self.incumbent.offer(partition):
            self.journal.add_incumbent(partition.labels, partition.objective, source, seconds)
            self.tell(IncumbentFound(partition.objective, source, seconds))

    def certify(self, workers: Workers, stop: Stop) -> Certification:
        """Climb the ladder, and write down what is proved."""
        instance, options = self.instance, self.options
        reduced = reduce_instance(instance)
        n, d = instance.points.shape
        self.tell(RunStarted(n, d, instance.n_clusters, reduced.size, len(reduced.cannot_link)))
        self.incumbent.offer(self.given)
        self.tell(IncumbentFound(self.given.objective, "G", stop.seconds))
        earlier = self.journal.incumbent()
        if earlier is not None and self.incumbent.offer(earlier):
            self.tell(IncumbentFound(earlier.objective, "", stop.seconds))
        swaps_up_to = options.params.memetic.swaps_up_to
        better = None if is_line(instance) else _improved(reduced, self.given.labels, swaps_up_to, stop)
        if better is not None:
            self.offer(better, "L", stop.seconds)
        best = self.incumbent.best or self.given
        bound, n_blocks, failure = 0.0, 0, ""
        try:
            bound, n_blocks = self._bound(best, workers, stop)
        except RunFileError as error:
            failure = f"the run stops because its run file cannot be written: {error}"
        result = self._result(bound, n_blocks, reduced.size, stop, failure)
        if not failure:
            try:
                self.journal.set_claim(result)
            except RunFileError as error:
                self.tell(Notice(f"the result could not be written to the run file: {error}"))
        return result

    def _bound(self, best: Partition, workers: Workers, stop: Stop) -> tuple[float, int]:
        """Return what prices prove, or else blocks, and of how many."""
        priced = bound_by_prices(
            self.plain, best, self.options, stop, self.journal, self.tell,
            lambda labels: self.offer(labels, "P", stop.seconds), workers.number,
        )  # fmt: skip
        best = self.incumbent.best or best
        if priced >= tolerances.cutoff(best.objective, self.options.gap):
            return priced, 1
        climb = Climb(
            self.plain, reduce_instance(self.plain), best, self.options, workers, stop, self.journal, self.tell,
            lambda labels: self.offer(labels, "S", stop.seconds),
        )  # fmt: skip
        climb.run()
        return (climb.lower_bound, climb.n_blocks) if climb.lower_bound > priced else (priced, 1)

    def _result(self, bound: float, n_blocks: int, size: int, stop: Stop, failure: str) -> Certification:
        given, best = self.given, self.incumbent.best
        bound = min(self.instance.proved(bound), self.incumbent.objective)
        reached = tolerances.reaches(self.instance.gap(given.objective, bound), self.gap)
        if failure:
            reason = Reason.RUN_FILE_FAILED
        elif reached:
            reason = Reason.GAP_REACHED
        else:
            reason = reason_of(stop) if stop.asked() else Reason.STALLED
        better = None if best is None or best.objective >= given.objective else best
        message = failure
        if better is not None and not reached:
            share = 100.0 * (given.objective - better.objective) / given.objective
            message = message or f"a better partition was met, which costs {share:.3g} % less than the labels given"
        elif reason is Reason.STALLED:
            message = "larger blocks do not fit, and those that do prove no more"
            if self.instance is not self.plain:
                message = (
                    "blocks leave out limits of clusters and soft pairs, and prove no more; pcsos.solve counts them, "
                    "and may begin with the labels as initial_labels"
                )
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
            n_blocks=n_blocks,
        )


def _improved(reduced: Reduced, labels: Indices, swaps_up_to: int, stop: Stop) -> Indices | None:
    """Return better labels of the points by local search, if there are any."""
    swaps = reduced.size <= swaps_up_to
    if reduced.size * reduced.n_clusters < LARGE_SEARCH:
        return _search(reduced, labels, swaps)
    with contextlib.suppress(Interrupted, ProgramLostError):
        return run_aside(_search, reduced, labels, swaps, stop=stop, grace=GRACE)
    return None


def _search(reduced: Reduced, labels: Indices, swaps: bool) -> Indices | None:
    own = reduced.project(labels)
    found, _ = improve(reduced, own, swaps=swaps)
    return None if np.array_equal(found.labels, own) else reduced.lift(found.labels)
