"""How much memory the largest process of a run takes."""

from collections import defaultdict
from pathlib import Path

from benchmarks.case import Row
from benchmarks.pages import rounding
from benchmarks.pages.pictures import picture
from benchmarks.pages.rows import rows_of_all
from benchmarks.record.folder import Record
from benchmarks.tables import table

#: All parts that solve or certify, and whose rows tell the size of the instance.
PARTS = (
    *("published", "published-1e-6", "published-one-core", "balanced", "instances", "scaling", "trace", "path"),
    *("unconstrained", "tsplib", "plane", "growth-plane", "million"),
    *("large", "large-pairs", "growth-drawn", "million-drawn"),
)
DRAWN_FROM = PARTS
ALT = "Peak memory of the largest process against the number of points, solving and verifying"


def by_size(record: Record) -> str:
    """Return the most memory for each order of magnitude of the number of points, and how many runs tell of none."""
    groups: dict[int, list[Row]] = defaultdict(list)
    rows = rows_of_all(record, PARTS)
    for row in filter(is_sized, rows):
        groups[magnitude(row["n_points"])].append(row)
    lines = [[size_range(power), f"{len(group):,}", *largest(group)] for power, group in sorted(groups.items())]
    if without := sum(row["outcome"] != "done" for row in rows):
        lines.append(["failed or did not end", f"{without:,}", *[rounding.NONE] * 4])
    header = ("points", "runs", "largest process of a run, MB", "in", "largest process of the checker, MB", "in")
    return table(header, lines, left=1)


def magnitude(number: float) -> int:
    """Return the number of digits after the first."""
    return len(f"{number:.0f}") - 1


def size_range(power: int) -> str:
    """Return the numbers of an order of magnitude.

    Examples
    --------
    >>> size_range(3)
    '1,000 to 9,999'
    """
    return f"{10**power:,} to {10 ** (power + 1) - 1:,}"


def largest(rows: list[Row]) -> list[str]:
    """Return the most memory, and of what, for solving and for checking."""
    cells = []
    for column in ("peak_mb", "verify_mb"):
        row = max(rows, key=lambda row: row.get(column) or 0.0)
        is_there = row.get(column) is not None
        cells += [rounding.whole(row[column]), row["name"]] if is_there else [rounding.NONE] * 2
    return cells


def is_sized(row: Row) -> bool:
    """Return whether a row has a size and a peak, as those have that ended."""
    return row["n_points"] is not None and row["peak_mb"] is not None


def most(rows: list[Row], column: str) -> list[tuple[float, float]]:
    """Return the greatest value for each number of points."""
    found: dict[float, float] = defaultdict(float)
    for row in rows:
        if row.get(column) is not None:
            found[row["n_points"]] = max(found[row["n_points"]], row[column])
    return sorted(found.items())


def draw(record: Record, figure: Path) -> None:
    """Draw the most that was taken against points."""
    rows = list(filter(is_sized, rows_of_all(record, PARTS)))
    with picture(figure) as axes:
        for column, marker, label in (("peak_mb", "o", "solve or certify"), ("verify_mb", "s", "verify")):
            if places := most(rows, column):
                axes.plot(*zip(*places, strict=True), marker, label=label)
        axes.set(xscale="log", yscale="log", xlabel="points", ylabel="peak MB of the largest process")
        axes.legend(loc="upper left")


FACTS = {"by_size": by_size}
