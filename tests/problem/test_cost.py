"""The cost of a cluster against exact rational arithmetic, with weights and coordinates as uneven as they may be."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from pcsos.problem.cost import cluster_cost
from tests.exact_oracle import ExactCosts


def agrees(points: NDArray[np.float64], weights: NDArray[np.float64]) -> bool:
    exact = ExactCosts(points, weights).cluster(range(len(points)))
    return abs(Fraction(cluster_cost(points, weights)) - exact) <= exact * Fraction(1, 10**12)


@pytest.mark.parametrize("decades", [0, 3, 9, 18, 30, 60])
@pytest.mark.parametrize("kind", ["gaussian", "one place", "offset", "magnitudes"])
def test_costs_are_right_to_twelve_digits(decades: int, kind: str) -> None:
    for seed in range(40):
        rng = np.random.default_rng([seed, decades])
        n, d = int(rng.integers(2, 12)), int(rng.integers(1, 4))
        points = rng.standard_normal((n, d))
        if kind == "one place":
            points[: n - 1] = points[0]  # several heavy points where the others are, as far as a mean can tell
        elif kind == "offset":
            points = np.round(points * 1000.0) + 1e15
        elif kind == "magnitudes":
            points *= 10.0 ** rng.uniform(-7, 7, (n, 1))
        weights = 10.0 ** rng.uniform(-decades / 2, decades / 2, n)
        assert agrees(points, weights)


def test_the_range_of_doubles_is_used_whole() -> None:
    assert agrees(np.array([[0.0], [1e-140], [3e-140]]), np.array([1e20, 1.0, 1e10]))
    assert agrees(np.array([[0.0], [1e139], [-3e139]]), np.array([1.0, 1e-20, 3.0]))


def test_only_equal_points_cost_nothing() -> None:
    assert cluster_cost(np.full((5, 3), 0.1), np.array([1e30, 1.0, 1e-30, 2.0, 3.0])) == 0.0
    tiny = cluster_cost(np.array([[0.0], [1e-170]]), np.ones(2))
    assert tiny == 5e-324  # 5e-341 in truth, less than any double
