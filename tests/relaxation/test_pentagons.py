"""Pentagons hold for every partition, and those that a point violates are found."""

import itertools

import numpy as np
import pytest

from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from pcsos.proofs.multipliers import Cuts, Multipliers, quantise
from pcsos.relaxation.peng_wei import PengWei, build
from pcsos.relaxation.rows import matrix_of
from pcsos.relaxation.separation import separate
from pcsos.verify.cuts import CutSums
from tests import oracle
from tests.relaxation.samples import cut_list, cut_rows, random_symmetric, slack

ALL = 10**9


def relaxation_of(n: int, k: int) -> PengWei:
    return build(reduce_instance(Instance(np.random.default_rng(n).standard_normal((n, 2)), k)))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_every_pentagon_holds_for_every_weighted_partition_and_some_is_tight(k: int) -> None:
    weights = np.random.default_rng(k).uniform(0.2, 5.0, 7)
    z = oracle.z_matrices(oracle.all_partitions(7, k), weights)
    cuts = [[c, d, *s] for c, d, *s in itertools.permutations(range(6), 5) if c < d and s == sorted(s)]
    slacks = np.array([[slack(-3, cut, each, 1.0) for cut in cuts] for each in z])
    assert slacks.min() == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_no_partition_violates_a_pentagon(seed: int) -> None:
    r = relaxation_of(9, 3)
    for labels in np.random.default_rng(seed).permutation(oracle.all_partitions(9, 3))[:50]:
        assert len(separate(r, r.projection(labels), Cuts.none(), 1e-9, ALL)[0]) == 0


def test_a_pentagon_that_no_star_implies_is_found() -> None:
    """Centres 0 and 1 are apart and half together with 2, 3 and 4, which are apart: only the pentagon is violated."""
    z = np.eye(6)
    z[:2, 2:5] = 0.5
    z[2:5, :2] = 0.5
    z[0, 0] = z[1, 1] = 1.25
    z[2, 3] = z[3, 2] = z[2, 4] = z[4, 2] = z[3, 4] = z[4, 3] = 0.125
    cuts, violation = separate(relaxation_of(6, 2), z, Cuts.none(), 1e-3, ALL)
    assert [(c, sorted(m[:2]), sorted(m[2:])) for c, m in cut_rows(cuts) if c != -1] == [(-3, [0, 1], [2, 3, 4])]
    assert violation[cuts.centre == -3] == pytest.approx([0.125])


def test_rounding_keeps_the_centres_in_front_and_joins_no_different_ones() -> None:
    cuts = cut_list([(-3, [4, 1, 3, 0, 2]), (0, [4, 1, 3]), (-3, [2, 0, 4, 3, 1])])
    z = random_symmetric(np.random.default_rng(0), 5)
    found = quantise(Multipliers(np.zeros((5, 5)), cuts, np.array([1.0, 2.0, 4.0])), tolerance=1e-3)
    assert cut_rows(found.cuts) == [(0, [1, 3, 4]), (-3, [0, 2, 1, 3, 4]), (-3, [1, 4, 0, 2, 3])]
    assert found.weights.tolist() == [2.0, 4.0, 1.0]
    before = [slack(*row, z, 1.0) for row in cut_rows(cuts)]
    assert [slack(*row, z, 1.0) for row in cut_rows(found.cuts)] == pytest.approx([before[1], before[2], before[0]])


def test_the_checker_has_the_same_coefficients_whatever_the_order() -> None:
    rng = np.random.default_rng(1)
    rows = [(-3, rng.permutation(8)[: 3 + t % 4].tolist()) for t in range(12)]
    mu, whole = rng.integers(1, 9, 12), slice(0, 8)
    turned = [(c, [m[1], m[0], *m[:1:-1]]) for c, m in rows]
    for cuts in (rows, turned):
        tables = [(np.array([c]), np.array([m]), mu[t : t + 1]) for t, (c, m) in enumerate(cuts)]
        found = CutSums(tables, [1] * 8, 3).on_z(whole, whole)
        expected = 2.0 * matrix_of(cut_list(rows), mu.astype(float), np.ones(8))
        np.testing.assert_array_equal(np.triu(np.zeros((8, 8)) if found is None else found), np.triu(expected))
