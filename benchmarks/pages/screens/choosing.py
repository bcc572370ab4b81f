"""How long all numbers of clusters take, and the fronts of two criteria; and whether the executor matters."""

from pathlib import Path
from statistics import median

from benchmarks.case import Row
from benchmarks.pages import rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import NotMeasuredError, done_rows, rows_of
from benchmarks.record.folder import Record
from benchmarks.suites.executors import seconds_of
from benchmarks.tables import table

PARTS = ("path", "executors")
DRAWN_FROM = ("path",)
ALT = "Seconds of the fronts of cost and split, published and ours, on a logarithmic axis"
HEADER = (
    *("what is found", "points", "partitions", "of these proved", "pcsos, CPU s", "pcsos, each k by itself, CPU s"),
    *("partitions, by CPRBBA", "CPRBBA, s (printed)"),
)


def fronts(record: Record) -> str:
    """Return a line for each path and front."""
    return table(HEADER, map(line, rows_of(record, "path")), left=1)


def line(row: Row) -> list[object]:
    """Return the cells of a path or front; of one that did not end only that."""
    number = "k = 2 to 10" if row["kind"] == "path" else f"cost and {row['criterion']}, k = 3"
    what = f"{row['dataset']}: {number}"
    if row["outcome"] != "done":
        return [f"{what} ({row['outcome']})", *[rounding.NONE] * 5, *theirs(row)]
    return [
        what,
        *(rounding.whole(row[column]) for column in ("n_points", "num_rows", "num_proved")),
        *(rounding.seconds(row[column]) for column in ("cpu_seconds", "cpu_seconds_alone")),
        *theirs(row),
    ]


def theirs(row: Row) -> list[str]:
    """Return the published cells."""
    return [rounding.whole(row["published_rows"]), rounding.published(row["published_seconds"])]


def saved(record: Record) -> str:
    """Return the least and the most that a path takes of the seconds of its numbers of clusters by themselves.

    Raises
    ------
    NotMeasuredError
        If no path has ended.
    """
    rows = [row for row in done_rows(record, "path") if row["cpu_seconds_alone"]]
    if not rows:
        raise NotMeasuredError("path")
    shares = [100.0 * row["cpu_seconds"] / row["cpu_seconds_alone"] for row in rows]
    least, most = (f"{share:.0f} %" for share in (min(shares), max(shares)))
    return least if least == most else f"{least} to {most}"


def executors(record: Record) -> str:
    """Return the medians of both executors on the same certificate.

    Raises
    ------
    NotMeasuredError
        If one of them has not ended, or had one block only.
    """
    rows = done_rows(record, "executors")
    found = seconds_of(rows)
    if not all(found.values()):
        raise NotMeasuredError("executors")
    pool, dask = (rounding.seconds(median(seconds)) for seconds in found.values())
    runs = rounding.counted(min(map(len, found.values())), "run")
    blocks = rounding.whole(max(row["n_blocks"] for row in rows))
    return (
        f"{pool} seconds by a pool of processes and {dask} by a Dask cluster (medians of {runs} each, {blocks} blocks)"
    )


def draw(record: Record, figure: Path) -> None:
    """Draw the seconds of the fronts of cost and split."""
    rows = [row for row in done_rows(record, "path") if row["published_seconds"] is not None]
    values = {
        "CPRBBA, printed": [row["published_seconds"] for row in rows],
        "pcsos, CPU": [row["cpu_seconds"] for row in rows],
    }
    dots(figure, [row["dataset"] for row in rows], values, "seconds of the front of cost and split, k = 3")


FACTS = {"fronts": fronts, "saved": saved, "executors": executors}
