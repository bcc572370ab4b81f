"""The suite: both kinds of cases run, and its tables say what the rows say."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.case import Settings
from benchmarks.comparators.clustering import Clustering
from benchmarks.comparators.programs import ProgramFailedError
from benchmarks.suites import comparators
from benchmarks.tables import table
from tests.heuristics.problems import blobs


def files_of(folder: Path) -> dict[str, Any]:
    """Write an instance of 24 points and return what a case tells of it."""
    instance = blobs(24, 3, constraints=12, seed=1, d=2)
    points, pairs = folder / "points.txt", folder / "pairs.txt"
    np.savetxt(points, instance.points, header="24 2", comments="")
    lines = [f"ML {i} {j}" for i, j in instance.must_link] + [f"CL {i} {j}" for i, j in instance.cannot_link]
    pairs.write_text("\n".join(lines) + "\n")
    return {"points": str(points), "constraints": str(pairs), "n_clusters": 3}


def test_both_kinds_of_cases_fill_their_columns(tmp_path: Path) -> None:
    files = files_of(tmp_path)
    exact = comparators.run(**files, part="exact", time_limit=600.0, workers=1, gap=1e-4)
    assert exact["CPRBBA objective"] == pytest.approx(exact["pcsos exact_objective"], rel=1e-6)
    assert exact["CPRBBA num_done"] == exact["n_super_points"]
    soft = comparators.run(**files, part="heuristics", time_limit=600.0, workers=1, gap=1e-4)
    assert soft["pcsos objective"] == pytest.approx(exact["pcsos exact_objective"], rel=1e-6)
    assert (soft["num_pairs"], soft["SG-MDE num_feasible"]) == (12, 5)
    assert soft["pcsos PCKMeans objective"] >= soft["MDEClust objective"] * (1 - 1e-9)
    assert soft["MDEClust objective"] <= soft["pcsos objective"] * (1 + 1e-9)
    assert {*exact, *soft} <= set(comparators.COLUMNS)
    row = {"dataset": "blobs", "constraint_type": "ML+CL", "num_constraints": 12.0, "outcome": "done"}
    rows = [dict.fromkeys(comparators.COLUMNS) | row | {"name": "exact/x"} | exact]
    rows += [dict.fromkeys(comparators.COLUMNS) | row | {"name": "heuristics/x"} | soft]
    text = comparators.report(rows, Settings())
    assert "failed or killed: 0" in text
    assert "LCVQE" in text


def method_row(name: str, objective: float, seconds: float, searches: float, feasible: int, violated: int) -> Any:
    columns = {"objective": objective, "cpu_seconds": seconds, "local_searches": searches, "num_feasible": feasible}
    columns |= {"violated_must_links": violated, "violated_cannot_links": 0}
    return {f"{name} {column}": value for column, value in columns.items()}


def soft_row(objective: float, feasible: int, violated: int) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(comparators.COLUMNS) | {"outcome": "done", "num_pairs": 20.0}
    row |= {"dataset": "iris"}
    row |= method_row("SG-MDE", 9.0, 3.0, 50.0, 5, 0) | method_row("pcsos", 10.0, 1.0, 25.0, 5, 0)
    return row | method_row("S-HG-MEANS", objective, 2.0, 100.0, feasible, violated)


def test_s_hg_means_is_compared_only_where_no_seed_violates_a_pair() -> None:
    group = [soft_row(10.0, 5, 0), soft_row(1.0, 4, 1)]
    line = comparators.difference_line("iris", "SG-MDE", group)
    assert line[:4] == ["iris", 2, 1, "SG-MDE"]
    assert line[4:] == pytest.approx([100.0, -10.0, -10.0, -10.0, 0.0, 50.0, 50.0, 50.0, 100.0, -50.0, -50.0, -50.0])
    nothing = comparators.difference_line("iris", "pcsos", group[1:])
    assert nothing[4:] == [None] * 12


def test_violated_pairs_are_told_as_shares() -> None:
    group = [soft_row(10.0, 5, 0), soft_row(18.0, 0, 5)]
    line = comparators.violations("S-HG-MEANS", group)
    assert line is not None
    assert line[:6] == ("S-HG-MEANS", 2, 0, 1, 12.5, 25.0)
    assert line.excess == pytest.approx((100.0 / 9.0 + 100.0) / 2.0)
    assert comparators.violations("PCKMeans", group) is None


def test_an_empty_cluster_breaks_no_pair() -> None:
    line = comparators.violations("S-HG-MEANS", [soft_row(10.0, 0, 0)])
    assert line is not None
    assert line.kept == 1


def test_what_fails_with_a_seed_is_counted_and_not_judged() -> None:
    line = comparators.violations("PCKMeans", [soft_row(10.0, 5, 0) | {"PCKMeans num_failed": 2.0}])
    assert line is not None
    assert line == ("PCKMeans", 0, 1, 0, None, None, None, None)


def test_a_method_runs_once_before_it_is_measured_and_all_seeds_though_one_fails() -> None:
    instance, seeds = blobs(24, 3, constraints=12, seed=1, d=2), []

    def call(seed: int) -> Clustering:
        seeds.append(seed)
        if seed == 1:
            raise ProgramFailedError
        return Clustering.of(instance, np.arange(24) % 3)

    assert comparators.measure(call) == {"num_failed": 1}
    assert seeds == [5, 0, 1, 2, 3, 4]


def test_what_does_not_end_counts_with_its_limit() -> None:
    head = {"dataset": "iris", "constraint_type": "ML", "num_constraints": 50.0, "n_super_points": 99.0}
    head |= {"outcome": "done", "pcsos exact_cpu_seconds": 0.5, "pcsos gap": 9e-5}
    ended = head | {"CPRBBA cpu_seconds": 0.25, "CPRBBA objective": 1.0}
    stopped = head | {"CPRBBA cpu_seconds": 60.0, "CPRBBA objective": None}
    first, total = comparators.exact_lines([ended, stopped, stopped | {"outcome": "killed"}])
    assert first == ("iris", "ML", 50.0, 99.0, 3, 1, 2, 30.125, 0.5, 60.25, 1)
    assert total[4:] == first[4:]
    assert "all" in table(comparators.EXACT_HEADER, [total])
    assert comparators.exact_lines([]) == []
