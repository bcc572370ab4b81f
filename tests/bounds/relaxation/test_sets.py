"""Sets that are found are violated, new, and the smaller side of what they divide."""

import numpy as np
import pytest

from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.families.sets import crossing_of
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.separation import separate_limited
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.instance import Instance
from pcsos.problem.params import CutParams
from pcsos.problem.reduction import reduce_instance
from tests.bounds.relaxation.samples import cut_rows, random_symmetric, slack


def relaxation_of(n: int = 18, k: int = 3, must_link: tuple[tuple[int, int], ...] = (), **limits: object) -> PengWei:
    points = np.random.default_rng(n).standard_normal((n, 2))
    return peng_wei.build(reduce_instance(Instance(points, k, must_link, **limits)))


def separated(r: PengWei, y: np.ndarray, known: Cuts | None = None, limit: int = 20) -> Cuts:
    known = Cuts.none() if known is None else known
    return separate_limited(r, y, known, CutParams(sets=limit), np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(30))
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
        crossed = slack(centre, members, y / np.outer(r.roots, r.roots), 1.0, r.weights)
        violations.append(crossing[counts[members].sum()] - crossed)
        assert centre == -2
        assert counts[members].sum() <= counts.sum() / 2
    assert min(violations) > 0.0
    assert violations == sorted(violations, reverse=True)


def test_clusters_of_other_sizes_are_cut_off() -> None:
    """Clusters of 3, 5 and 10 points where all should have 6: each of them is a set that has to be divided."""
    r = relaxation_of(size_min=6, size_max=6)
    labels = np.repeat([0, 1, 2], [3, 5, 10])
    found = [members for _, members in cut_rows(separated(r, r.projection(labels)))]
    assert list(range(3)) in found
    assert list(range(3, 8)) in found


def test_a_partition_that_keeps_its_limits_violates_none() -> None:
    r = relaxation_of(size_min=5, size_max=7)
    assert len(separated(r, r.projection(np.repeat([0, 1, 2], [5, 6, 7])))) == 0


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
