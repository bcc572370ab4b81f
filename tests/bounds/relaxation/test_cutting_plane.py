"""The cutting-plane loop: its bound only rises, never passes the optimum, and closes the gap where cuts can."""

import numpy as np
import pytest

from pcsos.base.control.stop import NEVER, Stop
from pcsos.bounds.relaxation.admm import Admm
from pcsos.bounds.relaxation.cuts import keys, select
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.safe_bound import prove
from tests.bounds.relaxation.samples import Sample, loose_sample, plain_sample


def rounds(sample: Sample, number: int) -> tuple[CuttingPlane, list[float]]:
    plane = CuttingPlane(sample.relaxation, Admm)
    bounds = []
    for _ in range(number):
        plane.round(NEVER)
        bounds.append(plane.bound)
        plane.separate()
    return plane, bounds


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_rises_towards_the_optimum_and_not_beyond(seed: int) -> None:
    sample = plain_sample(seed)
    plane, bounds = rounds(sample, 40)
    assert bounds == sorted(bounds)
    assert (1 - 1e-4) * sample.truth.optimum <= plane.bound <= sample.truth.optimum
    assert plane.num_rounds == 40


def test_cuts_are_what_closes_the_gap() -> None:
    sample = loose_sample(1)
    bare = CuttingPlane(sample.relaxation, Admm)
    for _ in range(40):
        bare.round(NEVER)
    with_cuts, _ = rounds(sample, 40)
    assert bare.bound < 0.95 * sample.truth.optimum < 0.9999 * sample.truth.optimum < with_cuts.bound


def test_the_best_multipliers_prove_the_best_bound() -> None:
    sample = plain_sample(3)
    plane, bounds = rounds(sample, 12)
    assert prove(sample.relaxation, plane.best_multipliers()) == pytest.approx(max(bounds), rel=1e-9)
    assert (plane.best_multipliers().weights > 0.0).all()


def test_before_any_round_the_multipliers_are_zero_and_prove_something() -> None:
    sample = plain_sample(3)
    plane = CuttingPlane(sample.relaxation, Admm)
    assert plane.bound == -np.inf
    assert not plane.best_multipliers().box.any()
    assert prove(sample.relaxation, plane.best_multipliers()) <= sample.truth.optimum


def test_a_warm_start_takes_the_bound_along() -> None:
    sample = loose_sample(4)
    plane, _ = rounds(sample, 25)
    again = CuttingPlane(sample.relaxation, Admm, plane.warm_start())
    again.round(Stop(lambda: True))
    cold = CuttingPlane(sample.relaxation, Admm)
    cold.round(Stop(lambda: True))
    assert len(again.cuts) > 0
    assert again.bound > 0.99 * plane.bound
    assert again.bound > cold.bound


def test_cuts_without_a_multiplier_are_dropped() -> None:
    plane, _ = rounds(loose_sample(6), 1)
    plane.round(NEVER)
    weights = plane.engine.multipliers().weights
    used = keys(select(plane.cuts, weights > 0.0))
    idle = keys(select(plane.cuts, weights <= 0.0))
    assert used.size > 0 < idle.size
    plane.separate()
    assert np.isin(used, keys(plane.cuts)).all()
    assert not np.isin(idle, keys(plane.cuts)).any()


def test_a_loop_without_hope_is_stalled() -> None:
    sample = loose_sample(1)
    out_of_reach = 2.0 * sample.truth.optimum
    plane, _ = rounds(sample, 60)
    assert plane.stalled(out_of_reach)
    assert not rounds(sample, 2)[0].stalled(out_of_reach)
    assert not rounds(sample, 2)[0].stalled(np.inf)
