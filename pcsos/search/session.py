"""Session: what is set up before a run begins, and taken down when it has ended."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor

from pcsos.base.control.pool import Pool, number_of_workers
from pcsos.base.control.signals import Signals, acknowledged
from pcsos.base.control.stop import Stop, ahead_of
from pcsos.base.control.threads import one_blas_thread
from pcsos.base.events import OnEvent
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.search.journal import Journal, Writer
from pcsos.search.role import Context


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
    with Signals() as signals, one_blas_thread(), Pool(number, executor) as pool:
        interrupted = acknowledged(signals, writer.notice)
        limit = ahead_of(options.time_limit)
        stop = Stop(lambda: interrupted() or should_stop(), urgent=signals.urgent, time_limit=limit)
        yield Context.of(instance, options, stop, pool, writer)
