"""Weights over many decades, totals and costs at the end of double precision: right, or refused in one sentence."""

from fractions import Fraction

import numpy as np
import pytest

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Status
from pcsos.verify import verify
from tests import oracle
from tests.exact_oracle import ExactTruth
from tests.slow import first_few


@pytest.mark.parametrize(
    "weights", first_few(2, [[1e9, 1e-9, 1.0, 1.0], [2.0**53, 0.5, 1.0, 1.0], [1e30, 1e-30, 1.0, 1.0]])
)
def test_uneven_weights_are_solved(weights: list[float]) -> None:
    for seed in range(20):
        points = np.random.default_rng(seed).standard_normal((4, 2))
        result = pcsos.solve(points, 2, weights=weights, workers=1)
        truth = oracle.enumerate_feasible(pcsos.Instance(points, 2, weights=weights))
        assert result.lower_bound <= truth.optimum * (1 + 1e-12) + 1e-300
        assert result.objective >= truth.optimum * (1 - 1e-12)
        if result.status is Status.OPTIMAL:
            assert result.objective <= truth.optimum * (1 + 1e-4)


@pytest.mark.slow
def test_sixty_decades_of_weights_end_without_a_crash() -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        points, weights = rng.standard_normal((12, 2)), 10.0 ** rng.uniform(-30, 30, 12)
        pairs = rng.permutation(12).reshape(-1, 2)
        result = pcsos.solve(
            points, 3, weights=weights, cannot_link=pairs[:4], workers=1, options=pcsos.Options(node_limit=20)
        )
        assert result.partition is not None
        assert result.lower_bound <= result.objective


def test_totals_that_are_subnormal_are_refused() -> None:
    points = np.array([[0.0], [0.0], [1e-118], [2e-118]])
    with pytest.raises(InputError, match=r"the sum of squares of all points about their mean is .*too little"):
        pcsos.solve(points, 1, weights=[1e-43, 1e-43, 1e-84, 1e-84])


def test_an_objective_of_zero_means_equal_points() -> None:
    result = pcsos.solve([[0.0], [1e-170], [5e-170], [1.0]], 3)
    assert result.status is Status.FEASIBLE
    assert result.objective > 0.0
    equal = pcsos.solve([[0.1], [0.1], [0.3], [1.0]], 3)
    assert (equal.status, equal.objective, equal.gap) == (Status.OPTIMAL, 0.0, 0.0)


@pytest.mark.slow
def test_a_large_offset_with_uneven_weights_is_verified(tmp_path: object) -> None:
    accepted = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        points = 1e15 + np.round(rng.standard_normal((6, 2)) * 50.0)
        weights = 10.0 ** rng.uniform(-4.5, 4.5, 6)
        path = f"{tmp_path}/{seed}.run"
        result = pcsos.solve(points, 3, weights=weights, workers=1, run_file=path, options=pcsos.Options(node_limit=40))
        verdict = verify(path, points, ((), ()), weights=weights)
        assert result.lower_bound <= verdict.lower_bound
        accepted += 1
    assert accepted == 40


def test_squares_that_underflow_are_not_weighed_afterwards() -> None:
    points, weights = [[0.0, 0.0], [2.2e-162, 0.0], [3.8e-162, 0.0], [1.0, 1.0]], [1e139, 1e139, 1e139, 1e-100]
    result = pcsos.solve(points, 3, weights=weights, workers=1)
    optimum = ExactTruth(np.array(points), np.array(weights), 3, [], []).optimum
    assert Fraction(result.lower_bound) <= optimum
    assert result.status is Status.FEASIBLE
    points = [[-1.6e-162, 0.0], [1.6e-162, 0.0], [1e-30, 0.0], [1.1e-30, 0.0], [-1e-30, -1e-30]]
    weights = [1e139, 1e139, 1e-131, 1e-131, 1e-131]
    result = pcsos.solve(points, 3, must_link=[(0, 1)], weights=weights, workers=1)
    optimum = ExactTruth(np.array(points), np.array(weights), 3, [(0, 1)], []).optimum
    assert Fraction(result.root_lower_bound) <= optimum
    assert result.status is Status.OPTIMAL


def test_on_a_line_squares_that_underflow_are_bounded_exactly() -> None:
    points, weights = [[0.0], [2.2e-162], [3.8e-162], [1.0]], [1e139, 1e139, 1e139, 1e-100]
    result = pcsos.solve(points, 3, weights=weights, workers=1)
    optimum = ExactTruth(np.array(points), np.array(weights), 3, [], []).optimum
    assert optimum * (1 - Fraction(1, 10**12)) <= Fraction(result.lower_bound) <= optimum
    assert result.status is Status.OPTIMAL


@pytest.mark.parametrize("aside", [0.0, 1.0])  # one feature that varies, or two
def test_weights_of_a_hundred_decades_are_verified(aside: float, tmp_path: object) -> None:
    weights = [2.3e-48, 2.65e42, 8.4e12, 1.4e57, 2e-8]
    path = f"{tmp_path}/run"
    points = np.column_stack([[1.0, 5.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, aside]])
    result = pcsos.solve(points, 2, weights=weights, workers=1, run_file=path, gap=1e-6)
    assert verify(path).lower_bound >= result.lower_bound
