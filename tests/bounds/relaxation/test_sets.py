"""Sets that must be divided: by how much, against all clusters, and which are found."""

import itertools
import time

import numpy as np
import pytest
from flint import fmpq

from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.families.sets import crossing_of, least_crossing
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.separation import separate_limited
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.instance import Instance
from pcsos.problem.params import CutParams
from pcsos.problem.reduction import reduce_instance
from pcsos.verify import VerificationError, cuts
from pcsos.verify.conditions import Conditions
from tests.bounds.relaxation.samples import cut_rows, projection, random_symmetric, slack
from tests.slow import first_few


def relaxation_of(n: int = 18, k: int = 3, must_link: tuple[tuple[int, int], ...] = (), **limits: object) -> PengWei:
    points = np.random.default_rng(n).standard_normal((n, 2))
    return peng_wei.build(reduce_instance(Instance(points, k, must_link, **limits)))


def separated(r: PengWei, y: np.ndarray, known: Cuts | None = None, limit: int = 20) -> Cuts:
    known = Cuts.none() if known is None else known
    return separate_limited(r, y, known, CutParams(sets=limit), np.random.default_rng(0))


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_sets_are_violated_as_much_as_the_definition_says(seed: int) -> None:
    r = relaxation_of(must_link=((0, 1), (2, 3), (3, 4)), size_min=6, size_max=6)
    y = np.abs(random_symmetric(np.random.default_rng(seed), r.size)) / 100
    cuts = separated(r, y)
    counts = np.rint(r.weights).astype(int)
    crossing = crossing_of(r.reduced)
    assert crossing is not None
    assert len(cuts) > 0
    violations = []
    for centre, members in cut_rows(cuts):
        crossed = slack(centre, members, y / np.outer(r.masses.roots, r.masses.roots), 1.0, r.weights)
        violations.append(crossing[counts[members].sum()] - crossed)
        assert centre == -2
        assert counts[members].sum() <= counts.sum() / 2
    assert min(violations) > 0.0
    assert violations == sorted(violations, reverse=True)


def test_clusters_of_other_sizes_are_cut_off() -> None:
    """Clusters of 3, 5 and 10 points where all should have 6: each of them is a set that has to be divided."""
    r = relaxation_of(size_min=6, size_max=6)
    labels = np.repeat([0, 1, 2], [3, 5, 10])
    found = [members for _, members in cut_rows(separated(r, projection(r, labels)))]
    assert list(range(3)) in found
    assert list(range(3, 8)) in found


def test_a_partition_that_keeps_its_limits_violates_none() -> None:
    r = relaxation_of(size_min=5, size_max=7)
    assert len(separated(r, projection(r, np.repeat([0, 1, 2], [5, 6, 7])))) == 0


def test_known_sets_are_not_found_again_and_there_are_no_more_than_wanted() -> None:
    r = relaxation_of(size_min=6, size_max=6)
    y = np.abs(random_symmetric(np.random.default_rng(0), r.size)) / 100
    first = separated(r, y)
    assert 0 < len(first) <= 20
    assert len(separated(r, y, limit=1)) == 1
    known = {tuple(members) for _, members in cut_rows(first)}
    assert not known & {tuple(members) for _, members in cut_rows(separated(r, y, first))}


def test_nothing_is_looked_for_where_any_set_may_stay_whole() -> None:
    for limits in ({}, {"size_min": 1}, {"size_max": 16}):
        assert crossing_of(relaxation_of(**limits).reduced) is None
    weighted = Instance(np.arange(6.0), 2, weights=[1.0, 1.0, 1.0, 1.0, 1.0, 2.0], size_min=3)
    assert crossing_of(reduce_instance(weighted)) is None


def by_enumeration(n: int, k: int, fewest: int, most: int, sizes: tuple[int, ...] | None) -> np.ndarray:
    """All sizes of clusters, and all numbers of points that each holds of a set."""
    least = np.full(n + 1, np.inf)
    for every in itertools.combinations_with_replacement(range(fewest, most + 1), k):
        if sum(every) != n or (sizes is not None and every != sizes):
            continue
        for inside in itertools.product(*(range(size + 1) for size in every)):
            crossing = sum(s * (w - s) / w for s, w in zip(inside, every, strict=True))
            least[sum(inside)] = min(least[sum(inside)], crossing)
    return least


