"""Ctrl-C and SIGTERM as a polite request to stop."""

import signal
from types import FrameType, TracebackType


class StopRequest:
    """While entered, the first SIGINT or SIGTERM is only remembered; the second interrupts at once.

    An instance is called to ask whether there was a signal.
    """

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self._requested = False

    def __call__(self) -> bool:
        """Tell whether there was a signal."""
        return self._requested

    def __enter__(self) -> "StopRequest":
        self._previous = {number: signal.signal(number, self._receive) for number in self.SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self._requested:
            raise KeyboardInterrupt
        self._requested = True
