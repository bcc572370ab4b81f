"""Solving a case with ``pcsos.solve`` and reading files, for all suites that do."""

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

import pcsos
from benchmarks import checking
from benchmarks.case import Case, Row
from benchmarks.machine import peak_mb
from pcsos.io import read_constraints, read_points
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options

#: Columns of a solved case.
SOLVE_COLUMNS = (
    *("n_points", "n_features", "n_clusters", "n_super_points", "n_must_link", "n_cannot_link"),
    *("status", "reason", "objective", "lower_bound", "gap", "nodes"),
    *("root_lower_bound", "root_gap", "root_seconds", "seconds"),
)
#: The same with its run file, checked.
CHECKED_COLUMNS = (*SOLVE_COLUMNS, "file_mb", *checking.COLUMNS)
#: Seconds that the checker may take beyond the limit of the solver.
LONGER = 60.0


def load(points: str, constraints: str | None, n_clusters: int) -> Instance:
    """Return the instance in these files."""
    rows: NDArray[Any] = read_points(points)
    if constraints is None:
        return Instance(rows, n_clusters)
    pairs = read_constraints(constraints, rows)
    return Instance(rows, n_clusters, pairs.must_link, pairs.cannot_link)


def unconstrained_cases(folder: Path, n_clusters: Mapping[str, Iterable[int]]) -> list[Case]:
    """Return a case for each file ``NAME.txt.gz`` of a folder and each of its numbers of clusters."""
    return [
        Case(f"{name}/k{k}", {}, {"points": str(folder / f"{name}.txt.gz"), "n_clusters": k})
        for name, numbers in n_clusters.items()
        for k in numbers
    ]


def solve_unconstrained(points: str, n_clusters: int, **options: Any) -> Row:
    """Solve one such case, and have its run file checked."""
    return solve_checked(load(points, None, n_clusters), **options)


def solve_checked(
    instance: Instance, *, time_limit: float, workers: int | None, run_file: Path | None = None, **options: Any
) -> Row:
    """Solve an instance, have its run file checked in a process of its own, and return the columns of its row.

    The run file is kept where a path is given.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = run_file or Path(folder) / "case.run"
        row = solve(instance, time_limit=time_limit, workers=workers, run_file=path, **options)
        row |= {"peak_mb": peak_mb(), "file_mb": path.stat().st_size / 2**20}
        return row | checking.checked(path, Options(workers=workers).num_workers, time_limit + LONGER)


def solve(instance: Instance, **options: Any) -> Row:
    """Solve an instance and return the columns of its row."""
    record = pcsos.solve(instance, **options).to_dict()
    return {column: record[column] for column in SOLVE_COLUMNS}
