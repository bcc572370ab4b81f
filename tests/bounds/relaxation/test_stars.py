"""The search for stars: what many entries at a time find is what one after the other would."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.families.stars import (
    BLOCK,
    LARGEST_STAR,
    TRIANGLES_PER_PAIR,
    in_neighbourhoods,
    stars_about,
)
from pcsos.bounds.relaxation.separation import separate
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from tests.bounds.relaxation.samples import cut_rows
from tests.slow import first_few

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
@pytest.mark.parametrize("noise", [0.05, 0.6])
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
    y = clustered(rng, 600, 4, 0.3) * np.outer(relaxation.roots, relaxation.roots)
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
