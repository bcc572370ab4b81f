"""How much memory a process takes."""

from collections import defaultdict
from pathlib import Path

from benchmarks.case import Row
from benchmarks.pages import rounding
from benchmarks.pages.pictures import picture
from benchmarks.pages.rows import NotMeasuredError, rows_of_all
from benchmarks.record.folder import Record
from benchmarks.tables import table

PARTS = (
    *("published", "balanced", "unconstrained", "tsplib", "plane", "growth-plane", "million"),
    *("large", "large-pairs", "growth-drawn", "million-drawn"),
)
DRAWN_FROM = PARTS
ALT = "Peak memory of a process against the number of points, solving and verifying"
#: Points below which sizes are counted together.
STEPS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


def by_size(record: Record) -> str:
    """Return the most memory for each range of sizes."""
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in sized(record):
        groups[next(step for step in STEPS if row["n_points"] < step)].append(row)
    lines = []
    for step, rows in sorted(groups.items()):
        verify = [row["verify_mb"] for row in rows if row.get("verify_mb") is not None]
        most = max(row["peak_mb"] for row in rows)
        lines.append([f"{step:,}", len(rows), rounding.whole(most), rounding.whole(max(verify, default=None))])
    return table(("fewer points than", "rows", "most MB to solve", "most MB to verify"), lines, left=1)


def sized(record: Record) -> list[Row]:
    """Return the rows that have a size and a peak."""
    rows = [row for row in rows_of_all(record, PARTS) if row["n_points"] is not None and row["peak_mb"] is not None]
    if not rows:
        raise NotMeasuredError("memory")
    return rows


def most(rows: list[Row], column: str) -> list[tuple[float, float]]:
    """Return the greatest value for each number of points."""
    found: dict[float, float] = defaultdict(float)
    for row in rows:
        if row.get(column) is not None:
            found[row["n_points"]] = max(found[row["n_points"]], row[column])
    return sorted(found.items())


def draw(record: Record, figure: Path) -> None:
    """Draw the most that was taken against points."""
    rows = sized(record)
    with picture(figure) as axes:
        for column, marker, label in (("peak_mb", "o", "solve or certify"), ("verify_mb", "s", "verify")):
            if places := most(rows, column):
                axes.plot(*zip(*places, strict=True), marker, label=label)
        axes.set(xscale="log", yscale="log", xlabel="points", ylabel="most peak MB of a process")
        axes.legend(loc="upper left")


FACTS = {"by_size": by_size}
