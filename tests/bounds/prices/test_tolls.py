"""What a cluster earns at most within a capacity, against all sets of points."""

import itertools
import math

import numpy as np
import pytest

from pcsos.bounds.prices.clusters import Clusters, taken
from pcsos.bounds.prices.pricing import greatest_profit
from pcsos.bounds.prices.tree import PointTree


@pytest.mark.parametrize("seed", range(10))
def test_no_set_within_the_capacity_earns_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, capacity = 9, int(rng.integers(1, 9))
    means, prices = rng.normal(size=(n, int(rng.integers(1, 4)))), rng.uniform(0.0, 4.0, n)
    tree = PointTree.of(means, np.ones(n), np.zeros(n, np.intp))
    priced = tree.priced(prices[tree.order], capacity=float(capacity))
    most = 0.0
    for size in range(1, capacity + 1):
        for own in map(list, itertools.combinations(range(n), size)):
            most = max(most, prices[own].sum() - ((means[own] - means[own].mean(axis=0)) ** 2).sum())
    found = greatest_profit(
        priced, known=0.0, tolerance=1e-6, floor=math.inf, keep=1, most_boxes=10**6, rounded=float(n)
    )
    assert most <= found.most <= most + 2e-6
    ends, earned = Clusters(tree, rng).climb(priced, means, 0.0)
    assert earned[0] <= most + 1e-9
    assert np.diff(taken(priced, ends[0]), axis=1).sum() <= capacity
