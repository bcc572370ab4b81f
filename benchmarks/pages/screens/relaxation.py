"""How soon the engine has the bound of a relaxation, beside solvers of semidefinite programs."""

from pathlib import Path
from typing import Any

from benchmarks.pages import rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import NotMeasuredError, rows_of
from benchmarks.record.folder import Record
from benchmarks.suites.engines import lines
from benchmarks.tables import table

PARTS = ("engines",)
DRAWN_FROM = ("engines",)
ALT = "Seconds to the same safe bound, of SCS and of our engine, on a logarithmic axis"
OURS, SCS = "admm", "scs"


def engines(record: Record) -> str:
    """Return a line for each instance and rival."""
    found = [
        [line[0], rounding.whole(line[1]), line[2], *map(rounding.seconds, line[4:6]), rounding.ratio(line[6])]
        if line[4] is not None
        else [line[0], rounding.whole(line[1]), line[2], line[3], rounding.NONE, rounding.NONE]
        for line in rivals(record)
    ]
    return table(("instance", "super-points", "solver", "its seconds", "ours to that bound", "ratio"), found, left=1)


def rivals(record: Record) -> list[list[Any]]:
    """Return the lines of the suite, without our engine beside itself."""
    return [line for line in lines(rows_of(record, "engines")) if line[2] != OURS]


def largest_line(record: Record) -> list[Any]:
    """Return the line of SCS on the largest instance on which both have its bound."""
    there = [line for line in rivals(record) if line[2] == SCS and line[6] is not None]
    if not there:
        raise NotMeasuredError("engines")
    return max(there, key=lambda line: float(line[1]))


def least(record: Record) -> str:
    """Return the ratio that is least for us."""
    there = [line for line in rivals(record) if line[6] is not None]
    if not there:
        raise NotMeasuredError("engines")
    line = min(there, key=lambda line: float(line[6]))
    return f"{rounding.ratio(line[6])} ({line[2]} on {line[0]})"


def draw(record: Record, figure: Path) -> None:
    """Draw the seconds of SCS and ours to its bound."""
    there = [line for line in rivals(record) if line[2] == SCS and line[4] is not None]
    values = {"SCS through cvxpy": [line[4] for line in there], "pcsos, to the same bound": [line[5] for line in there]}
    dots(figure, [f"{line[0]} ({line[1]:.0f})" for line in there], values, "seconds")


FACTS = {
    "engines": engines,
    "largest": lambda record: rounding.ratio(largest_line(record)[6]),
    "largest_name": lambda record: str(largest_line(record)[0]),
    "least": least,
}
