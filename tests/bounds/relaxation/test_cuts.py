"""Every cut holds for every partition, and its coefficients say what its definition says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsos.bounds.relaxation.cuts import join, keys, select
from pcsos.bounds.relaxation.engine import remap
from pcsos.bounds.relaxation.peng_wei import PengWei, build
from pcsos.bounds.relaxation.rows import combine, rows_of
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from tests import oracle
from tests.bounds.relaxation.samples import cut_list, cut_rows, random_cuts, random_sample, random_symmetric, slack

seeds = st.integers(0, 2**32 - 1)


def random_weights(rng: np.random.Generator, s: int) -> np.ndarray:
    return 10.0 ** rng.uniform(-1, 1, s)


def weighing(weights: np.ndarray, largest: float) -> PengWei:
    """The relaxation of super-points with these weights, whose clusters weigh at most so much."""
    points = np.arange(float(weights.size))
    relaxation = build(reduce_instance(Instance(points, 1, weights=weights)))
    masses = relaxation.masses._replace(largest=np.full(weights.size, largest))
    return replace(relaxation, masses=masses)


@settings(max_examples=60)
@given(seeds)
def test_every_cut_holds_for_every_partition(seed: int) -> None:
    sample = random_sample(seed)
    rng = np.random.default_rng(seed)
    r = sample.relaxation
    rows = rows_of(random_cuts(rng, r.size, r.n_clusters, 20), r)
    flat = sample.projections.reshape(-1, r.size**2)
    for t in range(len(rows)):
        span = slice(rows.indptr[t], rows.indptr[t + 1])
        terms = flat[:, rows.entries[span]] * rows.coefficients[span]
        assert (terms.sum(axis=1) - rows.right[t] >= -1e-13 * np.abs(terms).sum(axis=1)).all()


@settings(max_examples=60)
@given(seeds)
def test_coefficients_equal_the_definition_on_any_matrix(seed: int) -> None:
    rng = np.random.default_rng(seed)
    s = int(rng.integers(2, 9))
    k, roots, largest = int(rng.integers(1, s)), np.sqrt(random_weights(rng, s)), float(rng.uniform(1, 9))
    cuts = random_cuts(rng, s, k, sets=True)
    rows = rows_of(cuts, weighing(roots**2, largest))
    y = random_symmetric(rng, s)
    z = y / np.outer(roots, roots)
    for t, (centre, members) in enumerate(cut_rows(cuts)):
        span = slice(rows.indptr[t], rows.indptr[t + 1])
        value = rows.coefficients[span] @ y.ravel()[rows.entries[span]] - rows.right[t]
        assert value == pytest.approx(slack(centre, members, z, largest, roots**2), rel=1e-9, abs=1e-11)
        one = np.zeros(len(cuts))
        one[t] = 1.0
        matrix = combine(rows, one, s)
        assert (matrix == matrix.T).all()
        assert (matrix * y).sum() - rows.right[t] == pytest.approx(value, abs=1e-11)
        np.testing.assert_allclose(rows.steps[span], matrix.ravel()[rows.entries[span]], rtol=1e-14)
        assert rows.norms[t] == pytest.approx((matrix * matrix).sum(), rel=1e-12)


def test_weights_combine_linearly_and_no_cuts_are_nothing() -> None:
    rng = np.random.default_rng(0)
    r = weighing(random_weights(rng, 6), 4.0)
    rows = rows_of(random_cuts(rng, 6, 2), r)
    weights = rng.random(len(rows))
    each = sum(w * combine(rows, one, 6) for w, one in zip(weights, np.eye(len(rows)), strict=True))
    np.testing.assert_allclose(combine(rows, weights, 6), each, atol=1e-13)
    assert not combine(rows_of(Cuts.none(), r), np.empty(0), 6).any()


class TestLists:
    rows = ((2, [0]), (1, [0, 3]), (-1, [0, 1, 4]), (0, [4, 3, 2, 1]))

    def test_select_by_mask_and_by_index(self) -> None:
        cuts = cut_list(list(self.rows))
        assert cut_rows(select(cuts, np.array([False, True, False, True]))) == [self.rows[1], self.rows[3]]
        assert cut_rows(select(cuts, np.array([3, 0]))) == [self.rows[3], self.rows[0]]
        assert cut_rows(select(cuts, np.zeros(4, bool))) == []

    def test_join_keeps_the_order(self) -> None:
        cuts = cut_list(list(self.rows))
        assert cut_rows(join(select(cuts, np.array([2, 1])), select(cuts, np.array([0])))) == [
            self.rows[2],
            self.rows[1],
            self.rows[0],
        ]
        assert cut_rows(join(Cuts.none(), cuts)) == list(self.rows) == cut_rows(join(cuts, Cuts.none()))

    def test_keys_tell_cuts_apart_but_not_the_order_of_members(self) -> None:
        every = [(c, [i, j]) for c in range(-1, 12) for i in range(12) for j in range(i) if c not in (i, j)]
        every += [(c, [i]) for c in range(12) for i in range(12) if i != c]
        assert len(np.unique(keys(cut_list(every)))) == len(every)
        turned = [(c, members[::-1]) for c, members in every]
        np.testing.assert_array_equal(keys(cut_list(turned)), keys(cut_list(every)))


class TestRemap:
    def test_cuts_that_lose_a_point_are_dropped(self) -> None:
        group = np.array([0, 1, 0, 2, 3])
        cuts, kept = remap(
            cut_list([(0, [1]), (0, [2]), (4, [0, 2]), (1, [0, 3, 4]), (-1, [0, 1, 2]), (-1, [2, 3, 4])]), group
        )
        assert kept.tolist() == [True, False, False, True, False, True]
        assert cut_rows(cuts) == [(0, [1]), (1, [0, 2, 3]), (-1, [0, 2, 3])]

    def test_a_set_holds_all_or_nothing_of_a_contracted_super_point(self) -> None:
        group = np.array([0, 1, 0, 2, 1])
        cuts, kept = remap(cut_list([(-2, [0, 2]), (-2, [0, 1]), (-2, [4, 3, 1]), (-2, [3])]), group)
        assert kept.tolist() == [True, False, True, True]
        assert cut_rows(cuts) == [(-2, [0]), (-2, [1, 2]), (-2, [2])]

    def test_nothing_remains_nothing(self) -> None:
        cuts, kept = remap(Cuts.none(), np.array([0, 0, 1]))
        assert (len(cuts), kept.size) == (0, 0)

    @settings(max_examples=40)
    @given(seeds)
    def test_a_cut_means_the_same_before_and_after(self, seed: int) -> None:
        """On partitions that keep the contracted points together, Z of the super-points is Z of their points."""
        rng = np.random.default_rng(seed)
        s, k = 7, 3
        weights = random_weights(rng, s)
        group = np.unique(rng.integers(0, 5, s), return_inverse=True)[1]
        number = int(group.max()) + 1
        if number < k:
            return
        cuts = random_cuts(rng, s, k, sets=True)
        mapped, kept = remap(cuts, group)
        merged = np.bincount(group, weights)
        for labels in oracle.all_partitions(number, k)[:20]:
            z = oracle.z_matrices(labels[group][None], weights)[0]
            z_merged = oracle.z_matrices(labels[None], merged)[0]
            before = [slack(*row, z, 1.0, weights) for row, keep in zip(cut_rows(cuts), kept, strict=True) if keep]
            after = [slack(*row, z_merged, 1.0, merged) for row in cut_rows(mapped)]
            np.testing.assert_allclose(after, before, rtol=1e-12, atol=1e-12)
