"""The CPU seconds of this process and its children, and what else kept the machine busy meanwhile."""

import os
import resource
import time
from pathlib import Path

from benchmarks.machine import process_fields

#: A case is marked where more cores than this were busy beside it, on average.
MOST_BESIDE = 0.3
#: Fields of the first line of ``/proc/stat``, and those in which a core works, here or for another guest of the host.
FIELDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
BUSY = ("user", "nice", "system", "irq", "softirq", "steal")
STAT = Path("/proc/stat")


def cpu_clock() -> float:
    """Return the CPU seconds of this process and its children: integer programs and large instances are theirs."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used) + sum(map(_live_cpu, _children()))


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


def _children() -> list[str]:
    """Return the numbers of the children that are still there, as far as the system tells them."""
    lists = Path("/proc/self/task").glob("*/children")
    return [child for children in lists for child in children.read_text().split()]


def _live_cpu(process: str) -> float:
    """Return the CPU seconds of a process and of the children that it has waited for; 0 if it has gone."""
    return sum(map(int, process_fields(process)[11:15])) / os.sysconf("SC_CLK_TCK")


def _busy_seconds() -> float | None:
    try:
        ticks = STAT.read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return None
    values = dict(zip(FIELDS, map(int, ticks), strict=False))
    return sum(values[field] for field in BUSY) / os.sysconf("SC_CLK_TCK")
