"""On which commit and machines, and in how many hours, all of it was measured."""

from collections import Counter
from datetime import date
from html import escape
from pathlib import Path
from typing import Any

from benchmarks.pages.pictures import picture
from benchmarks.pages.provenance import anew
from benchmarks.pages.rounding import counted
from benchmarks.pages.rows import NotMeasuredError, rows_of_all
from benchmarks.record.folder import Record
from benchmarks.record.plan import PLAN

PARTS = tuple(part.name for part in PLAN)
DRAWN_FROM = PARTS
ALT = "Minutes of each part of the record, a bar a part"


def facts(record: Record) -> dict[str, Any]:
    """Return what the record says of itself."""
    if not record.facts:
        raise NotMeasuredError(str(record.path))
    return record.facts


def head(record: Record) -> str:
    """Return machines, commit, dates and hours in a sentence or two, and the versions, folded away."""
    said = facts(record)
    first, last = (date.fromisoformat(said[key][:10]) for key in ("begun", "ended"))
    when = f"{first:%d %B %Y}" if first == last else f"{first:%d %B %Y} to {last:%d %B %Y}"
    rows = rows_of_all(record, PARTS)
    hours = sum(row["wall_seconds"] for row in rows) / 3600.0
    later = "".join(f"; `{part}` {anew(record, part)}" for part in PARTS if anew(record, part))
    return (
        f"{machines(record)} Commit `{said['commit'][:10]}`, {when}: "
        f"{len(rows):,} rows in {len(said['machines'])} of {len(PARTS)} parts, {hours:.1f} hours{later}.\n\n"
        f"<details><summary>Versions</summary>{escape(said['versions'])}</details>"
    )


def machines(record: Record) -> str:
    """Return the machine in a sentence; where there are several, with the number of parts on each."""
    parts = Counter(facts(record)["machines"].values())
    if len(parts) == 1:
        return f"Machine: {next(iter(parts))}."
    return "Machines: " + "; ".join(f"{name} ({counted(number, 'part')})" for name, number in parts.most_common()) + "."


def draw(record: Record, figure: Path) -> None:
    """Draw the minutes of each part."""
    names = [part for part in PARTS if record.file(part).exists()]
    minutes = [sum(row["wall_seconds"] for row in rows_of_all(record, [name])) / 60.0 for name in names]
    with picture(figure, height=0.6 + 0.2 * len(names)) as axes:
        axes.barh(names, minutes, height=0.6)
        axes.set(xlabel="minutes")
        axes.invert_yaxis()


def worktree(record: Record) -> str:
    """Return the commands that make an environment on the commit of the record, to measure parts again."""
    return f"""```sh
git worktree add ../record {facts(record)["commit"][:10]} && cd ../record
python3 -m venv .venv && source .venv/bin/activate
pip install -e ".[bench]"
```"""


FACTS = {"head": head, "worktree": worktree}
