"""Who keeps the pairs."""

from pathlib import Path

from benchmarks.case import Row
from benchmarks.heuristics import percent
from benchmarks.pages import rounding
from benchmarks.pages.pictures import picture
from benchmarks.pages.rows import done_rows
from benchmarks.record.folder import Record
from benchmarks.suites.comparators import METHODS, exact_lines, violation_line
from benchmarks.tables import table

PARTS = ("comparators",)
DRAWN_FROM = ("comparators",)
ALT = "Share of the instances on which each method keeps all pairs, a bar a method"
HEURISTICS = "^heuristics/"


def kept(record: Record) -> str:
    """Return a line for each method that ran, those first that keep the pairs most often."""
    lines = [
        [line[0], line[1], *map(rounding.percent, line[2:6]), rounding.seconds(line[6])]  # type: ignore[arg-type]
        for line in violations(record)
    ]
    header = ("method", "instances", "keeps all pairs", "broken pairs, median", "most", "median excess", "median CPU s")
    return table(header, lines, left=1)


def violations(record: Record) -> list[list[object]]:
    """Return the lines of the suite; rows of the exact method name no heuristic."""
    rows = done_rows(record, "comparators")
    lines = [line for method in METHODS if (line := violation_line(method, rows))]
    return sorted(lines, key=lambda line: -float(line[2]))  # type: ignore[arg-type]


def breaks(record: Record, method: str) -> str:
    """Return on how many per cent of the instances a method breaks pairs."""
    rows = [row for row in done_rows(record, "comparators", HEURISTICS) if row[f"{method} objective"] is not None]
    return rounding.percent(percent(_breaks(row, method) for row in rows))


def _breaks(row: Row, method: str) -> bool:
    return bool(row[f"{method} violated_must_links"] or row[f"{method} violated_cannot_links"])


def exact(record: Record) -> str:
    """Return a line for each configuration on which CPRBBA ran beside the exact solve."""
    lines = [
        [f"{line[0]} {_pairs(line)}", line[4], line[5], *map(rounding.seconds, line[6:8]), rounding.ratio(line[8])]  # type: ignore[arg-type]
        for line in exact_lines(done_rows(record, "comparators", "^exact/"))
    ]
    header = ("set, pairs", "instances", "CPRBBA ended", "CPRBBA, median CPU s", "pcsos, median CPU s", "median ratio")
    return table(header, lines, left=1)


def _pairs(line: list[object]) -> str:
    return "" if line[1] is None else f"{line[2]:.0f} {line[1]}"


def draw(record: Record, figure: Path) -> None:
    """Draw a bar for each method."""
    lines = violations(record)
    with picture(figure, height=0.6 + 0.27 * len(lines)) as axes:
        axes.barh([str(line[0]) for line in lines], [float(line[2]) for line in lines], height=0.6)  # type: ignore[arg-type]
        axes.set(xlabel="% of the instances on which all pairs are kept, with every seed", xlim=(0.0, 100.0))
        axes.invert_yaxis()


def instances(record: Record) -> str:
    """Return how many instances there are."""
    return rounding.whole(len(done_rows(record, "comparators", HEURISTICS)))


FACTS = {
    "kept": kept,
    "exact": exact,
    "instances": instances,
    "pckmeans_breaks": lambda record: breaks(record, "PCKMeans"),
    "mpckmeans_breaks": lambda record: breaks(record, "MPCKMeans"),
}
