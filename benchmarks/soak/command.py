"""``python -m benchmarks soak --out FILE.csv [--hours H] [--first-seed S] [--workers N]``: the soak, and its report."""

import argparse
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.case import Row
from benchmarks.machine import num_cores
from benchmarks.runner import append_row, read_rows, start_file
from benchmarks.soak.growth import measured
from benchmarks.soak.scenario import judge_seed
from benchmarks.soak.summary import COLUMNS, report, row_of

SEEDS_A_ROW = 10
#: One row in so many measures the growth of memory, too.
GROWTH_EVERY = 20


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to those of ``python -m benchmarks``."""
    result = commands.add_parser(
        "soak", help="random instances through every command, under trouble", description=__doc__
    )
    result.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="rows are appended here")
    result.add_argument("--hours", type=float, default=1.0, metavar="H", help="how long, 1 by default")
    result.add_argument("--first-seed", type=int, metavar="S", help="by default the one after the last in FILE.csv")
    result.add_argument("--workers", type=int, metavar="N", help="scenarios at a time, one per core by default")
    result.add_argument("--report", action="store_true", help="only report what is in FILE.csv")
    result.set_defaults(main=main)


def main(options: argparse.Namespace) -> None:
    """Soak for some hours, or only report what has been done."""
    if not options.report:
        soak(options.out, options.hours, options.first_seed, options.workers or num_cores())
    rows = read_rows(options.out)
    if not rows:
        raise SystemExit(f"{options.out} has no rows; run the soak first, without --report")
    print(report(rows))


def soak(out: Path, hours: float, first_seed: int | None, workers: int) -> None:
    """Play scenarios until the time is over, a batch at a time, and append a row for each."""
    subprocess.run([sys.executable, "-m", "pcsos", "warmup"], capture_output=True, check=True)  # no limit counts that
    deadline = time.monotonic() + 3600 * hours
    start_file(out, list(COLUMNS))
    rows = read_rows(out)
    commit = commit_of_tree()
    seed = first_seed if first_seed is not None else next_seed(rows)
    number = len(rows)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        while time.monotonic() < deadline:
            begun = time.perf_counter()
            seeds = range(seed, seed + SEEDS_A_ROW)
            waiting = pool.map(partial(judge_seed, failures=out.with_suffix(".failures")), seeds)
            growth = measured(seed) if number % GROWTH_EVERY == 0 else {}
            row = row_of(list(waiting), time.perf_counter() - begun, growth, commit)
            append_row(out, list(COLUMNS), row)
            print(f"{row['name']}: {row['num_processes']} processes, {row['num_wrong']} wrong", flush=True)
            seed, number = seed + SEEDS_A_ROW, number + 1


def commit_of_tree() -> str:
    """Return the commit, marked where the files differ from it; nothing outside of a repository."""
    command = ["git", "describe", "--always", "--dirty=+", "--abbrev=9", "--exclude=*"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return f"commit {done.stdout.strip()}" if done.returncode == 0 else ""


def next_seed(rows: Sequence[Row]) -> int:
    """Return the seed after the last that has a row."""
    return max((int(row["first_seed"]) + int(row["num_seeds"]) for row in rows), default=0)
