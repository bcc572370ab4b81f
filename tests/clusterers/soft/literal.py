"""The formulas of Vouros and Vasilaki (2021), written as they are printed: slow, without arrays of pairs or kernels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.soft.pairs import WeightedPairs
from pcsos.problem.instance import Instance
from tests.oracle import all_partitions, costs

Pair = tuple[int, int]


@dataclass(frozen=True)
class Case:
    """Points with pairs, each of which weighs something."""

    points: Floats
    k: int
    must_link: Sequence[Pair]
    cannot_link: Sequence[Pair]
    must_weight: Sequence[float]
    cannot_weight: Sequence[float]

    @property
    def pairs(self) -> WeightedPairs:
        return WeightedPairs(
            np.array(self.must_link, np.intp).reshape(-1, 2),
            np.array(self.cannot_link, np.intp).reshape(-1, 2),
            np.array(self.must_weight),
            np.array(self.cannot_weight),
        )


def random_case(seed: int, *, n: int = 9, k: int = 3, p: int = 3, n_pairs: int = 8) -> Case:
    """Points in groups or none, pairs of both kinds that may contradict each other, weights around 1."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, p)) + 2.0 * rng.normal(size=(k, p))[rng.integers(k, size=n)]
    every = [(i, j) for i in range(n) for j in range(i + 1, n)]
    drawn = [every[t] for t in rng.choice(len(every), n_pairs, replace=False)]
    cut = int(rng.integers(n_pairs + 1))
    weights = rng.uniform(0.2, 2.0, n_pairs).tolist()
    return Case(points, k, sorted(drawn[:cut]), sorted(drawn[cut:]), weights[:cut], weights[cut:])


def must_costs(case: Case, pair: Pair) -> Floats:
    """f by feature, times b."""
    return (case.points[pair[0]] - case.points[pair[1]]) ** 2 * case.must_weight[list(case.must_link).index(pair)]


def cannot_costs(case: Case, pair: Pair) -> Floats:
    """f-bar by feature, times its b."""
    box = case.points.max(axis=0) - case.points.min(axis=0)
    squares = (case.points[pair[0]] - case.points[pair[1]]) ** 2
    return (box**2 - squares) * case.cannot_weight[list(case.cannot_link).index(pair)]


def broken_costs(case: Case, labels: Sequence[int]) -> Floats:
    """The penalties by feature, each pair once."""
    paid = np.zeros(case.points.shape[1])
    for pair in case.must_link:
        if labels[pair[0]] != labels[pair[1]]:
            paid += must_costs(case, pair)
    for pair in case.cannot_link:
        if labels[pair[0]] == labels[pair[1]]:
            paid += cannot_costs(case, pair)
    return paid


def within(points: Floats, labels: Any) -> Floats:
    """WCSS by feature."""
    labels = np.asarray(labels)
    groups = [points[labels == h] for h in np.unique(labels)]
    return sum(((group - group.mean(axis=0)) ** 2).sum(axis=0) for group in groups)


def pckm_cost(case: Case, labels: Any) -> float:
    """Equation 8."""
    return float((within(case.points, labels) + broken_costs(case, labels)).sum())


def best_pckm_cost(case: Case) -> float:
    """The least of equation 8 over all partitions into k clusters, all at once."""
    labels = all_partitions(len(case.points), case.k)
    total = costs(Instance(case.points, case.k), labels)
    for i, j in case.must_link:
        total += (labels[:, i] != labels[:, j]) * must_costs(case, (i, j)).sum()
    for i, j in case.cannot_link:
        total += (labels[:, i] == labels[:, j]) * cannot_costs(case, (i, j)).sum()
    return float(total.min())


def literal_assignment(case: Case, centres: Floats, weights: Floats, order: Any, labels: Indices) -> Indices:
    """Equations 9, 11 and 16 for one point after the other; ties stay, or go to the first."""
    now = list(labels)
    for i in order:
        prices = []
        for k in range(case.k):
            cost = sum(weights * (case.points[i] - centres[k]) ** 2)
            for pair in case.must_link:
                if i in pair:
                    other = now[pair[0] + pair[1] - i]
                    if other >= 0 and other != k:
                        cost += sum(weights * must_costs(case, pair))
            for pair in case.cannot_link:
                if i in pair and now[pair[0] + pair[1] - i] == k:
                    cost += sum(weights * cannot_costs(case, pair))
            prices.append(cost)
        if now[i] < 0 or min(prices) < prices[now[i]]:
            now[i] = int(np.argmin(prices))
    return np.array(now)


def bisected_weights(gains: Floats, s: float) -> Floats:
    """Equation 5 with the threshold found by bisection, to the last digit."""

    def shrunk(threshold: float) -> Floats:
        kept = np.maximum(np.maximum(gains, 0.0) - threshold, 0.0)
        return kept / np.sqrt((kept**2).sum())

    if shrunk(0.0).sum() <= s:
        return shrunk(0.0)
    low, high = 0.0, float(gains.max())
    for _ in range(200):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if shrunk(middle).sum() > s:
            low = middle
        else:
            high = middle
    return shrunk(low)
