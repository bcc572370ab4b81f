"""Proofs of a case: solve it, or certify a partition of it, and have the run file checked; for all suites that do."""

import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pcsos
from benchmarks import checking
from benchmarks.case import Case, Row
from benchmarks.instances import build
from benchmarks.machine import peak_mb
from pcsos import heuristics
from pcsos.base.typing import Indices
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options

#: Columns of a proof, by either way.
PROOF_COLUMNS = (
    *("n_points", "n_features", "n_clusters", "n_super_points", "n_must_link", "n_cannot_link"),
    *("status", "reason", "objective", "lower_bound", "gap", "nodes", "n_blocks", "better"),
    *("root_lower_bound", "root_gap", "root_seconds", "search_seconds", "seconds", "file_mb", *checking.COLUMNS),
)
#: What a report shows of a proof.
PROOF_SHOWN = ("name", "n_points", "status", "gap", "nodes", "n_blocks", "seconds", "peak_mb", "verified_gap")
#: Seconds that the checker may take beyond the limit of the solver.
LONGER = 60.0
#: Share of the limit that the search for the partition may take that is certified.
SEARCH_SHARE = 0.25


def unconstrained_cases(folder: Path, n_clusters: Mapping[str, Iterable[int]], **limits: Any) -> list[Case]:
    """Return a case for each file ``NAME.txt.gz`` of a folder and each of its numbers of clusters."""
    return [
        Case(f"{name}/k{k}", {"files": [str(folder / f"{name}.txt.gz"), None, k]}, **limits)
        for name, numbers in n_clusters.items()
        for k in numbers
    ]


def solve_case(
    *, gap: float, time_limit: float, workers: int | None, run_file: Path | None = None, **given: Any
) -> Row:
    """Solve the instance that is described, have its run file checked, and return the columns of its row.

    The run file is kept where a path is given.
    """
    instance = build(**given)
    with tempfile.TemporaryDirectory() as folder:
        path = run_file or Path(folder) / "case.run"
        result = pcsos.solve(instance, gap=gap, time_limit=time_limit, workers=workers, run_file=path)
        return row_of(result, path, workers, time_limit + LONGER)


def certify_case(
    *, gap: float, time_limit: float, workers: int | None, run_file: Path | None = None, **given: Any
) -> Row:
    """Find a partition of the instance that is described, certify it, and go on as :func:`solve_case` does."""
    instance = build(**given)
    begun = time.perf_counter()
    labels = found_labels(instance, SEARCH_SHARE * time_limit)
    searched = time.perf_counter() - begun
    with tempfile.TemporaryDirectory() as folder:
        path = run_file or Path(folder) / "case.run"
        result = pcsos.certify(
            instance, labels, gap=gap, time_limit=time_limit - searched, workers=workers, run_file=path
        )
        row = row_of(result, path, workers, 0.2 * time_limit + 100.0)
    return row | {"search_seconds": searched, "better": result.better is not None}


def found_labels(instance: Instance, time_limit: float) -> Indices | None:
    """Return a partition to certify, found in so many seconds by what suits the size; None where none is found."""
    small = instance.n_points * instance.n_clusters <= 200_000
    method = "s-mdeclust" if small else "sampled" if not len(instance.cannot_link) else "ipc-kmeans"
    options: dict[str, Any] = {"num_starts": 20} if method == "ipc-kmeans" else {}
    found, _ = heuristics.run(instance, method, time_limit=time_limit, **options)
    return None if found is None else found.labels


def row_of(result: Any, path: Path, workers: int | None, seconds: float) -> Row:
    """Return the columns of a result, the memory that it took, and what the checker says in a process of its own."""
    row = {"peak_mb": peak_mb(), "file_mb": path.stat().st_size / 2**20}
    row |= checking.checked(path, Options(workers=workers).num_workers, seconds)
    record = result.to_dict() | row
    return {"peak_mb": row["peak_mb"]} | {column: record.get(column) for column in PROOF_COLUMNS}
