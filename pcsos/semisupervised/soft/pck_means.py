"""PCKMeans: k-means that pays for the pairs that it breaks."""

from typing import Any

import numpy as np

from pcsos.choices import one_of
from pcsos.semisupervised.soft.base import PairwiseClusterer, Search, Task
from pcsos.semisupervised.soft.descent import descend
from pcsos.semisupervised.soft.penalties import Penalties, alike, in_total, log_odds
from pcsos.spread import variance_within


class PCKMeans(PairwiseClusterer):
    """Pairwise constrained k-means: broken pairs cost something (PCKM of the paper, section 2.3).

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty.
    violation_cost : {"confidence", "distance", "unit"}
        With "confidence" a broken pair costs what a pair that is right with that probability is worth to round Gaussian
        clusters, 2 v log(p / (1 - p)) with v the variance
        that k-means leaves (:func:`pcsos.solve` with ``penalty="confidence"``). With "distance" a
        broken must-link costs the squared distance of its samples, and a broken cannot-link what that lacks to the
        largest separation (equation 8), which makes cannot-links nearly hard.
        With "unit" either costs 1, as in the original algorithm (Basu et al. 2004).
    confidence : float
        The probability that a pair is right, above 0.5 and below 1; with other costs it has no part.
    separation : {"box", "diameter"}
        The largest separation of "distance": the diagonal of the box around the samples, or the largest distance of
        two samples. The second takes time with the square of the number of samples.
    init : {"k-means++", "dkm++", "robin", "maximin", "seeding"} or callable
        Where centres begin, as in :class:`KMeans`.
    n_init : int
        How many starts; the one with the best objective counts.
    order : {"random", "index"}
        In which order samples are gone through: drawn anew for each pass, or as they come, as in the paper. Each goes
        to the cluster that is cheapest given those that its partners are in at that moment, so that the result depends
        on the order.
    reset_labels : bool
        Whether passes begin without labels as long as that lowers the cost. Otherwise, as in the paper, labels are kept
        from one pass to the next, and pairs hold a sample that was misplaced once where it is.
    max_iter : int
        Most passes over the samples.
    random_state : int, RandomState instance or None
        Seed of all random choices: those of the starts and of the order.

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
    >>> model = PCKMeans(2, violation_cost="unit", init="dkm++", random_state=0).fit(X, must_link=[(1, 2)])
    >>> model.labels_.tolist(), model.objective_, model.violations_
    ([0, 0, 1, 1], 2.0, 1)
    >>> model.fit(X, must_link=[(1, 2)], must_link_weight=100.0).violations_
    0
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        violation_cost: str = "confidence",
        confidence: float = 0.95,
        separation: str = "box",
        init: Any = "k-means++",
        n_init: int = 10,
        order: str = "random",
        reset_labels: bool = True,
        max_iter: int = 100,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(
            n_clusters,
            violation_cost=violation_cost,
            confidence=confidence,
            init=init,
            n_init=n_init,
            order=order,
            reset_labels=reset_labels,
            max_iter=max_iter,
            random_state=random_state,
        )
        self.separation = separation

    def _search(self, task: Task) -> Search:
        penalties, one = self._penalties(task), np.ones(1)
        return lambda centres: descend(task.points, penalties, one, centres, task.passes)

    def _penalties(self, task: Task) -> Penalties:
        one_of("violation_cost", self.violation_cost, ("confidence", "distance", "unit"))
        one_of("separation", self.separation, ("box", "diameter"))
        n = len(task.points)
        if self.violation_cost == "distance":
            return in_total(task.points, task.pairs, self.separation)
        if self.violation_cost == "unit":
            return alike(n, task.pairs, np.ones(1))
        variance = variance_within(task.points, np.ones(n), task.n_clusters)
        return alike(n, task.pairs, np.array([log_odds(self.confidence) * variance]))
