"""Time in tests: they wait for events or bring a clock of their own, so that no verdict hangs on the load."""

import time
from collections.abc import Callable

import pytest


def wait_until(is_so: Callable[[], object]) -> None:
    """Return once it is so; a test that waits in vain is ended by pytest."""
    while not is_so():
        time.sleep(0.01)


class Ticking:
    """A clock for runs of this process that goes on by a tick whenever a run looks at it, and not by itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tick: float = 0.0) -> None:
        self.now, self._tick = 0.0, tick
        monkeypatch.setattr("pcsos.base.control.stop.time", self)

    def perf_counter(self) -> float:
        self.now += self._tick
        return self.now
