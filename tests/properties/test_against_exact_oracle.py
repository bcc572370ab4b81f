"""Solver and checker on hard small instances, against the exact truth; and the judge that compares them.

The benchmark ``oracle`` takes many more.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.evidence.result import Reason, Status
from pcsos.problem.partition import Partition
from tests.exact_agreement import certificate_problems, contradictions, is_near, is_ordinary, judge
from tests.exact_oracle import ExactTruth
from tests.hard_instances import POINTS, WEIGHTS, Hard, draw
from tests.judgement import Judgement, above, shown
from tests.slow import shares


@pytest.fixture(scope="module", params=shares(40, 280))
def judgements(request: pytest.FixtureRequest) -> list[Judgement]:
    return [judge(seed) for seed in request.param]


@pytest.mark.parametrize(
    "kinds",
    [
        ("crash", "verify crashes"),
        ("warning",),
        ("refusal",),
        ("status", "verified status"),
        ("lower bound", "root bound", "event's bound"),
        ("labels", "objective", "verified objective"),
        ("gap",),
        ("silent",),
        ("verify refuses",),
        ("verified bound",),
    ],
    ids=lambda kinds: kinds[0],
)
def test_nothing_is_wrong(judgements: list[Judgement], kinds: tuple[str, ...]) -> None:
    wrong = [j.sentence for j in judgements if not {kind for kind, _ in j.wrong}.isdisjoint(kinds)]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(judgements)}", *wrong[:5]])


def test_no_other_kind_of_fault_goes_unnoticed(judgements: list[Judgement]) -> None:
    marks = test_nothing_is_wrong.pytestmark  # type: ignore[attr-defined]
    known = {kind for mark in marks if mark.name == "parametrize" for kinds in mark.args[1] for kind in kinds}
    assert {kind for j in judgements for kind, _ in j.wrong} <= known


def test_most_instances_are_solved_and_many_verified(judgements: list[Judgement]) -> None:
    counts = sum((Counter(j.counts) for j in judgements), Counter())
    assert counts["OPTIMAL GAP_REACHED"] > 0.4 * len(judgements)
    assert counts["INFEASIBLE INFEASIBLE"] > 0.1 * len(judgements)
    assert counts["verified"] > 0.33 * len(judgements)


@pytest.mark.slow
def test_every_kind_of_instance_is_drawn() -> None:
    drawn = [draw(seed) for seed in range(1500)]
    assert {hard.points_kind for hard in drawn} == {*POINTS, "plain", "subnormal total"}
    assert {hard.weights_kind for hard in drawn} == {*WEIGHTS, "plain", "subnormal total"}
    assert {hard.n_clusters - len(hard.points) for hard in drawn} >= set(range(-8, 1))
    assert sum(is_ordinary(hard) for hard in drawn) > 0.6 * len(drawn)
    again = draw(7)
    np.testing.assert_array_equal(again.points, draw(7).points)


# The judge


def hard(points: list[float], k: int) -> Hard:
    return Hard(np.array(points)[:, None], k, [], [], np.ones(len(points)), 1e-4, True, False, "", "")


@pytest.fixture
def honest() -> pcsos.Result:
    return pcsos.solve([0.0, 1.0, 5.0, 6.0], 2, workers=1)


TRUTH = ExactTruth([0.0, 1.0, 5.0, 6.0], np.ones(4), 2)


def kinds_of(result: pcsos.Result, truth: ExactTruth = TRUTH) -> set[str]:
    return {kind for kind, _ in contradictions(result, 1e-4, truth)}


def test_an_honest_result_is_not_found_wrong(honest: pcsos.Result) -> None:
    assert kinds_of(honest) == set()
    assert kinds_of(replace(honest, status=Status.FEASIBLE, lower_bound=0.1)) == set()


def test_false_results_are_found_wrong(honest: pcsos.Result) -> None:
    labels = honest.labels
    assert labels is not None
    assert kinds_of(replace(honest, status=Status.INFEASIBLE, partition=None, lower_bound=None)) == {"status"}
    assert kinds_of(replace(honest, lower_bound=1.0 + 2.0**-52)) == {"lower bound"}
    assert kinds_of(replace(honest, root_lower_bound=inf)) == {"root bound"}
    assert kinds_of(replace(honest, lower_bound=0.9)) == {"gap"}
    assert kinds_of(replace(honest, partition=Partition(labels, 1.0 + 2e-12))) == {"objective"}
    assert kinds_of(replace(honest, partition=Partition(np.array([0, 1, 1, 1]), 14.0))) == {"gap"}
    assert kinds_of(replace(honest, partition=Partition(np.array([0, 0, 1, 2]), 0.5))) == {"labels"}
    assert kinds_of(replace(honest, status=Status.FEASIBLE, reason=Reason.STALLED)) == {"silent"}
    apart = ExactTruth([0.0, 1.0, 5.0, 6.0], np.ones(4), 2, [(0, 1)], [(0, 1)])
    assert kinds_of(honest, apart) == {"status"}


def test_an_objective_of_0_needs_a_cost_of_0() -> None:
    assert is_near(0.0, Fraction(0))
    assert not is_near(0.0, Fraction(1, 10**400))
    assert is_near(5e-324, Fraction(1, 10**330))
    assert is_near(1.0 + 5e-13, Fraction(1))
    assert not is_near(nan, Fraction(1))


def test_a_bound_that_is_no_number_is_above_everything() -> None:
    assert [above(bound, Fraction(1, 3)) for bound in (nan, inf, -inf, 1 / 3, np.nextafter(1 / 3, 1))] == [
        True, True, False, False, True,
    ]  # fmt: skip
    assert shown(Fraction(1, 3 * 10**400)) == "3.3333333333333333E-401"


def test_certificates_are_judged(tmp_path: Path) -> None:
    instance = hard([0.0, 1.0, 5.0, 6.0], 2)
    result = pcsos.solve(instance.points, 2, workers=1, run_file=tmp_path / "run")
    assert list(certificate_problems(tmp_path / "run", instance, TRUTH, result)) == []
    lower = ExactTruth([0.0, 1.0, 5.0, 5.5], np.ones(4), 2)
    assert {kind for kind, _ in certificate_problems(tmp_path / "run", instance, lower, result)} == {"verified bound"}
    moved = hard([0.0, 1.0, 5.0, 6.5], 2)
    assert {kind for kind, _ in certificate_problems(tmp_path / "run", moved, TRUTH, result)} == {"verify refuses"}


def test_data_out_of_range_may_be_refused() -> None:
    assert is_ordinary(hard([0.0, 1e-100, 1.0, 1e30], 2))
    assert not is_ordinary(hard([0.0, 1e-170, 1.0], 2))
    assert not is_ordinary(hard([0.0, 1e140], 2))
    assert not is_ordinary(replace(hard([0.0, 1.0], 2), weights=np.array([1e-139, 1e135])))
