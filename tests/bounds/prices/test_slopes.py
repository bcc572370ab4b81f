"""Slopes: a plane is found again, and nothing is made up where there is none."""

import numpy as np
import pytest

from pcsos.bounds.prices.slopes import slopes_of


@pytest.mark.parametrize("d", [1, 2, 5, 16])
def test_a_plane_for_each_cluster_is_found_again(d: int) -> None:
    rng = np.random.default_rng(d)
    means, weights = rng.normal(size=(300, d)) * 10.0 ** rng.uniform(-3, 3), rng.uniform(0.1, 9.0, 300)
    labels, planes = rng.integers(0, 3, 300), rng.normal(size=(3, d))
    rates = rng.normal(size=3)[labels] + (planes[labels] * means).sum(axis=1)
    found = slopes_of(rates, means, weights, labels)
    errors = np.linalg.norm(found - planes[labels], axis=1) / np.linalg.norm(planes[labels], axis=1)
    assert np.median(errors) < 0.05


def test_slopes_interpolate_what_bends() -> None:
    rng = np.random.default_rng(0)
    means, labels = rng.normal(size=(4000, 2)), np.zeros(4000, int)
    away = 0.02 * rng.normal(size=(4000, 2))
    rates, true = np.sin(means).sum(axis=1), np.sin(means + away).sum(axis=1)
    slopes = slopes_of(rates, means, np.ones(4000), labels)
    assert np.abs(rates + (slopes * away).sum(axis=1) - true).mean() < 0.2 * np.abs(rates - true).mean()


def test_nothing_is_made_up() -> None:
    rng = np.random.default_rng(1)
    few, weights = rng.normal(size=(10, 2)), np.ones(10)
    assert not slopes_of(rng.normal(size=10), few, weights, np.zeros(10, int)).any()
    alike = np.ones((50, 3))
    found = slopes_of(np.ones(50), alike, np.ones(50), np.zeros(50, int))
    assert not found.any()
    differing = slopes_of(rng.normal(size=50), alike, np.ones(50), np.zeros(50, int))
    assert np.isfinite(differing).all()
    assert not differing.any()
    on_a_line = np.column_stack([rng.normal(size=50), np.zeros(50)])
    found = slopes_of(3.0 * on_a_line[:, 0], on_a_line, np.ones(50), np.zeros(50, int))
    assert found[:, 1] == pytest.approx(0.0)
    assert found[:, 0] == pytest.approx(3.0, rel=0.01)
