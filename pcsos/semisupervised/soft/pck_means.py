"""PCKMeans: k-means that pays for the pairs that it breaks."""

from typing import Any

import numpy as np

from pcsos.semisupervised.soft.base import PairwiseClusterer, Task
from pcsos.semisupervised.soft.descent import Found, descend
from pcsos.semisupervised.soft.penalties import in_total


class PCKMeans(PairwiseClusterer):
    """Pairwise constrained k-means: broken pairs cost something (PCKM of the paper, section 2.3).

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty.
    violation_cost : {"distance", "unit"}
        With "distance" a broken must-link costs the squared distance of its samples and a broken cannot-link what their
        squared distance lacks to the largest separation (equation 8); with "unit" either costs 1, as in the original
        algorithm (Basu et al. 2004).
    separation : {"box", "diameter"}
        The largest separation: the diagonal of the box around the samples, or the largest distance of two samples. The
        second takes time with the square of the number of samples.
    init : {"dkm++", "robin", "maximin", "seeding", "k-means++"} or callable
        Where centres begin, as in :class:`KMeans`.
    order : {"index", "random"}
        In which order samples are gone through. Each goes to the cluster that is cheapest given those that its partners
        are in at that moment, so that the result depends on the order.
    max_iter : int
        Most passes over the samples.
    random_state : int, RandomState instance or None
        Seed of all random choices: those of the starts "seeding" and "k-means++", and of the order.

    Attributes
    ----------
    labels_, cluster_centers_, feature_weights_, violations_, n_iter_, n_empty_
        As in :class:`KMeans`.
    objective_ : float
        Sum of squares within the clusters and costs of broken pairs, each counted once (equation 8).

    See Also
    --------
    pcsos.CertifiedKMeans : pairs that hold, and the best clusters with proof.

    References
    ----------
    Vouros and Vasilaki, A semi-supervised sparse K-Means algorithm, Pattern Recognition Letters 142 (2021).
    Basu, Banerjee and Mooney, Active semi-supervision for pairwise constrained clustering, SDM (2004).

    Examples
    --------
    The pair is broken: keeping it would cost more.

    >>> from pcsos.semisupervised import PCKMeans
    >>> X = [[0.0], [1.0], [8.0], [9.0]]
    >>> model = PCKMeans(2, violation_cost="unit").fit(X, must_link=[(1, 2)])
    >>> model.labels_.tolist(), model.objective_, model.violations_
    ([0, 0, 1, 1], 2.0, 1)
    >>> PCKMeans(2, violation_cost="unit").fit(X, must_link=[(1, 2)], must_link_weight=100.0).violations_
    0
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        violation_cost: str = "distance",
        separation: str = "box",
        init: Any = "dkm++",
        order: str = "index",
        max_iter: int = 25,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(n_clusters, init=init, order=order, max_iter=max_iter, random_state=random_state)
        self.violation_cost = violation_cost
        self.separation = separation

    def _find(self, task: Task) -> Found:
        penalties = in_total(task.points, task.pairs, self.violation_cost, self.separation)
        return descend(task.points, penalties, np.ones(1), task.centres, task.passes).found
