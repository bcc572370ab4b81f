"""Branching pairs: super-points that the fractional partition puts together by half (Ryan and Foster 1981)."""

from collections.abc import Iterator

import numpy as np

from pcsos.bounds.prices.tree import PointTree
from pcsos.problem.conditions.pairs import connected_components
from pcsos.typing import Floats, Indices

#: Pairs are branched on that are apart, and together, in this share of the fractional partition at least.
LEAST_SPLIT = 0.02
#: What a pair weighs counts with this power.
POWER = 0.25

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
    members = np.zeros((len(fractional), tree.size), np.bool_)
    for row, (stretches, _) in zip(members, fractional, strict=True):
        for first, last in stretches.tolist():
            row[first:last] = True
    _, first, kind = np.unique(np.packbits(members, axis=0), axis=1, return_index=True, return_inverse=True)
    held, worth = members[:, first].astype(np.float64), np.bincount(kind.ravel(), tree.weights) ** POWER
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
        row = np.searchsorted(stretches[:, 0], pairs, side="right") - 1
        total += share * ((row >= 0) & (pairs < stretches[row, 1])).all(axis=1)
    return total
