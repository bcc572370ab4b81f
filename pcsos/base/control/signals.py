"""Ctrl-C, SIGTERM and SIGHUP as a polite request to stop, then as an urgent one."""

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self

from pcsos.base.events import Notify

#: What asks a run of the program to end; a terminal that closes sends the last one. A script hears the first alone.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
#: Seconds after a second signal from which on another one interrupts whatever is still going on.
PATIENCE = 3.0
#: What a run says when the first signal arrives.
STOPPING = "stopping; a second Ctrl-C ends at once with the result so far"


class Signals:
    """While entered, signals are counted instead of ending the process, where they can be caught (the main thread).

    That is Ctrl-C alone, unless more are named: SIGTERM ends a script as it ends any other in Python.

    The first asks the run to end, the second urgently. Another one, some seconds after the second, is a
    :class:`KeyboardInterrupt`, so that nothing can keep the user waiting for ever. Where such an interrupt leaves no
    result, SIGTERM and SIGHUP do in the end what they would have done.
    """

    def __init__(self, caught: tuple[int, ...] = SIGNALS[:1]) -> None:
        self._caught = caught
        self._received: list[tuple[float, int]] = []
        self._previous: dict[int, object] = {}

    def asked(self) -> bool:
        """Tell whether there was a signal."""
        return len(self._received) > 0

    def urgent(self) -> bool:
        """Tell whether there was a second signal."""
        return len(self._received) > 1

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            outer = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
            if isinstance(outer, Signals):  # count on from where it is
                self._received = outer._received
            self._previous = {
                number: signal.signal(number, self._receive) for number in self._caught if not _is_shielded(number)
            }
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        last = self._received[-1][1] if self._received else signal.SIGINT
        if kind is KeyboardInterrupt and last != signal.SIGINT and last in self._previous:
            signal.raise_signal(last)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self.urgent() and now - self._received[1][0] >= PATIENCE:
            raise KeyboardInterrupt
        self._received.append((now, number))


def acknowledged(signals: Signals, notify: Notify) -> Callable[[], bool]:
    """Return what tells whether there was a signal, and says so the first time there was."""
    is_notified = False

    def asked() -> bool:
        nonlocal is_notified
        if signals.asked() and not is_notified:
            is_notified = True
            notify(STOPPING)
        return is_notified

    return asked


def _is_shielded(number: int) -> bool:
    """Tell whether a signal is not ours to catch: nohup ignores SIGHUP, and what C code catches cannot be restored."""
    handler = signal.getsignal(number)
    return handler is None or (handler is signal.SIG_IGN and number not in (signal.SIGINT, signal.SIGTERM))
