"""How long all numbers of clusters take, and the fronts of two criteria; and whether the executor matters."""

from pathlib import Path
from statistics import median

from benchmarks.pages import rounding
from benchmarks.pages.pictures import dots
from benchmarks.pages.rows import NotMeasuredError, done_rows
from benchmarks.record.folder import Record
from benchmarks.tables import table

PARTS = ("path", "executors")
DRAWN_FROM = ("path",)
ALT = "Seconds of the fronts of cost and split, published and ours, on a logarithmic axis"


def fronts(record: Record) -> str:
    """Return a line for each path and front."""
    lines = [
        [
            row["name"].replace("/", " "),
            *(rounding.whole(row[column]) for column in ("n_points", "num_rows", "num_proved")),
            *(rounding.seconds(row[column]) for column in ("cpu_seconds", "cpu_seconds_alone")),
            *(rounding.whole(row["published_rows"]), rounding.published(row["published_seconds"])),
        ]
        for row in done_rows(record, "path")
    ]
    header = ("case", "n", "rows", "proved", "CPU s", "one by one, CPU s", "CPRBBA: rows", "CPRBBA: s")
    return table(header, lines, left=1)


def executors(record: Record) -> str:
    """Return the medians of both executors on the same certificate."""
    rows = done_rows(record, "executors")
    found = {name: [row["seconds"] for row in rows if row["executor"] == name] for name in ("pool", "dask")}
    if not all(found.values()):
        raise NotMeasuredError("executors")
    pool, dask = (rounding.seconds(median(seconds)) for seconds in found.values())
    return f"{pool} seconds by the pool of processes and {dask} by a Dask cluster (medians of {len(rows)} runs)"


def draw(record: Record, figure: Path) -> None:
    """Draw the seconds of the fronts of cost and split."""
    rows = [row for row in done_rows(record, "path") if row["published_seconds"] is not None]
    values = {
        "CPRBBA, published": [row["published_seconds"] for row in rows],
        "pcsos, CPU": [row["cpu_seconds"] for row in rows],
    }
    dots(figure, [row["dataset"] for row in rows], values, "seconds of the front of cost and split, k = 3")


FACTS = {"fronts": fronts, "executors": executors}
