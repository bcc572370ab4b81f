"""Whether a run has to end, since when, and who asks."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pcsos.exceptions import PcsosError

#: Seconds that a step may go on after the run was asked to end, so that it can hand over what it has.
GRACE = 2.0


class Interrupted(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The run has to end before something is known."""


class ProgramLostError(PcsosError):
    """The process that did something aside is gone; nothing is known about its result."""


def never() -> bool:
    """Return False: nobody asks."""
    return False


class Stop:
    """Whether the run has to end; once it has to, that stays so.

    Parameters
    ----------
    reason : callable
        True when the run has to end: a signal came, the time is over, or somebody else says so.
    urgent : callable
        True when there is no time for anything else: a second signal came.
    """

    def __init__(self, reason: Callable[[], bool], urgent: Callable[[], bool] = never) -> None:
        self._reason = reason
        self.urgent = urgent
        self._since: float | None = None

    def asked(self) -> bool:
        """Tell whether the run has to end."""
        if self._since is None and self._reason():
            self._since = time.monotonic()
        return self._since is not None

    def overdue(self, grace: float) -> bool:
        """Tell whether what is still at work must be left now: urgently, or because the run should have ended."""
        if not self.asked() or self._since is None:
            return False
        return self.urgent() or time.monotonic() - self._since >= grace


_current: ContextVar[Stop | None] = ContextVar("stop", default=None)


@contextmanager
def interruptible(stop: Stop | Callable[[], bool]) -> Iterator[None]:
    """While entered, what runs aside ends with :class:`Interrupted` soon after the run has to end."""
    if not isinstance(stop, Stop):
        outer = _current.get()
        stop = Stop(stop, never if outer is None else outer.urgent)
    token = _current.set(stop)
    try:
        yield
    finally:
        _current.reset(token)


def current_stop() -> Stop | None:
    """Return what :func:`interruptible` was told last, or None where nobody asks."""
    return _current.get()


def stop_requested() -> bool:
    """Tell whether what asks for it must end now."""
    stop = _current.get()
    return stop is not None and stop.asked()
