import math

import pytest

from pcsos.base.tolerances import cutoff, is_improvement, reaches, relative_gap


@pytest.mark.parametrize(
    ("objective", "bound", "gap"),
    [
        (10.0, 9.0, 0.1),
        (10.0, 10.0, 0.0),
        (10.0, 10.5, 0.0),
        (0.0, 0.0, 0.0),
        (0.0, -1e-30, 0.0),
        (1e-30, 0.0, 1.0),
        (math.inf, 3.0, math.inf),
        (3.0, -math.inf, math.inf),
    ],
)
def test_relative_gap(objective: float, bound: float, gap: float) -> None:
    assert relative_gap(objective, bound) == pytest.approx(gap)


def test_a_bound_at_the_cutoff_is_within_the_gap() -> None:
    assert relative_gap(37.0, cutoff(37.0, 1e-4)) <= 1e-4 * (1 + 1e-9)
    assert cutoff(math.inf, 1e-4) == math.inf


def test_a_gap_reaches_the_one_asked_for_by_more_than_rounding() -> None:
    assert reaches(1e-4 * (1 - 1e-6), 1e-4)
    assert reaches(0.0, 1e-9)
    assert not reaches(1e-4, 1e-4)
    assert not reaches(1e-4 * (1 + 1e-9), 1e-4)


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_rounding_noise_is_no_improvement_at_any_scale(scale: float) -> None:
    assert not is_improvement(scale, scale)
    assert not is_improvement(scale * (1 - 1e-14), scale)
    assert is_improvement(scale * (1 - 1e-10), scale)


def test_anything_finite_improves_on_nothing() -> None:
    assert is_improvement(1e300, math.inf)
    assert not is_improvement(math.inf, math.inf)
