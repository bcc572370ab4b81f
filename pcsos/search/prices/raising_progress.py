"""Raising progress: how far prices are, told every two seconds, however long a round takes."""

from collections.abc import Callable

from pcsos.base.control.stop import Stop
from pcsos.base.events import PricesRaised
from pcsos.search.journal import Writer

#: Seconds between two events.
EVERY = 2.0


class RaisingProgress:
    """What is told while prices rise.

    Parameters
    ----------
    size : int
        Number of super-points.
    lower_bound : callable
        Returns what is proved so far.
    writer : Writer
        Where it is told.
    stop : Stop
        The clock of the run.
    """

    def __init__(self, size: int, lower_bound: Callable[[], float], writer: Writer, stop: Stop) -> None:
        self._size, self._round, self._lower_bound = size, 0, lower_bound
        self._writer, self._stop, self._told = writer, stop, 0.0

    def begin_round(self, size: int) -> None:
        """Take note that a round begins, on so many super-points or nodes that stand for them."""
        self._size, self._round = size, self._round + 1 if size == self._size else 1
        self.tell()

    def tell(self) -> None:
        """Tell how far prices are, if it is time to."""
        seconds = self._stop.seconds
        if seconds - self._told >= EVERY:
            self._told = seconds
            self._writer.notify(PricesRaised(self._size, self._round, self._lower_bound(), seconds))
