"""MPCKMeans: pairwise constrained k-means that learns a diagonal metric (Vouros and Vasilaki 2021, section 2.3)."""

from dataclasses import dataclass

import numpy as np

from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.soft.base import ClusteringTask, PairwiseClusterer, Search
from pcsos.clusterers.soft.descent import Passes, SoftClustering, means_and_scatter, one_pass, settled
from pcsos.clusterers.soft.pairs import (
    NUM_STARTS,
    Penalties,
    alike,
    by_feature,
    log_odds,
    most_agreeable,
    without_costs,
)
from pcsos.problem.conditions.spread import variance_within
from pcsos.problem.validation.arrays import one_of


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
    that are fixed have no part in the metric: they are added to the cost as they are. Others have a column a feature.

    Parameters
    ----------
    points, centres : ndarray, shapes (n, p) and (k, p)
        The points, and where to start.
    scale : float
        What all features weigh in the first pass.
    is_round : bool
        Whether all features weigh the same in all passes.
    """
    n, p = points.shape
    total = ((points - points.mean(axis=0)) ** 2).sum(axis=0)
    improve = improved_round if is_round else improved

    def step(state: SoftClustering, labels: Indices) -> SoftClustering:
        roots, labels = np.sqrt(state.weights), labels.copy()
        changes = penalties.changes(penalties.column_weights(state.weights))
        _, _, refilled = one_pass(points * roots, penalties, changes, state.centres * roots, passes, labels)
        centres, scatter = means_and_scatter(points, labels, len(state.centres))
        paid = penalties.of(labels)
        learned, extra = (scatter, float(paid.sum())) if penalties.is_fixed else (scatter + paid, 0.0)
        metric, cost = improve(state.weights, learned, total, n)
        return state.followed(labels, centres, metric, cost + extra, refilled)

    return settled(SoftClustering.begun(n, centres, np.full(p, scale)), step, passes)


def improved(metric: Floats, paid: Floats, total: Floats, n_points: int) -> tuple[Floats, float]:
    """Return the metric that is best for what each feature pays, and the cost with it.

    A feature that pays nothing would weigh infinitely much; it keeps the weight that it has in the ``metric`` until
    now. By feature, shape (p,) each, ``paid`` is the sum of squares within the clusters and the penalties, and
    ``total`` the sum of squares of all points, beside which rounding is nothing.
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


def helps(task: ClusteringTask, scale: float) -> bool:
    """Whether clusters under a learned metric, found without a look at the pairs, agree with them better than without.

    All features weigh ``scale`` in the first pass; the start with the best objective counts.
    """
    free = without_costs(*task.points.shape)
    candidates = []
    for is_round in (True, False):
        found = [
            metric_search(task.points, free, centres, task.passes, scale=scale, is_round=is_round)
            for centres in task.starts[:NUM_STARTS]
        ]
        candidates.append(min(found, key=lambda one: one.objectives[-1]).labels)
    return most_agreeable(candidates, task.pairs) == 1


@dataclass(eq=False, repr=False, kw_only=True)
class MPCKMeans(PairwiseClusterer):
    """Metric pairwise constrained k-means with one diagonal metric (MPCKM of the paper, section 2.3).

    After each pass a feature weighs the more, the less it contributes to the sum of squares within the clusters and,
    with costs by distance, to those of broken pairs. A feature that contributes nothing keeps its weight.

    Parameters
    ----------
    metric : {"pairs", "diagonal", "round"}
        Whether each feature has a weight of its own, as in the paper, or all have the same. With "pairs" these choose:
        features are weighed apart if clusters that were found so, without the pairs, break fewer of them. Without pairs
        it is "diagonal".
    violation_cost : {"confidence", "distance"}
        As in :class:`PCKMeans`; "distance" is that of equations 8, 10 and 13. With "confidence" squares are divided by
        the variance of their feature where a metric is learned.
    confidence, reset_labels
        As in :class:`PCKMeans`.
    n_clusters, init, n_init, order, max_iter, random_state
        As in :class:`KMeans`.

    Attributes
    ----------
    labels_, cluster_centers_, violations_, n_iter_, n_empty_
        As in :class:`KMeans`.
    feature_weights_ : ndarray of shape (n_features,)
        The metric: what the squared difference in each feature counts.
    objective_ : float
        Equation 10: weighted sum of squares and costs of broken pairs, less n_samples times the sum of the logarithms
        of the weights.

    References
    ----------
    Vouros and Vasilaki, A semi-supervised sparse K-Means algorithm, Pattern Recognition Letters 142 (2021).
    Bilenko, Basu and Mooney, Integrating constraints and metric learning in semi-supervised clustering, ICML (2004).

    Examples
    --------
    The second feature is wide and says nothing about the pairs; it counts a hundredth of the first.

    >>> from pcsos.clusterers import MPCKMeans
    >>> X = [[0.0, 0.0], [1.0, 10.0], [8.0, 0.0], [9.0, 10.0]]
    >>> model = MPCKMeans(2, metric="diagonal", init="maximin", random_state=0)
    >>> model = model.fit(X, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (1, 3)])
    >>> model.labels_.tolist(), model.feature_weights_.tolist(), model.violations_
    ([1, 1, 0, 0], [4.0, 0.04], 0)
    """

    metric: str = "pairs"

    def _search(self, task: ClusteringTask) -> Search:
        one_of("metric", self.metric, ("pairs", "diagonal", "round"))
        one_of("violation_cost", self.violation_cost, ("confidence", "distance"))
        points, pairs, scale = task.points, task.pairs, 1.0
        penalties = by_feature(points, pairs)
        if self.violation_cost == "confidence":
            scale = 1.0 / (variance_within(points, np.ones(len(points)), task.n_clusters) or 1.0)
            penalties = alike(len(points), pairs, np.array([log_odds(self.confidence)]), is_fixed=True)
        is_round = self.metric == "round"
        if self.metric == "pairs" and pairs.are_any:
            is_round = not helps(task, scale)
        return lambda centres: metric_search(points, penalties, centres, task.passes, scale=scale, is_round=is_round)
