"""How large sets of points in the plane can be, with and without pairs."""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from benchmarks import growth
from benchmarks.case import Row
from benchmarks.pages import provenance, rounding
from benchmarks.pages.certificates import CERTIFICATE, certificate_lines, missed
from benchmarks.pages.proofs import gap, worst_gap
from benchmarks.pages.rows import done_rows, proved_of, rows_of, rows_of_all
from benchmarks.record.folder import Record
from benchmarks.suites import synthetic
from benchmarks.tables import table

PARTS = ("plane", "growth-plane", "million")
GROWTH = ("growth-plane", "million")
DRAWN_FROM = GROWTH
ALT = "Seconds of certificates in the plane against the number of points, both on logarithmic axes"


def with_pairs(record: Record) -> str:
    """Return a line for each number of points and of clusters, with the gap for each number of pairs."""
    rows = {sizes(row): row for row in rows_of(record, "plane")}
    numbers = sorted({pairs for _, _, pairs in rows})
    lines = [
        [f"{n:,}", f"{k:,}", *(cell(rows.get((n, k, pairs))) for pairs in numbers)]
        for n, k in sorted({(n, k) for n, k, _ in rows})
    ]
    return table(("points", "clusters", *(f"gap with {pairs:,} pairs" for pairs in numbers)), lines)


def sizes(row: Row) -> tuple[int, int, int]:
    """Return the numbers of points, of clusters and of pairs that a name says."""
    n, k, pairs = re.findall(r"\d+", row["name"])
    return int(n), int(k), int(pairs)


def cell(row: Row | None) -> str:
    """Return the gap of a row; a dash where nothing was measured."""
    return rounding.NONE if row is None else gap(row)


def sample(record: Record) -> str:
    """Return how many of the synthetic sets there are, and of which numbers of points and clusters."""
    rows = rows_of(record, "plane")
    clusters: dict[int, set[int]] = defaultdict(set)
    for n, k, _ in map(sizes, rows):
        clusters[n].add(k)
    which = "; ".join(f"{n:,} points in {listed(clusters[n])} clusters" for n in sorted(clusters))
    return f"{rounding.of(len(rows), synthetic.NUM_SETS)} ({which})"


def listed(numbers: Iterable[int]) -> str:
    """Return numbers in a sentence."""
    *most, last = map(str, sorted(numbers))
    return f"{', '.join(most)} and {last}" if most else last


def in_words(row: Row) -> str:
    """Return the numbers of a row in words."""
    n, k, pairs = sizes(row)
    return f"{n:,} points, {k:,} clusters, {pairs:,} pairs"


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
    "sample": sample,
    "with_pairs": with_pairs,
    "proved": lambda record: proved_of(record, "plane"),
    "worst": lambda record: worst_gap(rows_of(record, "plane"), in_words),
    "certificates": certificates,
    "missed": lambda record: missed(rows_of_all(record, GROWTH)),
    "million_gap": lambda record: rounding.gap(million_row(record)["gap"]),
    "million_percent": lambda record: rounding.percent(100.0 * million_row(record)["gap"]),
    "million_seconds": lambda record: rounding.seconds(million_row(record)["seconds"]),
    "million_mb": lambda record: rounding.whole(million_row(record)["peak_mb"]),
    "million_file_mb": lambda record: rounding.whole(million_row(record)["file_mb"]),
    "million_verify_seconds": lambda record: rounding.seconds(million_row(record)["verify_seconds"]),
}
