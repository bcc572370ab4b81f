"""How large sets of points in the plane can be, with and without pairs."""

import re
from collections import defaultdict
from pathlib import Path

from benchmarks import growth
from benchmarks.case import Row
from benchmarks.pages import provenance, rounding
from benchmarks.pages.certificates import CERTIFICATE, certificate_lines
from benchmarks.pages.rows import done_rows, proved_of, rows_of, rows_of_all, worst
from benchmarks.record.folder import Record
from benchmarks.tables import table

PARTS = ("plane", "growth-plane", "million")
GROWTH = ("growth-plane", "million")
DRAWN_FROM = GROWTH
ALT = "Seconds of certificates in the plane against the number of points, both on logarithmic axes"
PLANE = re.compile(r"n(\d+)-k(\d+)-c(\d+)")


def with_pairs(record: Record) -> str:
    """Return a line for each number of points, with the gaps for each number of clusters."""
    cells: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in rows_of(record, "plane"):
        if found := PLANE.fullmatch(row["name"]):
            cells[int(found[1]), int(found[2])].append(row)
    clusters = sorted({k for _, k in cells})
    lines = [
        [f"{n:,}", *(_gaps(cells.get((n, k), [])) for k in clusters)] for n in sorted({points for points, _ in cells})
    ]
    return table(("points", *(f"k = {k}" for k in clusters)), lines, left=1)


def _gaps(rows: list[Row]) -> str:
    return ", ".join(rounding.gap(row["gap"]) for row in rows) or rounding.NONE


def worst_of(record: Record) -> str:
    """Return the largest gap of a set with pairs."""
    row = worst(record, "plane")
    return f"{rounding.gap(row['gap'])} ({row['name']})"


def certificates(record: Record) -> str:
    """Return a line for each certificate without pairs."""
    return table(CERTIFICATE, certificate_lines(rows_of_all(record, GROWTH)), left=1)


def million_row(record: Record) -> Row:
    """Return the row of a million points."""
    return done_rows(record, "million")[0]


def draw(record: Record, figure: Path) -> None:
    """Draw seconds against points."""
    growth.draw(rows_of_all(record, GROWTH), "plane", figure)


FACTS = {
    "limit": lambda _: provenance.limit("plane"),
    "with_pairs": with_pairs,
    "proved": lambda record: proved_of(record, "plane"),
    "worst": worst_of,
    "certificates": certificates,
    "million_gap": lambda record: rounding.gap(million_row(record)["gap"]),
    "million_percent": lambda record: rounding.percent(100.0 * million_row(record)["gap"]),
    "million_seconds": lambda record: rounding.seconds(million_row(record)["seconds"]),
    "million_mb": lambda record: rounding.whole(million_row(record)["peak_mb"]),
    "million_file_mb": lambda record: rounding.whole(million_row(record)["file_mb"]),
    "million_verify_seconds": lambda record: rounding.seconds(million_row(record)["verify_seconds"]),
}
