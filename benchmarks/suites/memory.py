"""Memory: run files in which a few bytes ask for gigabytes, what many solves leave behind, and the peaks of all proofs.

``growth/`` solves thousands of instances of every kind in one process, and tells by how much the memory in use grows
with each: that allocated and not freed, as what the process holds also follows the largest instances so far.
"""

import resource
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks import wording
from benchmarks.case import Case, Figure, Row, Rows, in_tiers
from benchmarks.rows import NotMeasuredError, done, rows_of
from benchmarks.tables import table
from pcsos.verify import VerificationError, verify
from tests.verify.bombs import BOMBS

COLUMNS = ("bomb", "bytes", "sentence", "seconds", "solves", "kb_a_solve")
SHOWN = ("name", "bytes", "peak_mb", "seconds", "sentence", "kb_a_solve", "outcome", "error")
#: What the checker gets, so that a bomb harms nobody; and what it may use of it.
ADDRESS_SPACE_GB, CPU_SECONDS = 6, 30
MOST_MB, MOST_SECONDS = 500.0, 20.0
#: Solves of a process whose growth is told, and the seconds that they may take.
SOLVES, GROWTH_LIMIT = 3000, 1200.0


def cases(data: Path | None) -> list[Case]:
    """Return one case for each bomb, and some of many solves."""
    bombs = [Case(f"bomb-{name.replace(' ', '-')}", {"bomb": name}, {"bomb": name}) for name in BOMBS]
    growth = [
        Case(f"growth/{solves}-{seed}", {"seed": seed, "solves": solves}, time_limit=GROWTH_LIMIT)
        for solves in (60, SOLVES)
        for seed in range(2)
    ]
    return [*in_tiers(bombs, quick=3), *in_tiers(growth[:1]), *in_tiers(growth[2:], quick=0)]


def run(bomb: str | None = None, seed: int = 0, solves: int = 0, **_: Any) -> Row:
    """Verify the file with the bomb in this process, within limits, or solve many instances."""
    if bomb is None:
        from benchmarks.growth import grown  # which loads the solver, that a bomb shall not meet

        return grown(seed, solves)
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
    """Return whether a bomb did nothing: a sound answer, which is no lack of memory, in little memory and time."""
    if row["outcome"] != "done" or "MemoryError" in row["sentence"]:
        return False
    return bool(row["peak_mb"] < MOST_MB and row["seconds"] < MOST_SECONDS)


def harmless(rows: Rows) -> str:
    """Return how many bombs do no harm."""
    own = rows_of(rows, "memory", "bomb")
    return wording.of(sum(map(is_harmless, own)), len(own))


def growth(rows: Rows) -> str:
    """Return by how much the memory in use grows with a solve, in each process that solved as many as a record asks."""
    own = done(rows_of(rows, "memory", f"growth/{SOLVES}"))
    return ", ".join(f"{row['kb_a_solve']:.1f}" for row in own)


def by_size(rows: Rows) -> str:
    """Return the most memory of proofs and of the checker for each order of magnitude of the number of points."""
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in (row for own in rows.values() for row in own if row.get("verified") and row["n_points"]):
        groups[len(f"{row['n_points']:.0f}") - 1].append(row)
    if not groups:
        raise NotMeasuredError("memory")
    lines = [
        [
            f"{10**power:,} to {10 ** (power + 1) - 1:,}", len(own),
            *(wording.whole(max(row[column] or 0.0 for row in own)) for column in ("peak_mb", "verify_mb")),
        ]
        for power, own in sorted(groups.items())
    ]  # fmt: skip
    return table(("points", "proofs", "most MB of a process", "most MB of the checker"), lines, left=1)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


FIGURES: dict[str, Figure] = {"harmless": harmless, "growth": growth, "by_size": by_size}
