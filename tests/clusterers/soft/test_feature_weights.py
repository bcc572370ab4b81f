import numpy as np
import pytest
from scipy.optimize import minimize

from pcsos.clusterers.soft.feature_weights import sparse_weights
from tests.clusterers.soft.literal import bisected_weights


@pytest.mark.parametrize("seed", range(60))
def test_the_exact_threshold_is_that_of_a_bisection(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 30))
    gains = rng.normal(size=p) * 10.0 ** rng.integers(-8, 8)
    gains[rng.integers(p)] = abs(gains).max() * 1.01
    for s in (1.0, 1.0 + 0.999 * rng.random() * (np.sqrt(p) - 1.0), np.sqrt(p)):
        weights = sparse_weights(gains, float(s))
        np.testing.assert_allclose(weights, bisected_weights(gains, float(s)), atol=2e-7)
        assert weights.sum() <= s * (1 + 1e-12)
        assert (weights**2).sum() <= 1 + 1e-12
        assert weights.min() >= 0.0


@pytest.mark.parametrize("seed", range(4))
def test_no_other_weights_gain_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gains, s = rng.normal(size=5) + 1.0, 1.4
    found = minimize(
        lambda w: -gains @ w,
        np.full(5, 0.2),
        bounds=[(0, 1)] * 5,
        constraints=[
            {"type": "ineq", "fun": lambda w: 1.0 - w @ w},
            {"type": "ineq", "fun": lambda w: s - w.sum()},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert gains @ sparse_weights(gains, s) == pytest.approx(-found.fun, rel=1e-7)


def test_without_a_bound_that_binds_weights_are_in_proportion_to_gains() -> None:
    np.testing.assert_allclose(sparse_weights(np.array([3.0, 4.0]), np.sqrt(2.0)), [0.6, 0.8], rtol=1e-15)


def test_features_that_lose_weigh_nothing() -> None:
    assert sparse_weights(np.array([-5.0, 2.0, 0.0]), 1.7).tolist() == [0.0, 1.0, 0.0]


def test_equal_largest_gains_share_a_bound_that_no_threshold_reaches() -> None:
    weights = sparse_weights(np.array([2.0, 2.0, 1.0, 2.0]), 1.2)
    np.testing.assert_allclose(weights, [0.4, 0.4, 0.0, 0.4], rtol=1e-15)


@pytest.mark.parametrize("rounding", [1.0, 1.0 - 2.0**-53, 1.0 - 2.0**-50])
def test_gains_that_rounding_tells_apart_give_weights_within_the_bounds(rounding: float) -> None:
    weights = sparse_weights(np.array([1.0, rounding, rounding, 0.3]), 1.3)
    assert weights.sum() == pytest.approx(1.3, rel=1e-12)
    assert (weights**2).sum() <= 1 + 1e-12
