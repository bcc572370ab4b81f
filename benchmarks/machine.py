"""Machine: where and how a benchmark ran, for the head of its CSV file."""

import datetime
import os
import platform
import sys
from pathlib import Path

import numpy as np
import scipy

from pcsos._version import __version__


def description() -> list[str]:
    """Return one line each on the command, the machine, the versions and the date."""
    command = " ".join(["python -m benchmarks", *sys.argv[1:]])
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return [
        f"command: {command}",
        f"machine: {cpu_model()}, {cores} cores, {memory_gb():.0f} GB, {platform.system()}",
        f"versions: pcsos {__version__}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, scipy {scipy.__version__}",
        f"date: {datetime.datetime.now().isoformat(timespec='seconds')}",
    ]


def cpu_model() -> str:
    """Return the name of the processor, as far as the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def memory_gb() -> float:
    """Return the size of the main memory in GB, 0 where the system does not tell it."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9)
    except (ValueError, OSError, AttributeError):
        return 0.0
