"""The rows behind a fact; a fact without rows is not measured."""

import re
from collections.abc import Collection, Iterable

from benchmarks.case import Row
from benchmarks.pages import rounding
from benchmarks.record.folder import Record
from benchmarks.runner import read_rows

#: What stands in a page in place of such a fact.
NOT_MEASURED = "not measured yet"


class NotMeasuredError(LookupError):
    """The record has no row of what is asked for."""


def rows_of(record: Record, part: str, pattern: str = "") -> list[Row]:
    """Return the rows of a part in whose names a regular expression is found; those that failed, too.

    Raises
    ------
    NotMeasuredError
        If there are none.
    """
    found = [row for row in read_rows(record.file(part)) if re.search(pattern, row["name"])]
    if not found:
        raise NotMeasuredError(part)
    return found


def done_rows(record: Record, part: str, pattern: str = "") -> list[Row]:
    """Return those of them that ended by themselves."""
    found = [row for row in rows_of(record, part, pattern) if row["outcome"] == "done"]
    if not found:
        raise NotMeasuredError(part)
    return found


def rows_of_all(record: Record, parts: Iterable[str], pattern: str = "") -> list[Row]:
    """Return the rows of those of several parts that have been measured."""
    found = [row for part in parts for row in read_rows(record.file(part)) if re.search(pattern, row["name"])]
    if not found:
        raise NotMeasuredError(", ".join(parts))
    return found


def any_done(record: Record, parts: Iterable[str]) -> bool:
    """Return whether any row of several parts ended by itself."""
    return any(record.rows(part) for part in parts)


def is_proved(row: Row) -> bool:
    """Return whether a row is proved to the gap that was asked for."""
    return row["status"] == "OPTIMAL"


def proved_of(record: Record, part: str) -> str:
    """Return how many rows of a part are proved, of how many."""
    rows = rows_of(record, part)
    return rounding.of(sum(map(is_proved, rows)), len(rows))


def failed(rows: Collection[Row]) -> str:
    """Return how many rows did not end by themselves, as a clause; nothing where all did."""
    number = sum(row["outcome"] != "done" for row in rows)
    return f"{number:,} of {rounding.counted(len(rows), 'case')} failed or did not end" if number else ""
