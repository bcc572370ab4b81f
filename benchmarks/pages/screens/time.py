"""How soon the gap closes."""

from pathlib import Path

from benchmarks.case import Row
from benchmarks.gap_over_time import draw as draw_rows
from benchmarks.listening import from_json, seconds_to
from benchmarks.pages import rounding
from benchmarks.pages.rows import done_rows, is_proved, rows_of
from benchmarks.record.folder import Record
from benchmarks.suites.trace import GAPS
from benchmarks.tables import table

PARTS = ("trace",)
DRAWN_FROM = ("trace",)
ALT = "Relative gap against the seconds of a run, a line an instance, on logarithmic axes"


def gaps(record: Record) -> str:
    """Return the seconds to some gaps, and the gap at the end."""
    header = (
        *("instance", "points", "clusters", *(f"s to {100.0 * gap:g} %" for gap in GAPS)),
        *("gap at the end", "seconds"),
    )
    return table(header, map(line, rows_of(record, "trace")), left=1)


def line(row: Row) -> list[str]:
    """Return the line of a row; where a gap was not reached, there are no seconds to it."""
    if row["outcome"] != "done":
        return [row["name"], *[rounding.NONE] * (2 + len(GAPS)), "failed or did not end", rounding.NONE]
    points = from_json(row["trace"])
    return [
        *(row["name"], rounding.whole(row["n_points"]), rounding.whole(row["n_clusters"])),
        *(rounding.seconds(seconds_to(points, gap)) for gap in GAPS),
        *(at_the_end(row), rounding.seconds(row["seconds"])),
    ]


def at_the_end(row: Row) -> str:
    """Return the gap at the end in percent, in bold where it is larger than what was asked for."""
    if row["gap"] is None:
        return "no bound"
    gap = rounding.percent(100.0 * row["gap"])
    return gap if is_proved(row) else f"**{gap}**"


def last(record: Record) -> str:
    """Return how many runs spend most of their seconds on the last step, and how many never take it."""
    begin, end = GAPS[-2:]
    rows = rows_of(record, "trace")
    seconds = {row["name"]: [seconds_to(from_json(row["trace"] or "[]"), gap) for gap in (begin, end)] for row in rows}
    reached = {name: (first, then) for name, (first, then) in seconds.items() if first is not None and then is not None}
    late = [name for name, (first, then) in reached.items() if then - first > first]
    never = [name for name in seconds if name not in reached]
    return (
        f"of {rounding.counted(len(reached), 'run')} that reached {100.0 * end:g} %, {len(late) or 'none'} took most "
        f"of the seconds from {100.0 * begin:g} % on{named(late)}; "
        f"{len(never) or 'none'} did not reach it{named(never)}"
    )


def named(names: list[str]) -> str:
    """Return names in brackets; nothing without any."""
    return f" ({', '.join(names)})" if names else ""


def draw(record: Record, figure: Path) -> None:
    """Draw a line for each instance."""
    draw_rows(done_rows(record, "trace"), figure)


FACTS = {"gaps": gaps, "last": last}
