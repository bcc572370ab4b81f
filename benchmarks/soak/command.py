"""``python -m benchmarks soak --out FILE.csv [--hours H] [--first-seed S] [--workers N]``: the soak, and its report."""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.case import Row
from benchmarks.machine import num_cores
from benchmarks.repository import NoAnswer, line_of_git
from benchmarks.runner import append_row, read_rows, start_file
from benchmarks.soak.growth import measured
from benchmarks.soak.scenario import Outcome
from benchmarks.soak.summary import COLUMNS, report, row_of
from benchmarks.soak.workers import outcome_of, play_or_leave, workers_of

SEEDS_A_ROW = 10
#: One row in so many measures the growth of memory, too, which takes some ten minutes.
GROWTH_EVERY = 10


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
    """Soak for some hours, or only report what has been done.

    Raises
    ------
    SystemExit
        If there is nothing to report, or a seed that is asked for has been played.
    """
    if not options.report:
        soak(options.out, options.hours, options.first_seed, options.workers or num_cores())
    rows = read_rows(options.out)
    if not rows:
        remedy = "run the soak first, without --report" if options.report else "give it more --hours"
        raise SystemExit(f"{options.out} has no rows; {remedy}")
    print(report(rows))


def soak(out: Path, hours: float, first_seed: int | None, workers: int) -> None:
    """Play scenarios until the time is over, a batch at a time, and append a row for each."""
    subprocess.run([sys.executable, "-m", "pcsos", "warmup"], capture_output=True, check=True)  # no limit counts that
    start_file(out, list(COLUMNS))
    rows = read_rows(out)
    seed, number = next_seed(rows, out, first_seed), len(rows)
    deadline = time.monotonic() + 3600 * hours
    while time.monotonic() < deadline:
        seeds = range(seed, seed + SEEDS_A_ROW)
        row = batch(seeds, workers, out.with_suffix(".failures"), grows=number % GROWTH_EVERY == 0)
        append_row(out, list(COLUMNS), row)
        print(f"{row['name']}: {row['num_processes']} processes, {row['num_wrong']} wrong", flush=True)
        seed, number = seed + SEEDS_A_ROW, number + 1


def batch(seeds: Sequence[int], workers: int, failures: Path, *, grows: bool) -> Row:
    """Play the scenarios of some seeds, and measure the growth of memory meanwhile if asked for; return the row."""
    commit, begun = commit_of_tree(), time.perf_counter()
    growth: Row = {}
    with workers_of(workers) as pool:
        waiting = {seed: pool.submit(play_or_leave, seed, failures) for seed in seeds}
        outcomes = []
        if grows:
            try:
                growth = measured(seeds[0])
            except Exception as error:
                outcomes.append(Outcome.of_failure(seeds[0], error))
        outcomes += [outcome_of(seed, future) for seed, future in waiting.items()]
    return row_of(outcomes, time.perf_counter() - begun, growth, commit)


def commit_of_tree() -> str:
    """Return the commit, marked where the files differ from it; nothing outside of a repository."""
    try:
        return f"commit {line_of_git('describe', '--always', '--dirty=+', '--abbrev=9', '--exclude=*')}"
    except NoAnswer:
        return ""


def next_seed(rows: Sequence[Row], out: Path, first: int | None = None) -> int:
    """Return the first seed, by default the one after the last that has a row.

    Raises
    ------
    SystemExit
        If rows have reached the one asked for: the last row of a name counts, and would hide what an earlier one says.
    """
    free = max((int(row["first_seed"]) + int(row["num_seeds"]) for row in rows), default=0)
    if first is not None and first < free:
        raise SystemExit(f"{out} has rows up to seed {free - 1}; give a --first-seed from {free} on, or leave it out")
    return free if first is None else first
