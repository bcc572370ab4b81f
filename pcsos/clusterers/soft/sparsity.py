"""The bound on the sum of the weights of features: which values make sense, and the one that pairs choose."""

from typing import Any

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.clusterers.soft.agreement import NUM_STARTS, broken_weights, most_agreeable
from pcsos.clusterers.soft.descent import Passes
from pcsos.clusterers.soft.pairs import WeightedPairs
from pcsos.clusterers.soft.penalties import without_costs
from pcsos.clusterers.soft.sparse import sparse_search

#: Values of s that are tried besides equal weights, each larger than the last one by the same factor, up to the root of
#: the number of features.
NUM_VALUES = 5


def checked_sparsity(s: Any, n_features: int) -> float:
    """Return the bound on the sum of the weights.

    Raises
    ------
    InputError
        If it is none.
    """
    most = float(np.sqrt(n_features))
    if isinstance(s, bool) or not isinstance(s, int | float | np.number) or not 1.0 <= s <= most:
        raise InputError(
            f"s is {s!r}; give a number from 1 to the root of the number of features, {most:.6g} for {n_features}"
        )
    return float(s)


def halfway(n_features: int) -> float:
    """Return the value between one feature and all of them, for want of a better choice."""
    return (1.0 + float(np.sqrt(n_features))) / 2.0


def chosen_by_pairs(points: Floats, starts: list[Floats], pairs: WeightedPairs, passes: Passes) -> float | None:
    """Return the value of s whose clusters, found without a look at the pairs, agree with them best.

    None stands for equal weights: features are weighed only where the pairs say that it helps, or where half of them,
    or more, can be left out and no more pairs are broken.

    Parameters
    ----------
    points : ndarray, shape (n, p)
        The points.
    starts : list of ndarray, shape (k, p)
        Where centres begin; the start with the best objective counts.
    pairs : WeightedPairs
        The pairs and their weights.
    passes : Passes
        How often, and in which order, points are gone through.
    """
    n, p = points.shape
    free, varies = without_costs(n, p), np.ptp(points, axis=0) > 0.0
    values: list[float | None] = [None, *np.geomspace(1.0, np.sqrt(p), NUM_VALUES + 1)[:0:-1].tolist()]
    candidates = []
    for s in values:
        found = [sparse_search(points, free, s, centres, passes) for centres in starts[:NUM_STARTS]]
        candidates.append(max(found, key=lambda one: one.objectives[-1]))
    chosen = most_agreeable([one.labels for one in candidates], pairs)
    broken = [broken_weights(one.labels, pairs).sum() for one in candidates]
    left = [np.count_nonzero(one.weights[varies]) for one in candidates]
    sparse = [i for i in range(len(values)) if 2 * left[i] <= varies.sum() and broken[i] <= broken[chosen]]
    return values[min(sparse, key=broken.__getitem__, default=chosen)]
