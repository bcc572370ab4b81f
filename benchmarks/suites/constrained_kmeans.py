"""The variants of k-means on the instances of the PC-SOS-SDP paper: its Table 8, with S-MDEClust beside them.

IPC-k-means with k-means++ starts, post-processing and COP-k-means have 100 starts each, as in section 4.4 of the paper;
IPC-k-means from the relaxation (sdp-kmeans) has one a round of cutting planes.
"""

from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.heuristics import by_dataset_and_all, least, measure, percent, prefixed, reaches, runs_of, wide_columns
from benchmarks.published_tables import by_dataset
from benchmarks.solving import load
from benchmarks.suites.memetic import RESULTS, known_values
from benchmarks.suites.published import cases as published_cases
from benchmarks.tables import mean, table

#: The k-means variants, which are compared with each other, and the columns of the published table.
RIVALS = {"sdp-kmeans": "ipc_sdp", "ipc-kmeans": "ipc_pp", "post-processing": "post", "cop-kmeans": "cop"}
RUNS = (*RIVALS, "s-mdeclust")
COLUMNS = ("dataset", "constraint_type", "num_constraints", *wide_columns(RUNS))
HEADER = (
    *("dataset", "instances", "method", "best %", "published", "best known %", "published opt"),
    *("failed %", "published", "mean CPU s"),
)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each instance."""
    return published_cases(settings)


def run(points: str, constraints: str, n_clusters: int, *, time_limit: float, **_: Any) -> Row:
    """Run the methods on one instance."""
    instance = load(points, constraints, n_clusters)
    row: Row = {}
    for method in RUNS:
        row |= prefixed(method, measure(instance, method, time_limit=time_limit))
    return row


def measured(rows: list[Row]) -> dict[str, dict[str, Row]]:
    """Return the runs of each instance, for performance profiles."""
    return {row["name"]: runs_of(row, RUNS) for row in rows if row["outcome"] == "done"}


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line for each dataset and method; best is among the k-means variants, best known among all."""
    theirs = by_dataset(settings.published, "pc_sos_sdp_heuristics.csv")
    known = {name: value for name, (value, _) in known_values(RESULTS).items()}
    lines = [
        line(dataset, method, group, known, theirs.get(dataset.lower(), {}))
        for dataset, group in by_dataset_and_all(rows).items()
        for method in RUNS
    ]
    return table(HEADER, lines)


def line(
    dataset: str, method: str, group: list[Row], known: dict[str, float], theirs: dict[str, float | None]
) -> list[object]:
    """Return the line of one method on one dataset."""
    found = [row[f"{method} objective"] for row in group]
    best = [least(row[f"{rival} objective"] for rival in RIVALS) for row in group]
    overall = [least([*(row[f"{run} objective"] for run in RUNS), known.get(row["name"])]) for row in group]
    published = RIVALS.get(method)
    return [
        *(dataset, len(group), method),
        percent(map(reaches, found, best)) if published else None,
        published and theirs.get(f"{published}_best"),
        percent(map(reaches, found, overall)),
        published and theirs.get(f"{published}_opt"),
        percent(value is None for value in found),
        theirs.get("cop_fail") if published == "cop" else None,
        mean(row[f"{method} cpu_seconds"] for row in group),
    ]
