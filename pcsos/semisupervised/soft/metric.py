"""Metric learning: clusters and one diagonal metric in turn (MPCKM; Vouros and Vasilaki 2021, section 2.3)."""

import numpy as np

from pcsos.semisupervised.soft.descent import NOWHERE, Found, Passes, means_and_scatter, one_pass
from pcsos.semisupervised.soft.penalties import Penalties
from pcsos.tolerances import EPS
from pcsos.typing import Floats


def metric_search(points: Floats, penalties: Penalties, centres: Floats, passes: Passes) -> Found:
    """Alternate one assignment, means and the best metric for them until an assignment changes no label.

    The weights that are found are the metric; the objective is the cost (equation 10) after each new metric.

    Parameters
    ----------
    points : ndarray, shape (n, p)
        The points.
    penalties : Penalties
        With a column a feature.
    centres : ndarray, shape (k, p)
        Where to start.
    passes : Passes
        How many, and in which order.
    """
    metric = np.ones(points.shape[1])
    labels = np.full(len(points), NOWHERE)
    total = ((points - points.mean(axis=0)) ** 2).sum(axis=0)
    objectives: list[float] = []
    num_refilled = 0
    while True:
        before = labels.copy()
        roots = np.sqrt(metric)
        _, _, refilled = one_pass(points * roots, penalties, penalties.changes(metric), centres * roots, passes, labels)
        num_refilled += refilled
        centres, scatter = means_and_scatter(points, labels, len(centres))
        metric, cost = improved(metric, scatter + penalties.of(labels), total, len(points))
        objectives.append(cost)
        if len(objectives) == passes.most or np.array_equal(before, labels):
            return Found(labels, metric, tuple(objectives), num_refilled)


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
