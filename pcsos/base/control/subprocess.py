"""Subprocesses: a long job runs in a process of its own, which can be killed; nothing else ends a call into LAPACK.

(A thread would not do: some of SciPy's decompositions hold the interpreter's lock, so that no signal is heard, and a
thread that is left behind in LAPACK crashes the process at its exit.)
"""

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any, NoReturn, Protocol, TypeVar

from pcsos.base.control.signals import SIGNALS, Signals
from pcsos.base.control.stop import GRACE, NEVER, Interrupted, ProgramLostError, Stop
from pcsos.base.control.threads import blas_threads, cores

T = TypeVar("T")

#: Seconds between two questions whether to stop.
POLL = 0.05
#: Super-points from which on a single step can take so long that it must not run in the calling process.
LARGE = 500

STOP = "stop"
#: What is said of a process that is gone.
KILLED = (
    "a process that worked on a long step was killed, probably because there is too little memory; free some, or use "
    "fewer points or workers"
)
#: What prctl(2) calls the signal that a process gets when its parent is gone.
PR_SET_PDEATHSIG = 1


class Channel(Protocol):
    """How a job and whoever waits for it exchange messages: the first argument of every job, wherever it runs."""

    #: Whether the run has to end, as far as word of it has come to the job.
    stop: Stop

    def send(self, message: Any) -> Any:
        """Send a message, and return the answer."""


def ignore(*_: Any) -> None:
    """Do nothing."""


class Here:
    """The channel of a job in the calling process: messages are calls; by default nobody listens."""

    def __init__(self, stop: Stop = NEVER, on_message: Callable[[Any], Any] = ignore) -> None:
        self.stop, self.send = stop, on_message


def run_job(
    job: Callable[..., T],
    *arguments: Any,
    stop: Stop,
    is_long: bool = True,
    grace: float = GRACE,
    on_message: Callable[[Any], Any] = ignore,
    meanwhile: Callable[[], None] = ignore,
) -> T:
    """Return what a job returns, which is called with a :class:`Channel` before its arguments.

    Parameters
    ----------
    stop : Stop
        Whether the run has to end; where there can be no request to, the job runs here.
    is_long : bool
        Whether it may take long, and runs in a process of its own: the job is asked to end once the run has to, and
        the process is killed ``grace`` seconds later, or at once where that is urgent.
    on_message : callable
        Called with each message that the job sends; returns the answer.
    meanwhile : callable
        Called many times a second while such a process has nothing to say.

    Raises
    ------
    Interrupted
        If the run has to end before.
    ProgramLostError
        If the process could not be started or was killed by somebody else.
    """
    if not is_long or stop.is_idle or not _may_start():
        return job(Here(stop, on_message), *arguments)
    with _process(job, arguments) as connection:
        while True:
            kind, content = _next_message(connection, stop, grace, meanwhile)
            if kind != "message":
                break
            answer = on_message(content)
            with _alive():
                connection.send((answer,))
    if kind == "error":
        raise content
    result: T = content
    return result


def try_job(
    job: Callable[..., T], *arguments: Any, stop: Stop, on_lost: Callable[[str], object] = ignore, **how: Any
) -> T | None:
    """Do the same; return None where the run has to end before, or its process is lost: ``on_lost`` is told why."""
    try:
        result: T = run_job(job, *arguments, stop=stop, **how)
        return result
    except (Interrupted, ProgramLostError) as error:
        if isinstance(error, ProgramLostError):
            on_lost(str(error))
        return None


def refuse_loss(why: str) -> NoReturn:
    """Raise the error for a process that is gone, where there is no way to do without."""
    raise ProgramLostError(why)


def run_killable(function: Callable[..., T], *arguments: Any, stop: Stop) -> T:
    """Return what a function returns that takes no channel, such as a solver, killed once the run has to end."""
    result: T = run_job(_call, function, *arguments, stop=stop, grace=0.0)
    return result


def _call(channel: Channel, function: Callable[..., T], *arguments: Any) -> T:
    return function(*arguments)


