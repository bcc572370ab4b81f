"""The pool of a run, which hands out jobs: to processes, the caller's own executor, threads, or this process itself.

A job is a function whose first argument is a channel. Results are taken as they come (:meth:`Pool.each`), or in the
order in which jobs were handed out (:class:`JobQueue`).
"""

import contextlib
import ctypes
import math
import multiprocessing
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from concurrent.futures.process import ProcessPoolExecutor
from copy import copy
from functools import partial
from typing import Any, Generic, Self, TypeVar

from pcsos.base.control.stop import GRACE, Stop
from pcsos.base.control.subprocess import Here, follow_parent
from pcsos.base.control.threads import blas_threads, cores
from pcsos.base.events import Notify
from pcsos.base.exceptions import InputError, PcsosError

J = TypeVar("J")
T = TypeVar("T")

#: Seconds between two looks at what has ended.
POLL = 0.05
#: Jobs of a queue that are handed out beyond those that are at work, for each worker.
AHEAD = 1

#: In a worker process, which belongs to one run: the bound from which on nodes are left, and what all calls share.
_limit: ctypes.c_double | None = None
_shared: object = None


def is_left(lower_bound: float) -> bool:
    """Tell a worker process whether nodes with this bound need not be processed any more."""
    return _limit is not None and lower_bound >= _limit.value


def _initialise(limit: ctypes.c_double, parent: int, shared: object) -> None:
    global _limit, _shared
    _limit, _shared = limit, shared
    follow_parent(parent)
    blas_threads()


def _killed(start: Callable[..., Any], **how: Any) -> Any:
    """Return a process that a broken executor kills, which else waits for it for ever: a gentler end is not heeded."""
    process = start(**how)
    process.terminate = process.kill
    return process


class _NotStartedError(BrokenExecutor):
    """The system lets no worker process be started."""


class _Shared:
    """Stands for what worker processes have from their start, and becomes it where it is unpickled."""

    def __reduce__(self) -> tuple[Callable[[], object], tuple[()]]:
        return _what_is_shared, ()


def _what_is_shared() -> object:
    return _shared


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


def number_of_workers(number: int, notify: Notify, executor: Executor | None = None) -> int:
    """Return how many workers a run has: no more than there are cores, and if more are asked for, say so.

    An executor of the caller's own may have cores elsewhere.
    """
    most = cores()
    if executor is not None or number <= most:
        return number
    notify(f"workers is {number}, more than the {most} core{'s' * (most != 1)} of this process; {most} will do")
    return most


def done_among(futures: Iterable[Future[T]], seconds: float) -> list[Future[T]]:
    """Wait until one of these calls has ended, at most so many seconds; return those that have, in their order.

    ``concurrent.futures.wait`` alone never returns calls that were cancelled before anybody took them up.
    """
    own = list(futures)
    if not any(future.done() for future in own):
        wait(own, timeout=seconds, return_when=FIRST_COMPLETED)
    return [future for future in own if future.done()]


