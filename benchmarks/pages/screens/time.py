"""How soon the gap closes."""

from pathlib import Path

from benchmarks.gap_over_time import draw as draw_rows
from benchmarks.listening import from_json, seconds_to
from benchmarks.pages import rounding
from benchmarks.pages.rows import done_rows
from benchmarks.record.folder import Record
from benchmarks.suites.trace import GAPS
from benchmarks.tables import table

PARTS = ("trace",)
DRAWN_FROM = ("trace",)
ALT = "Relative gap against the seconds of a run, a line an instance, on logarithmic axes"


def gaps(record: Record) -> str:
    """Return the seconds to some gaps, and the gap at the end."""
    lines = []
    for row in done_rows(record, "trace"):
        points = from_json(row["trace"])
        lines.append(
            [row["name"], rounding.whole(row["n_points"]), rounding.whole(row["n_clusters"])]
            + [rounding.seconds(seconds_to(points, gap)) for gap in GAPS]
            + [rounding.gap(row["gap"]), rounding.seconds(row["seconds"])]
        )
    header = ("instance", "n", "k", *(f"s to {rounding.gap(gap)}" for gap in GAPS), "gap at the end", "seconds")
    return table(header, lines, left=1)


def draw(record: Record, figure: Path) -> None:
    """Draw a line for each instance."""
    draw_rows(done_rows(record, "trace"), figure)


FACTS = {"gaps": gaps}
