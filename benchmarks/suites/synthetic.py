"""The synthetic sets of the S-MDEClust paper, with the protocol of its section 4.2, and the growth of time.

S-MDEClust has ten members and ten generations, a local search has at most 25 iterations. Its rivals have as many starts
as S-MDEClust has local searches when no stopping rule ends it early. Each run is a case of its own, so that its peak
memory is its own.
"""

import re
from collections import defaultdict
from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.heuristics import RUN_COLUMNS, excess, measure, reaches
from benchmarks.tables import table
from pcsos.io import read_constraints, read_points
from pcsos.problem.instance import Instance

#: Sets of the paper: six numbers of points, three of clusters and four of constraints.
NUM_SETS = 72
POPULATION = GENERATIONS = 10
SEARCHES = POPULATION * (1 + GENERATIONS)
MAX_ITERATIONS = 25
EVOLUTION = {"population": POPULATION, "max_generations": GENERATIONS, "max_local_iterations": MAX_ITERATIONS}
STARTS = {"num_starts": SEARCHES, "max_local_iterations": MAX_ITERATIONS}
#: Method and options of each run.
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "pcsos": ("s-mdeclust", {"variant": "pcsos", **EVOLUTION}),
    "SG-MDE": ("s-mdeclust", {"variant": "SG-MDE", **EVOLUTION}),
    "blp-km": ("blp-km", STARTS),
    "cop-kmeans": ("cop-kmeans", STARTS),
}
COLUMNS = ("n", "k", "num_constraints", "run", *RUN_COLUMNS)
HEADER = (
    *("n", "k", "constraints", "run", "excess %", "CPU s", "CPU s to best", "local searches", "iterations"),
    *("integer programs", "MB", "note"),
)


def sets(settings: Settings, suite: str) -> list[tuple[int, int, int, Row]]:
    """Return points, clusters and constraints of each set and its files, the smallest first."""
    if settings.data is None:
        raise SystemExit(f"the suite {suite} needs --data FOLDER with synthetic_nN_d2_kK_data.csv.gz")
    found = []
    for path in settings.data.glob("synthetic_n*_d2_k*_constraints_*.json.gz"):
        n, _, k, number = map(int, re.findall(r"\d+", path.name))
        points = path.parent / f"synthetic_n{n}_d2_k{k}_data.csv.gz"
        found.append((n, k, number, {"points": str(points), "constraints": str(path), "k": k}))
    return sorted(found, key=lambda row: row[:3])


def cases(settings: Settings) -> list[Case]:
    """Return one case for each constraint file and method."""
    return [
        Case(
            f"n{n}-k{k}-c{number}-{name}", {"n": n, "k": k, "num_constraints": number, "run": name},
            files | {"name": name},
        )
        for n, k, number, files in sets(settings, "synthetic")
        for name in RUNS
    ]  # fmt: skip


def load(points: str, constraints: str, k: int) -> Instance:
    """Return one instance; the classes are no feature."""
    rows = read_points(points, ignore=["class"])
    pairs = read_constraints(constraints, rows)
    return Instance(rows, k, pairs.must_link, pairs.cannot_link)


def run(points: str, constraints: str, k: int, name: str, *, time_limit: float, **_: Any) -> Row:
    """Run one method on one instance."""
    method, options = RUNS[name]
    return measure(load(points, constraints, k), method, time_limit=time_limit, **options)


def measured(rows: list[Row]) -> dict[str, dict[str, Row]]:
    """Return the runs of each instance, for performance profiles and the report."""
    found: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        if row["outcome"] == "done":
            found[f"n{row['n']:.0f}-k{row['k']:.0f}-c{row['num_constraints']:.0f}"][row["run"]] = row
    return dict(found)


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line a run and the growth of time with the number of points."""
    instances = measured(rows).values()
    lines = [line(row, best_objective(runs)) for runs in instances for row in runs.values()]
    wins = [
        [name, sum(reaches(runs[name]["objective"], best_objective(runs)) for runs in instances if name in runs)]
        for name in RUNS
    ]
    growth = table(("k", "constraints", "run", "n", "times the points", "times the CPU s"), growth_lines(rows))
    return f"{table(HEADER, lines)}\n\n{table(('run', f'best of {len(instances)}'), wins)}\n\n{growth}"


def line(row: Row, best: float) -> list[object]:
    """Return the line of one run."""
    above = excess(row["objective"], best)
    return [
        *(int(row["n"]), int(row["k"]), int(row["num_constraints"]), row["run"]),
        None if above is None else 100.0 * max(0.0, above),
        *(row["cpu_seconds"], row["cpu_seconds_to_best"], int(row["local_searches"]), int(row["iterations"])),
        f"{row['integer_programs']:.0f} of {row['exact_assignments']:.0f}",
        *(row["peak_mb"], row["message"] or ""),
    ]


def best_objective(runs: dict[str, Row]) -> float:
    """Return the best objective of the runs of an instance."""
    return min((row["objective"] for row in runs.values() if row["objective"] is not None), default=float("nan"))


def growth_lines(rows: list[Row]) -> list[list[object]]:
    """Return by how much the time grew from one number of points to the next, at the same k and constraints."""
    groups: dict[tuple[float, float, str], list[Row]] = defaultdict(list)
    for row in rows:
        if row["outcome"] == "done" and row["cpu_seconds"]:
            groups[row["k"], row["num_constraints"], row["run"]].append(row)
    return [
        [
            int(k),
            int(number),
            name,
            f"{a['n']:.0f} to {b['n']:.0f}",
            b["n"] / a["n"],
            b["cpu_seconds"] / a["cpu_seconds"],
        ]
        for (k, number, name), group in groups.items()
        for a, b in zip(sorted(group, key=_n), sorted(group, key=_n)[1:], strict=False)
    ]


def _n(row: Row) -> float:
    return float(row["n"])
