"""Knots: groups that must-links make, tied by cannot-links, and what a cluster earns of them anywhere."""

import itertools
import math

import numpy as np
import pytest

from pcsos.bounds.prices.clusters import Clusters, taken
from pcsos.bounds.prices.knots import MOST_CHOICES, MOST_GROUPS, Knots, independent_sets, knots_of
from pcsos.bounds.prices.tree import PointTree
from tests.bounds.prices.test_profit import greatest
from tests.slow import first_few


def groups_of(knots: Knots) -> list[list[list[int]]]:
    """Lists of groups by knot."""
    groups = [knots.members[a:b].tolist() for a, b in itertools.pairwise(knots.group_first)]
    return [groups[a:b] for a, b in itertools.pairwise(knots.knot_first)]


def choices_of(knots: Knots) -> list[list[list[int]]]:
    """Lists of positions of groups by knot and choice."""
    bits = [[at for at in range(MOST_GROUPS) if choice >> at & 1] for choice in knots.choices.tolist()]
    return [bits[a:b] for a, b in itertools.pairwise(knots.choice_first)]


def pairs(*listed: tuple[int, int]) -> np.ndarray:
    return np.array(listed, np.intp).reshape(-1, 2)


def made(must: np.ndarray, cannot: np.ndarray, n: int = 8) -> list[list[list[int]]]:
    return groups_of(knots_of(np.arange(float(n))[:, None], np.ones(n), must, cannot))


def test_knots_by_hand() -> None:
    assert made(pairs(), pairs()) == []
    assert made(pairs((1, 2)), pairs()) == [[[1, 2]]]
    assert made(pairs(), pairs((1, 2))) == [[[1], [2]]]
    assert made(pairs(), pairs((1, 2), (1, 3), (4, 1))) == [[[4], [1], [2], [3]]]
    assert made(pairs((1, 5), (5, 6)), pairs((2, 6), (0, 3))) == [[[0], [3]], [[2], [1, 5, 6]]]


@pytest.mark.parametrize("seed", first_few(16, range(60)))
def test_independent_sets_are_those_of_all_subsets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    tied = [pair for pair in itertools.combinations(range(n), 2) if rng.random() < rng.choice([0.2, 0.6])]
    around = [sum(1 << j for j in range(n) if (min(i, j), max(i, j)) in tied) for i in range(n)]
    free = [own for own in range(1 << n) if not any(own >> i & own >> j & 1 for i, j in tied)]
    greatest = {own for own in free if not any(own != other and own & other == own for other in free)}
    found = independent_sets(around)
    assert len(found) == len(set(found))
    assert set(found) == greatest