@pytest.mark.parametrize("seed", first_few(12, range(150)))
def test_solver_and_checker_know_the_least_crossing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 5))
    n = int(rng.integers(k, 13))
    fewest, most, sizes = int(rng.integers(1, n // k + 1)), int(rng.integers(-(-n // k), n + 1)), None
    limits: dict[str, object] = {"size_min": fewest, "size_max": most}
    if rng.random() < 0.4:
        ends = np.sort(rng.choice(np.arange(1, n), k - 1, replace=False))
        sizes = tuple(sorted(np.diff([0, *ends, n]).tolist()))
        fewest, most, limits = sizes[0], sizes[-1], {"sizes": list(sizes)}
    check(n, k, fewest, most, sizes, limits)


def test_a_divided_cluster_may_hold_as_many_points_of_a_set_as_it_can() -> None:
    """With twelve points and fewer, the least numbers that it can hold are always enough."""
    for n in (13, 14, 15):
        check(n, 3, 4, n - 8, None, {"size_min": 4, "size_max": n - 8})


def check(n: int, k: int, fewest: int, most: int, sizes: tuple[int, ...] | None, limits: dict[str, object]) -> None:
    """Compare solver and checker with the truth."""
    truth = by_enumeration(n, k, fewest, most, sizes)
    np.testing.assert_allclose(least_crossing(n, k, fewest, most, sizes), truth, atol=1e-15)
    conditions = Conditions([fmpq(1)] * n, k, {"limits": limits})
    checked = [conditions.crossing.least(q) for q in range(n + 1)]
    np.testing.assert_allclose([int(x.p) / int(x.q) for x in checked], truth, atol=1e-15)


def test_nothing_must_be_divided_without_limits() -> None:
    conditions = Conditions([fmpq(1)] * 6, 2)
    assert [conditions.crossing.least(q) for q in range(7)] == [0] * 7


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [([fmpq(1), fmpq(1), fmpq(2)], "points have weights"), ([fmpq(1)] * (2**14 + 1), "more than 16384 points")],
)
def test_the_checker_refuses_sets_that_limits_say_nothing_about(weights: list[fmpq], sentence: str) -> None:
    with pytest.raises(VerificationError, match=sentence):
        Conditions(weights, 2, {"limits": {"size_max": len(weights) - 1}}).crossing.least(1)


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_the_checker_adds_up_sets_however_many_it_takes_at_once(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    monkeypatch.setattr(cuts, "AT_ONCE", int(rng.integers(1, 40)))
    counts = rng.integers(1, 4, int(rng.integers(1, 9)))
    s, listed = counts.size, []
    between, points = np.zeros((s, s), np.int64), dict[int, int]()
    for _ in range(int(rng.integers(0, 4))):
        size, m = int(rng.integers(1, s + 1)), int(rng.integers(0, 9))
        members = np.array([rng.permutation(s)[:size] for _ in range(m)], np.int64).reshape(m, size)
        centre, weights = rng.choice([-2, -1] if size == 3 else [-2], m), rng.integers(0, 2**55, m)
        listed.append((centre, members, weights))
        for own, mu in zip(members[centre == -2], weights[centre == -2].tolist(), strict=True):
            inside = np.isin(np.arange(s), own)
            between += mu * (inside[:, None] ^ inside)
            q = int(counts[own].sum())
            points[q] = points.get(q, 0) + mu
    found, whole = cuts.CutSums(listed, counts.tolist(), 2), slice(0, s)
    sums = found.between(whole, whole)
    assert (sums is None) == (not points)
    np.testing.assert_array_equal(np.triu(0 * between if sums is None else sums), np.triu(between))
    assert found.sets == points


def test_least_crossings_of_very_many_points_take_no_time() -> None:
    """Sixteen thousand of them, which a file can ask for in a few bytes, in each of its states."""
    n = 2**14
    conditions = Conditions([fmpq(1)] * n, 4, {"limits": {"sizes": [1000, 3000, 5000, n - 9000]}})
    start = time.process_time()
    for _ in range(3):
        least = [conditions.crossing.least(q) for q in range(n + 1)]
    assert time.process_time() - start < 20.0
    assert [q for q in range(n + 1) if least[q] == 0][:5] == [0, 1000, 3000, 4000, 5000]
