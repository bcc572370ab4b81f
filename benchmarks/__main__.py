"""``python -m benchmarks run SUITE --out FILE.csv``, the same with ``report``, and ``python -m benchmarks soak``."""

import argparse
import os
import sys
from pathlib import Path

from benchmarks.case import FULL, Settings
from benchmarks.runner import read_rows, run_suite, warm_up
from benchmarks.soak.command import add_parser as add_soak
from benchmarks.suites import NAMES, suite_named


def main() -> None:
    """Run a suite and print its report, or print the report of a CSV file."""
    if sys.argv[1:2] == ["soak"]:
        _soak()
        return
    options = parser().parse_args()
    if options.full:
        os.environ[FULL] = "1"  # before the module of the suite is imported
    settings = Settings(
        data=options.data,
        published=options.published,
        gap=options.gap,
        time_limit=options.time_limit,
        workers=options.workers,
    )
    suite = suite_named(options.suite)
    if options.action == "run":
        warm_up()
        rows = run_suite(options.suite, suite, settings, options.out, options.filter, retry=options.retry)
    else:
        rows = read_rows(options.out)
    print(suite.report([row for row in rows if options.filter in row["name"]], settings))


def _soak() -> None:
    """Run the soak, which has options of its own."""
    commands = argparse.ArgumentParser(prog="python -m benchmarks")
    add_soak(commands.add_subparsers())
    options = commands.parse_args()
    options.command(options)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    result = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    result.add_argument("action", choices=["run", "report"], help="run what has no row yet, or only report")
    result.add_argument("suite", choices=NAMES)
    result.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="rows are appended here")
    result.add_argument("--data", type=Path, help="folder with datasets/ and constraints/ (suite published)")
    result.add_argument("--published", type=Path, help="folder with the published tables as CSV files")
    result.add_argument("--filter", default="", help="only cases whose name contains this text")
    result.add_argument("--retry", action="store_true", help="run again what failed or was killed")
    result.add_argument("--full", action="store_true", help="the whole protocol of the paper (suite pcskm)")
    result.add_argument("--gap", type=float, default=Settings.gap)
    result.add_argument("--time-limit", type=float, default=Settings.time_limit, help="seconds a case")
    result.add_argument("--workers", type=int, default=None)
    return result


if __name__ == "__main__":
    main()
