"""The synthetic sets of the S-MDEClust paper, in the plane with pairs, solved with a proof that is checked."""

from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import CHECKED_COLUMNS, solve_checked
from benchmarks.suites import synthetic
from benchmarks.tables import table

COLUMNS = CHECKED_COLUMNS
#: Gaps that the report counts.
GAPS = (1e-2, 1e-3, 1e-4)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each constraint file."""
    return [Case(f"n{n}-k{k}-c{number}", {}, files) for n, k, number, files in synthetic.sets(settings, "plane")]


def run(points: str, constraints: str, k: int, **options: Any) -> Row:
    """Solve one instance."""
    return solve_checked(synthetic.load(points, constraints, k), **options)


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line an instance, and how many are proved, and verified, to each gap."""
    columns = ("name", "n_super_points", "status", "gap", "nodes", "seconds", "verified_gap", "verify_seconds")
    lines = [[row.get(column) for column in columns] for row in rows]
    counts = [
        [gap, *(sum(_within(row.get(column), gap) for row in rows) for column in ("gap", "verified_gap"))]
        for gap in GAPS
    ]
    return f"{table(columns, lines)}\n\n{table(('gap', f'proved, of {len(rows)}', 'verified'), counts)}"


def _within(value: float | None, gap: float) -> bool:
    return value is not None and value <= gap
