"""The four variants of S-MDEClust: Figure 2 of its paper as a table.

One case runs them one after the other on an instance of the sets that the figure is about, with the paper's parameters
and five seeds. Without mutation the exact and the greedy assignment lead to the same solutions, by as many local
searches, so that they differ in their time and their exact assignments alone.
"""

from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.heuristics import (
    by_dataset_and_all,
    least,
    measure,
    percent,
    prefixed,
    reaches,
    runs_of,
    wide_columns,
)
from benchmarks.solving import load
from benchmarks.suites.published import cases as published_cases
from benchmarks.tables import mean, table

RUNS = ("S-MDE", "SG-MDE", "SM-MDE", "SMG-MDE")
DATASETS = ("iris", "accent", "ECG5000")
SEEDS = range(5)
COLUMNS = ("dataset", "constraint_type", "num_constraints", *wide_columns(RUNS))
HEADER = (
    *("dataset", "instances", "variant", "best of the four %", "mean CPU s", "local searches", "iterations"),
    *("exact assignments", "integer programs"),
)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each instance of the sets, the first of each kind and number of constraints before others."""
    found = [case for case in published_cases(settings) if case.columns["dataset"] in DATASETS]
    return sorted(found, key=lambda case: case.name.rpartition("_")[2])


def run(points: str, constraints: str, n_clusters: int, *, time_limit: float, **_: Any) -> Row:
    """Run the variants on one instance."""
    instance = load(points, constraints, n_clusters)
    row: Row = {}
    for variant in RUNS:
        row |= prefixed(variant, measure(instance, "s-mdeclust", seeds=SEEDS, variant=variant, time_limit=time_limit))
    return row


def measured(rows: list[Row]) -> dict[str, dict[str, Row]]:
    """Return the runs of each instance, for performance profiles."""
    return {row["name"]: runs_of(row, RUNS) for row in rows if row["outcome"] == "done"}


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line for each dataset and variant; counts are means over runs."""
    lines = [line(dataset, variant, group) for dataset, group in by_dataset_and_all(rows).items() for variant in RUNS]
    return f"{table(HEADER, lines)}\n\nfailed or killed: {sum(row['outcome'] != 'done' for row in rows)}"


def line(dataset: str, variant: str, group: list[Row]) -> list[object]:
    """Return the line of one variant on one dataset; the worst of its seeds has to be the best of the four."""
    best = [least(row[f"{name} best_objective"] for name in RUNS) for row in group]
    counts = ("local_searches", "iterations", "exact_assignments", "integer_programs")
    return [
        *(dataset, len(group), variant),
        percent(reaches(row[f"{variant} objective"], least_one) for row, least_one in zip(group, best, strict=True)),
        mean(row[f"{variant} cpu_seconds"] for row in group),
        *(mean(row[f"{variant} {count}"] / len(SEEDS) for row in group) for count in counts),
    ]
