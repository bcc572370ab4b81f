"""The suite that runs rivals side by side: its cases, what a row says of several runs, and what it reports."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.case import Settings
from benchmarks.comparators import methods
from benchmarks.comparators.clustering import Clustering
from benchmarks.comparators.methods import METHODS, Answer, Limits, Method
from benchmarks.pages.methods import METHODS as SHOWN
from benchmarks.rival_instances import build, instances
from benchmarks.suites import comparators, rivals
from pcsos.problem.instance import Instance

OPTIONS = {"gap": 1e-4, "time_limit": 3600.0, "workers": 1}
TINY = {"drawn": [12, 2, 2, 6.0, 4]}


def test_every_case_can_be_built_without_data() -> None:
    for group, descriptions in instances(Settings()).items():
        for description in descriptions.values():
            if "digits" not in description:
                instance = build(**description)
                assert (instance.limits is not None) == (group == "sizes")
                assert group in ("pairs", "exact") or not instance.must_link.size + instance.cannot_link.size


def test_files_that_are_not_there_have_no_cases(tmp_path: Path) -> None:
    folder = tmp_path / "sos-sdp"
    folder.mkdir()
    folder.joinpath("wdbc.txt.gz").touch()
    without, with_data = (rivals.cases(Settings(data=data)) for data in (None, tmp_path))
    more = {case.name for case in with_data} - {case.name for case in without}
    assert {name.rpartition("/")[0] for name in more} == {"unconstrained/wdbc"}


def test_programs_that_are_not_installed_have_no_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "SCIP", Method(METHODS["SCIP"].call, "no_such_module"))
    monkeypatch.setitem(METHODS, "KMeans-1", Method(METHODS["KMeans-1"].call, "json"))
    names = {case.columns["method"] for case in rivals.cases(Settings())}
    assert "SCIP" not in names
    assert {"KMeans-1", "pcsos.solve"} <= names


def test_ours_proves_what_it_finds() -> None:
    row = rivals.run("pcsos.solve", TINY, **OPTIONS)
    assert (row["runs"], row["satisfied"], row["proved"], row["violated_pairs"]) == (1, 1, 1, 0)
    assert 0.0 <= row["gap"] <= 1e-4
    assert row["lower_bound"] <= row["objective"]
    heuristic = rivals.run("S-MDEClust", TINY, **OPTIONS)
    assert (heuristic["runs"], heuristic["gap"], heuristic["proved"]) == (rivals.NUM_SEEDS, None, 0)
    assert heuristic["worst_objective"] == pytest.approx(row["objective"])
    assert set(row) < set(rivals.COLUMNS)


def test_a_row_tells_the_median_and_the_worst_of_the_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = {0: [0, 0, 1, 1], 1: [0, 1, 1, 1], 2: [0, 1, 0, 1], 3: [0, 0, 1, 1]}

    def call(instance: Instance, seed: int, _: Limits) -> Answer:
        if seed not in labels:
            return Answer(None, message="nothing found")
        return Answer(Clustering.of(instance, labels[seed]))

    monkeypatch.setitem(METHODS, "fake", Method(call))
    instance = Instance([0.0, 1.0, 8.0, 9.0], 2, must_link=[(0, 1)], cannot_link=[(1, 2)])
    monkeypatch.setattr(rivals, "build", lambda: instance)
    row = rivals.run("fake", {}, **OPTIONS)
    objectives = [1.0, 1.0, 38.0, 64.0]
    assert (row["runs"], row["found"], row["satisfied"]) == (5, 4, 2)
    assert row["objective"] == pytest.approx(np.median(objectives))
    assert [row[f"{which}_objective"] for which in ("best", "worst", "best_satisfied")] == pytest.approx([1, 64, 1])
    assert (row["violated_pairs"], row["most_violated_pairs"], row["message"]) == (0.5, 2, "nothing found")
    assert row["median_satisfied_objective"] is None, "three of five runs found nothing or violate a pair"
    monkeypatch.setattr(rivals, "NUM_SEEDS", 4)
    assert rivals.run("fake", {}, **OPTIONS | {"time_limit": 0.0})["runs"] == 1


def test_a_program_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Clustering:
        raise methods.ProgramFailedError("COPKMeans raised EmptyClustersException: ")

    monkeypatch.setattr(methods, "run_program", fail)
    row = rivals.run("COPKMeans-1", TINY, **OPTIONS)
    assert (row["runs"], row["found"], row["objective"], row["proved"]) == (5, 0, None, 0)
    assert row["message"].startswith("COPKMeans raised")


def a_row(method: str, objective: float, satisfied: int, **columns: Any) -> dict[str, Any]:
    runs = 1 if method == "pcsos.solve" else 5
    numbers = dict.fromkeys(("n_points", "n_features", "n_clusters", "num_pairs", "seconds", "peak_mb"), 10.0)
    row = dict.fromkeys(rivals.COLUMNS) | numbers
    row |= {"name": f"pairs/x/{method}", "group": "pairs", "instance": "x", "method": method, "outcome": "done"}
    row |= {"runs": runs, "found": runs, "satisfied": satisfied, "objective": objective, "worst_objective": objective}
    row |= {"best_satisfied_objective": objective if satisfied else None, "cpu_seconds": 2.0, "proved": 0.0}
    row |= {"median_satisfied_objective": objective if 2 * satisfied > runs else None}
    return row | {"most_violated_pairs": 0.0} | columns


def test_excess_is_over_the_best_that_satisfies_everything() -> None:
    rows = [
        a_row("S-MDEClust", 100.0, 5),
        a_row("pcsos.solve", 100.0, 1, proved=1.0, gap=5e-5, cpu_seconds=6.0),
        a_row("PCKMeans-1", 90.0, 0, most_violated_pairs=3.0),
        a_row("cop-kmeans", 110.0, 5),
        {
            "name": "pairs/y/COPKMeans-1",
            "group": "pairs",
            "instance": "y",
            "method": "COPKMeans-1",
            "outcome": "killed",
        },
    ]
    text = rivals.report(rows, Settings())
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    excess = {line[5]: line[10] for line in lines if line[0] == "x"}
    assert excess == {"S-MDEClust": "0", "pcsos.solve": "0", "PCKMeans-1": "-10", "cop-kmeans": "10"}
    assert "no cases (not installed, or left out by --filter): MPCKMeans-1" in text
    assert text.endswith("failed or killed: 1")
    assert "## exact" not in text


def test_a_method_is_judged_where_it_found_something_and_counted_everywhere() -> None:
    rows = [
        a_row("S-MDEClust", 100.0, 5),
        a_row("pcsos.solve", 100.0, 1, proved=1.0, gap=5e-5, cpu_seconds=6.0),
        a_row("PCKMeans-1", 90.0, 0, most_violated_pairs=3.0),
        a_row("cop-kmeans", 110.0, 5),
        a_row("COPKMeans-1", 100.0, 4, found=4),
        a_row("COPKMeans-1", 0.0, 0, found=0, seconds=99.0, instance="y")
        | dict.fromkeys(("objective", "worst_objective")),
        a_row("COPKMeans-1", 100.0, 5, outcome="killed", instance="z"),
    ]
    lines = {line.method: line for line in rivals.summaries("pairs", rows)}
    assert [lines[name].best for name in ("S-MDEClust", "pcsos.solve", "PCKMeans-1", "cop-kmeans")] == [1, 1, 0, 0]
    assert (lines["pcsos.solve"].proved, lines["pcsos.solve"].ratio) == (1, 3.0)
    assert (lines["PCKMeans-1"].kept, lines["PCKMeans-1"].excess) == (0, pytest.approx(-10.0))
    crashes = lines["COPKMeans-1"]
    assert (crashes.instances, crashes.ended, crashes.runs, crashes.without) == (3, 2, 10, 6)
    assert (crashes.found, crashes.kept, crashes.best, crashes.seconds) == (1, 1, 1, 10.0)


def test_the_median_run_counts_those_without_anything_as_worst() -> None:
    assert rivals.median_of([3.0, 1.0, 2.0], 5) == 3.0
    assert rivals.median_of([3.0, 1.0], 5) is None
    assert rivals.median_of([], 1) is None


def test_pages_have_a_name_for_every_method() -> None:
    assert {*comparators.METHODS, *METHODS} == set(SHOWN)
    for group in (comparators.METHODS, *rivals.GROUPS.values()):
        assert len({SHOWN[name] for name in group}) == len(group)
