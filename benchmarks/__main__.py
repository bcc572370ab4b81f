"""``python -m benchmarks COMMAND``: ``run``, ``report``, ``accelerator``, and those of modules of their own."""

import argparse
import signal
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks import golden, page, record
from benchmarks.case import Tier
from benchmarks.compare import command as compare
from benchmarks.data import folder
from benchmarks.rows import read_rows
from benchmarks.runner import run_cases, warm_up
from benchmarks.soak import command as soak
from benchmarks.suites import NAMES, suite_named
from benchmarks.tables import table


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
    run = commands.add_parser("run", help="run what has no row yet, and report")
    for command in (run, commands.add_parser("report", help="only report")):
        command.add_argument("suite", choices=NAMES)
        command.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="rows are appended here")
        command.add_argument("--filter", default="", help="only cases whose name contains this text")
        command.set_defaults(main=run_or_report)
    run.add_argument("--data", type=folder, help="folder of all data")
    tiers = run.add_mutually_exclusive_group()
    tiers.add_argument("--quick", dest="tier", action="store_const", const=Tier.QUICK, help="only a few cases")
    tiers.add_argument("--all", dest="tier", action="store_const", const=Tier.ALL, help="those beyond the record, too")
    run.add_argument("--retry", action="store_true", help="run again what failed or ran beside other work")
    run.add_argument("--gap", type=float, help="instead of that of each case")
    run.add_argument("--time-limit", type=float, help="seconds a case, likewise")
    run.add_argument("--workers", type=int, help="processes of a solve, likewise")
    run.set_defaults(tier=Tier.RECORD)
    on_device = commands.add_parser("accelerator", help="run and report the suite of that name, on a CUDA device")
    on_device.add_argument("--out", type=Path, default=record.WHOLE / "accelerator.csv", metavar="FILE.csv")
    on_device.add_argument("--data", type=folder, help="folder of all data")
    given = {"suite": "accelerator", "action": "run", "filter": "", "tier": Tier.ALL, "retry": False}
    on_device.set_defaults(main=run_or_report, gap=None, time_limit=None, workers=None, **given)
    for module in (record, page, compare, golden, soak):
        module.add_parser(commands)
    return result


def run_or_report(options: argparse.Namespace) -> None:
    """Run a suite and print its report, or print the report of a CSV file."""
    if options.action == "run":
        cases = record.cases_of(options.suite, options.data, options.tier)
        limits = {name: getattr(options, name) for name in ("gap", "time_limit", "workers")}
        given = {name: value for name, value in limits.items() if value is not None}
        chosen = [replace(case, **given) for case in cases if options.filter in case.name]
        if not chosen:
            raise SystemExit("no cases; give another --filter, or --data with the folder of all data")
        warm_up()
        run_cases(options.suite, chosen, options.out, retry=options.retry)
    suite = suite_named(options.suite)
    rows = [row for row in read_rows(options.out) if options.filter in row["name"]]
    lines = [[row.get(column) for column in suite.SHOWN] for row in rows]
    print(f"\n{table(suite.SHOWN, lines, left=1)}\n")
    for name, figure in page.figures_of(options.suite, {options.suite: rows}).items():
        print(f"{name}: {figure}")
    print(f"failed or killed: {sum(row['outcome'] != 'done' for row in rows)} of {len(rows)}")


if __name__ == "__main__":
    main()
