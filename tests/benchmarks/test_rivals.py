"""Rivals side by side: how programs of others are called, what a row says of several runs, and what is told of rows."""

import doctest
import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import page
from benchmarks.instances import build
from benchmarks.rivals import methods, programs, relaxations
from benchmarks.rivals.clustering import Clustering, refuse_weights
from benchmarks.rivals.methods import METHODS, Answer, Limits, Method
from benchmarks.rivals.programs import PROGRAMS, run_program
from benchmarks.suites import rivals
from pcsos.base.exceptions import InputError
from pcsos.problem.instance import Instance

OPTIONS = {"gap": 1e-4, "time_limit": 3600.0, "workers": 1}
TINY = {"gaussians": [12, 2, 2, 6.0, 2, 2]}
TRACE = json.dumps([[0.1, 90.0], [1.0, 100.0]])


def test_violations_are_counted() -> None:
    instance = Instance([0.0, 1.0, 2.0, 10.0], 3, [(0, 1), (1, 3), (2, 3)], [(0, 2), (0, 3)])
    found = Clustering.of(instance, [7, 7, 7, 4])
    assert (found.labels.tolist(), found.objective, found.violated_pairs) == ([0, 0, 0, 1], 2.0, 3)


def test_unequal_weights_are_refused_in_one_sentence() -> None:
    refuse_weights(Instance([0.0, 1.0, 2.0], 2, weights=[2.0, 2.0, 2.0]), "KMeans")
    with pytest.raises(InputError, match=r"weights\[2\] is 3 beside 2; KMeans knows no weights"):
        refuse_weights(Instance([0.0, 1.0, 2.0], 2, weights=[2.0, 2.0, 3.0]), "KMeans")


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run_by_their_seed_and_those_without_pairs_separate_what_is_far_apart(name: str) -> None:
    if not PROGRAMS[name].is_installed:
        with pytest.raises(InputError, match="not here"):
            run_program(name, Instance([0.0, 1.0], 2), seed=0, num_starts=1)
        return
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 8)
    points = 50.0 * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])[truth] + rng.standard_normal((24, 2))
    instance = Instance(points, 3, [(0, 1), (8, 9)], [(0, 8), (8, 16)])
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    found = run_program(name, instance, seed=1, num_starts=10)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    assert run_program(name, instance, seed=1, num_starts=10).labels.tolist() == found.labels.tolist()
    if name in ("KMeans", "KMeansConstrained"):  # the others have a single start
        assert found.labels.tolist() == truth.tolist()


def test_a_program_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise ValueError("an empty cluster")

    monkeypatch.setitem(programs.PROGRAMS, "KMeans", programs.Program("sklearn.cluster", fail))
    row = rivals.run("KMeans-1", TINY, **OPTIONS)
    assert (row["runs"], row["found"], row["objective"], row["proved"]) == (5, 0, None, 0)
    assert row["message"] == "KMeans raised ValueError: an empty cluster"


@pytest.mark.parametrize("name", ["clustering", "programs"])
def test_examples_are_right(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"benchmarks.rivals.{name}"))
    assert (found.failed, found.attempted > 1) == (0, True)


def test_every_instance_without_data_can_be_built_and_files_have_cases_where_they_are(tmp_path: Path) -> None:
    for group, described in rivals.instances(None).items():
        for given in described.values():
            instance = build(**given)
            assert (instance.limits is not None) == (group == "sizes")
            assert group != "unconstrained" or not len(instance.must_link) + len(instance.cannot_link)
    more = {case.name for case in rivals.cases(tmp_path)} - {case.name for case in rivals.cases(None)}
    assert {name.rpartition("/")[0] for name in more} == {f"unconstrained/{name}" for name in rivals.FILES}


