"""What programs that pip can install come to, beside pcsos in the same run."""

import re
from pathlib import Path
from typing import Any

from benchmarks.case import Row
from benchmarks.pages import rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import done_rows
from benchmarks.record.folder import Record
from benchmarks.suites.rivals import GROUPS, compared, summary
from benchmarks.tables import table

PARTS = ("rivals",)
DRAWN_FROM = ("rivals",)
ALT = "Seconds of SCIP and of pcsos on each small instance, on a logarithmic axis"
HEADER = (
    *("method", "instances", "keeps everything", "finds the best", "median excess", "worst", "proved"),
    *("median s", "median CPU ratio", "median MB"),
)


def methods(record: Record, group: str) -> str:
    """Return a line for each method of a group."""
    own = done_rows(record, "rivals", f"^{group}/")
    rows = [compared(row, own) for row in own]
    found = [summary(method, [row for row in rows if row["method"] == method]) for method in GROUPS[group]]
    return table(HEADER, [line(values) for values in found if values], left=1)


def line(values: list[Any]) -> list[object]:
    """Return what a method came to as cells."""
    method, number, satisfied, best, excess, worst, _, proved, seconds, _, ratio, memory = values
    return [
        *(method, number, rounding.percent(satisfied), rounding.percent(best)),
        *(rounding.percent(excess), rounding.percent(worst), proved or rounding.NONE),
        *(rounding.seconds(seconds), rounding.ratio(ratio), rounding.whole(memory)),
    ]


def exact_of(record: Record, method: str) -> dict[str, Row]:
    """Return the rows of a method on the small instances, by instance; none where it has not run."""
    return {row["instance"]: row for row in record.rows("rivals") if re.search(f"^exact/.*/{method}$", row["name"])}


def scip_proved(record: Record) -> str:
    """Return how many of the small instances SCIP proves."""
    rows = done_rows(record, "rivals", "^exact/.*/SCIP$")
    return rounding.of(sum(bool(row["proved"]) for row in rows), len(rows))


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
    "scip_proved": scip_proved,
}
