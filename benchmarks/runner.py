"""Run the cases of a suite, each in a fresh process, and append each row to a CSV file as soon as it is there."""

import csv
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.case import Case, Row, Settings, Suite
from benchmarks.data import with_files
from benchmarks.head import finished_lines, write_head
from benchmarks.load import Beside, is_marked
from benchmarks.machine import description
from benchmarks.process import run_process
from benchmarks.suites import suite_named

#: Columns that every suite has: the outcome of the process, its wall-clock time, its peak memory, and how many cores
#: were busy with other work meanwhile.
COMMON = ("outcome", "wall_seconds", "peak_mb", "load_beside", "error")
#: Beyond its own time limit a case gets this share and these seconds more before it is killed.
GRACE = (1.2, 120.0)
#: Small cases that between them use all kernels, by suite.
WARM_UP = {
    "instances": ("iris30", "overlap-cl", "overlap-both", "many-cl", "two-both", "infeasible-wheel"),
    "balanced": ("iris/38-",),
}
THREADS = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def run_suite(name: str, suite: Suite, settings: Settings, out: Path, pattern: str, *, retry: bool) -> list[Row]:
    """Run the cases whose name contains ``pattern`` and that have no row yet; return all rows of the file.

    Those whose files of data are missing are left out. With ``retry`` those whose row says that they failed, were
    killed or ran beside other work run again.
    """
    named = [case for case in suite.cases(settings) if pattern in case.name]
    cases = with_files(named, settings.data)
    if len(cases) < len(named):
        print(f"{len(named) - len(cases)} cases left out, whose files are not in {settings.data}", flush=True)
    return run_cases(name, suite, cases, settings, out, retry=retry)


def run_cases(
    name: str, suite: Suite, cases: Sequence[Case], settings: Settings, out: Path, *, retry: bool
) -> list[Row]:
    """Run those of the cases that have no row yet, as :func:`run_suite` does; return all rows of the file."""
    columns = ["name", *suite.COLUMNS, *COMMON]
    done = {row["name"] for row in read_rows(out) if not retry or is_good(row)}
    waiting = [case for case in cases if case.name not in done]
    if waiting:
        start_file(out, columns)
    print(f"{len(cases)} cases, {len(cases) - len(waiting)} already in {out}", flush=True)
    for position, case in enumerate(waiting, start=1):
        row = {"name": case.name} | case.columns | run_case(name, case, settings)
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
    for suite, names in WARM_UP.items():
        for case in suite_named(suite).cases(Settings()):
            if case.name in names:
                run_case(suite, case, Settings())


def run_case(suite: str, case: Case, settings: Settings) -> Row:
    """Run one case in a process of its own; whatever happens there becomes a row."""
    arguments = case.arguments | {
        "gap": settings.gap,
        "time_limit": settings.time_limit,
        "workers": settings.workers,
    }
    beside = Beside()
    start = time.perf_counter()
    row = run_child(suite, arguments, settings.time_limit * GRACE[0] + GRACE[1])
    return {"wall_seconds": round(time.perf_counter() - start, 3), "load_beside": beside.cores()} | row


def run_child(suite: str, arguments: Row, seconds: float) -> Row:
    """Run the process of a case, which is killed with its children after so many seconds; return how it ended."""
    return run_process([sys.executable, "-m", "benchmarks.child", suite], arguments, seconds, os.environ | THREADS)


def start_file(out: Path, columns: list[str]) -> None:
    """Write the head of the CSV file, which names command, machine, versions and date of this run and earlier ones.

    Raises
    ------
    SystemExit
        If the file has other columns.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    out.touch()
    table = _table_lines(out)
    if table and next(csv.reader(table)) != columns:
        raise SystemExit(f"{out} has other columns than this run; give another file")
    write_head(out, description())
    if not table:
        with out.open("a", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerow(columns)


def append_row(out: Path, columns: list[str], row: Row) -> None:
    """Append one row and make sure that it is on the disk."""
    with out.open("a", encoding="utf-8", newline="") as stream:
        csv.DictWriter(stream, columns, restval="", extrasaction="raise").writerow(row)
        stream.flush()
        os.fsync(stream.fileno())


def read_rows(out: Path) -> list[Row]:
    """Return the rows of the CSV file with numbers as numbers and empty cells as None; the last of a name counts.

    Raises
    ------
    SystemExit
        If it is not a file of rows.
    """
    return [rows[-1] for rows in read_attempts(out).values()]


def read_attempts(out: Path) -> dict[str, list[Row]]:
    """Return all rows of each name, in the order in which they were taken, and otherwise as :func:`read_rows` does."""
    if not out.exists():
        return {}
    reader = csv.DictReader(_table_lines(out))
    if reader.fieldnames and "name" not in reader.fieldnames:
        raise SystemExit(f"{out} is not a file of rows: it has no column 'name'; give another file")
    attempts: dict[str, list[Row]] = {}
    for row in reader:
        attempts.setdefault(row["name"], []).append({key: _value(cell) for key, cell in row.items()})
    return attempts


def _table_lines(out: Path) -> list[str]:
    return [line for line in finished_lines(out) if not line.startswith("#")]


def _value(cell: str) -> str | float | None:
    if cell == "":
        return None
    try:
        return float(cell)
    except ValueError:
        return cell