def interruptibly(*functions: Callable[[], object]) -> Iterator[int]:
    """Call functions for what they leave on disk, in processes that the first Ctrl-C ends at once.

    There is one for each core, which takes up the next function when it has done one; the number of each is yielded
    then. Where there can be no such processes, or one is lost, some may be left out.

    Raises
    ------
    KeyboardInterrupt
        If there was a signal.
    """
    with Signals() as signals, ExitStack() as stack:
        stop, numbers = Stop(signals.asked), iter(range(len(functions)))
        if stop.is_idle or not _may_start():
            return
        with suppress(EOFError, OSError, ProgramLostError):
            running = {stack.enter_context(_process(_in_turn, (functions, each))) for each in islice(numbers, cores())}
            while running and not stop.asked():
                for connection in running.intersection(wait(running, POLL)):
                    kind, done = connection.recv()
                    if kind == "message":
                        connection.send((next(numbers, None),))
                        yield done
                    else:  # there is nothing left for it, or it has failed
                        running.remove(connection)
        if stop.asked():
            raise KeyboardInterrupt


def _in_turn(channel: Channel, functions: tuple[Callable[[], object], ...], number: int | None) -> None:
    """Call the functions that are handed out to this process, and leave its garbage to the end of it."""
    gc.disable()
    while number is not None:
        functions[number]()
        number = channel.send(number)


def _may_start() -> bool:
    """Tell whether this process can start others: only where processes are forked may daemons have children."""
    return _is_forked() or not multiprocessing.current_process().daemon


def _is_forked() -> bool:
    return sys.platform == "linux"


class _Remote:
    """The channel of a function in a process of its own."""

    def __init__(self, connection: Connection) -> None:
        self.stop = Stop(self._is_stopped)
        self._connection = connection
        self._stopped = False

    def send(self, message: Any) -> Any:
        self._connection.send(("message", message))
        while (answer := self._connection.recv()) == STOP:
            self._stopped = True
        return answer[0]

    def _is_stopped(self) -> bool:
        while self._connection.poll():
            self._connection.recv()
            self._stopped = True
        return self._stopped


def _next_message(connection: Connection, stop: Stop, grace: float, meanwhile: Callable[[], None]) -> tuple[str, Any]:
    """Return the next message of the process; once the run has to end, ask it to, and wait no longer than the grace."""
    is_asked = False
    while True:
        with _alive():
            if connection.poll(POLL):
                message: tuple[str, Any] = connection.recv()
                return message
        if stop.overdue(grace):
            raise Interrupted
        if stop.asked() and not is_asked:
            with _alive():
                connection.send(STOP)
            is_asked = True
        meanwhile()  # whose own lost connections are not those of the process


@contextmanager
def _alive() -> Iterator[None]:
    """Turn a connection that is cut off into the error for a process that is gone."""
    try:
        yield
    except (EOFError, OSError):  # the latter in the middle of a message
        raise ProgramLostError(KILLED) from None


@contextmanager
def _process(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[Connection]:
    """Yield the connection to a process that calls the function; the process is gone afterwards."""
    ours, theirs = multiprocessing.Pipe()
    try:
        end = (_fork if _is_forked() else _spawn)(ours, theirs, function, arguments)
    except OSError as error:
        ours.close()
        raise ProgramLostError(f"a process cannot be started: {error.strerror}") from error
    finally:
        theirs.close()
    try:
        yield ours
    finally:
        end()
        ours.close()


def _fork(
    ours: Connection, theirs: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> Callable[[], None]:
    """Start a forked process, at once and without an importable main module; return how to end it."""
    parent = os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the new process needs nothing that a thread may hold
        child = os.fork()
    if child == 0:
        try:
            ours.close()
            _serve(theirs, parent, function, arguments)
        finally:  # without what the parent would do at its own end
            os._exit(0)

    def end() -> None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    return end


def _spawn(
    ours: Connection, theirs: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> Callable[[], None]:
    """Start a new interpreter for the function; return how to end it."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_serve_spawned, args=(theirs, os.getpid(), function, arguments), daemon=True)
    process.start()

    def end() -> None:
        process.kill()
        process.join()
        process.close()

    return end


def _serve_spawned(*arguments: Any) -> None:
    """Serve in a new interpreter, which does not inherit how many threads BLAS may use."""
    with blas_threads():
        _serve(*arguments)


def _serve(connection: Connection, parent: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Call the function, and send what it returns or raises."""
    follow_parent(parent)
    channel = _Remote(connection)
    try:
        outcome = ("result", function(channel, *arguments))
    except BaseException as error:  # raised again by whoever waits
        outcome = ("error", error)
    connection.send(outcome)


def follow_parent(parent: int) -> None:
    """Let the parent alone decide when this process ends: signals are ignored, but it goes when the parent is gone."""
    for number in SIGNALS:  # they reach the whole process group
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":  # even while some call holds the interpreter's lock
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_leave_with_parent, args=(parent,), daemon=True).start()


def _leave_with_parent(parent: int) -> None:
    """End this process once its parent is gone, however that ended."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
