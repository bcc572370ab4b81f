"""Pairs to branch on: against sums over all pairs, and in little memory however many groups there are."""

import itertools
import tracemalloc

import numpy as np
import pytest

from pcsos.bounds.prices.branching import LEAST_SPLIT, POWER, branching_pairs, held_together
from pcsos.bounds.prices.clusters import stretches_of
from pcsos.bounds.prices.tree import PointTree

NONE = np.empty((0, 2), np.intp)


def tree_of(n: int, seed: int) -> PointTree:
    rng = np.random.default_rng(seed)
    return PointTree.of(rng.normal(size=(n, 2)), rng.uniform(0.5, 2.0, n), np.zeros(n, np.intp))


@pytest.mark.parametrize("seed", range(10))
def test_the_first_pair_is_split_most_for_what_it_weighs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree, members = tree_of(12, seed), rng.random((6, 12)) < 0.4
    fractional = [(stretches_of(np.flatnonzero(own)), 0.3) for own in members if own.any()]
    together = 0.3 * np.array([[(members[:, i] & members[:, j]).sum() for j in range(12)] for i in range(12)])
    kinds = [tuple(own) for own in members.T.tolist()]
    heavy = {kind: sum(tree.weights[i] for i in range(12) if kinds[i] == kind) for kind in kinds}
    score = {}
    for i, j in itertools.combinations(range(12), 2):
        split = min(together[i, j], 1.0 - together[i, j])
        if kinds[i] != kinds[j] and split >= LEAST_SPLIT:
            score[i, j] = split * min(heavy[kinds[i]], heavy[kinds[j]]) ** POWER
    found = list(branching_pairs(tree, fractional, NONE, NONE))
    assert bool(found) == bool(score)
    if found:
        assert score[found[0]] == pytest.approx(max(score.values()))
        assert list(branching_pairs(tree, fractional, np.array([found[0]]), NONE)) != found
        assert found[0] not in branching_pairs(tree, fractional, NONE, np.array([found[0]]))
    pairs = np.array(list(itertools.combinations(range(12), 2)))
    assert held_together(pairs, fractional) == pytest.approx(together[pairs[:, 0], pairs[:, 1]])


def test_memory_does_not_grow_with_the_square_of_groups() -> None:
    rng, n = np.random.default_rng(0), 60_000
    tree = tree_of(n, 0)
    cuts = [np.sort(rng.choice(n, 1_000, replace=False)).reshape(-1, 2) for _ in range(200)]
    tracemalloc.start()
    assert next(iter(branching_pairs(tree, [(own, 1 / 60) for own in cuts], NONE, NONE)))
    assert tracemalloc.get_traced_memory()[1] < 600e6
    tracemalloc.stop()
