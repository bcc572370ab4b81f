"""What programs that pip can install come to, beside pcsos in the same run."""

import re
from pathlib import Path

from benchmarks.case import Row
from benchmarks.pages import rounding
from benchmarks.pages.methods import METHODS as SHOWN
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import NotMeasuredError, rows_of
from benchmarks.record.folder import Record
from benchmarks.suites.rivals import Summary, summaries
from benchmarks.tables import table

PARTS = ("rivals",)
DRAWN_FROM = ("rivals",)
ALT = "Seconds of SCIP and of pcsos on each small instance, on a logarithmic axis"
HEADER = (
    *("method", "whose program", "instances ended", "runs without a partition", "keeps everything"),
    *("finds the best", "median excess", "largest excess", "proved", "median s", "CPU s / those of the first line"),
)


def methods(record: Record, group: str) -> str:
    """Return a line for each method of a group."""
    return table(HEADER, map(cells, summaries(group, rows_of(record, "rivals", f"^{group}/"))), left=2)


def cells(line: Summary) -> list[object]:
    """Return what a method came to as cells."""
    shown = SHOWN[line.method]
    return [
        *(shown.name, shown.program, rounding.of(line.ended, line.instances)),
        f"{line.without:,} of {line.runs:,}",
        *(share(line.kept, line.found), share(line.best, line.instances)),
        *(rounding.percent(line.excess), rounding.percent(line.worst_excess)),
        share(line.proved, line.instances) if line.proved else rounding.NONE,
        *(rounding.seconds(line.seconds), rounding.ratio(line.ratio)),
    ]


def share(number: int, total: int) -> str:
    """Return a count of instances; a dash of none."""
    return rounding.of(number, total) if total else rounding.NONE


def as_good(record: Record, group: str, method: str) -> str:
    """Return on how many instances a method finds the best, and its CPU seconds beside those of the first."""
    first, *others = summaries(group, rows_of(record, "rivals", f"^{group}/"))
    line = next((line for line in others if line.method == method), None)
    if line is None:
        raise NotMeasuredError("rivals")
    best = rounding.of(line.best, line.instances)
    return f"{best} instances, in {rounding.ratio(line.ratio)} times the CPU seconds of {SHOWN[first.method].name}"


def exact_of(record: Record, method: str) -> dict[str, Row]:
    """Return the rows of a method on the small instances, by instance; none where it has not run."""
    return {row["instance"]: row for row in record.rows("rivals") if re.search(f"^exact/.*/{method}$", row["name"])}


def proved_by(record: Record, method: str) -> str:
    """Return how many of the small instances a method proves."""
    rows = rows_of(record, "rivals", f"^exact/.*/{re.escape(method)}$")
    return rounding.of(sum(row["outcome"] == "done" and bool(row["proved"]) for row in rows), len(rows))


def draw(record: Record, figure: Path) -> None:
    """Draw the seconds of both exact methods on each small instance."""
    found = {method: exact_of(record, method) for method in ("SCIP", "pcsos.solve")}
    names = list(dict.fromkeys(name for rows in found.values() for name in rows))
    seconds = {
        method: [rows[name]["seconds"] if name in rows else None for name in names] for method, rows in found.items()
    }
    dots(figure, names, seconds, "seconds, at most 60")


FACTS = {
    "unconstrained": lambda record: methods(record, "unconstrained"),
    "pairs": lambda record: methods(record, "pairs"),
    "sizes": lambda record: methods(record, "sizes"),
    "exact": lambda record: methods(record, "exact"),
    "kmeans": lambda record: as_good(record, "unconstrained", "KMeans-100"),
    "kmeans_constrained": lambda record: as_good(record, "sizes", "KMeansConstrained-10"),
    "scip_proved": lambda record: proved_by(record, "SCIP"),
    "own_proved": lambda record: proved_by(record, "pcsos.solve"),
}
