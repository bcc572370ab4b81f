"""Machine: where and how a benchmark ran, and how much memory it took."""

import datetime
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib import metadata
from itertools import pairwise
from pathlib import Path

from benchmarks.repository import commit_of_tree
from pcsos._version import __version__

#: What pcsos computes with, and the programs of others whose time is quoted.
PACKAGES = (
    *("numpy", "scipy", "numba", "networkx", "python-flint", "scikit-learn", "cvxpy", "scs", "clarabel"),
    *("PySCIPOpt", "k-means-constrained", "ortools", "active-semi-supervised-clustering", "distributed"),
)


def description() -> list[str]:
    """Return one line each on the command, the commit, the machine, the versions and the date."""
    command = " ".join(["python -m benchmarks", *without_paths(sys.argv[1:])])
    return [
        f"command: {command}",
        f"commit: {commit_of_tree()}",
        f"machine: {machine()}",
        f"versions: {', '.join(versions())}",
        f"date: {datetime.datetime.now().isoformat(timespec='seconds')}",
    ]


def machine() -> str:
    """Return the processor, the cores, the memory and the system."""
    return f"{cpu_model()}, {num_cores()} cores, {memory_gb():.0f} GB, {platform.system()}"


def versions() -> list[str]:
    """Return the versions of pcsos, Python, the C++ compiler, and those of :data:`PACKAGES` that are installed."""
    found = [f"pcsos {__version__}", f"Python {platform.python_version()}", *compiler()]
    for package in PACKAGES:
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    return found


def compiler() -> list[str]:
    """Return what the compiler of the second checker calls itself; nothing where there is none."""
    program = shutil.which("g++") or shutil.which("clang++")
    if program is None:
        return []
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return said.splitlines()[:1]


def without_paths(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a command without the folders of this machine.

    Examples
    --------
    >>> without_paths(["--data", "../data", "--out", "/rows.csv", "--gap", "1e-3"])
    ['--data', 'DATA', '--out', 'rows.csv', '--gap', '1e-3']
    """
    shown = list(arguments)
    for position, (option, value) in enumerate(pairwise(arguments), start=1):
        if option == "--data":
            shown[position] = "DATA"
        elif option == "--out" and Path(value).is_absolute():
            shown[position] = Path(value).name
    return shown


def num_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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


def own_peak_mb() -> float:
    """Return the peak of this program's memory; ``getrusage`` begins with that of whoever started it."""
    kilobytes = memory_kb("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(kilobytes / 1024, 1)


def memory_kb(field: str, process: int | str = "self") -> int:
    """Return the memory that a process holds (VmRSS) or has held at most (VmHWM), 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(rf"{field}:\s*(\d+) kB", status)
    return int(found[1]) if found else 0


def process_fields(process: str) -> list[str]:
    """Return what ``/proc/PROCESS/stat`` says, from the state on; nothing if there is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def peak_mb() -> float:
    """Return the peak of this program's memory, or of the one of its children that took most, if that is more."""
    return max(own_peak_mb(), round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 1))
