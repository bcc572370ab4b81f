"""How long a proof takes under limits of cluster sizes."""

from pathlib import Path

from benchmarks.case import Row
from benchmarks.pages import provenance, rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import done_rows, is_proved, rows_of
from benchmarks.record.folder import Record
from benchmarks.tables import table

PARTS = ("balanced",)
DRAWN_FROM = ("balanced",)
ALT = "Seconds on iris under limits of sizes, published and ours, on a logarithmic axis"
EQUAL = "^iris/50-50$"


def limits(record: Record) -> str:
    """Return a line a case."""
    lines = [
        [
            *(row["dataset"], sizes(row), rounding.whole(row["n_points"]), rounding.whole(row["n_clusters"])),
            *(f"{row['objective']:.6g}" if row["objective"] else rounding.NONE, rounding.gap(row["gap"])),
            *(rounding.whole(row["nodes"]), rounding.seconds(row["seconds"])),
            rounding.published(row["published_seconds"]),
        ]
        for row in rows_of(record, "balanced")
    ]
    return table(("data set", "sizes", "n", "k", "cost", "gap", "nodes", "seconds", "published s"), lines, left=1)


def sizes(row: Row) -> str:
    """Return the limits in words."""
    low, high = (rounding.whole(row[column]) for column in ("size_min", "size_max"))
    if row["size_max"] is None:
        return f"at least {low}"
    return f"at most {high}" if row["size_min"] is None else (f"{low} each" if low == high else f"{low} to {high}")


def not_proved(record: Record) -> str:
    """Return what is not proved in its time, with its gap."""
    rows = [row for row in rows_of(record, "balanced") if not is_proved(row)]
    return ", ".join(f"{row['dataset']} ({rounding.gap(row['gap'])})" for row in rows) or "nothing"


def draw(record: Record, figure: Path) -> None:
    """Draw the seconds of the cases with published ones."""
    rows = [row for row in done_rows(record, "balanced") if row["published_seconds"] is not None]
    values = {
        "CPRBBA; CC-SOS-SDP for three of 50, published": [row["published_seconds"] for row in rows],
        "pcsos": [row["seconds"] for row in rows],
    }
    dots(figure, [sizes(row) for row in rows], values, "seconds, iris in three clusters")


FACTS = {
    "limit": lambda _: provenance.limit("balanced"),
    "cc_sos_sdp": lambda record: rounding.published(done_rows(record, "balanced", EQUAL)[0]["published_seconds"]),
    "cprbba": lambda record: rounding.published(done_rows(record, "balanced", "^iris/50-$")[0]["published_seconds"]),
    "limits": limits,
    "not_proved": not_proved,
    "iris_seconds": lambda record: rounding.seconds(done_rows(record, "balanced", EQUAL)[0]["seconds"]),
}
