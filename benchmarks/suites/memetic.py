"""S-MDEClust on the instances of the PC-SOS-SDP paper: Table 3 of the S-MDEClust paper.

One case runs our default variant and the paper's SG-MDE and SMG-MDE one after the other, with the paper's parameters
and five seeds each; the worst seed counts. The best known value is the best of these and of the suite ``published``,
where its CSV files are in ``benchmarks/results/``.
"""

from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.heuristics import (
    by_dataset_and_all,
    excess,
    least,
    measure,
    percent,
    prefixed,
    reaches,
    runs_of,
    wide_columns,
)
from benchmarks.published_tables import by_dataset
from benchmarks.runner import read_rows
from benchmarks.solving import load
from benchmarks.suites.published import cases as published_cases
from benchmarks.tables import mean, table

#: The runs of a case.
RUNS = ("pcsos", "SG-MDE", "SMG-MDE")
SEEDS = range(5)
COLUMNS = ("dataset", "constraint_type", "num_constraints", *wide_columns(RUNS))
RESULTS = Path(__file__).parents[1] / "results"
HEADER = (
    *(
        "dataset",
        "instances",
        "certified",
        "run",
        "reached %",
        "median excess %",
        "largest excess %",
        "published reached %",
    ),
    *("mean CPU s", "max CPU s", "CPU s to best", "integer programs %"),
)


def cases(settings: Settings) -> list[Case]:
    """Return one case for each instance."""
    return published_cases(settings)


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
    """Return a line for each dataset and run, and one for all instances."""
    theirs = by_dataset(settings.published, "s_mdeclust_vs_pc_sos_sdp.csv")
    certified = known_values(RESULTS)
    lines = [
        line(dataset, variant, group, certified, theirs.get(dataset.lower(), {}) if variant == "SG-MDE" else {})
        for dataset, group in by_dataset_and_all(rows).items()
        for variant in RUNS
    ]
    return f"{table(HEADER, lines)}\n\nfailed or killed: {sum(row['outcome'] != 'done' for row in rows)}"


def line(
    dataset: str,
    variant: str,
    group: list[Row],
    certified: dict[str, tuple[float, bool]],
    theirs: dict[str, float | None],
) -> list[object]:
    """Return the line of one variant on one dataset."""
    pairs = [(row[f"{variant} objective"], best_known(row, certified)) for row in group]
    above = [value for value in (excess(*pair) for pair in pairs) if value is not None]
    seconds = [row[f"{variant} cpu_seconds"] for row in group]
    assignments = sum(row[f"{variant} exact_assignments"] for row in group)
    programs = sum(row[f"{variant} integer_programs"] for row in group)
    return [
        *(dataset, len(group), sum(certified.get(row["name"], (0.0, False))[1] for row in group), variant),
        percent(reaches(*pair) for pair in pairs),
        *((100.0 * max(0.0, pick(above)) if above else None) for pick in (median, max)),
        theirs.get("of_percent_matched"),
        *(mean(seconds), max(seconds, default=0.0)),
        mean(found for row in group if (found := row[f"{variant} cpu_seconds_to_best"]) is not None),
        100.0 * programs / assignments if assignments else None,
    ]


def best_known(row: Row, known: dict[str, tuple[float, bool]]) -> float | None:
    """Return the best objective of all runs of an instance and of the solves of the suite ``published``."""
    return least([*(row[f"{variant} best_objective"] for variant in RUNS), known.get(row["name"], (None, False))[0]])


def known_values(folder: Path) -> dict[str, tuple[float, bool]]:
    """Return the objective of each instance that the suite ``published`` solved, and whether it is proved."""
    found: dict[str, tuple[float, bool]] = {}
    for path in sorted(folder.glob("published*.csv")):
        for row in read_rows(path):
            if row.get("objective") is not None:
                value, proved = found.get(row["name"], (row["objective"], False))
                found[row["name"]] = (min(value, row["objective"]), proved or row["status"] == "OPTIMAL")
    return found
