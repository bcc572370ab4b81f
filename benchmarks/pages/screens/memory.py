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


def draw(record: Record, figure: Path) -> None:
    """Draw both peaks against points."""
    rows = sized(record)
    verified = [row for row in rows if row.get("verify_mb") is not None]
    with picture(figure) as axes:
        axes.plot([row["n_points"] for row in rows], [row["peak_mb"] for row in rows], "o", label="solve or certify")
        places = [[row[column] for row in verified] for column in ("n_points", "verify_mb")]
        axes.plot(*places, "s", label="verify")
        axes.set(xscale="log", yscale="log", xlabel="points", ylabel="peak MB of a process")
        axes.legend(loc="upper left")


FACTS = {"by_size": by_size}