def drawn(seed: int, most: int = 40) -> tuple[PointTree, np.ndarray, np.ndarray, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng([seed, 17])
    n, d = int(rng.integers(4, most)), int(rng.integers(1, 4))
    means = rng.normal(size=(n, d)) * rng.choice([1e-3, 1.0, 50.0])
    weights = rng.choice([np.ones(n), rng.uniform(0.1, 9.0, n)])
    tree = PointTree.of(means, weights, np.arange(n) % 2)
    prices = rng.normal(0.5, 1.0, size=n) * rng.choice([0.1, 1.0, 10.0]) * (weights * (means**2).sum(axis=1)).mean()
    must, cannot = (rng.integers(0, n, (int(rng.integers(0, 8)), 2)) for _ in range(2))
    name = names(n, must)
    return tree, prices, must, cannot[name[cannot[:, 0]] != name[cannot[:, 1]]], rng


def names(n: int, must: np.ndarray) -> np.ndarray:
    """A number for each super-point, the same for those that are together."""
    name = np.arange(n)
    for i, j in must:
        name[name == name[i]] = name[j]
    return name


def earned(tree: PointTree, prices: np.ndarray, knots: Knots, place: np.ndarray) -> float:
    """What a cluster earns at a place, by the definition."""
    worth = prices - tree.weights * ((tree.means - place) ** 2).sum(axis=1)
    total = float(np.maximum(np.delete(worth, knots.members), 0.0).sum())
    for groups, choices in zip(groups_of(knots), choices_of(knots), strict=True):
        own = [max(worth[group].sum(), 0.0) for group in groups]
        total += max(sum(own[at] for at in choice) for choice in choices)
    return total


@pytest.mark.parametrize("seed", first_few(16, range(100)))
def test_knots_hold_groups_and_pairs_that_are_given_and_share_nothing(seed: int) -> None:
    tree, _, must, cannot, _ = drawn(seed)
    knots = knots_of(tree.means, tree.weights, must, cannot)
    name = names(tree.size, must)
    apart = {frozenset((name[i], name[j])) for i, j in cannot}
    assert len(set(knots.members.tolist())) == knots.members.size
    held = 0
    for groups, choices in zip(groups_of(knots), choices_of(knots), strict=True):
        assert all(group == np.flatnonzero(name == name[group[0]]).tolist() for group in groups)
        assert len(groups) <= MOST_GROUPS
        assert len(choices) <= MOST_CHOICES
        for i, j in itertools.combinations(range(len(groups)), 2):
            is_tied = not any({i, j} <= {*choice} for choice in choices)
            assert not is_tied or frozenset((name[groups[i][0]], name[groups[j][0]])) in apart
            held += is_tied
    assert held <= len(apart)
    touched = {name[i] for i in knots.members}
    assert all(name[i] in touched for i in must.ravel() if np.count_nonzero(name == name[i]) > 1)
    if len(cannot) <= 3:
        assert held == len(apart)


@pytest.mark.parametrize("seed", first_few(16, range(120)))
def test_nowhere_more_is_earned(seed: int) -> None:
    tree, prices, must, cannot, rng = drawn(seed)
    knots = knots_of(tree.means, tree.weights, must, cannot)
    scale = max(float(np.maximum(prices, 0.0).sum()), 1e-300)
    found = greatest(tree.priced(prices, knots), tolerance=1e-4 * scale, floor=0.0, keep=100)
    low, high = tree.means.min(axis=0), tree.means.max(axis=0)
    places = np.concatenate([tree.means, knots.means, rng.uniform(low, high, (500, low.size))])
    most = max(earned(tree, prices, knots, place) for place in places)
    assert found.most >= most * (1.0 - 1e-12)
    assert found.least >= most - 2e-4 * scale
    assert found.least <= found.most <= found.least + 1e-4 * scale + 1e-9 * scale
    for place, profit in zip(found.places, found.earned, strict=True):
        assert earned(tree, prices, knots, place) == pytest.approx(profit, rel=1e-9, abs=1e-12 * scale)


@pytest.mark.parametrize("seed", first_few(12, range(150)))
def test_a_cluster_takes_what_it_earns_with(seed: int) -> None:
    tree, prices, must, cannot, rng = drawn(seed)
    knots = knots_of(tree.means, tree.weights, must, cannot)
    priced, scale = tree.priced(prices, knots), float(np.abs(prices).sum())
    clusters = Clusters(tree, rng)
    ends, profits = clusters.climb(priced, tree.means[:5], 0.0)
    for place, profit in zip(ends, profits, strict=True):
        members = [i for first, last in taken(priced, place) for i in range(first, last)]
        assert members == sorted(set(members))
        worth = prices - tree.weights * ((tree.means - place) ** 2).sum(axis=1)
        assert worth[members].sum() == pytest.approx(profit, abs=1e-9 * scale)
        assert profit == pytest.approx(earned(tree, prices, knots, place), abs=1e-9 * scale)
        for groups, choices in zip(groups_of(knots), choices_of(knots), strict=True):
            inside = {at for at, group in enumerate(groups) if {*group} <= {*members}}
            assert any(inside <= {*choice} for choice in choices)
            assert all(at in inside or not {*group} & {*members} for at, group in enumerate(groups))


def test_a_group_pays_what_its_own_members_pay() -> None:
    knots = knots_of(np.arange(4.0)[:, None], np.ones(4), pairs((2, 3)), pairs((0, 1)))
    assert groups_of(knots) == [[[0], [1]], [[2, 3]]]
    assert knots.prices(np.array([-1e17, 1.0, 0.5, 0.25])).tolist() == [-1e17, 1.0, 0.25]


@pytest.mark.parametrize("seed", first_few(16, range(60)))
def test_clusters_that_agree_are_kept(seed: int) -> None:
    tree, _, must, cannot, rng = drawn(seed)
    clusters = Clusters(tree, rng)
    for _ in range(30):
        members = np.flatnonzero(rng.random(tree.size) < 0.5)
        clusters.add(np.column_stack([members, members + 1]))
    sets = [{i for first, last in own for i in range(first, last)} for own in clusters.stretches]
    expected = [
        own for own in sets
        if all((i in own) == (j in own) for i, j in must) and not any(i in own and j in own for i, j in cannot)
    ]  # fmt: skip
    kept = clusters.agreeing(must, cannot)
    assert [{i for first, last in own for i in range(first, last)} for own in kept.stretches] == expected
    assert len(clusters) == len(sets)
    assert math.isfinite(sum(kept.costs))
    assert not kept.add(kept.stretches[0]) if len(kept) else True
