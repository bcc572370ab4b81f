"""Axes: they lengthen no distance, for certain, and are used where they make boxes few."""

from fractions import Fraction

import numpy as np
import pytest

from pcsos.bounds.prices.axes import Axes, principal_axes, spreads_along_few
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.verify.reading.payloads import AXIS_BITS, MOST_AXES
from tests.slow import first_few


def reduced_of(points: np.ndarray, weights: np.ndarray | None = None) -> Reduced:
    return reduce_instance(Instance(points, 2, (), (), weights))


def long(rng: np.random.Generator, n: int, d: int, fall: float) -> np.ndarray:
    """Points whose principal axes become shorter by a factor each, and lie anyhow."""
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return rng.normal(size=(n, d)) * fall ** np.arange(d) @ turn


def lengthens_nothing(axes: Axes) -> bool:
    """What the checker asks for, in whole numbers."""
    rows = axes.units.tolist()
    products = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in rows] for one in rows]
    return max(sum(map(abs, row)) for row in products) <= 1 << 2 * AXIS_BITS


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_axes_lengthen_no_distance_and_hardly_shorten_any(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = int(rng.choice([4, 5, 16, 40, 300]))
    points = long(rng, int(rng.integers(30, 400)), d, 0.4) * 10.0 ** float(rng.integers(-6, 7))
    reduced = reduced_of(points, rng.uniform(0.1, 5.0, len(points)))
    axes = principal_axes(reduced, 1e-6 * reduced.total)
    assert lengthens_nothing(axes)
    assert axes.units.shape[0] <= min(MOST_AXES, d)
    turned = axes.turned(reduced)
    assert turned.total == pytest.approx(reduced.total, rel=1e-5)
    assert np.ptp(turned.means, axis=0).argmax() == 0
    np.testing.assert_allclose(axes.turned_back(turned.means), reduced.means, atol=4e-3 * np.abs(reduced.means).max())


@pytest.mark.parametrize("seed", range(6))
def test_what_turning_rounds_off_is_within_its_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    reduced = reduced_of(long(rng, 40, 6, 0.3) + 1e3, rng.uniform(0.1, 5.0, 40))
    axes = principal_axes(reduced, 0.0)
    found, off = axes.turned(reduced), Fraction(0)
    for mean, place, weight in zip(reduced.means.tolist(), found.means.tolist(), found.weights.tolist(), strict=True):
        for row, x in zip(axes.units.tolist(), place, strict=True):
            exact = sum(Fraction(u, 1 << AXIS_BITS) * Fraction(m) for u, m in zip(row, mean, strict=True))
            off += Fraction(weight) * (exact - Fraction(x)) ** 2
    assert 0 < off <= Fraction(axes.error(reduced))


def test_points_are_left_as_they_are_where_turning_does_not_help() -> None:
    rng = np.random.default_rng(0)
    assert principal_axes(reduced_of(long(rng, 200, 2, 0.01)), 0.0) is None
    assert principal_axes(reduced_of(rng.normal(size=(2000, 4))), 0.0) is None
    assert principal_axes(reduced_of(rng.normal(size=(500, 6)) * 0.2 ** np.arange(6)), 0.0) is None
    assert principal_axes(reduced_of(np.zeros((5, 4))), 0.0) is None


def test_axes_are_left_out_for_a_small_share_of_what_may_be_missing() -> None:
    rng = np.random.default_rng(1)
    reduced = reduced_of(long(rng, 500, 20, 0.7))
    values = np.sort(np.linalg.eigvalsh(reduced.means.T @ reduced.means))[::-1]
    for number in (1, 4, 15):
        axes = principal_axes(reduced, values[number:].sum() / 0.05 * (1.0 + 1e-9))
        assert len(axes.units) == number
    for share, expected in ((0.79, MOST_AXES), (0.81, None)):
        axes = principal_axes(reduced, values[MOST_AXES:].sum() / share)
        assert (None if axes is None else len(axes.units)) == expected


def test_spreading_along_few_axes() -> None:
    rng = np.random.default_rng(2)
    for d, expected in ((2, True), (4, True), (5, False), (8, False)):
        assert spreads_along_few(rng.normal(size=(3000, d))) is expected
    assert spreads_along_few(long(rng, 300, 50, 0.5))
    assert spreads_along_few(1e200 * long(rng, 30, 400, 0.5) + 1e200)
    assert not spreads_along_few(rng.normal(size=(50, 2000)))
    assert not spreads_along_few(np.eye(1500))
    assert spreads_along_few(np.ones((10, 3)))
