"""Metric learning: clusters and one diagonal metric in turn (MPCKM; Vouros and Vasilaki 2021, section 2.3)."""

import numpy as np

from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.soft.agreement import NUM_STARTS, most_agreeable
from pcsos.clusterers.soft.descent import (
    Iterate,
    Passes,
    SoftClustering,
    means_and_scatter,
    nowhere,
    one_pass,
    settled,
)
from pcsos.clusterers.soft.pairs import WeightedPairs
from pcsos.clusterers.soft.penalties import Penalties, without_costs


def metric_search(
    points: Floats,
    penalties: Penalties,
    centres: Floats,
    passes: Passes,
    *,
    scale: float = 1.0,
    is_round: bool = False,
) -> SoftClustering:
    """Alternate one assignment, means and the best metric for them until an assignment changes no label.

    The weights that are found are the metric; the objective is the cost (equation 10) after each new metric. Penalties
    that are fixed have no part in the metric: they are added to the cost as they are.

    Parameters
    ----------
    points : ndarray, shape (n, p)
        The points.
    penalties : Penalties
        With a column a feature, or fixed.
    centres : ndarray, shape (k, p)
        Where to start.
    passes : Passes
        How many, and in which order.
    scale : float
        What all features weigh in the first pass.
    is_round : bool
        Whether all features weigh the same in all passes.
    """
    n, p = points.shape
    total = ((points - points.mean(axis=0)) ** 2).sum(axis=0)
    improve = improved_round if is_round else improved

    def step(state: Iterate, labels: Indices) -> Iterate:
        roots, labels = np.sqrt(state.weights), labels.copy()
        changes = penalties.changes(penalties.column_weights(state.weights))
        _, _, refilled = one_pass(points * roots, penalties, changes, state.centres * roots, passes, labels)
        centres, scatter = means_and_scatter(points, labels, len(state.centres))
        paid = penalties.of(labels)
        learned, extra = (scatter, float(paid.sum())) if penalties.is_fixed else (scatter + paid, 0.0)
        metric, cost = improve(state.weights, learned, total, n)
        return Iterate(labels, centres, metric, cost + extra, refilled)

    return settled(Iterate(nowhere(n), centres, np.full(p, scale), np.inf, 0), step, passes)


def improved(metric: Floats, paid: Floats, total: Floats, n_points: int) -> tuple[Floats, float]:
    """Return the metric that is best for what each feature pays, and the cost with it.

    A feature that pays nothing would weigh infinitely much; it keeps the weight that it has.

    Parameters
    ----------
    metric : ndarray, shape (p,)
        The metric until now.
    paid, total : ndarray, shape (p,)
        Sum of squares within the clusters and penalties, by feature, and the sum of squares of all points, beside
        which rounding is nothing.
    """
    is_free = paid <= EPS * total
    best: Floats = np.where(is_free, metric, n_points / np.where(is_free, 1.0, paid))
    return best, float(best @ paid - n_points * np.log(best).sum())


def improved_round(metric: Floats, paid: Floats, total: Floats, n_points: int) -> tuple[Floats, float]:
    """Return the best metric in which all features weigh the same, and the cost with it, as :func:`improved` does."""
    num_varying = int(np.count_nonzero(total > 0.0))
    varying = np.array([paid.sum()]), np.array([total.sum()])
    weight, _ = improved(metric[:1], *varying, n_points * max(num_varying, 1))
    best = np.full(len(metric), weight[0])
    return best, float(best @ paid - n_points * np.log(best).sum())


def helps(points: Floats, scale: float, starts: list[Floats], pairs: WeightedPairs, passes: Passes) -> bool:
    """Whether clusters under a learned metric, found without a look at the pairs, agree with them better than without.

    Parameters
    ----------
    points : ndarray, shape (n, p)
        The points.
    scale : float
        What all features weigh in the first pass.
    starts : list of ndarray, shape (k, p)
        Where centres begin; the start with the best objective counts.
    pairs : WeightedPairs
        The pairs and their weights.
    passes : Passes
        How often, and in which order, points are gone through.
    """
    n, p = points.shape
    candidates = []
    for is_round in (True, False):
        found = [
            metric_search(points, without_costs(n, p), centres, passes, scale=scale, is_round=is_round)
            for centres in starts[:NUM_STARTS]
        ]
        candidates.append(min(found, key=lambda one: one.objectives[-1]).labels)
    return most_agreeable(candidates, pairs) == 1
