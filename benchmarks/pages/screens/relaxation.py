"""How soon the engine has the bound of a relaxation, beside solvers of semidefinite programs."""

from pathlib import Path

from benchmarks.pages import rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import NotMeasuredError, rows_of
from benchmarks.record.folder import Record
from benchmarks.suites.engines import SOLVED, Line, lines
from benchmarks.tables import table

PARTS = ("engines",)
DRAWN_FROM = ("engines",)
ALT = "Seconds of SCS to its bound, and of our engine to the same bound, on a logarithmic axis"
SOLVERS = {"scs": "SCS to 1e-6", "scs-1e-4": "SCS to 1e-4", "clarabel": "Clarabel"}
SCS = ("scs", "scs-1e-4")
ENDED = {SOLVED: "reached its tolerance", "optimal_inaccurate": "missed its tolerance", "solver_error": "failed"}
HEADER = (
    *("instance", "super-points", "solver", "how it ended", "its bound below the best of pcsos", "its seconds"),
    *("pcsos, seconds to its bound", "theirs / ours"),
)


def engines(record: Record) -> str:
    """Return a line for each instance and rival."""
    return table(HEADER, map(cells, rivals(record)), left=1)


def cells(line: Line) -> list[object]:
    """Return the cells of a rival; one that did not reach its tolerance has no ratio."""
    missed = "not reached" if line.is_solved and line.ours is None else rounding.seconds(line.ours)
    return [
        *(line.instance, rounding.whole(line.size), SOLVERS[line.engine], ENDED.get(line.ended, line.ended)),
        *(rounding.gap(line.below), rounding.seconds(line.seconds), missed, rounding.ratio(line.ratio)),
    ]


def rivals(record: Record) -> list[Line]:
    """Return the lines of the suite.

    Raises
    ------
    NotMeasuredError
        If no rival has run.
    """
    found = lines(rows_of(record, "engines"))
    if not found:
        raise NotMeasuredError("engines")
    return found


def solved(record: Record) -> list[Line]:
    """Return the lines of the rivals that reached their tolerance.

    Raises
    ------
    NotMeasuredError
        If there are none.
    """
    found = [line for line in rivals(record) if line.is_solved]
    if not found:
        raise NotMeasuredError("engines")
    return found


def least(record: Record) -> str:
    """Return the ratio that is least for us, and where our engine did not come to a bound."""
    found = solved(record)
    there = [line for line in found if line.ratio is not None]
    missed = [f"{SOLVERS[line.engine]} on {line.instance}" for line in found if line.ratio is None]
    parts = []
    if there:
        line = min(there, key=lambda line: line.ratio or 0.0)
        parts.append(f"{rounding.ratio(line.ratio)} ({SOLVERS[line.engine]} on {line.instance})")
    if missed:
        parts.append(f"pcsos does not come to the bound of {', '.join(missed)}")
    return "; ".join(parts)


def unsolved(record: Record) -> str:
    """Return how many runs of rivals did not reach their tolerance."""
    found = rivals(record)
    return rounding.of(sum(not line.is_solved for line in found), len(found))


def headline(record: Record) -> str:
    """Return how many times as long as ours SCS takes, from the least to the greatest."""
    there = [line.ratio for line in solved(record) if line.engine in SCS and line.ratio is not None]
    if not there:
        return "pcsos comes to no bound of SCS"
    ends = [rounding.ratio(pick(there)) for pick in (min, max)]
    return f"SCS takes {' to '.join(dict.fromkeys(ends))} times as long as pcsos to the same safe bound"


def draw(record: Record, figure: Path) -> None:
    """Draw the seconds of SCS and ours to its bound, for either tolerance where it was reached."""
    there = [line for line in lines(record.rows("engines")) if line.engine in SCS and line.is_solved]
    values = {"SCS through cvxpy": [line.seconds for line in there], "pcsos": [line.ours for line in there]}
    names = [f"{line.instance} ({rounding.whole(line.size)}), {SOLVERS[line.engine]}" for line in there]
    dots(figure, names, values, "seconds to the same bound")


FACTS = {
    "engines": engines,
    "headline": headline,
    "least": least,
    "unsolved": unsolved,
}
