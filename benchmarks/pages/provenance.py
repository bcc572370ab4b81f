"""Where the figures of a screen come from: rows, seconds, other work beside them, and how to make them again."""

import hashlib
from collections.abc import Sequence

from benchmarks.load import is_marked
from benchmarks.pages import rounding
from benchmarks.pages.rows import rows_of_all
from benchmarks.record.folder import Record
from benchmarks.record.plan import PLAN

RESULTS = "benchmarks/results"


def line(record: Record, parts: Sequence[str]) -> str:
    """Return the last line of a screen."""
    rows = rows_of_all(record, parts)
    beside = sum(is_marked(row.get("load_beside")) for row in rows)
    failed = sum(row["outcome"] != "done" for row in rows)
    there = [part for part in parts if record.file(part).exists()]
    files = ", ".join(f"`{part}.csv`" for part in there)
    total = rounding.seconds(sum(row["wall_seconds"] for row in rows))
    return "".join(
        [
            f"{rounding.counted(len(rows), 'row')} in `{RESULTS}/`: {files}; {total} seconds in all",
            f"; {beside} of {len(rows):,} rows ran beside other work" if beside else "",
            f"; {failed} of {len(rows):,} failed or were killed" if failed else "",
            f"; on {machines(record, there)}",
            f". Again: `{command(there)}`.",
        ]
    )


def machines(record: Record, parts: Sequence[str]) -> str:
    """Return the processor that the parts ran on; where there are several, each with its parts."""
    processors = {part: record.facts["machines"][part].split(",")[0] for part in parts}
    different = dict.fromkeys(processors.values())
    if len(different) == 1:
        return next(iter(different))
    files = {one: ", ".join(f"`{part}.csv`" for part in parts if processors[part] == one) for one in different}
    return ", ".join(f"{one} ({those})" for one, those in files.items())


def command(parts: Sequence[str]) -> str:
    """Return the command that measures these parts."""
    needs_data = any(part.data is not None for part in PLAN if part.name in parts)
    return " ".join(
        ["python -m benchmarks record", *(f"--part {part}" for part in parts), *(["--data DATA"] if needs_data else [])]
    )


def limit(name: str) -> str:
    """Return the seconds that a case of a part may take."""
    return f"{next(part.time_limit for part in PLAN if part.name == name):g}"


def digest(record: Record, parts: Sequence[str]) -> str:
    """Return a digest of the files of rows that a picture is drawn from."""
    content = b"".join(record.file(part).read_bytes() for part in parts if record.file(part).exists())
    return hashlib.sha256(content).hexdigest()[:16]
