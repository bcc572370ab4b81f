"""The suite of hybrid differential evolution: what counts as success, the verdicts on the claims, one short run."""

import math
from typing import Any

import pytest

from benchmarks.case import Settings
from benchmarks.claims import CLAIMS, Claim, claims, cost, line, profile
from benchmarks.suites import hybrid_de
from benchmarks.suites.hybrid_de import COLUMNS, CONFIGURATIONS, RUNS, Outcome, cases, run, summary
from pcsos.heuristics.differential_evolution.variants import VARIANTS


def row_of(**values: tuple[float, float]) -> dict[str, Any]:
    """A row of runs by name, each with its success in percent and its passes."""
    named = {f"{name} success_1e-6": success for name, (success, _) in values.items()}
    return named | {f"{name} passes": passes for name, (_, passes) in values.items()}


def test_the_configurations_are_24_and_every_claim_is_about_runs_that_there_are() -> None:
    assert len(CONFIGURATIONS) == len(set(CONFIGURATIONS)) == 24
    named = {name for claim in CLAIMS for pair in claim.pairs for name in pair}
    assert named <= set(RUNS)
    assert {len(claim.pairs) for claim in CLAIMS} == {6, 12}
    assert all(f"{name} cpu_seconds" in COLUMNS for name in RUNS)


def test_success_is_measured_from_the_certified_optimum() -> None:
    outcomes = [Outcome(value, 100, 20, 0.5) for value in (10.0, 10.0 + 5e-6, 10.0 + 5e-4, 11.0)]
    found = summary(outcomes, 10.0)
    assert (found["success_1e-4"], found["success_1e-6"]) == (75.0, 50.0)
    assert (found["runs"], found["evaluations"], found["iterations"], found["passes"]) == (4, 100, 20, 120)
    assert found["cpu_seconds"] == 0.5


def test_costs_are_passes_for_each_success() -> None:
    row = row_of(a=(50.0, 100.0), b=(0.0, 10.0))
    assert cost(row, "a") == 200.0
    assert cost(row, "b") == math.inf


@pytest.mark.parametrize(
    ("passes", "is_equality", "counted", "verdict"),
    [
        ([2.0] * 9 + [1.0], False, [9, 1, 0], "reproduced"),
        ([2.0] * 8 + [1.0, 0.5], False, [8, 1, 1], "not reproduced"),
        ([1.0] * 9 + [2.0], True, [1, 9, 0], "reproduced"),
        ([2.0] * 10, True, [10, 0, 0], "not reproduced"),
    ],
)
def test_verdicts(passes: list[float], is_equality: bool, counted: list[int], verdict: str) -> None:
    rows = [row_of(a=(100.0, 1.0), b=(100.0, value)) for value in passes]
    cells = line(Claim("words", (("a", "b"),), is_equality=is_equality), rows)
    assert cells[:5] == ["words", 10, *counted]
    assert cells[-1] == verdict


def test_easy_sets_do_not_count_for_hard_ones() -> None:
    rows = [row_of(a=(100.0, 10.0), b=(success, 10.0)) for success in (100.0, 91.0, 20.0)]
    cells = line(Claim("words", (("a", "b"),), is_hard=True), rows)
    assert cells[1:7] == [1, 1, 0, 0, 100.0, 20.0]
    assert cells[7] == pytest.approx(5.0)
    assert line(Claim("words", (("a", "b"),), is_hard=True), rows[:1])[-1] is None


def test_a_profile_is_of_costs() -> None:
    text = profile([row_of(a=(100.0, 10.0), b=(50.0, 10.0)), row_of(a=(100.0, 30.0), b=(100.0, 10.0))], ["a", "b"])
    first, second = ([cell.strip() for cell in each.split("|")[1:-1]] for each in text.splitlines()[2:])
    assert first[:4] == ["a", "0.5", "0.5", "1"]
    assert second[:4] == ["b", "0.5", "1", "1"]


def test_one_set_is_certified_and_run(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr(hybrid_de, "SEEDS", range(3))
    monkeypatch.setattr(hybrid_de, "CONFIGURATIONS", ("b6e6rl-HG TRW", "jDE-HG VRC"))
    case = next(case for case in cases(Settings()) if case.name == "iris")
    found = run(**case.arguments, gap=1e-4, time_limit=3600.0, workers=1)
    assert found["status"] == "OPTIMAL"
    assert found["objective"] == pytest.approx(78.851441, abs=1e-6)
    for name in ("b6e6rl-HG TRW", "jDE-HG VRC", "restarts for b6e6rl-HG", "S-MDEClust pcsos"):
        assert (found[f"{name} runs"], found[f"{name} success_1e-6"]) == (3, 100.0)
    assert found["restarts for b6e6rl-HG passes"] >= found["b6e6rl-HG TRW passes"]
    assert found["one k-means passes"] < 30
    assert "restarts for jDE-HG runs" not in found


def test_the_report_names_every_run_and_claim() -> None:
    row: dict[str, Any] = dict.fromkeys(COLUMNS, 1.0) | {"dataset": "iris", "status": "OPTIMAL", "outcome": "done"}
    text = hybrid_de.report([row], Settings())
    assert all(f" {name} |" in text for name in RUNS)
    assert all(claim.text in text for claim in CLAIMS)
    assert claims([row]).count("reproduced") >= len(CLAIMS) - 1
    assert {name.split()[0] for name in CONFIGURATIONS} == set(VARIANTS)