class Pool:
    """The workers of a run, started when it is first used.

    Parameters
    ----------
    number : int
        Worker processes; with 1, and after one of them was lost, everything happens in the calling process.
    executor : concurrent.futures.Executor, optional
        Any other executor; it is neither started nor shut down here.

    Raises
    ------
    InputError
        If worker processes are asked for where none may be started.

    Attributes
    ----------
    has_others : bool
        Whether the executor is, or was, the caller's own.
    """

    def __init__(self, number: int, executor: Executor | None = None) -> None:
        if number > 1 and executor is None and multiprocessing.current_process().daemon:
            raise InputError(
                f"workers is {number}, but this process may not start others (it is a daemon, as those of "
                "multiprocessing.Pool are); leave workers out or give 1"
            )
        if executor is not None and not callable(getattr(executor, "submit", None)):
            raise InputError(f"executor is {executor!r}; give an executor, such as those of concurrent.futures")
        self.number, self.has_others = number, executor is not None
        self._given = executor
        self._own: ProcessPoolExecutor | None = None
        self._limit: ctypes.c_double | None = None
        self._shared: object = None
        self._futures: list[Future[Any]] = []

    @property
    def parallel(self) -> bool:
        """Whether calls run beside the calling process."""
        return self.number > 1 or self._given is not None

    @property
    def num_threads(self) -> int:
        """Threads that the calling process may use while its workers, if they are its own, have nothing to do."""
        return self.number if self._given is None else 1

    def share(self, value: object) -> None:
        """Let worker processes have from their start what many calls take; once they run it goes with each call."""
        if self._own is None:
            self._shared = value

    def submit(self, fn: Callable[..., T], /, *args: Any) -> Future[T]:
        """Hand a call to the executor; if that is broken, or a caller's own fails, what fails is the call."""
        executor = self._executor()
        if executor is self._own:
            args = tuple(_Shared() if arg is self._shared else arg for arg in args)
        try:
            future = executor.submit(fn, *args)
        except Exception as error:
            if executor is self._own and isinstance(error, OSError):
                error = _NotStartedError(error.strerror)
            if executor is not self._given and not isinstance(error, BrokenExecutor):
                raise
            future = Future()
            future.set_exception(error)
        self._futures = [other for other in self._futures if not other.done()] + [future]
        return future

    def begin(
        self, job: Callable[..., T], /, *args: Any, until: float = math.inf, bound: float = -math.inf
    ) -> Future[T]:
        """Hand out a job, which may go on until that time (in seconds since the epoch, for clocks of other machines).

        It is asked to end sooner in a worker process that leaves nodes with this bound.
        """
        return self.submit(_done, job, until, bound, *args)

    def each(
        self,
        jobs: deque[J],
        begin: Callable[[J], Future[T] | None],
        stop: Stop,
        on_loss: Callable[[BaseException], object],
        *,
        ahead: int = 0,
        grace: float = GRACE,
    ) -> Iterator[tuple[J, T]]:
        """Yield jobs with what comes of them, as they end; more may be added to them meanwhile.

        Parameters
        ----------
        jobs : deque
            What there is to do; at the end, what was left: refused, lost, or not waited for any more.
        begin : callable
            Hands out a job, or returns None to refuse it.
        stop : Stop
            Whether the run has to end; what is at work is then waited for, as long as the ``grace``.
        on_loss : callable
            Called with why a worker is lost; nothing more is handed out then.
        ahead : int
            Jobs that are handed out beyond those that are at work, for each worker.
        """
        at_work: dict[Future[T], J] = {}
        left: list[J] = []
        try:
            while jobs or at_work:
                while jobs and len(at_work) < (1 + ahead) * self.number:
                    job = jobs.popleft()
                    future = begin(job)
                    if future is None:
                        left.append(job)
                    else:
                        at_work[future] = job
                if stop.asked():
                    self.stop()
                    if stop.overdue(grace):
                        self.kill()
                        return
                for future in done_among(at_work, POLL):
                    lost = self.loss(future)
                    if lost is not None:
                        on_loss(lost)
                        return
                    yield at_work.pop(future), future.result()
        finally:
            self._leave(at_work)
            jobs.extendleft(reversed([*at_work.values(), *left]))

    def result_of(self, future: Future[T], stop: Stop, notify: Notify) -> T | None:
        """Wait for what a worker does; return None if it is left because the run has to end, or the worker is lost.

        Workers are asked to end early once the run has to, and killed if they do not.
        """
        while not future.done():
            if stop.overdue(GRACE):
                self.kill()
                return None
            wait([future], timeout=0.02)
        lost = self.loss(future)
        if lost is None:
            return future.result()
        if not stop.asked():
            self.do_without(notify, lost)
        return None

    def loss(self, future: Future[Any]) -> BaseException | None:
        """Return why a call that has ended has to be made again in this process, or None if it need not.

        Whatever comes from an executor of the caller's own counts: if it is the call's own failure, it comes again.
        """
        if future.cancelled():
            return CancelledError()
        error = future.exception()
        return error if self.has_others or isinstance(error, BrokenExecutor) else None

    def do_without(self, notify: Notify, lost: BaseException) -> None:
        """Go on in this process alone after a worker was lost; what was not finished is done here."""
        if self.parallel:
            self.kill()
            self.number, self._given = 1, None
            why = "a worker process was killed"
            if self.has_others:
                why = f"the executor failed ({lost!r})"
            elif isinstance(lost, _NotStartedError):
                why = f"worker processes cannot be started ({lost})"
            notify(f"{why}; the run goes on without workers")

    def leave(self, limit: float) -> None:
        """Let the worker processes leave nodes whose bound is at least the limit; their outcomes are dropped."""
        if self._limit is not None and self._limit.value > -math.inf:
            self._limit.value = limit

    def stop(self) -> None:
        """Ask the worker processes to end what they are doing."""
        self.leave(-math.inf)

    def kill(self) -> None:
        """End the worker processes at once; what they were doing is lost.

        An executor of the caller's own is left alone, and what it still does is not waited for.
        """
        if self._own is None:
            self._leave(self._futures)
        else:
            self._end_processes(self._own)

    @staticmethod
    def _leave(futures: Iterable[Future[Any]]) -> None:
        """Cancel calls that have not begun."""
        for future in futures:
            with contextlib.suppress(Exception):  # of an executor that fails
                future.cancel()

    @staticmethod
    def _end_processes(pool: ProcessPoolExecutor) -> None:
        """End worker processes: they ignore gentler signals, and may wait for a lock that one of them died with."""
        with contextlib.suppress(AttributeError, OSError):  # half a result is to be the end of the line for its reader
            pool._result_queue._writer.close()  # type: ignore[attr-defined]
            if sys.version_info < (3, 11, 5):  # later ones do so themselves, for those who write where no one reads
                pool._call_queue._reader.close()  # type: ignore[attr-defined]
        for process in list((pool._processes or {}).values()):
            process.kill()

    def _executor(self) -> Executor:
        if self._given is not None:
            return self._given
        if self.number == 1:
            return SerialExecutor()
        if self._own is None:
            # Forked workers start at once and need no importable main module; only POSIX has them.
            context: Any = copy(multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn"))
            context.Process = partial(_killed, context.Process)
            try:  # shared memory without a lock, which a process that is killed could hold for ever
                self._limit = context.RawValue(ctypes.c_double, math.inf)
                arguments = (self._limit, os.getpid(), self._shared)
                self._own = ProcessPoolExecutor(self.number, context, _initialise, arguments)
            except OSError as error:
                raise PcsosError(f"worker processes cannot be set up: {error.strerror}; use one worker") from error
        return self._own

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._own is not None:
            self._end_processes(self._own)  # whatever they still do is dropped
            self._own.shutdown(wait=True, cancel_futures=True)


def _done(job: Callable[..., T], until: float, bound: float, *args: Any) -> T:
    """Do a job where it was handed to, with one BLAS thread; nobody hears its messages."""
    with blas_threads():
        return job(Here(Stop(lambda: is_left(bound), time_limit=until - time.time())), *args)


class JobQueue(Generic[J, T]):
    """Jobs whose results are taken in the order in which they were begun, whichever is ready first.

    So what is begun when depends on results alone and not on timing; the jobs ahead keep workers busy while the oldest
    is waited for. What is left to the calling process, or was lost with a worker, is done ``here``.
    """

    def __init__(self, pool: Pool, stop: Stop, notify: Notify, here: Callable[[J], T]) -> None:
        self.pool, self._stop, self._notify, self._here = pool, stop, notify, here
        self._line: deque[tuple[J, float, Future[T] | None]] = deque()
        pool.leave(math.inf)

    def __len__(self) -> int:
        return len(self._line)

    @property
    def is_full(self) -> bool:
        """Whether there is enough to do for all workers."""
        number = self.pool.number
        return len(self) >= (1 if number == 1 else (1 + AHEAD) * number)

    def add(self, job: J, bound: float, future: Future[T] | None = None) -> None:
        """Add a job that was begun, and may be left from a limit below its bound on; by default it is left for here."""
        self._line.append((job, bound, future))

    def next(self) -> tuple[J, T | None]:
        """Return the oldest job with its result, when that is there; None if it was left as the run has to end."""
        job, _, future = self._line.popleft()
        if future is None:
            return job, self._here(job)
        result = self.pool.result_of(future, self._stop, self._notify)
        return job, self._here(job) if result is None and not self._stop.asked() else result

    def drop(self, limit: float) -> list[J]:
        """Give up the jobs whose bound is at least the limit, and return them; their results are dropped."""
        self.pool.leave(limit)
        dropped = [entry for entry in self._line if entry[1] >= limit]
        self._line = deque(entry for entry in self._line if entry[1] < limit)
        for _, _, future in dropped:
            if future is not None:
                future.cancel()
        return [job for job, _, _ in dropped]
