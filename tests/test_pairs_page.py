"""The page of who keeps the pairs: crashes, empty clusters and stopped rivals are told, and no sentence is fixed."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.pages.rows import NotMeasuredError
from benchmarks.pages.screens import pairs, rivals
from benchmarks.suites import comparators
from benchmarks.suites import rivals as rivals_suite
from tests.records import record_of


def heuristic_row(number: int, broken: dict[str, float], *failed: str) -> dict[str, Any]:
    row: dict[str, Any] = {"name": f"heuristics/iris/{number}", "dataset": "iris", "num_pairs": 10}
    for method, count in broken.items():
        columns = {"objective": 5.0, "cpu_seconds": 1.0, "violated_must_links": count, "violated_cannot_links": 0.0}
        row |= {f"{method} {column}": value for column, value in (columns | {"num_failed": 0}).items()}
    return row | {f"{method} num_failed": 1 for method in failed}


def exact_row(number: int, theirs: float, ended: bool) -> dict[str, Any]:
    row = {"name": f"exact/iris/{number}", "dataset": "iris", "constraint_type": "ML", "num_constraints": 50}
    row |= {"n_super_points": 99, "pcsos exact_cpu_seconds": 1.0, "pcsos gap": 9e-5}
    return row | {"CPRBBA cpu_seconds": theirs, "CPRBBA objective": 1.0 if ended else None}


def test_who_breaks_pairs_and_who_fails_are_counts_of_their_own(tmp_path: Path) -> None:
    rows = [
        heuristic_row(0, {"SG-MDE": 0.0, "pcsos": 0.0, "PCKMeans": 2.0}),
        heuristic_row(1, {"SG-MDE": 0.0, "pcsos": 0.2, "PCKMeans": 0.0}),
        heuristic_row(2, {"SG-MDE": 0.0, "pcsos": 0.0}, "PCKMeans"),
        {"name": "heuristics/iris/3", "outcome": "killed"},
    ]
    record = record_of(tmp_path, "comparators", comparators.COLUMNS, rows)
    assert pairs.FACTS["pckmeans_breaks"](record) == "1 of 2 instances (it fails on 1 more)"
    assert pairs.FACTS["own_breaks"](record) == "1 of 3 instances"
    line = next(line for line in pairs.kept(record).splitlines() if "PCKMeans (others)" in line)
    assert [cell.strip() for cell in line.split("|")[4:6]] == ["2 of 4", "1 of 2"]
    with pytest.raises(NotMeasuredError):
        pairs.breaks(record, "MPCKMeans")


def test_what_was_stopped_takes_at_least_its_seconds(tmp_path: Path) -> None:
    rows = [exact_row(0, 0.5, ended=True), exact_row(1, 60.0, ended=False), exact_row(2, 60.0, ended=False)]
    record = record_of(tmp_path / "some", "comparators", comparators.COLUMNS, rows)
    assert pairs.cprbba_faster(record) == "1 of 3 instances (iris 50 ML)"
    assert "at least 60 |" in pairs.exact(record)
    none = record_of(tmp_path / "none", "comparators", comparators.COLUMNS, rows[1:])
    assert pairs.cprbba_faster(none) == "none of 2 instances"


def test_killed_rows_of_rivals_are_counted(tmp_path: Path) -> None:
    rows = [
        {"name": f"exact/{i}/SCIP", "group": "exact", "instance": str(i), "method": "SCIP", "outcome": outcome}
        for i, outcome in enumerate(("killed", "failed"))
    ]
    record = record_of(tmp_path, "rivals", rivals_suite.COLUMNS, rows)
    assert rivals.FACTS["scip_proved"](record) == "0 of 2"
    assert " 0 of 2 |" in rivals.FACTS["exact"](record)
