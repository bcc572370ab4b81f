"""Separation finds violated cuts, only those, each once, and no violated triangle escapes it."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pcsos.bounds.relaxation.peng_wei import PengWei, build
from pcsos.bounds.relaxation.separation import separate
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from tests.bounds.relaxation.samples import cut_list, cut_rows, random_sample, slack

seeds = st.integers(0, 2**32 - 1)
ALL = 10**9


def relaxation_of(rng: np.random.Generator, s: int, k: int, *, weighted: bool = True) -> PengWei:
    weights = rng.uniform(0.3, 3.0, s) if weighted else np.ones(s)
    return build(reduce_instance(Instance(rng.standard_normal((s, 2)), k, weights=weights)))


def doubtful_point(rng: np.random.Generator, r: PengWei) -> NDArray[np.float64]:
    """Y with non-negative entries and Z_ii >= Z_ij, as the pair cuts want it, but otherwise at random."""
    s = r.size
    z = rng.random((s, s)) * (rng.random((s, s)) < rng.uniform(0.3, 1.0))
    z = np.triu(z, 1) + np.triu(z, 1).T
    np.fill_diagonal(z, z.max(axis=1) * rng.uniform(1.0, 1.5, s))
    return z * np.outer(r.roots, r.roots)


def z_of(r: PengWei, y: NDArray[np.float64]) -> NDArray[np.float64]:
    return y / np.outer(r.roots, r.roots)


@settings(max_examples=100)
@given(seeds)
def test_what_is_found_is_violated_distinct_new_and_sorted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    s = int(rng.integers(3, 12))
    r = relaxation_of(rng, s, int(rng.integers(1, s)))
    y = doubtful_point(rng, r) if rng.random() < 0.7 else rng.random((s, s))
    y = 0.5 * (y + y.T)
    first, _ = separate(r, y, Cuts.none(), 1e-3, ALL)
    known = cut_list([row for row in cut_rows(first) if rng.random() < 0.4])
    cuts, violation = separate(r, y, known, 1e-3, ALL)
    least = 1e-3 * r.n_clusters / r.weights.sum()
    rows = cut_rows(cuts)
    direct = [-slack(*row, z_of(r, y), float(r.largest.max())) for row in rows]
    np.testing.assert_allclose(violation, direct, atol=1e-12)
    assert (violation > least).all()
    assert (np.diff(violation) <= 0.0).all()
    names = [(centre, frozenset(members)) for centre, members in rows]
    assert all(len(members) == len(set(members)) and centre not in members for centre, members in rows)
    assert all(len(members) == r.n_clusters + 1 for centre, members in rows if centre < 0)
    assert len(set(names)) == len(names)
    assert not set(names) & {(centre, frozenset(members)) for centre, members in cut_rows(known)}
    assert len(cuts) + len(known) == len(first)


@settings(max_examples=100)
@given(seeds)
def test_the_most_violated_triangle_is_found_and_none_where_there_is_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    s = int(rng.integers(3, 10))
    r = relaxation_of(rng, s, 2)
    y = doubtful_point(rng, r)
    threshold = float(rng.choice([1e-5, 1e-2, 1.0, 5.0]))
    z, largest = z_of(r, y), float(r.largest.max())
    triangles = {
        (c, frozenset(pair)): -slack(c, list(pair), z, largest)
        for c in range(s)
        for pair in itertools.combinations([j for j in range(s) if j != c], 2)
    }
    worst = max(triangles, key=triangles.__getitem__)
    cuts, _ = separate(r, y, Cuts.none(), threshold, ALL)
    found = {(c, frozenset(members)) for c, members in cut_rows(cuts) if c >= 0 and len(members) == 2}
    least = threshold * 2 / r.weights.sum()
    assert (worst in found) == (triangles[worst] > least)
    assert found <= {name for name, violation in triangles.items() if violation > least * (1 - 1e-9)}


@settings(max_examples=60)
@given(seeds)
def test_nothing_cuts_off_a_partition(seed: int) -> None:
    sample = random_sample(seed)
    for y in sample.projections[:3]:
        cuts, _ = separate(sample.relaxation, y, Cuts.none(), 1e-9, ALL)
        assert len(cuts) == 0


def test_a_violated_pair_is_found() -> None:
    r = relaxation_of(np.random.default_rng(0), 5, 2, weighted=False)
    z = np.eye(5)
    z[1, 3] = z[3, 1] = 1.2
    cuts, violation = separate(r, z, Cuts.none(), 1e-3, ALL)
    found = dict(zip([(c, tuple(m)) for c, m in cut_rows(cuts)], violation, strict=True))
    assert found[(1, (3,))] == pytest.approx(0.2)
    assert found[(3, (1,))] == pytest.approx(0.2)


def test_a_star_that_no_triangle_implies_is_found() -> None:
    """Z_cc = 1, Z_cj = 0.45 for five points that are apart: triangles hold, the star of five is violated by 1.25."""
    r = relaxation_of(np.random.default_rng(0), 6, 2, weighted=False)
    z = np.eye(6)
    z[0, 1:] = z[1:, 0] = 0.45
    cuts, violation = separate(r, z, Cuts.none(), 1e-3, ALL)
    rows = cut_rows(cuts)
    assert all(centre < 0 or len(members) > 2 for centre, members in rows)
    best = max(range(len(rows)), key=lambda t: violation[t] if rows[t][0] == 0 else -1.0)
    assert (rows[best][0], sorted(rows[best][1])) == (0, [1, 2, 3, 4, 5])
    assert violation[best] == pytest.approx(1.25)


def test_cliques_are_found_where_all_points_are_apart() -> None:
    r = relaxation_of(np.random.default_rng(0), 6, 3, weighted=False)
    cuts, violation = separate(r, np.eye(6), Cuts.none(), 1e-3, ALL)
    assert len(cuts) > 0
    assert (cuts.centre == -1).all()
    np.testing.assert_allclose(violation, 1.0 / 4.0)


def test_the_limit_keeps_the_most_violated() -> None:
    rng = np.random.default_rng(1)
    r = relaxation_of(rng, 10, 3)
    y = doubtful_point(rng, r)
    everything, violation = separate(r, y, Cuts.none(), 1e-3, ALL)
    few, largest = separate(r, y, Cuts.none(), 1e-3, 7)
    assert len(everything) > 7 == len(few)
    np.testing.assert_array_equal(largest, violation[:7])
