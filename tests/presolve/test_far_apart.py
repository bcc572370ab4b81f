"""Outliers and blocks that are very far apart: what is proved despite them, and that it is true."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import pcsos
from pcsos.evidence.codec import encode_decisions
from pcsos.evidence.kinds import Far
from pcsos.evidence.node import Decision, NodeRecord
from pcsos.evidence.result import Status
from pcsos.evidence.run_file import RunFile
from pcsos.presolve.far_apart import least_pair_costs, moved_as_before, separate_blocks
from pcsos.presolve.presolve import presolve
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from pcsos.verify import VerificationError, verify
from tests import oracle
from tests.exact_oracle import ExactCosts
from tests.slow import first_few
from tests.verify.certificates import edit


def three_groups() -> NDArray[np.float64]:
    rng = np.random.default_rng(0)
    return np.vstack([rng.standard_normal((15, 2)) + centre for centre in ([0, 0], [8, 8], [8, 0])])


def test_one_outlier_does_not_defeat_the_proof(tmp_path: Path) -> None:
    points = three_groups()
    points[7, 1] = 999_999.0
    result = pcsos.solve(points, 4, run_file=tmp_path / "run", options=pcsos.Options(node_limit=20))
    assert (result.status, result.nodes) == (Status.OPTIMAL, 1)
    assert np.count_nonzero(result.labels == result.labels[7]) == 1
    verdict = verify(tmp_path / "run", points, ((), ()), n_clusters=4, gap=1e-4)
    assert verdict.lower_bound <= result.objective


@pytest.mark.parametrize("far", [2.0**40, 2.0**60, 2.0**70, 1e100])
def test_a_point_farther_than_digits_reach(far: float, tmp_path: Path) -> None:
    result = pcsos.solve([[far, far], [1.0, 0.0], [5.0, 2.0]], 2, run_file=tmp_path / "run")
    assert (result.status, result.objective) == (Status.OPTIMAL, 10.0)
    assert verify(tmp_path / "run").lower_bound == 10.0
    pcsos.solve([[far], [1.0], [5.0]], 2, run_file=tmp_path / "line")
    assert verify(tmp_path / "line").lower_bound == 8.0


def test_far_points_are_not_put_together(tmp_path: Path) -> None:
    pcsos.solve([[2.0**60, 2.0**60], [1.0, 0.0], [5.0, 2.0]], 2, run_file=tmp_path / "run")
    forged = encode_decisions((Decision("ML", 0, 1),))
    edit(tmp_path / "run", ("UPDATE evidence SET payload = ? WHERE kind = 'far'", (forged,)))
    with pytest.raises(VerificationError, match="points 0 and 1 are far pairs, but not apart"):
        verify(tmp_path / "run")


@pytest.mark.parametrize("seed", range(6))
def test_blocks_agree_with_brute_force(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    sizes, k = rng.integers(1, 4, 3), int(rng.integers(3, 6))
    points = np.round(np.vstack([rng.standard_normal((m, 2)) * 4 + 2.0**33 * i for i, m in enumerate(sizes)]), 3)
    n = len(points)
    instance = Instance(points, min(k, n), [(0, 1)] if sizes[0] > 1 else [], [(0, n - 1)])
    truth = oracle.enumerate_feasible(instance)
    if not truth.feasible:
        pytest.skip("the draw is infeasible")
    pairs = {"must_link": instance.must_link, "cannot_link": instance.cannot_link}
    result = pcsos.solve(points, instance.n_clusters, **pairs, gap=1e-6, run_file=tmp_path / "run")
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(truth.optimum, rel=1e-6)
    assert result.lower_bound <= truth.optimum * (1 + 1e-12)
    assert verify(tmp_path / "run").lower_bound <= truth.optimum * (1 + 1e-12)


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_pairs_cost_at_least_what_is_said(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((7, 2)) * 10.0 ** rng.uniform(-6, 9, (7, 1)) + rng.choice([0.0, 1e9])
    instance = Instance(points, 2, [(0, 1), (2, 3)], weights=10.0 ** rng.uniform(-6, 6, 7))
    reduced = reduce_instance(instance)
    found = least_pair_costs(instance, reduced)
    members = [np.flatnonzero(reduced.component == i).tolist() for i in range(reduced.size)]
    costs = ExactCosts(points, instance.weights)
    inside = [costs.cluster(own) for own in members]
    for i in range(reduced.size):
        for j in range(i):
            exact = costs.cluster(members[i] + members[j]) - inside[i] - inside[j]
            assert Fraction(float(found[i, j])) <= exact
            assert found[i, j] == found[j, i]
    i, j = reduced.component[4], reduced.component[5]  # single points, whose difference loses nothing but digits
    assert found[i, j] == pytest.approx(float(costs.cluster([4, 5])), rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_pairs_cost_no_more_than_is_said_with_many_features(seed: int) -> None:
    points = np.random.default_rng(seed).standard_normal((3, 2000))
    instance = Instance(points, 2)
    found = least_pair_costs(instance, reduce_instance(instance))
    costs = ExactCosts(points, np.ones(3))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        exact = costs.cluster([i, j])
        assert Fraction(float(found[i, j])) <= exact
        assert found[i, j] == pytest.approx(float(exact), rel=1e-11)


def test_blocks_that_cannot_links_hold_apart_are_told_to_the_checker(tmp_path: Path) -> None:
    points = [[0.0, 0.0], [1.0, 3.0], [2.0**40, 0.0], [2.0**40 + 2.0, 1.0]]
    cannot_link = [(0, 2), (0, 3), (1, 2), (1, 3)]
    result = pcsos.solve(points, 2, cannot_link=cannot_link, run_file=tmp_path / "run")
    assert result.status is Status.OPTIMAL
    assert verify(tmp_path / "run").lower_bound <= result.objective == 7.5
    with RunFile.open(tmp_path / "run") as file:
        step = next(file.records()).evidence[0]
    assert isinstance(step, Far)
    assert len(step.decisions) == 4


def test_blocks_by_cannot_links_that_are_near_are_left_alone() -> None:
    cannot_link = [(0, 2), (0, 3), (1, 2), (1, 3)]
    problem = presolve(Instance([[0.0, 0.0], [1.0, 3.0], [4.0, 0.0], [5.0, 1.0]], 3, cannot_link=cannot_link))
    assert separate_blocks(problem, 1e6) is None


def test_points_of_one_block_are_left_alone() -> None:
    instance = Instance(three_groups(), 4)
    assert separate_blocks(presolve(instance), 70.0) is None


def test_a_resumed_run_moves_the_same_blocks(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    points = np.vstack([rng.standard_normal((12, 3)), rng.standard_normal((14, 3)) + 1e9])
    instance = Instance(points, 7)
    problem = presolve(instance)
    found = separate_blocks(problem, 1e3)
    again = moved_as_before(problem, NodeRecord(0, None, None, found.steps))
    np.testing.assert_array_equal(again.reduced.means, found.reduced.means)
    np.testing.assert_array_equal(again.reduced.cannot_link, found.reduced.cannot_link)
    whole = pcsos.solve(
        points, 7, gap=1e-7, workers=1, run_file=tmp_path / "whole", options=pcsos.Options(node_limit=8)
    )
    pcsos.solve(points, 7, gap=1e-7, workers=1, run_file=tmp_path / "parts", options=pcsos.Options(node_limit=1))
    parts = pcsos.resume(tmp_path / "parts", workers=1, options=pcsos.Options(node_limit=8))
    assert (parts.objective, parts.lower_bound, parts.nodes) == (whole.objective, whole.lower_bound, whole.nodes)
    with RunFile.open(tmp_path / "parts") as file:
        assert isinstance(next(file.records()).evidence[0], Far)
    assert verify(tmp_path / "parts").lower_bound <= whole.objective


def test_a_run_that_stalls_says_why() -> None:
    points = np.array([0.0, 1e7, 2e7, 3e7, 4e7, 4e7 + 1.0])[:, None] * [1.0, 2.0]
    result = pcsos.solve([[0.0, 0.0], [1e-170, 0.0], [5e-170, 1e-170], [1.0, 0.0]], 3)
    assert (result.status, str(result.reason)) == (Status.FEASIBLE, "STALLED")
    assert result.objective == 5e-324
    assert "double precision leaves a gap" in result.message
    assert pcsos.solve(points, 5).status is Status.OPTIMAL
