"""Separation finds violated cuts, only those, each once; no triangle escapes it, and stars are those of plain loops."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.families.stars import (
    BLOCK,
    LARGEST_STAR,
    TRIANGLES_PER_PAIR,
    in_neighbourhoods,
    stars_about,
)
from pcsos.bounds.relaxation.peng_wei import PengWei, build
from pcsos.bounds.relaxation.separation import separate
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from tests.bounds.relaxation.samples import cut_list, cut_rows, random_sample, slack
from tests.slow import first_few

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
    return z * np.outer(r.masses.roots, r.masses.roots)


def z_of(r: PengWei, y: NDArray[np.float64]) -> NDArray[np.float64]:
    return y / np.outer(r.masses.roots, r.masses.roots)


@settings(max_examples=60)
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
    direct = [-slack(*row, z_of(r, y), float(r.masses.largest.max())) for row in rows]
    np.testing.assert_allclose(violation, direct, atol=1e-12)
    assert (violation > least).all()
    assert (np.diff(violation) <= 0.0).all()
    names = [(centre, frozenset(members)) for centre, members in rows]
    assert all(len(members) == len(set(members)) and centre not in members for centre, members in rows)
    assert all(len(members) == r.n_clusters + 1 for centre, members in rows if centre < 0)
    assert len(set(names)) == len(names)
    assert not set(names) & {(centre, frozenset(members)) for centre, members in cut_rows(known)}
    assert len(cuts) + len(known) == len(first)


@settings(max_examples=60)
@given(seeds)
def test_the_most_violated_triangle_is_found_and_none_where_there_is_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    s = int(rng.integers(3, 10))
    r = relaxation_of(rng, s, 2)
    y = doubtful_point(rng, r)
    threshold = float(rng.choice([1e-5, 1e-2, 1.0, 5.0]))
    z, largest = z_of(r, y), float(r.masses.largest.max())
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


@settings(max_examples=40)
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


Stars = dict[tuple[int, frozenset[int]], float]


def clustered(rng: np.random.Generator, s: int, num_clusters: int, noise: float) -> NDArray[np.float64]:
    """A symmetric Z near that of a partition, with entries between most clusters that are exactly 0."""
    labels = rng.integers(num_clusters, size=s)
    z = (labels[:, None] == labels) * rng.uniform(0.5, 1.0, num_clusters)[labels][:, None]
    z = z + noise * rng.random((s, s)) * (np.abs(labels[:, None] - labels) <= 1)
    return np.asarray(0.5 * (z + z.T))


def one_by_one(z: NDArray[np.float64], least: float) -> Stars:
    """The three most violated triangles of every ordered pair, and the star that grows from it, in plain loops."""
    found: Stars = {}
    for c in range(len(z)):
        near = [j for j in range(len(z)) if j != c and z[c, j] > least]
        for a in near:
            triangles = sorted(((z[c, a] - z[c, c] + z[c, j] - z[a, j], j) for j in near if j != a), reverse=True)
            for violation, j in triangles[:TRIANGLES_PER_PAIR]:
                if violation > least:
                    found[c, frozenset((a, j))] = violation
            members, gain = [a], {j: z[c, j] - z[a, j] for j in near if j != a}
            while gain and len(members) < LARGEST_STAR and max(gain.values()) > 0.0:
                pick = max(gain, key=gain.__getitem__)
                members.append(pick)
                gain = {j: value - z[pick, j] for j, value in gain.items() if j != pick}
            total = sum(z[c, j] for j in members) - z[c, c]
            total -= sum(z[i, j] for at, j in enumerate(members) for i in members[:at])
            if total > least and len(members) != 2:
                found[c, frozenset(members)] = total
    return found


def searched(z: NDArray[np.float64], least: float) -> Stars:
    order, rough = in_neighbourhoods(z), z.astype(np.float32)
    found: Stars = {}
    for first in range(0, len(z), BLOCK):
        stars = stars_about(z, rough, order[first : first + BLOCK], least, least)
        for c, size, members, violation in zip(*stars, strict=True):
            found[int(c), frozenset(members[:size].tolist())] = float(violation)
    return found


@pytest.mark.parametrize("num_clusters", [1, 2, 9])  # blocks that need all columns, most of them, few of them
@pytest.mark.parametrize("noise", first_few(1, [0.6, 0.05]))
@pytest.mark.parametrize("least", first_few(1, [0.05, 1e-6, 0.3]))
def test_the_same_stars_are_found_as_one_by_one(num_clusters: int, noise: float, least: float) -> None:
    z = clustered(np.random.default_rng(num_clusters), 2 * BLOCK + 7, num_clusters, noise)
    expected, found = one_by_one(z, least), searched(z, least)
    assert found.keys() == expected.keys()
    assert len(found) > 0 or least == 0.3
    for name, violation in found.items():
        assert violation == pytest.approx(expected[name], abs=1e-12)


def test_neighbours_follow_one_another() -> None:
    z = clustered(np.random.default_rng(0), 60, 3, 0.05)
    order = in_neighbourhoods(z)
    assert sorted(order.tolist()) == list(range(60))
    together = z[order[:-1], order[1:]] > 0.4
    assert np.count_nonzero(~together) == 2


@pytest.mark.slow
@pytest.mark.parametrize("limit", [50, 3000])
def test_the_limit_of_a_round_keeps_the_most_violated(limit: int) -> None:
    """Of so many centres a sample is looked at first, and the rest is asked for more; what is kept is the same."""
    rng = np.random.default_rng(3)
    relaxation = peng_wei.build(reduce_instance(Instance(rng.standard_normal((600, 2)), 4)))
    y = clustered(rng, 600, 4, 0.3) * np.outer(relaxation.masses.roots, relaxation.masses.roots)
    every, violation = separate(relaxation, y, Cuts.none(), 1e-3, 10**9)
    some, of_some = separate(relaxation, y, Cuts.none(), 1e-3, limit)
    assert len(every) > 10 * limit
    np.testing.assert_allclose(of_some, violation[:limit], rtol=1e-12)
    surely = [row for row, value in zip(cut_rows(every), violation, strict=True) if value > of_some[-1] * (1 + 1e-12)]
    assert len(surely) > 0.9 * limit
    assert {str(row) for row in map(named, surely)} <= {str(row) for row in map(named, cut_rows(some))}


def named(row: tuple[int, list[int]]) -> tuple[int, list[int]]:
    return row[0], sorted(row[1])


@pytest.mark.parametrize("weight", [1e-120, 1e-40, 1e40, 1e120])
def test_entries_that_single_precision_does_not_hold_are_searched_as_well(weight: float) -> None:
    """Entries of Z are about one over the weight of a cluster."""
    rng = np.random.default_rng(6)
    points = rng.standard_normal((40, 2))
    plain = peng_wei.build(reduce_instance(Instance(points, 3)))
    heavy = peng_wei.build(reduce_instance(Instance(points, 3, weights=np.full(40, weight))))
    y = clustered(rng, 40, 3, 0.3)
    few, many = separate(plain, y, Cuts.none(), 1e-3, 10**9), separate(heavy, y, Cuts.none(), 1e-3, 10**9)
    assert len(few[0]) > 40
    assert set(map(str, map(named, cut_rows(few[0])))) == set(map(str, map(named, cut_rows(many[0]))))
