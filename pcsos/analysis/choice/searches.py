"""Searches: the solves that make up one answer, which share options, a clock and whoever listens."""

import contextlib
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from pcsos.base.control.signals import Signals
from pcsos.base.control.stop import Stop, asker
from pcsos.base.control.workers import number_of_workers
from pcsos.base.events import Event, notices
from pcsos.evidence.result import Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.keywords import ProblemKeywords
from pcsos.problem.options import Options, SearchKeywords
from pcsos.report.progress import listener
from pcsos.search.conclusion import reason_of
from pcsos.search.warm_up import warm_up
from pcsos.solving import solve


class ChoiceKeywords(ProblemKeywords, SearchKeywords, total=False):
    """What is asked of each partition, and how the searches are carried out."""


@dataclass(frozen=True)
class Searches:
    """What the searches of one answer share.

    Parameters
    ----------
    options : Options
        Gap, workers and seed of each.
    stop : Stop
        The clock of all of them.
    verbose : bool
        Whether to show what each has led to.
    on_event : callable, optional
        Called with every event.
    should_stop : callable, optional
        Asked whether to end.
    """

    options: Options
    stop: Stop
    verbose: bool
    on_event: Callable[[Event], None] | None
    should_stop: Callable[[], bool] | None

    @classmethod
    @contextlib.contextmanager
    def begin(
        cls,
        instances: Sequence[Instance],
        options: Options,
        *,
        verbose: bool,
        on_event: Callable[[Event], None] | None,
        should_stop: Callable[[], bool] | None,
    ) -> "Iterator[Searches]":
        """Enter the searches of these instances: Ctrl-C ends the one that is going on, and all that would follow."""
        wants_end, notify = asker(should_stop), notices(listener(on_event, verbose=False))
        for instance in instances:
            warm_up(notify, instance)

        def notify_and_show(sentence: str) -> None:
            notify(sentence)
            if verbose:
                _print(sentence)

        number = number_of_workers(options.num_workers, notify_and_show)  # said once and not by each search
        options = replace(options, workers=number)
        with Signals() as signals:
            stop = Stop(lambda: signals.asked() or wants_end(), urgent=signals.urgent, time_limit=options.time_limit)
            yield cls(options, stop, verbose, on_event, should_stop)

    def solve(self, instance: Instance, *, parts: int = 1, initial_labels: ArrayLike | None = None) -> Result:
        """Solve an instance within what is left of the time, or one of so many equal parts of it."""
        share = self.stop.seconds_left / parts
        return solve(
            instance,
            initial_labels=initial_labels,
            gap=self.options.gap,
            time_limit=None if math.isinf(share) else share,
            workers=self.options.workers,
            seed=self.options.seed,
            on_event=self.on_event,
            should_stop=self.should_stop,
        )

    def not_begun(self, instance: Instance) -> Result:
        """Return the result of an instance that there is no time for."""
        return Result.of(instance, Status.UNKNOWN, reason_of(self.stop), seconds=0.0, seed=self.options.seed)

    def show(self, what: str, result: Result) -> None:
        """Show what a search has led to on standard error, if that is wanted and there is somebody to read it."""
        if self.verbose:
            _print(f"{what}: {_sentence_on(result)}")


def _print(line: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            print(line, file=sys.stderr, flush=True)


def _sentence_on(result: Result) -> str:
    if result.objective is None:
        return f"{result.status} ({result.message or result.reason})"
    gap = "no bound" if result.gap is None else f"gap {100.0 * result.gap:.4f}%"
    return f"{result.status}, cost {result.objective:.8g}, {gap}, {result.seconds:.1f} s"
