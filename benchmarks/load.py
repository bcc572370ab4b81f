"""What else kept the machine busy while a case ran: a figure that was measured beside other work says little."""

import os
import time
from pathlib import Path

from benchmarks.clock import cpu_clock

#: A case is marked where more cores than this were busy beside it, on average.
MOST_BESIDE = 0.3
#: Fields of the first line of ``/proc/stat`` in which a core works, here or for another guest of the same host.
BUSY = ("user", "nice", "system", "irq", "softirq", "steal")
FIELDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
STAT = Path("/proc/stat")


class Beside:
    """How many cores are busy with the work of others, from the moment at which this is made.

    The work of this process and of its children is not that of others; time that the host of a
    virtual machine gave to other guests is.
    """

    def __init__(self) -> None:
        self._since = time.perf_counter()
        self._busy = _busy_seconds()
        self._own = cpu_clock()

    def cores(self) -> float | None:
        """Return the mean number of cores; None where the system does not tell."""
        busy = _busy_seconds()
        elapsed = time.perf_counter() - self._since
        if busy is None or self._busy is None or not elapsed:
            return None
        return round(max(0.0, busy - self._busy - (cpu_clock() - self._own)) / elapsed, 3)


def is_marked(cores: float | None) -> bool:
    """Return whether a figure was measured beside other work."""
    return cores is not None and cores > MOST_BESIDE


def _busy_seconds() -> float | None:
    try:
        ticks = STAT.read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return None
    values = dict(zip(FIELDS, map(int, ticks), strict=False))
    return sum(values[field] for field in BUSY) / os.sysconf("SC_CLK_TCK")
