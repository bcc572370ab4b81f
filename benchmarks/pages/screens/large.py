"""How far a large clustering with more features is from optimal, by prices or by blocks."""

from pathlib import Path

from benchmarks import growth
from benchmarks.pages import rounding
from benchmarks.pages.certificates import CERTIFICATE, certificate_lines, missed
from benchmarks.pages.rows import done_rows, proved_of, rows_of_all
from benchmarks.record.folder import Record
from benchmarks.tables import table

PARTS = ("large", "large-pairs", "growth-drawn", "million-drawn")
GROWTH = ("growth-drawn", "million-drawn")
DRAWN_FROM = GROWTH
ALT = "Seconds of certificates in four dimensions against the number of points, both on logarithmic axes"


def certificates(record: Record) -> str:
    """Return a line for each clustering, those that grow last."""
    return table(CERTIFICATE, certificate_lines(rows_of_all(record, PARTS)), left=1)


def by_blocks(record: Record) -> str:
    """Return how many of the certificates have more than one block."""
    rows = rows_of_all(record, PARTS)
    return rounding.of(sum((row["n_blocks"] or 0) > 1 for row in rows), len(rows))


def million(record: Record) -> str:
    """Return what a million points take."""
    row = done_rows(record, "million-drawn")[0]
    return f"{rounding.gap(row['gap'])} in {rounding.minutes(row['seconds'])} minutes"


def draw(record: Record, figure: Path) -> None:
    """Draw seconds against points."""
    growth.draw(rows_of_all(record, GROWTH), "drawn", figure)


FACTS = {
    "certificates": certificates,
    "missed": lambda record: missed(rows_of_all(record, PARTS)),
    "proved": lambda record: proved_of(record, "large"),
    "by_blocks": by_blocks,
    "million": million,
}
