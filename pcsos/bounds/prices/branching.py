"""Branching pairs: super-points that the fractional partition puts together by half (Ryan and Foster 1981)."""

from collections.abc import Iterator

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.clusters import holds
from pcsos.bounds.prices.tree import PointTree
from pcsos.problem.conditions.pairs import connected_components

#: Pairs are branched on that are apart, and together, in this share of the fractional partition at least.
LEAST_SPLIT = 0.02
#: What a pair weighs counts with this power.
POWER = 0.25
#: So many groups that the same clusters hold are looked at, the heaviest.
MOST_GROUPS = 2_000

#: Clusters as stretches of the order of a tree, and how much of each a fractional partition takes.
Fractional = list[tuple[Indices, float]]


def branching_pairs(
    tree: PointTree, fractional: Fractional, must_link: Indices, cannot_link: Indices
) -> Iterator[tuple[int, int]]:
    """Yield pairs of super-points, in the order of the tree, that are not decided, those first that are split most.

    Of those that the same clusters hold, the first stands for all; what the lighter side weighs counts a little.

    Parameters
    ----------
    tree : PointTree
        The super-points.
    fractional : list of (ndarray, float)
        Clusters, and how much of each is taken.
    must_link, cannot_link : ndarray of int, shape (m, 2)
        Pairs that are decided.
    """
    first, weights = _groups(tree, fractional)
    heaviest = np.sort(np.argsort(-weights, kind="stable")[:MOST_GROUPS])
    first, worth = first[heaviest], weights[heaviest] ** POWER
    held = np.array([holds(stretches, first) for stretches, _ in fractional], np.float64).reshape(-1, first.size)
    together = (held * np.array([share for _, share in fractional])[:, None]).T @ held
    split = np.triu(np.minimum(together, 1.0 - together), 1)
    rows, columns = np.nonzero(split >= LEAST_SPLIT)
    score = split[rows, columns] * np.minimum(worth[rows], worth[columns])
    group = connected_components(tree.size, must_link)
    apart = {frozenset(pair) for pair in group[cannot_link].tolist()}
    for at in np.argsort(-score, kind="stable"):
        i, j = int(first[rows[at]]), int(first[columns[at]])
        if group[i] != group[j] and frozenset((int(group[i]), int(group[j]))) not in apart:
            yield i, j


def held_together(pairs: Indices, fractional: Fractional) -> Floats:
    """Return how much of the fractional partition holds each pair of super-points, shape (m, 2), in one cluster."""
    total = np.zeros(len(pairs))
    for stretches, share in fractional:
        total += share * holds(stretches, pairs).all(axis=1)
    return total


def _groups(tree: PointTree, fractional: Fractional) -> tuple[Indices, Floats]:
    """Return the first super-point of each group that the same clusters hold, and what the groups weigh."""
    marks = np.random.default_rng(0).integers(0, 2**64, len(fractional), np.uint64)
    changes = np.zeros(tree.size + 1, np.uint64)
    for (stretches, _), mark in zip(fractional, marks, strict=True):
        np.add.at(changes, stretches[:, 0], mark)
        np.subtract.at(changes, stretches[:, 1], mark)
    _, first, group = np.unique(np.cumsum(changes[:-1]), return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.bincount(group.ravel(), tree.weights)[order].astype(np.float64)
