"""Stopping: whether a run has to end, since when, why, and how much time it has left."""

import math
import time
from collections.abc import Callable
from typing import Self

from pcsos.base.exceptions import InputError, PcsosError

#: Seconds that a step may go on after the run was asked to end, so that it can hand over what it has.
GRACE = 2.0
#: How much before its time limit a run is asked to end, for the same reason: this share of the limit, and most seconds.
AHEAD, MOST_AHEAD = 0.05, 1.0

#: Why a run has to end.
REQUESTED = "stopped on request"
OUT_OF_TIME = "time limit reached"


class Interrupted(BaseException):
    """The run has to end before something is known; no error, so that nobody takes it for one."""


class ProgramLostError(PcsosError):
    """The process of a job is gone; nothing is known about its result."""


def no_request() -> bool:
    """Return False: there is no request to end."""
    return False


def asker(should_stop: Callable[[], bool] | None) -> Callable[[], bool]:
    """Return what tells whether the user wants the run to end; without a function there is no request.

    Raises
    ------
    InputError
        If it cannot be asked.
    """
    if should_stop is None:
        return no_request
    if not callable(should_stop):
        raise InputError(
            f"should_stop is of type {type(should_stop).__name__}; give a function that tells whether to stop, such as "
            "the is_set of a threading.Event"
        )
    return should_stop


def ahead_of(time_limit: float | None) -> float | None:
    """Return when a run is asked to end that works in steps which may last, so that it ends at its limit, about."""
    return None if time_limit is None else time_limit - min(AHEAD * time_limit, MOST_AHEAD)


class Stop:
    """The clock of a run, and whether it has to end; once it has to, that stays so.

    Handed down as a random generator is, to whatever takes time.

    Parameters
    ----------
    requested : callable
        True when somebody wants the run to end: a signal came, or whoever started it says so.
    urgent : callable
        True when there is no time for anything else: a second signal came.
    time_limit : float, optional
        Seconds from now after which the run has to end.

    Attributes
    ----------
    reason : str
        Why the run has to end; empty as long as it has not.
    """

    def __init__(
        self,
        requested: Callable[[], bool] = no_request,
        *,
        urgent: Callable[[], bool] = no_request,
        time_limit: float | None = None,
    ) -> None:
        self.urgent = urgent
        self.reason = ""
        self._requested = requested
        self._time_limit = math.inf if time_limit is None else time_limit
        self._begun = time.perf_counter()
        self._since = math.inf

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self._begun

    @property
    def seconds_left(self) -> float:
        """Seconds until the time limit, infinity without one."""
        return max(self._time_limit - self.seconds, 0.0)

    @property
    def is_idle(self) -> bool:
        """Whether there can be no request to end, nor a time limit."""
        return self._requested is no_request and math.isinf(self._time_limit)

    def asked(self) -> bool:
        """Tell whether the run has to end; :attr:`reason` then says why."""
        if not self.reason:
            if self._requested():
                self.reason = REQUESTED
            elif self.seconds >= self._time_limit:
                self.reason = OUT_OF_TIME
            if self.reason:
                self._since = self.seconds
        return bool(self.reason)

    def end(self) -> None:
        """Let the run end now, as if its time were over: what is left of it is too little for another step."""
        if not self.asked():
            self.reason, self._since = OUT_OF_TIME, self.seconds

    def overdue(self, grace: float) -> bool:
        """Tell whether what is still at work must be left now: urgently, or because the run should have ended."""
        return self.asked() and (self.urgent() or self.seconds - self._since >= grace)

    def within(self, seconds: float | None) -> Self:
        """Return one that ends with this one, or after so many seconds (if any) where they are over before."""
        return type(self)(self.asked, urgent=self.urgent, time_limit=seconds)


#: For whoever is not to be stopped.
NEVER = Stop()
