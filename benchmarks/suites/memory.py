"""Run files in which a few bytes ask for gigabytes: the checker refuses them in little memory and time."""

import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.tables import table
from pcsos.verify import VerificationError, verify
from tests.verify.bombs import BOMBS

COLUMNS = ("bomb", "bytes", "sentence", "seconds")
#: What the checker gets, so that a bomb harms nobody; and what it may use of it.
ADDRESS_SPACE_GB, CPU_SECONDS = 6, 30
MOST_MB, MOST_SECONDS = 500.0, 20.0


def cases(settings: Settings) -> list[Case]:
    """Return one case for each bomb."""
    return [Case(f"bomb-{name.replace(' ', '-')}", {"bomb": name}, {"bomb": name}) for name in BOMBS]


def run(bomb: str, **_: Any) -> Row:
    """Verify the file with the bomb in this process, within limits."""
    _limit(resource.RLIMIT_AS, ADDRESS_SPACE_GB << 30)
    _limit(resource.RLIMIT_CPU, CPU_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bomb.run"
        size = BOMBS[bomb](path)
        began = time.perf_counter()
        try:
            sentence = f"accepted: {verify(path)}"
        except VerificationError as error:
            sentence = f"refused: {error}"
    return {"bytes": size, "sentence": sentence, "seconds": round(time.perf_counter() - began, 3)}


def is_harmless(row: Row) -> bool:
    """Tell whether a bomb did nothing: a sound answer, which is no lack of memory, in little memory and time."""
    if row["outcome"] != "done" or "MemoryError" in row["sentence"]:
        return False
    return bool(row["peak_mb"] < MOST_MB and row["seconds"] < MOST_SECONDS)


def report(rows: list[Row], settings: Settings) -> str:
    """Return the peak memory beside the size of each bomb."""
    lines = [
        [row["bomb"], row["bytes"], row["peak_mb"], row["seconds"], row["sentence"] or row["error"] or row["outcome"]]
        for row in rows
    ]
    head = f"{sum(is_harmless(row) for row in rows)} of {len(rows)} bombs do no harm"
    return f"{head}\n\n{table(('bomb', 'bytes', 'peak MB', 'seconds', 'answer'), lines)}"


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
