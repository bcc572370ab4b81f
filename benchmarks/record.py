"""``python -m benchmarks record``: run the cases of all suites on one commit, one after the other, into one folder.

A record may go on on another machine; each suite is of one, so that what is compared within it was measured beside it.
"""

import argparse
import importlib.util
import json
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks import repository
from benchmarks.case import Case, Row, Tier
from benchmarks.clock import MOST_BESIDE, Beside, is_marked
from benchmarks.data import digests, folder, with_files
from benchmarks.machine import machine, versions
from benchmarks.rows import read_all, read_rows
from benchmarks.runner import run_cases, warm_up
from benchmarks.suites import NAMES, suite_named
from benchmarks.tables import table

#: The folder that the page is made from, and the one of quick records, which is not kept.
WHOLE, QUICK = (repository.ROOT / "benchmarks" / name for name in ("results", "quick"))
FACTS = "record.json"
#: Seconds for which the machine is watched before a record begins.
WATCHED = 5.0


def add_parser(commands: Any) -> None:
    """Add the command to those of ``python -m benchmarks``."""
    command = commands.add_parser("record", help="run everything that the documentation quotes", description=__doc__)
    command.add_argument("--quick", action="store_true", help="a few cases of every suite, in some ten minutes")
    command.add_argument("--out", type=Path, metavar="FOLDER", help="default: benchmarks/results, quick: .../quick")
    command.add_argument("--data", type=folder, help="folder of all data; cases that need them are left out without")
    command.add_argument("--suite", action="append", choices=NAMES, help="only this suite; may be given again")
    command.add_argument("--hours", type=float, help="begin no further suite after so many hours")
    command.add_argument("--retry", action="store_true", help="run again what failed or ran beside other work")
    command.add_argument("--busy", action="store_true", help="begin on a machine with other work; rows are marked")
    command.set_defaults(main=main)


def main(options: argparse.Namespace) -> None:
    """Run what has no row yet, and print what the record has come to."""
    out = options.out or (QUICK if options.quick else WHOLE)
    facts = begin(out, quick=options.quick)
    refuse_commercial_solver()
    if not options.busy:
        refuse_busy_machine()
    warm_up()
    begun = time.monotonic()
    for name in options.suite or NAMES:
        if options.hours is not None and time.monotonic() - begun > 3600.0 * options.hours:
            break
        run_suite(out, facts, name, options)
    print(overview(out, facts["commit"]))


def facts_of(out: Path) -> dict[str, Any]:
    """Return commit, versions, dates, the machine of each suite, and digests of data; empty before the first run."""
    file = out / FACTS
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def rows_in(out: Path) -> dict[str, list[Row]]:
    """Return the rows of each suite that has any."""
    found = {name: read_rows(out / f"{name}.csv") for name in NAMES}
    return {name: rows for name, rows in found.items() if rows}


def begin(out: Path, *, quick: bool) -> dict[str, Any]:
    """Return the facts of the record, those of an earlier call where it goes on.

    Raises
    ------
    SystemExit
        If the code is not that of a commit, or the folder holds the record of another commit, kind or versions.
    """
    now = datetime.now().isoformat(timespec="seconds")
    own = {"commit": commit_of_code(), "quick": quick, "versions": ", ".join(versions())}
    facts = facts_of(out) or own | {"begun": now, "ended": now, "machines": {}, "data": {}}
    for key, value in own.items():
        if facts[key] != value:
            raise SystemExit(f"{out} is a record with {key} {facts[key]}, not {value}; give another --out")
    return facts


def commit_of_code() -> str:
    """Return the commit that the code is at: the last one that changed it.

    Raises
    ------
    SystemExit
        If the code differs from it, or is not in a repository.
    """
    try:
        changed, commit = repository.changed_code(), repository.commit_of_code("%H")
    except repository.NoAnswer:
        raise SystemExit(f"a record is of one commit, and {repository.ROOT} is not a git repository") from None
    if changed:
        raise SystemExit(f"a record is of one commit; commit or put away first: {changed.splitlines()[0].split()[-1]}")
    return commit


def refuse_commercial_solver() -> None:
    """Look for the only commercial solver that pcsos would use; all processes of a record are of this environment.

    Raises
    ------
    SystemExit
        If it can be imported.
    """
    if importlib.util.find_spec("gurobipy") is not None:
        raise SystemExit("a record is made without a commercial solver; first: pip uninstall gurobipy")


def refuse_busy_machine() -> None:
    """Watch the machine for a few seconds.

    Raises
    ------
    SystemExit
        If other work keeps more of it busy than a row may have beside it.
    """
    beside = Beside()
    time.sleep(WATCHED)
    cores = beside.cores()
    if is_marked(cores):
        raise SystemExit(f"{cores} cores are busy with other work (at most {MOST_BESIDE}); wait, or give --busy")


def cases_of(name: str, data: Path | None, tier: Tier) -> list[Case]:
    """Return the cases of a suite up to a tier whose files are there."""
    return with_files([case for case in suite_named(name).cases(data) if case.tier <= tier], data)


def run_suite(out: Path, facts: dict[str, Any], name: str, options: argparse.Namespace) -> None:
    """Run the cases of one suite that have no row yet, all of them on one machine."""
    cases = cases_of(name, options.data, Tier.QUICK if options.quick else Tier.RECORD)
    first = facts["machines"].setdefault(name, machine())
    if not cases or first != machine():
        print(f"\n== {name}: " + ("no cases without their data" if not cases else f"left to {first}, which began it"))
        return
    print(f"\n== {name}")
    read = digests(cases, options.data) if options.data else {}
    other = [file for file, digest in read.items() if facts["data"].get(file, digest) != digest]
    if other:
        raise SystemExit(f"{other[0]} in --data is not the file that the record began with; give another --out")
    facts["data"] |= read
    write_facts(out, facts)
    try:
        run_cases(name, cases, out / f"{name}.csv", retry=options.retry)
    finally:
        facts["ended"] = datetime.now().isoformat(timespec="seconds")
        write_facts(out, facts)


def write_facts(out: Path, facts: dict[str, Any]) -> None:
    """Write the facts, whole or not at all."""
    out.mkdir(parents=True, exist_ok=True)
    fresh = out / f"{FACTS}.new"
    fresh.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    fresh.replace(out / FACTS)


def summary(out: Path, name: str) -> Row:
    """Return how many rows a suite has, what happened to how many of them, and their seconds."""
    attempts = read_all(out / f"{name}.csv")
    rows = read_rows(out / f"{name}.csv")
    return {
        "rows": len(rows),
        "not done": sum(row["outcome"] != "done" for row in rows),
        "beside other work": sum(is_marked(row["load_beside"]) for row in rows),
        "taken again": len(attempts) - len(rows),
        "seconds": round(sum(row["wall_seconds"] or 0.0 for row in rows)),
    }


def overview(out: Path, commit: str) -> str:
    """Return a table of the suites that have rows, and the commit of the record."""
    found = {name: summary(out, name) for name in rows_in(out)}
    hours = sum(row["seconds"] for row in found.values()) / 3600.0
    header = ("suite", "rows", "not done", "beside other work", "taken again", "seconds")
    lines = table(header, [[name, *row.values()] for name, row in found.items()])
    return f"\n{lines}\n\ncommit {commit[:10]}, {hours:.2f} hours"
