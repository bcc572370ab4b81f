"""A record of one part, for the tests of the pages."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.record.folder import Record
from benchmarks.runner import append_row, start_file


def record_of(folder: Path, part: str, columns: Iterable[str], rows: Iterable[dict[str, Any]]) -> Record:
    """Return a record whose rows ended by themselves, on a machine that did nothing else, unless they say otherwise."""
    record = Record(folder)
    names = ["name", *columns, "outcome", "load_beside"]
    start_file(record.file(part), names)
    for row in rows:
        append_row(record.file(part), names, {"outcome": "done", "load_beside": 0.0} | row)
    return record