def test_programs_that_are_not_installed_have_no_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "SCIP", Method(METHODS["SCIP"].call, "no_such_module"))
    monkeypatch.setitem(METHODS, "KMeans-1", Method(METHODS["KMeans-1"].call, "json"))
    monkeypatch.setitem(relaxations.ENGINES, "scs", "no_such_module")
    names = {case.columns["method"] for case in rivals.cases(None)}
    assert not names & {"SCIP", "scs"}
    assert {"KMeans-1", "pcsos.solve", "admm"} <= names


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
    assert (row["runs"], row["found"], row["satisfied"]) == (5, 4, 2)
    assert row["objective"] == pytest.approx(np.median([1.0, 1.0, 38.0, 64.0]))
    assert [row[f"{which}_objective"] for which in ("best", "worst", "best_satisfied")] == pytest.approx([1, 64, 1])
    assert (row["violated_pairs"], row["most_violated_pairs"], row["message"]) == (0.5, 2, "nothing found")
    assert row["median_satisfied_objective"] is None, "three of five runs found nothing or violate a pair"
    monkeypatch.setattr(rivals, "NUM_SEEDS", 4)
    assert rivals.run("fake", {}, **OPTIONS | {"time_limit": 0.0})["runs"] == 1


def a_row(method: str, objective: float | None, satisfied: int, instance: str = "x", **columns: Any) -> dict[str, Any]:
    row = {"name": f"pairs/{instance}/{method}", "instance": instance, "method": method, "outcome": "done"}
    row |= {"found": 5, "satisfied": satisfied, "best_satisfied_objective": objective if satisfied else None}
    row |= {"median_satisfied_objective": objective if satisfied > 2 else None, "cpu_seconds": 2.0, "proved": 0.0}
    return row | columns


def test_the_best_satisfies_everything_and_what_breaks_pairs_is_counted() -> None:
    rows = [
        a_row("S-MDEClust", 100.0, 5),
        a_row("PCKMeans-1", 90.0, 0),
        a_row("COPKMeans-1", 100.0, 4, cpu_seconds=6.0),
        a_row("S-MDEClust", 100.0, 5, "y"),
        a_row("COPKMeans-1", None, 0, "y", found=0),
        a_row("COPKMeans-1", 50.0, 5, "z", outcome="killed", found=None),
        a_row("S-MDEClust", 50.0, 5, "z"),
    ]
    found = page.figures_of("rivals", {"rivals": rows})
    assert found["cop_kmeans"] == "2 of 3 in 2.0 times the CPU seconds"
    assert (found["pckmeans"], found["own_breaks"]) == ("1 of 1", "0 of 3")
    assert found["scip"] == "not measured yet"


def engine(method: str, **columns: Any) -> dict[str, Any]:
    row = {"name": f"relaxation/x/{method}", "instance": "x", "method": method, "outcome": "done", "trace": TRACE}
    return row | {"status": None, "lower_bound": 100.0, "seconds": 1.0} | columns


@pytest.mark.parametrize(
    ("rival", "said"),
    [
        ({"status": "optimal", "lower_bound": 90.0, "seconds": 50.0}, "500 (on 1 of 1)"),
        ({"status": "optimal", "lower_bound": 90.0005, "seconds": 50.0}, "50 (on 1 of 1)"),
        ({"status": "optimal", "lower_bound": 101.0}, "– (on 0 of 1)"),
        ({"status": "solver_error", "lower_bound": 1.0}, "– (on 0 of 1)"),
        ({"outcome": "killed"}, "– (on 0 of 1)"),
    ],
)
def test_ours_counts_when_its_bound_is_as_good_and_a_rival_when_it_is_done(rival: dict[str, Any], said: str) -> None:
    rows = [engine("admm"), engine("scs", **rival)]
    assert page.figures_of("rivals", {"rivals": rows})["scs"] == said


def test_engines_say_how_they_ended() -> None:
    pytest.importorskip("cvxpy", reason="cvxpy is not installed (pip install cvxpy)")
    instance = build(gaussians=[12, 2, 2, 4.0, 0, 3])
    assert relaxations.bound_over_time(instance, "scs-1e-4", 60.0).status == relaxations.SOLVED
    row = rivals.run("admm", {"gaussians": [12, 2, 2, 4.0, 0, 3]}, **OPTIONS)
    assert row["status"] is None
    assert row["lower_bound"] == json.loads(row["trace"])[-1][1] > 0.0
    assert methods.METHODS.keys().isdisjoint(relaxations.ENGINES)
