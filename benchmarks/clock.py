"""The CPU seconds of this process and its children."""

import os
import resource
from pathlib import Path

from benchmarks.machine import process_fields


def cpu_clock() -> float:
    """Return the CPU seconds of this process and its children: integer programs and large instances are theirs."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used) + sum(map(_live_cpu, _children()))


def _children() -> list[str]:
    """Return the numbers of the children that are still there, as far as the system tells them."""
    lists = Path("/proc/self/task").glob("*/children")
    return [child for children in lists for child in children.read_text().split()]


def _live_cpu(process: str) -> float:
    """Return the CPU seconds of a process and of the children that it has waited for; 0 if it has gone."""
    return sum(map(int, process_fields(process)[11:15])) / os.sysconf("SC_CLK_TCK")
