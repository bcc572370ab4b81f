"""Session: what is set up before a run begins, and taken down when it has ended."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor

from pcsos.bounds.journal import Journal, Writer
from pcsos.bounds.role import Context
from pcsos.control.signals import Signals, acknowledged
from pcsos.control.stop import Stop, ahead_of
from pcsos.control.threads import one_blas_thread
from pcsos.control.workers import Workers, number_of_workers
from pcsos.events import OnEvent
from pcsos.options import Options
from pcsos.problem.instance import Instance


@contextlib.contextmanager
def session(
    instance: Instance,
    options: Options,
    journal: Journal | None,
    executor: Executor | None,
    on_event: OnEvent,
    should_stop: Callable[[], bool],
) -> Iterator[Context]:
    """Enter a run on an instance: signals are caught, the clock begins, and worker processes end with the run."""
    writer = Writer(journal, on_event)
    number = number_of_workers(options.num_workers, writer.notice, executor)
    with Signals() as signals, one_blas_thread(), Workers(number, executor) as workers:
        interrupted = acknowledged(signals, writer.notice)
        limit = ahead_of(options.time_limit)
        stop = Stop(lambda: interrupted() or should_stop(), urgent=signals.urgent, time_limit=limit)
        yield Context.of(instance, options, stop, workers, writer)
