"""Bounds under limits of clusters and soft pairs: no partition that keeps to them costs less. Truth is rational."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from pcsos.base.exceptions import InfeasibleError
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.rows import rows_of
from pcsos.bounds.relaxation.safe_bound import prove, safe_bound
from pcsos.presolve.implied_pairs import infer_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.params import CutParams
from pcsos.problem.reduction import Reduced, contract, reduce_instance
from tests.bounds.relaxation.samples import cut_list, garbage, plane_after, projection, random_cuts
from tests.conditioned import Conditioned, random_conditioned
from tests.slow import first_few


def state_of(truth: Conditioned, seed: int) -> Reduced | None:
    """A state of the instance: some pairs more together and apart, and what follows; None where that is nothing."""
    rng = np.random.default_rng(seed)
    try:
        reduced = reduce_instance(truth.instance)
        for _ in range(int(rng.integers(0, 3))):
            if reduced.size > reduced.n_clusters:
                pair = [rng.choice(reduced.size, 2, replace=False)]
                reduced = contract(reduced, *((pair, ()) if rng.random() < 0.5 else ((), pair)))
        return infer_pairs(reduced)[0]
    except InfeasibleError:
        return None


def partitions_of(truth: Conditioned, reduced: Reduced) -> list[tuple[np.ndarray, Fraction]]:
    """The feasible partitions of a state, over its super-points, with their costs."""
    i, j = reduced.cannot_link.T
    found = []
    for labels, cost in truth.feasible:
        own = labels[reduced.representative]
        if np.array_equal(own[reduced.component], labels) and (own[i] != own[j]).all():
            found.append((own, cost))
    return found


@pytest.mark.parametrize("seed", first_few(12, range(150)))
def test_the_matrix_of_a_partition_keeps_to_the_box_and_pays_no_more_than_it_has_to(seed: int) -> None:
    truth = random_conditioned(seed)
    reduced = state_of(truth, seed)
    if reduced is None:
        return
    relaxation = peng_wei.build(reduced)
    for labels, cost in partitions_of(truth, reduced):
        y = projection(relaxation, labels)
        assert (relaxation.lower <= y * (1 + 1e-12)).all()
        assert (y <= relaxation.upper * (1 + 1e-12)).all()
        value = (relaxation.total - float((relaxation.gram * y).sum())) * relaxation.scale
        assert value <= float(cost) + 1e-9 * (1.0 + relaxation.scale)


@pytest.mark.parametrize("seed", first_few(12, range(150)))
def test_every_partition_divides_every_set_as_much_as_it_has_to(seed: int) -> None:
    truth = random_conditioned(seed)
    reduced = state_of(truth, seed)
    if reduced is None:
        return
    r = peng_wei.build(reduced)
    sets = [(-2, list(own)) for size in range(1, r.size) for own in itertools.combinations(range(r.size), size)]
    rows = rows_of(cut_list(sets), r)
    for labels, _ in partitions_of(truth, reduced):
        y = projection(r, labels).ravel()
        terms = rows.coefficients * y[rows.entries]
        assert (np.add.reduceat(terms, rows.indptr[:-1]) >= rows.right - 1e-12 * r.size).all()


@pytest.mark.parametrize("seed", first_few(12, range(150)))
def test_no_partition_costs_less_whatever_the_multipliers(seed: int) -> None:
    truth = random_conditioned(seed)
    reduced = state_of(truth, seed)
    if reduced is None or reduced.size == 1:
        return
    rng = np.random.default_rng(seed)
    r = peng_wei.build(reduced)
    least = min((cost for _, cost in partitions_of(truth, reduced)), default=None)
    if least is None:
        return
    cuts = random_cuts(rng, r.size, r.n_clusters, sets=True, pairs=True)
    for _ in range(4):
        box, weights = garbage(rng, r.size, len(cuts))
        bound = safe_bound(r, box, cuts, weights)
        assert bound == -np.inf or Fraction(bound) * Fraction(r.scale) <= least
    if 1 < r.n_clusters < r.size:
        assert Fraction(prove(r, plane_after(3, r).best_multipliers())) <= least


@pytest.mark.parametrize("seed", first_few(12, range(100)))
def test_what_limits_force_holds_in_every_partition(seed: int) -> None:
    truth = random_conditioned(seed)
    try:
        reduced, _ = infer_pairs(reduce_instance(truth.instance))
    except InfeasibleError:
        assert not truth.feasible
        return
    assert len(partitions_of(truth, reduced)) == len(truth.feasible)


def test_balanced_clusters_are_bounded_better_than_others() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(12, 2))
    bounds = []
    for limits in ({}, {"size_min": 4, "size_max": 4}):
        relaxation = peng_wei.build(reduce_instance(Instance(points, 3, **limits)))
        bounds.append(plane_after(10, relaxation).bound)
    assert bounds[1] > bounds[0] * 1.01


def test_sets_that_must_be_divided_bound_clusters_of_equal_size_better() -> None:
    """Groups of 14, 7 and 3 points for clusters of eight: each has to be divided more than the relaxation knows."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(24, 2)) + np.repeat([[0, 0], [6, 0], [0, 6]], (14, 7, 3), axis=0)
    bounds = []
    for sets in (0, 20):
        relaxation = peng_wei.build(reduce_instance(Instance(points, 3, size_min=8, size_max=8)))
        bounds.append(plane_after(15, relaxation, params=CutParams(sets=sets)).bound)
    assert bounds[1] > bounds[0] * 1.001
