"""What soft pairs cost, and how good the clusterers are that break some."""

from pathlib import Path

from benchmarks.pages import provenance, rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import done_rows, proved_of, rows_of
from benchmarks.record.folder import Record
from benchmarks.suites.soft_defaults import METHODS, num_worse
from benchmarks.suites.soft_optimum import N_PAIRS, STARTS
from benchmarks.tables import table

PARTS = ("soft_optimum", "soft_confidence", "soft_defaults")
DRAWN_FROM = ("soft_defaults",)
ALT = "One minus the adjusted Rand index of each method on ten data sets, on a logarithmic axis"
#: How the page names the methods of the suite ``soft_defaults``, all of which are ours.
IN_WORDS = {
    "KMeans": "k-means without pairs",
    "PCKMeans": "PCKMeans (pcsos)",
    "MPCKMeans": "MPCKMeans (pcsos)",
    "PCSKMeans": "PCSKMeans (pcsos)",
    "PCKMeans by distance": "PCKMeans (pcsos), penalty by distance",
    "published": "PCKM as published, one start",
    "memetic by distance": "memetic search, penalty by distance",
    "memetic by confidence": "memetic search, penalty by confidence",
}
#: Those of the picture, in few words.
SHOWN = {
    "KMeans": "k-means, no pairs",
    "published": "PCKM, published",
    "PCSKMeans": "PCSKMeans (pcsos)",
    "memetic by confidence": "memetic search",
}
#: One minus the index of a method that is always right, on the logarithmic axis of the picture.
FLOOR = 1e-3


def optimum(record: Record) -> str:
    """Return how far PCKM ends above the least cost, a line a case."""
    names = ("pckm_median_excess", "pckm_best_excess", "pckm_worst_excess")
    lines = [
        [
            *row["name"].split("/"),
            *(f"{row['objective']:.6g}", rounding.gap(row["gap"]), rounding.whole(row["num_broken"])),
            *(rounding.seconds(row["seconds"]), rounding.whole(row["pckm_reached"])),
            *(rounding.percent(round(100.0 * row[name], 6)) for name in names),
        ]
        for row in done_rows(record, "soft_optimum")
    ]
    header = (
        *("set", "draw", "cost", "gap", f"pairs broken, of {N_PAIRS}", "pcsos, s"),
        *(f"PCKM: starts that reach it, of {STARTS}", "PCKM: median above", "PCKM: least above", "PCKM: most above"),
    )
    return table(header, lines, left=1)


def confidence(record: Record) -> str:
    """Return a line for each set with many pairs."""
    lines = [
        [
            *row["name"].split("/"),
            *(rounding.gap(row["gap"]), rounding.whole(row["nodes"]), rounding.seconds(row["seconds"])),
        ]
        for row in rows_of(record, "soft_confidence")
    ]
    return table(("set", "pairs", "draw", "gap", "nodes", "pcsos, s"), lines, left=1)


def draws(record: Record) -> str:
    """Return how many draws of pairs there are on which sets."""
    rows = rows_of(record, "soft_confidence")
    sets = dict.fromkeys(row["name"].partition("/")[0] for row in rows)
    return f"{rounding.counted(len(rows), 'draw')} of pairs on {' and '.join(sets)}"


def worse(record: Record) -> str:
    """Return on how many sets each method is worse than k-means without pairs."""
    rows = done_rows(record, "soft_defaults")
    lines = [[IN_WORDS[method], num_worse(method, rows)] for method in METHODS if method != "KMeans"]
    header = ("method", f"worse than k-means on the same draws, of {rounding.counted(len(rows), 'set')}")
    return table(header, lines, left=1)


def draw(record: Record, figure: Path) -> None:
    """Draw how far each method is from the classes."""
    rows = done_rows(record, "soft_defaults")
    values = {name: [max(FLOOR, 1.0 - row[f"{method} mean"]) for row in rows] for method, name in SHOWN.items()}
    label = f"1 - adjusted Rand index, {FLOOR:g} where it is less; one pair in ten wrong"
    dots(figure, [row["dataset"] for row in rows], values, label)


FACTS = {
    "optimum": optimum,
    "optimum_proved": lambda record: proved_of(record, "soft_optimum"),
    "confidence": confidence,
    "draws": draws,
    "limit": lambda _: provenance.limit("soft_confidence"),
    "proved": lambda record: proved_of(record, "soft_confidence"),
    "worse": worse,
}
