"""Running heuristics for a row, and comparing their objectives; for all suites that do."""

import time
from collections.abc import Iterable, Mapping
from statistics import fmean, median
from typing import Any

from benchmarks.case import Row
from benchmarks.clock import cpu_clock
from pcsos.heuristics import run
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition

#: What a row tells of one run; in a row with several runs each column begins with the name of the run.
COUNTS = ("local_searches", "iterations", "exact_assignments", "integer_programs")
RUN_COLUMNS = ("objective", "best_objective", "seconds", "cpu_seconds", "cpu_seconds_to_best", *COUNTS, "message")
#: Relative difference up to which two objectives count as the same.
SAME = 1e-6
SEED = 0
#: Most seconds of the run before the one that is measured.
WARM_UP_SECONDS = 3.0


def measure(instance: Instance, method: str, *, seeds: Iterable[int] = (SEED,), **options: Any) -> Row:
    """Run one heuristic, once a seed, and return the columns of :data:`RUN_COLUMNS`; its reductions count.

    The objective is that of the worst seed (and the best objective that of the best one), times are means and the rest
    are sums over the seeds.
    """
    warm_up(instance, method, **options)
    return combined([measure_once(instance, method, seed, **options) for seed in seeds])


def measure_once(instance: Instance, method: str, seed: int, **options: Any) -> Row:
    """Run one heuristic with one seed."""
    found: list[float] = []

    def note(_: Partition) -> None:
        found.append(cpu_clock())

    wall, cpu = time.perf_counter(), cpu_clock()
    record = run(instance, method, seed=seed, on_improvement=note, **options).record
    return {
        "objective": record.objective,
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": cpu_clock() - cpu,
        "cpu_seconds_to_best": found[-1] - cpu if found else None,
        "local_searches": record.local_search_calls,
        "iterations": record.local_search_iterations,
        "exact_assignments": record.exact_assignments,
        "integer_programs": record.integer_programs,
        "message": record.message,
    }


def combined(rows: list[Row]) -> Row:
    """Return the row of several seeds; without a partition if one of them found none."""
    found = all(row["objective"] is not None for row in rows)
    return {
        "objective": max(row["objective"] for row in rows) if found else None,
        "best_objective": least(row["objective"] for row in rows),
        **{name: round(fmean(row[name] for row in rows), 4) for name in ("seconds", "cpu_seconds")},
        "cpu_seconds_to_best": round(fmean(row["cpu_seconds_to_best"] for row in rows), 4) if found else None,
        **{name: sum(row[name] for row in rows) for name in COUNTS},
        "message": next((row["message"] for row in rows if row["message"]), None),
    }


def warm_up(instance: Instance, method: str, **options: Any) -> None:
    """Load the compiled kernels by a run on the instance itself, so that no time contains it."""
    run(instance, method, seed=SEED + 1, **options | {"time_limit": WARM_UP_SECONDS})


def prefixed(name: str, columns: Row) -> Row:
    """Return the columns of one run under the name of the run."""
    return {f"{name} {column}": value for column, value in columns.items()}


def wide_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of a row that holds several runs."""
    return tuple(f"{name} {column}" for name in names for column in RUN_COLUMNS)


def excess(objective: float | None, best: float | None) -> float | None:
    """Return by how much an objective is above the best known one, relative to it; None where there is none."""
    return None if objective is None or best is None else (objective - best) / abs(best)


def reaches(objective: float | None, best: float | None) -> bool:
    """Tell whether an objective is the best known one, to a relative difference of :data:`SAME`."""
    return objective is not None and best is not None and objective - best <= SAME * abs(best)


def least(values: Iterable[float | None]) -> float | None:
    """Return the least of those that are there, or None."""
    return min((value for value in values if value is not None), default=None)


def middle(values: Iterable[float | None]) -> float | None:
    """Return the median of those that are there, or None."""
    there = [value for value in values if value is not None]
    return median(there) if there else None


def by_dataset_and_all(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows of the cases that ended, by dataset, and last all of them."""
    done = [row for row in rows if row["outcome"] == "done"]
    datasets = dict.fromkeys(row["dataset"] for row in done)
    return {dataset: [row for row in done if row["dataset"] == dataset] for dataset in datasets} | {"all": done}


def percent(flags: Iterable[bool]) -> float | None:
    """Return the share of those that hold, in percent; None without any."""
    held = list(flags)
    return 100.0 * sum(held) / len(held) if held else None


def time_to_best(runs: Mapping[str, Row]) -> dict[str, float | None]:
    """Return the CPU seconds until each run of an instance had the best objective of all; None where it never had."""
    best = least(row["objective"] for row in runs.values())
    return {name: row["cpu_seconds_to_best"] if reaches(row["objective"], best) else None for name, row in runs.items()}


def runs_of(row: Row, names: Iterable[str]) -> dict[str, Row]:
    """Return the runs in a wide row, by name."""
    return {name: {column: row.get(f"{name} {column}") for column in RUN_COLUMNS} for name in names}
