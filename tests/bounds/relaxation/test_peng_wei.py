"""The data of the relaxation: bounds on entries and cluster weights hold for every partition, costs are reproduced."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsos import SoftPairs
from pcsos.base.tolerances import EPS
from pcsos.bounds.relaxation.peng_wei import build
from pcsos.problem.instance import Instance
from pcsos.problem.limit_pairs import cluster_weights
from pcsos.problem.reduction import contract, reduce_instance
from tests import oracle
from tests.bounds.relaxation.samples import plain_sample, projection, random_sample
from tests.exact_oracle import ExactCosts

seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=60)
@given(seeds)
def test_every_partition_lies_in_the_relaxation(seed: int) -> None:
    sample = random_sample(seed)
    r, u = sample.relaxation, sample.relaxation.direction
    for y in sample.projections:
        assert (y >= r.lower * (1 - 1e-15)).all()
        assert (y <= r.upper * (1 + 1e-15)).all()
        np.testing.assert_allclose(y @ u, u, atol=1e-14)
        assert np.isclose(np.trace(y), r.n_clusters)


@settings(max_examples=60)
@given(seeds)
def test_the_cost_of_every_partition_is_what_its_matrix_says(seed: int) -> None:
    sample = random_sample(seed)
    r = sample.relaxation
    labels = sample.truth.labels
    chosen = np.random.default_rng(seed).permutation(len(labels))[:5]
    costs = ExactCosts(sample.instance.points, sample.instance.weights)
    for row, y in zip(labels[chosen], sample.projections[chosen], strict=True):
        exact = costs.cost(row)
        error = float((r.total - (r.gram * y).sum()) - float(exact / r.scale)) if r.total else float(exact)
        assert abs(error) <= r.formation_error + 1e-15
    own = projection(r, labels[0][sample.reduced.representative])
    np.testing.assert_allclose(own, sample.projections[0], rtol=1e-14)


@settings(max_examples=60)
@given(seeds)
def test_no_cluster_is_heavier_than_the_largest_weight_and_some_bounds_are_met(seed: int) -> None:
    sample = random_sample(seed)
    reps = sample.reduced.representative
    weights = oracle.cluster_weights(sample.truth.labels[:, reps], sample.reduced.weights)
    largest = cluster_weights(sample.reduced)[1]
    assert (weights.max(axis=0) <= largest).all()
    if sample.reduced.cannot_link.size == 0:  # then everything but the k - 1 lightest others can be together
        np.testing.assert_allclose(weights.max(axis=0), largest, rtol=1e-12, atol=1e-13 * weights.max())


def test_cannot_link_neighbours_lie_outside_of_a_cluster() -> None:
    reduced = plain_sample(0, constraints=False).reduced
    e = reduced.weights
    linked = contract(reduced, [], [(0, 2), (0, 3), (0, 4)])
    assert cluster_weights(linked)[1][0] <= (e.sum() - e[2] - e[3] - e[4]) * (1 + 1e-12)


def test_numbers_are_of_size_one_whatever_the_units() -> None:
    for seed in range(40):
        r = random_sample(seed).relaxation
        assert np.log2(r.scale) == int(np.log2(r.scale))
        assert r.total == 0.0 or 0.5 <= r.total < 1.0


def test_rounding_is_counted_of_the_points_and_of_the_penalties() -> None:
    """Each may be all that matters: the sum of squares, or what is beside it of soft pairs."""
    points = np.random.default_rng(0).standard_normal((40, 2))
    far, near = build(reduce_instance(Instance(points, 3))), build(reduce_instance(Instance(1e-9 * points, 3)))
    paid = build(
        reduce_instance(Instance(1e-9 * points, 3, conditions=[SoftPairs(must_link=[(0, 1, 0.1), (2, 3, 0.7)])]))
    )
    for relaxation in (far, near):
        assert relaxation.formation_error >= 40 * EPS * relaxation.total
    assert paid.formation_error * paid.scale >= 40 * EPS * 0.8


def test_contraction_and_relaxation_commute() -> None:
    """Contracting super-points i, j turns C into P C P' with P the orthonormal rows that merge them."""
    reduced = plain_sample(3, constraints=False).reduced
    merged = contract(reduced, [(0, 2)], [])
    before, after = build(reduced), build(merged)
    group = merged.component[reduced.representative]
    merge = np.zeros((after.size, before.size))
    merge[group, np.arange(before.size)] = before.masses.roots / after.masses.roots[group]
    expected = merge @ (before.gram * before.scale) @ merge.T
    np.testing.assert_allclose(after.gram * after.scale, expected, atol=1e-12 * before.scale)
    assert np.isclose(before.total * before.scale, after.total * after.scale)
