"""Ending a run while an integer program is being solved, which can take hours."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from multiprocessing.connection import Connection
from typing import Any, NoReturn, TypeVar

from pcsos.exceptions import PcsosError

T = TypeVar("T")

#: Seconds between two questions whether to stop.
POLL = 0.05

_should_stop: ContextVar[Callable[[], bool] | None] = ContextVar("should_stop", default=None)


class Interrupted(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The run has to end before an integer program is solved."""


class ProgramLostError(PcsosError):
    """The process that solved an integer program is gone; nothing is known about its result."""


@contextmanager
def interruptible(should_stop: Callable[[], bool]) -> Iterator[None]:
    """While entered, integer programs end with :class:`Interrupted` soon after ``should_stop`` becomes true."""
    token = _should_stop.set(should_stop)
    try:
        yield
    finally:
        _should_stop.reset(token)


def stop_requested() -> bool:
    """Tell whether an integer program must end now."""
    should_stop = _should_stop.get()
    return should_stop is not None and should_stop()


def run_aside(function: Callable[..., T], *arguments: Any) -> T:
    """Return what a function returns that may take long, or raise :class:`Interrupted` once the run has to end.

    For functions that do not ask themselves: they run in a process of their own, which can be killed. Where nobody
    asks for that, or processes cannot be forked, the caller waits.

    Raises
    ------
    Interrupted
        If the run has to end before.
    ProgramLostError
        If the process could not be started or was killed by somebody else.
    """
    if _should_stop.get() is None or sys.platform != "linux":
        return function(*arguments)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    parent = os.getpid()
    try:
        child = os.fork()
    except OSError as error:
        receiver.close()
        sender.close()
        raise ProgramLostError(f"an integer program cannot be started: {error.strerror}") from error
    if child == 0:
        _answer(sender, parent, function, arguments)
    sender.close()
    try:
        while not receiver.poll(POLL):
            if stop_requested():
                raise Interrupted
        outcome = receiver.recv()
    except (EOFError, OSError):
        raise ProgramLostError("an integer program was killed; is there too little memory?") from None
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        receiver.close()
    if isinstance(outcome, BaseException):
        raise outcome
    result: T = outcome
    return result


def follow_parent(parent: int) -> None:
    """Let the parent alone decide when this process ends: signals are ignored, but it goes when the parent is gone."""
    for number in (signal.SIGINT, signal.SIGTERM):  # they reach the whole process group
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, args=(parent,), daemon=True).start()


def _leave_with_parent(parent: int) -> None:
    """End this process once its parent is gone, however that ended."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def _answer(sender: Connection, parent: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> NoReturn:
    """Run the function in the forked process, send what it returns or raises, and end there."""
    try:
        follow_parent(parent)
        try:
            outcome = function(*arguments)
        except Exception as error:  # raised again by whoever waits
            outcome = error
        sender.send(outcome)
    finally:
        os._exit(0)
