"""Searches: the solves that make up one answer, which share options, a clock and listeners."""

import contextlib
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from pcsos.base.control.pool import number_of_workers
from pcsos.base.control.signals import Signals
from pcsos.base.control.stop import Stop, asker
from pcsos.base.events import notices
from pcsos.evidence.result import Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.report.progress import listener, percent
from pcsos.search.role import reason_of
from pcsos.search.warm_up import warm_up
from pcsos.solving import solve


@dataclass(frozen=True)
class Searches:
    """What the searches of one answer share."""

    options: Options  #: how each is carried out
    stop: Stop  #: the clock of all of them
    verbose: bool  #: whether to show what each has led to

    @classmethod
    @contextlib.contextmanager
    def begin(cls, instances: Sequence[Instance], options: Options, *, verbose: bool) -> "Iterator[Searches]":
        """Enter the searches of these instances: Ctrl-C ends the one that is going on, and all that would follow."""
        on_event = listener(options.on_event, verbose=False)
        wants_end, notify = asker(options.should_stop), notices(on_event)
        for instance in instances:
            warm_up(notify, instance)

        def notify_and_show(sentence: str) -> None:
            notify(sentence)
            if verbose:
                _print(sentence)

        number = number_of_workers(options.num_workers, notify_and_show)  # said once and not by each search
        options = replace(options, workers=number, on_event=on_event if verbose else options.on_event)
        with Signals() as signals:
            stop = Stop(lambda: signals.asked() or wants_end(), urgent=signals.urgent, time_limit=options.time_limit)
            yield cls(options, stop, verbose)

    def solve(self, instance: Instance, *, parts: int = 1, start: ArrayLike | None = None) -> Result:
        """Solve an instance within what is left of the time, or one of so many equal parts of it."""
        share = self.stop.seconds_left / parts
        own = replace(self.options, time_limit=None if math.isinf(share) else share)
        return solve(instance, start=start, options=own)

    def not_begun(self, instance: Instance) -> Result:
        """Return the result of an instance that there is no time for."""
        return Result(instance, Status.UNKNOWN, reason_of(self.stop), seconds=0.0, seed=self.options.seed)

    def show(self, what: str, result: Result) -> None:
        """Show what a search has led to on standard error, if that is wanted and it is there."""
        if self.verbose:
            _print(f"{what}: {_sentence_on(result)}")


def _print(line: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            print(line, file=sys.stderr, flush=True)


def _sentence_on(result: Result) -> str:
    if result.objective is None:
        return f"{result.status} ({result.message or result.reason})"
    gap = "no bound" if result.gap is None else f"gap {percent(result.gap)}"
    return f"{result.status}, cost {result.objective:.8g}, {gap}, {result.seconds:.1f} s"
