"""Run the cases of a suite, each in a fresh process, and append each row to a CSV file as soon as it is there."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.case import Case, Row
from benchmarks.clock import Beside, is_marked
from benchmarks.process import run_process
from benchmarks.rows import append_row, read_rows, start_file
from benchmarks.suites import suite_named

#: Columns that every suite has: the outcome of the process, its wall-clock time, its peak memory, and how many cores
#: were busy with other work meanwhile.
COMMON = ("outcome", "wall_seconds", "peak_mb", "load_beside", "error")
#: Beyond its own time limit a case gets this share and these seconds more before it is killed.
GRACE = (1.2, 120.0)
THREADS = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def run_cases(suite: str, cases: Sequence[Case], out: Path, *, retry: bool) -> list[Row]:
    """Run those of the cases that have no row yet; return all rows of the file.

    With ``retry`` those whose row says that they failed, were killed or ran beside other work run again.
    """
    columns = ["name", *suite_named(suite).COLUMNS, *COMMON]
    done = {row["name"] for row in read_rows(out) if not retry or is_good(row)}
    waiting = [case for case in cases if case.name not in done]
    if waiting:
        start_file(out, columns)
    print(f"{len(cases)} cases, {len(cases) - len(waiting)} already in {out}", flush=True)
    for position, case in enumerate(waiting, start=1):
        row = {"name": case.name} | case.columns | run_case(suite, case)
        append_row(out, columns, row)
        shown = " ".join(f"{key}={row[key]}" for key in ("status", "gap", "seconds", "outcome") if key in row)
        marked = f" beside {row['load_beside']} busy cores" if is_marked(row["load_beside"]) else ""
        print(f"[{position}/{len(waiting)}] {case.name}: {shown}{marked}", flush=True)
    return read_rows(out)


def is_good(row: Row) -> bool:
    """Return whether a case ended by itself, on a machine that had nothing else to do."""
    return row["outcome"] == "done" and not is_marked(row.get("load_beside"))


def warm_up() -> None:
    """Compile the kernels into their cache on the disk, so that no case pays for it."""
    subprocess.run([sys.executable, "-m", "pcsos", "warmup"], capture_output=True, check=True, env=os.environ | THREADS)


def run_case(suite: str, case: Case) -> Row:
    """Run one case in a process of its own; whatever happens there becomes a row."""
    limits = {"gap": case.gap, "time_limit": case.time_limit, "workers": case.workers}
    beside = Beside()
    start = time.perf_counter()
    row = run_child(suite, case.arguments | limits, case.time_limit * GRACE[0] + GRACE[1])
    return {"wall_seconds": round(time.perf_counter() - start, 3), "load_beside": beside.cores()} | row


def run_child(suite: str, arguments: Row, seconds: float) -> Row:
    """Run the process of a case, which is killed with its children after so many seconds; return how it ended."""
    return run_process([sys.executable, "-m", "benchmarks.child", suite], arguments, seconds, os.environ | THREADS)
