"""``python -m benchmarks record``: run the whole plan on one commit, one part after the other, into one folder.

A record may go on on another machine; each part is of one, so that what is compared within it was measured beside it.
"""

import argparse
import importlib.util
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks import repository
from benchmarks.data import folder
from benchmarks.load import MOST_BESIDE, Beside, is_marked
from benchmarks.machine import description
from benchmarks.record.data import digests
from benchmarks.record.folder import Record
from benchmarks.record.plan import PLAN, Part
from benchmarks.runner import run_cases, warm_up
from benchmarks.suites import suite_named
from benchmarks.tables import table

#: The folder that the documentation is made from, and the one of quick records, which is not kept.
WHOLE, QUICK = (repository.ROOT / "benchmarks" / name for name in ("results", "quick"))
#: What a figure depends on; results and documentation may change while a record is made.
CODE = ("pcsos", "benchmarks", "tests", "instances", "pyproject.toml", ":!benchmarks/results")
#: Seconds for which the machine is watched before a record begins.
WATCHED = 5.0


def add_parser(subparsers: Any) -> None:
    """Add the command to those of ``python -m benchmarks``."""
    command = subparsers.add_parser("record", help="run everything that the documentation quotes", description=__doc__)
    command.add_argument("--quick", action="store_true", help="a sample of every suite, in less than twenty minutes")
    command.add_argument("--out", type=Path, metavar="FOLDER", help="default: benchmarks/results, quick: .../quick")
    command.add_argument("--data", type=folder, help="folder of all data; parts that need them are left out without")
    command.add_argument("--part", action="append", metavar="NAME", help="only this part; may be given again")
    command.add_argument("--hours", type=float, help="begin no further part after so many hours")
    command.add_argument("--retry", action="store_true", help="run again what failed or ran beside other work")
    command.add_argument("--busy", action="store_true", help="begin on a machine with other work; rows are marked")
    command.set_defaults(main=main)


def main(options: argparse.Namespace) -> None:
    """Run what has no row yet, and print what the record has come to."""
    record = Record(options.out or (QUICK if options.quick else WHOLE))
    parts = chosen(options.part)
    facts = begin(record, quick=options.quick)
    refuse_commercial_solver()
    if not options.busy:
        refuse_busy_machine()
    warm_up()
    begun = time.monotonic()
    for part in parts:
        if options.hours is not None and time.monotonic() - begun > 3600.0 * options.hours:
            break
        run_part(record, facts, part, options)
    print(overview(record, facts["commit"]))


def chosen(names: list[str] | None) -> list[Part]:
    """Return the parts of these names, or all of them.

    Raises
    ------
    SystemExit
        If there is no part of a name.
    """
    unknown = set(names or ()) - {part.name for part in PLAN}
    if unknown:
        raise SystemExit(f"no part {min(unknown)!r}; there are {', '.join(part.name for part in PLAN)}")
    return [part for part in PLAN if not names or part.name in names]


def begin(record: Record, *, quick: bool) -> dict[str, Any]:
    """Return the facts of the record, those of an earlier call where it goes on.

    Raises
    ------
    SystemExit
        If the code is not that of a commit, or the folder holds the record of another commit or kind.
    """
    commit = commit_of_code()
    facts = record.facts or new_facts(commit, quick=quick)
    if facts["commit"] != commit:
        raise SystemExit(f"{record.path} is of commit {facts['commit'][:9]}, this is {commit[:9]}; give another --out")
    if facts["quick"] != quick:
        raise SystemExit(f"{record.path} is a {'quick' if facts['quick'] else 'whole'} record; give another --out")
    own = described("versions")
    if facts.setdefault("versions", own) != own:
        differing = sorted(set(facts["versions"].split(", ")) ^ set(own.split(", ")))
        raise SystemExit(f"{record.path} is of other versions: {', '.join(differing)}; give another --out")
    return facts


def new_facts(commit: str, *, quick: bool) -> dict[str, Any]:
    """Return the facts of a record that has no part yet."""
    return {"commit": commit, "quick": quick, "begun": now(), "ended": now(), "machines": {}, "data": {}}


def described(key: str) -> str:
    """Return the machine, or the versions, as the head of a file of rows says them."""
    return dict(line.split(": ", 1) for line in description())[key]


def commit_of_code() -> str:
    """Return the commit that the code is at.

    Raises
    ------
    SystemExit
        If the code differs from it, or is not in a repository.
    """
    try:
        changed = repository.line_of_git("status", "--porcelain", "--", *CODE)
        commit = repository.line_of_git("rev-parse", "HEAD")
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


def run_part(record: Record, facts: dict[str, Any], part: Part, options: argparse.Namespace) -> None:
    """Run the cases of one part that have no row yet, all of them on one machine."""
    settings = part.settings(options.data)
    cases = part.cases(settings, quick=options.quick)
    here = described("machine")
    machine = facts["machines"].get(part.name, here)
    if not cases:
        print(f"\n== {part.name}: left out" + ("" if options.quick else " without its data"))
    elif machine != here:
        print(f"\n== {part.name}: left to {machine}, which began it")
    else:
        print(f"\n== {part.name}")
        facts["machines"][part.name] = here
        facts["data"] = same_data(facts.get("data", {}), digests(cases, options.data) if settings.data else {})
        record.write_facts(facts)
        try:
            run_cases(
                part.suite, suite_named(part.suite), cases, settings, record.own_file(part.name), retry=options.retry
            )
        finally:
            facts["ended"] = now()
            record.write_facts(facts)


def same_data(known: dict[str, str], read: dict[str, str]) -> dict[str, str]:
    """Return the digests of all files of data that the record has read.

    Raises
    ------
    SystemExit
        If one of them is not the file that an earlier part, or call, has read.
    """
    other = [name for name, digest in read.items() if known.get(name, digest) != digest]
    if other:
        raise SystemExit(f"{other[0]} in --data is not the file that the record began with; give another --out")
    return known | read


def overview(record: Record, commit: str) -> str:
    """Return a table of the parts that have rows, and the commit of the record."""
    parts = {part.name: record.summary(part.name) for part in PLAN if record.file(part.name).exists()}
    keys = ("rows", "not done", "beside other work", "taken again", "after a failure", "seconds", "peak MB")
    total = sum(part["seconds"] for part in parts.values())
    lines = [[name, *(part[key] for key in keys)] for name, part in parts.items()]
    return f"\n{table(('part', *keys), lines)}\n\ncommit {commit[:10]}, {total / 3600.0:.2f} hours"


def now() -> str:
    """Return date and time."""
    return datetime.now().isoformat(timespec="seconds")
