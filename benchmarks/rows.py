"""Files of rows: CSV with a line a case, below comments that say how they came about; and the rows behind a figure."""

import csv
import io
import os
from collections.abc import Iterable
from pathlib import Path

from benchmarks.case import Row, Rows
from benchmarks.machine import description

#: What stands in place of a figure without rows.
NOT_MEASURED = "not measured yet"


class NotMeasuredError(LookupError):
    """There is no row of what is asked for."""


def start_file(out: Path, columns: list[str]) -> None:
    """Write at the end of a file how the rows that follow come about: command, commit, machine, versions and date.

    Raises
    ------
    SystemExit
        If the file has other columns.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = finished_lines(out)
    table = [line for line in lines if not line.startswith("#")]
    if table and next(csv.reader(table)) != columns:
        raise SystemExit(f"{out} has other columns than this run; give another file")
    fresh = out.with_name(f"{out.name}.new")
    with fresh.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(lines)
        stream.writelines(f"# {line}\n" for line in description())
        if not table:
            csv.writer(stream).writerow(columns)
    fresh.replace(out)


def append_row(out: Path, columns: list[str], row: Row) -> None:
    """Append one row and make sure that it is on the disk."""
    with out.open("a", encoding="utf-8", newline="") as stream:
        csv.DictWriter(stream, columns, restval="", extrasaction="raise").writerow(row)
        stream.flush()
        os.fsync(stream.fileno())


def finished_lines(path: Path) -> list[str]:
    """Return the lines of a file, with their ends; a last one that a kill or a full disk has cut off is left out.

    A file without any end of a line is none of results, and is left as it is.
    """
    content = path.read_bytes() if path.exists() else b""
    end = content.rfind(b"\n") + 1 or None
    return list(io.StringIO(content[:end].decode(), newline=""))


def written_above(out: Path, what: str) -> list[str]:
    """Return what the comments of a file say of one thing, such as its commits, each once."""
    start = f"# {what}: "
    found = [line.removeprefix(start).rstrip() for line in finished_lines(out) if line.startswith(start)]
    return list(dict.fromkeys(found))


def read_rows(out: Path) -> list[Row]:
    """Return the rows of a file with numbers as numbers and empty cells as None; the last of a name counts."""
    return list({row["name"]: row for row in read_all(out)}.values())


def read_all(out: Path) -> list[Row]:
    """Return the rows of a file, with those that were taken again later.

    Raises
    ------
    SystemExit
        If it is not a file of rows.
    """
    reader = csv.DictReader(line for line in finished_lines(out) if not line.startswith("#"))
    if reader.fieldnames and "name" not in reader.fieldnames:
        raise SystemExit(f"{out} is not a file of rows: it has no column 'name'; give another file")
    return [{key: _value(cell) for key, cell in row.items()} for row in reader]


def rows_of(rows: Rows, suite: str, *prefixes: str) -> list[Row]:
    """Return the rows of a suite whose names begin with one of these; those that failed, too.

    Raises
    ------
    NotMeasuredError
        If there are none.
    """
    found = [row for row in rows.get(suite, []) if row["name"].startswith(prefixes or "")]
    if not found:
        raise NotMeasuredError(suite)
    return found


def done(rows: Iterable[Row]) -> list[Row]:
    """Return those of the rows that ended by themselves.

    Raises
    ------
    NotMeasuredError
        If there are none.
    """
    found = [row for row in rows if row["outcome"] == "done"]
    if not found:
        raise NotMeasuredError
    return found


def is_proved(row: Row) -> bool:
    """Return whether a row is proved to the gap that was asked for."""
    return row["status"] == "OPTIMAL"


def seconds_of(row: Row) -> float:
    """Return the seconds of a solve, or of its process where there is no result."""
    return float(row["wall_seconds"] if row["seconds"] is None else row["seconds"])


def _value(cell: str) -> str | float | None:
    if cell == "":
        return None
    try:
        return float(cell)
    except ValueError:
        return cell
