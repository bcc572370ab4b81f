"""Running heuristics for a row, and comparing their objectives; for all suites that do."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.case import Row
from pcsos.heuristics import run
from pcsos.instance import Instance
from pcsos.partition import Partition

#: What a row tells of one run; in a row with several runs each column begins with the name of the run.
RUN_COLUMNS = (
    *("objective", "seconds", "cpu_seconds", "cpu_seconds_to_best", "local_searches", "iterations"),
    *("exact_assignments", "integer_programs", "message"),
)
#: Relative difference up to which two objectives count as the same.
SAME = 1e-6
SEED = 0


def measure(instance: Instance, method: str, **options: Any) -> Row:
    """Run one heuristic and return the columns of :data:`RUN_COLUMNS`; the time of its reductions counts."""
    warm_up(instance, method, **options)
    found: list[float] = []

    def note(_: Partition) -> None:
        found.append(time.process_time())

    wall, cpu = time.perf_counter(), time.process_time()
    record = run(instance, method, seed=SEED, on_improvement=note, **options).record
    return {
        "objective": record.objective,
        "seconds": round(time.perf_counter() - wall, 4),
        "cpu_seconds": round(time.process_time() - cpu, 4),
        "cpu_seconds_to_best": round(found[-1] - cpu, 4) if found else None,
        "local_searches": record.local_search_calls,
        "iterations": record.local_search_iterations,
        "exact_assignments": record.exact_assignments,
        "integer_programs": record.integer_programs,
        "message": record.message,
    }


def warm_up(instance: Instance, method: str, **options: Any) -> None:
    """Load the compiled kernels by a short run on the instance itself, so that no time contains it."""
    least = {"population": 4, "max_generations": 1} if method == "s-mdeclust" else {"num_starts": 1}
    run(instance, method, seed=SEED + 1, **options | least)


def prefixed(name: str, columns: Row) -> Row:
    """Return the columns of one run under the name of the run."""
    return {f"{name} {column}": value for column, value in columns.items()}


def wide_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of a row that holds several runs."""
    return tuple(f"{name} {column}" for name in names for column in RUN_COLUMNS)


def excess(objective: float | None, best: float) -> float | None:
    """Return by how much an objective is above the best known one, relative to it; None where there is none."""
    return None if objective is None else (objective - best) / abs(best)


def reaches(objective: float | None, best: float) -> bool:
    """Tell whether an objective is the best known one, to a relative difference of :data:`SAME`."""
    return objective is not None and objective - best <= SAME * abs(best)


def percent(flags: Iterable[bool]) -> float | None:
    """Return the share of those that hold, in percent; None without any."""
    held = list(flags)
    return 100.0 * sum(held) / len(held) if held else None


def time_to_best(runs: Mapping[str, Row]) -> dict[str, float | None]:
    """Return the CPU seconds until each run of an instance had the best objective of all; None where it never had."""
    objectives = [row["objective"] for row in runs.values() if row["objective"] is not None]
    return {
        name: row["cpu_seconds_to_best"] if reaches(row["objective"], min(objectives)) else None
        for name, row in runs.items()
    }


def runs_of(row: Row, names: Iterable[str]) -> dict[str, Row]:
    """Return the runs in a wide row, by name."""
    return {name: {column: row.get(f"{name} {column}") for column in RUN_COLUMNS} for name in names}
