"""Workers: a pool of processes with one BLAS thread each, or the calling process itself."""

import contextlib
import multiprocessing
import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from types import TracebackType
from typing import Any, Self, TypeVar

from threadpoolctl import threadpool_limits

from pcsos.control.aside import follow_parent
from pcsos.control.stop import GRACE
from pcsos.exceptions import InputError

T = TypeVar("T")

_stop_event: Event | None = None


def stop_requested() -> bool:
    """Tell a worker process whether the run has to end."""
    return _stop_event is not None and _stop_event.is_set()


def _initialise(stop_event: Event, parent: int) -> None:
    global _stop_event  # noqa: PLW0603 - a worker process belongs to one run
    _stop_event = stop_event
    follow_parent(parent)
    threadpool_limits(1)


@dataclass
class SerialExecutor(Executor):
    """Runs each call at once, in the calling process."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Return a finished future."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # handed to whoever asks for the result, as executors do
            future.set_exception(error)
        return future


class Workers:
    """The executor of a run, started when it is first used.

    Parameters
    ----------
    number : int
        Worker processes; with 1 everything happens in the calling process.
    executor : concurrent.futures.Executor, optional
        Any other executor; it is neither started nor shut down here.

    Attributes
    ----------
    killed : bool
        Whether calls were left, see :meth:`kill`.

    Raises
    ------
    InputError
        If worker processes are asked for where none may be started.
    """

    def __init__(self, number: int, executor: Executor | None = None) -> None:
        if number > 1 and executor is None and multiprocessing.current_process().daemon:
            raise InputError(
                f"workers is {number}, but this process may not start others (it is a daemon, as those of "
                "multiprocessing.Pool are); leave workers out or give 1"
            )
        self.number = number
        self._given = executor
        self._own: ProcessPoolExecutor | None = None
        self._stop_event: Event | None = None
        self._futures: list[Future[Any]] = []
        self.killed = False

    @property
    def parallel(self) -> bool:
        """Whether calls run beside the calling process."""
        return self.number > 1 or self._given is not None

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Hand a call to the executor."""
        future = self._executor().submit(fn, *args, **kwargs)
        self._futures = [other for other in self._futures if not other.done()] + [future]
        return future

    def stop(self) -> None:
        """Ask the worker processes to end what they are doing."""
        if self._stop_event is not None:
            self._stop_event.set()

    def kill(self) -> None:
        """End the worker processes at once; what they were doing is lost.

        An executor of the caller's own is left alone, and what it still does is not waited for.
        """
        self.killed = True
        if self._own is None:
            for future in self._futures:
                future.cancel()
            return
        with contextlib.suppress(AttributeError, OSError):  # half a result is to be the end of the line for its reader
            self._own._result_queue._writer.close()  # type: ignore[attr-defined]
        for process in list((self._own._processes or {}).values()):
            process.kill()

    def _executor(self) -> Executor:
        if self._given is not None:
            return self._given
        if self.number == 1:
            return SerialExecutor()
        if self._own is None:
            # Forked workers start at once and need no importable main module; only POSIX has them.
            context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
            self._stop_event = context.Event()
            self._own = ProcessPoolExecutor(self.number, context, _initialise, (self._stop_event, os.getpid()))
        return self._own

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._own is not None:
            self.stop()
            if wait(self._futures, timeout=GRACE).not_done:
                self.kill()
            self._own.shutdown(wait=True, cancel_futures=True)
