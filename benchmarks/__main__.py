"""``python -m benchmarks COMMAND``: ``run``, ``report``, ``record``, ``pages``, ``compare``, ``golden``, ``soak``."""

import argparse
import os
import signal
import sys
from pathlib import Path

from benchmarks import golden
from benchmarks.case import FULL, Settings
from benchmarks.comparison import command as comparison
from benchmarks.data import folder
from benchmarks.pages import command as pages
from benchmarks.record import command as record
from benchmarks.runner import read_rows, run_suite, warm_up
from benchmarks.soak import command as soak
from benchmarks.suites import NAMES, suite_named


def main() -> None:
    """Run the command that is named; rows that are there stay when it is interrupted."""
    options = parser().parse_args()
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)  # also where a shell started it in the background
    try:
        options.main(options)
    except KeyboardInterrupt:
        print("interrupted; what is written stays", file=sys.stderr)
        raise SystemExit(130) from None


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    result = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = result.add_subparsers(dest="action", required=True)
    for action, purpose in (("run", "run what has no row yet, and report"), ("report", "only report")):
        add_suite_options(commands.add_parser(action, help=purpose))
    record.add_parser(commands)
    soak.add_parser(commands)
    comparison.add_parser(commands)
    pages.add_parser(commands)
    golden.add_parser(commands)
    return result


def add_suite_options(command: argparse.ArgumentParser) -> None:
    """Add what a run or a report of one suite needs."""
    command.add_argument("suite", choices=NAMES)
    command.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="rows are appended here")
    command.add_argument("--data", type=folder, help="folder with datasets/ and constraints/ (suite published)")
    command.add_argument("--published", type=folder, help="folder with the published tables as CSV files")
    command.add_argument("--filter", default="", help="only cases whose name contains this text")
    command.add_argument("--retry", action="store_true", help="run again what failed or ran beside other work")
    command.add_argument("--full", action="store_true", help="the whole protocol of the paper (suite pcskm)")
    command.add_argument("--gap", type=float, default=Settings.gap)
    command.add_argument("--time-limit", type=float, default=Settings.time_limit, help="seconds a case")
    command.add_argument("--workers", type=int, default=None)
    command.set_defaults(main=run_or_report)


def run_or_report(options: argparse.Namespace) -> None:
    """Run a suite and print its report, or print the report of a CSV file."""
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


if __name__ == "__main__":
    main()
