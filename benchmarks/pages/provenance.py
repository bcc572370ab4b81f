"""Where the figures of a screen come from: its rows, what the plan asks of them, and how to take them again."""

import hashlib
from collections.abc import Sequence

from benchmarks.load import is_marked
from benchmarks.pages import rounding
from benchmarks.pages.rows import rows_of_all
from benchmarks.record.folder import Record
from benchmarks.record.plan import PLAN, Part
from benchmarks.repository import ROOT
from benchmarks.runner import read_rows

PARTS = {part.name: part for part in PLAN}
#: Of the rows that ran beside other work.
MOST_NAMED = 5
#: Folded: one line, and behind it the rest.
FOLDED = """<details markdown="1">
<summary>{summary}</summary>

Rows in `{folder}/`:

{lines}

Again: `{command}`.

</details>"""


def line(record: Record, parts: Sequence[str]) -> str:
    """Return the end of a screen: what its rows came to, and, folded away, the plan and the command of its parts."""
    rows_of_all(record, parts)
    there = [part for part in parts if record.file(part).exists()]
    return FOLDED.format(
        summary=f"{'; '.join(happened(record, there))}; on {machines(record, there)}",
        folder=folder(record),
        lines="\n".join(
            f"- `{record.file(name).relative_to(record.path).as_posix()}`: {asked_for(record, PARTS[name])}"
            for name in there
        ),
        command=command(record, there),
    )


def happened(record: Record, parts: Sequence[str]) -> list[str]:
    """Return how many rows there are, and how many ran beside other work, failed, or were taken more than once."""
    rows = rows_of_all(record, parts)
    total = rounding.seconds(sum(row["wall_seconds"] for row in rows))
    marked = [row["name"] for row in rows if is_marked(row.get("load_beside"))]
    named = marked[:MOST_NAMED] + ["…"] * (len(marked) > MOST_NAMED)
    failed = sum(row["outcome"] != "done" for row in rows)
    again, failed_before = (sum(numbers) for numbers in zip(*map(record.retries, parts), strict=True))
    said = {
        f"{rounding.counted(len(rows), 'row')}, {total} seconds in all": len(rows),
        f"{len(marked):,} of them beside other work, so perhaps too slow ({', '.join(named)})": len(marked),
        f"{failed:,} of them failed or killed": failed,
        f"{again:,} of them taken again, {failed_before:,} after a failure": again,
    }
    return [words for words, number in said.items() if number]


def machines(record: Record, parts: Sequence[str]) -> str:
    """Return the processor that the parts ran on; where there are several, each with its parts."""
    processors = {part: record.of(part).facts["machines"][part].split(",")[0] for part in parts}
    different = dict.fromkeys(processors.values())
    if len(different) == 1:
        return next(iter(different))
    names = {one: ", ".join(part for part in parts if processors[part] == one) for one in different}
    return ", ".join(f"{one} ({those})" for one, those in names.items())


def anew(record: Record, part: str) -> str:
    """Return on which commit a part was measured anew, as a clause; nothing where it is of the record's own."""
    later = record.of(part)
    return "" if later == record else f"measured anew on commit `{later.facts['commit'][:10]}`"


def folder(record: Record) -> str:
    """Return the folder of a record, without where the checkout is."""
    path = record.path.resolve()
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def asked_for(record: Record, part: Part) -> str:
    """Return how many rows of a part there are, and what the plan asks of it.

    The rows may be fewer than the plan has cases: of a quick record, or of one that was stopped.
    """
    rows = rounding.counted(len(read_rows(record.file(part.name))), "row")
    rows = ", ".join(filter(None, [rows, anew(record, part.name)]))
    named = f" named `{part.pattern}`" if part.pattern else ""
    which = "every case" if part.every == 1 else f"every {ordinal(part.every)} case"
    workers = "a worker for each core" if part.workers is None else rounding.counted(part.workers, "worker")
    sampled = "a sample of " if record.facts["quick"] else ""
    return (
        f"{rows}; the plan: {sampled}{which}{named} of the suite `{part.suite}`, "
        f"{part.time_limit:g} s, gap {rounding.gap(part.gap).replace('.0e', 'e')}, {workers}"
    )


def ordinal(number: int) -> str:
    """Return a number below twenty as one of a row.

    Examples
    --------
    >>> [ordinal(number) for number in (2, 3, 10)]
    ['2nd', '3rd', '10th']
    """
    return f"{number}{ {2: 'nd', 3: 'rd'}.get(number, 'th') }"


def command(record: Record, parts: Sequence[str]) -> str:
    """Return the command that measures these parts again, on the commit of the record, into a folder of its own."""
    needs_data = any(PARTS[part].data is not None for part in parts)
    options = ["--quick"] * record.facts["quick"] + [f"--part {part}" for part in parts]
    return " ".join(["python -m benchmarks record --out NEW", *options, *["--data DATA"] * needs_data])


def limit(name: str) -> str:
    """Return the seconds that a case of a part may take."""
    return f"{PARTS[name].time_limit:g}"


def digest(record: Record, parts: Sequence[str]) -> str:
    """Return a digest of the files of rows that a picture is drawn from."""
    content = b"".join(record.file(part).read_bytes() for part in parts if record.file(part).exists())
    return hashlib.sha256(content).hexdigest()[:16]
