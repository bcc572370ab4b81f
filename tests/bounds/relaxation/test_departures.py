"""Departures hold where a set departs from its centre and nowhere else, and bound what that costs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsos.base.control.stop import NEVER
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.engine import WarmStart
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.families.departures import departure
from pcsos.bounds.relaxation.rows import combine, rows_of
from pcsos.evidence.multipliers import Multipliers
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params
from tests.bounds.relaxation.samples import Sample, plain_sample, random_sample, sample_of


def drawn_set(sample: Sample, rng: np.random.Generator) -> tuple[int, np.ndarray]:
    order = rng.permutation(sample.reduced.size)
    return int(order[0]), order[1 : 2 + rng.integers(0, order.size - 1)]


def departs(sample: Sample, centre: int, others: np.ndarray) -> np.ndarray:
    """Tell of each feasible partition whether one of the others is not with the centre."""
    labels = sample.truth.labels[:, sample.reduced.representative]
    return np.asarray((labels[:, others] != labels[:, [centre]]).any(axis=1))


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_it_holds_where_the_set_departs_and_nowhere_else(seed: int) -> None:
    sample, rng = random_sample(seed), np.random.default_rng(seed)
    if sample.reduced.size < 2:
        return
    centre, others = drawn_set(sample, rng)
    row = combine(rows_of(departure(centre, others), sample.relaxation), np.ones(1), sample.reduced.size)
    terms = sample.projections * row
    value, size = terms.sum(axis=(1, 2)), np.abs(terms).sum(axis=(1, 2))
    does = departs(sample, centre, others)
    assert (value[does] >= -1e-13 * size[does]).all()
    own = sample.projections[~does, centre, centre] / sample.reduced.weights[centre]
    assert value[~does] == pytest.approx(-own, rel=1e-9)


def bounds_of(sample: Sample, centre: int, others: np.ndarray) -> list[float]:
    """Return the bound of a departure after each round."""
    none = np.zeros((sample.reduced.size,) * 2)
    warm = WarmStart(Multipliers(none, departure(centre, others), np.zeros(1)))
    plane = CuttingPlane(sample.relaxation, engine_factory("admm", Params()), warm)
    return list(plane.rounds(NEVER, lambda: np.inf, 40))


@pytest.mark.parametrize("seed", range(12))
def test_no_departure_costs_less_than_its_bound(seed: int) -> None:
    sample = plain_sample(seed, constraints=seed % 2 == 0)
    centre, others = drawn_set(sample, np.random.default_rng(seed))
    least = sample.truth.costs[departs(sample, centre, others)].min()
    assert max(bounds_of(sample, centre, others)) <= least * (1.0 + 1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_the_bound_says_something_where_clusters_are_clear(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sample = sample_of(Instance(12.0 * rng.normal(size=(3, 2))[np.arange(9) % 3] + rng.normal(size=(9, 2)), 3))
    labels = sample.truth.best_labels
    others = np.flatnonzero(labels == labels[0])[1:]
    least = sample.truth.costs[departs(sample, 0, others)].min()
    alone = sample.truth.costs[departs(sample, 0, others[:1])].min()
    assert least > 1.1 * sample.truth.optimum
    bound, bound_alone = (bounds_of(sample, 0, own)[-1] for own in (others, others[:1]))
    assert 0.99 * alone <= bound_alone <= alone * (1.0 + 1e-9)
    assert sample.truth.optimum * 1.05 < bound <= least * (1.0 + 1e-9)
