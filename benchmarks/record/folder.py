"""The folder of a record: a file of rows for each part, and ``record.json``, which says how they came about."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.case import Row
from benchmarks.load import is_marked
from benchmarks.runner import read_attempts, read_rows

NAME = "record.json"
#: Folder of the record of a later commit, which lies in that of a record and takes the place of parts of it.
ANEW = "anew"


@dataclass(frozen=True)
class Record:
    """A folder that ``python -m benchmarks record`` has written, or begins to write.

    Parameters
    ----------
    path : Path
        The folder.
    """

    path: Path

    @property
    def facts(self) -> dict[str, Any]:
        """Commit, versions, dates, the machine of each part, and digests of data; empty before the first run."""
        file = self.path / NAME
        return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}

    def write_facts(self, facts: dict[str, Any]) -> None:
        """Write them, whole or not at all."""
        self.path.mkdir(parents=True, exist_ok=True)
        fresh = self.path / f"{NAME}.new"
        fresh.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self.path / NAME)

    def of(self, part: str) -> "Record":
        """Return the record that the rows of a part are of: this one, or the later one that measured it anew."""
        later = Record(self.path / ANEW)
        return later if later.own_file(part).exists() else self

    def file(self, part: str) -> Path:
        """Return where the rows of a part are."""
        return self.of(part).own_file(part)

    def own_file(self, part: str) -> Path:
        """Return where those are that were measured on the commit of this record."""
        return self.path / f"{part}.csv"

    def rows(self, part: str) -> list[Row]:
        """Return the rows of a part that ended by themselves; none where it has not run."""
        return [row for row in read_rows(self.file(part)) if row["outcome"] == "done"]

    def retries(self, part: str) -> tuple[int, int]:
        """Return how many rows of a part were taken again, and how many of these had failed or been killed before."""
        earlier = [rows[:-1] for rows in read_attempts(self.file(part)).values() if len(rows) > 1]
        return len(earlier), sum(any(row["outcome"] != "done" for row in rows) for rows in earlier)

    def summary(self, part: str) -> dict[str, Any]:
        """Return how many rows a part has, what happened to how many of them, and their seconds."""
        rows = read_rows(self.file(part))
        again, failed_before = self.retries(part)
        peaks = [row["peak_mb"] for row in rows if row["peak_mb"] is not None]
        return {
            "rows": len(rows),
            "not done": sum(row["outcome"] != "done" for row in rows),
            "beside other work": sum(is_marked(row["load_beside"]) for row in rows),
            "taken again": again,
            "after a failure": failed_before,
            "seconds": round(sum(row["wall_seconds"] for row in rows)),
            "peak MB": max(peaks, default=None),
        }
