"""What soft pairs cost, and how good the clusterers are that break some."""

from pathlib import Path

from benchmarks.pages import rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import done_rows, proved_of
from benchmarks.record.folder import Record
from benchmarks.suites.soft_defaults import METHODS, num_worse
from benchmarks.tables import table

PARTS = ("soft_optimum", "soft_confidence", "soft_defaults")
DRAWN_FROM = ("soft_defaults",)
ALT = "One minus the adjusted Rand index of each method on ten data sets, on a logarithmic axis"
SHOWN = ("KMeans", "published", "PCSKMeans", "memetic by confidence")


def optimum(record: Record) -> str:
    """Return how far PCKM ends above the least cost, a line a case."""
    names = ("pckm_median_excess", "pckm_best_excess", "pckm_worst_excess")
    lines = [
        [
            *(row["name"], f"{row['objective']:.6g}", rounding.gap(row["gap"]), rounding.whole(row["num_broken"])),
            *(rounding.seconds(row["seconds"]), rounding.whole(row["pckm_reached"])),
            *(rounding.percent(max(0.0, round(100.0 * row[name], 6))) for name in names),
        ]
        for row in done_rows(record, "soft_optimum")
    ]
    header = ("set", "cost", "gap", "broken", "seconds", "PCKM reaches it", "PCKM: median above", "best", "worst")
    return table(header, lines, left=1)


def confidence(record: Record) -> str:
    """Return a line for each set with many pairs."""
    lines = [
        [row["name"], rounding.gap(row["gap"]), rounding.whole(row["nodes"]), rounding.seconds(row["seconds"])]
        for row in done_rows(record, "soft_confidence")
    ]
    return table(("set / pairs / draw", "gap", "nodes", "seconds"), lines, left=1)


def worse(record: Record) -> str:
    """Return on how many sets each method is worse than k-means without pairs."""
    rows = done_rows(record, "soft_defaults")
    methods = [method for method in METHODS if method != "KMeans"]
    return table(
        ("method", f"worse than k-means, of {len(rows)} sets"), [[m, num_worse(m, rows)] for m in methods], left=1
    )


def draw(record: Record, figure: Path) -> None:
    """Draw how far each method is from the classes."""
    rows = done_rows(record, "soft_defaults")
    values = {method: [max(1e-3, 1.0 - row[f"{method} mean"]) for row in rows] for method in SHOWN}
    dots(figure, [row["dataset"] for row in rows], values, "1 - adjusted Rand index, one pair in ten wrong")


FACTS = {
    "optimum": optimum,
    "confidence": confidence,
    "proved": lambda record: proved_of(record, "soft_confidence"),
    "worse": worse,
}
