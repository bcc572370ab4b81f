"""KMeans, the reference for what pairs and weights of features change, and PCKMeans, which pays for broken pairs."""

from dataclasses import dataclass

import numpy as np

from pcsos.clusterers.soft.base import ClusteringTask, PairwiseClusterer, Search, SoftClusterer
from pcsos.clusterers.soft.descent import descend
from pcsos.clusterers.soft.pairs import Penalties, alike, in_total, log_odds, without_costs
from pcsos.problem.conditions.spread import variance_within
from pcsos.problem.validation.arrays import one_of


class KMeans(SoftClusterer):
    """k-means by the algorithm of Lloyd from named starts (LKM of the paper, section 2.1).

    It is the reference of the family; :class:`pcsos.CertifiedKMeans` and :class:`pcsos.MemeticKMeans` find better
    clusters of the same kind.

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty.
    init : {"k-means++", "dkm++", "robin", "maximin", "seeding"} or callable
        Where centres begin. A callable gets the samples, n_clusters and a numpy.random.Generator and returns the
        centres, shape (n_clusters, n_features).
    n_init : int
        How many starts; the one with the best objective counts.
    order : {"random", "index"}
        In which order samples are gone through: drawn anew for each pass, or as they come, as in the paper. Without
        costs of pairs only ties depend on it. With them each sample goes to the cluster that is cheapest given those
        that its partners are in at that moment, so that the result depends on the order.
    max_iter : int
        Most passes over the samples, and most rounds of passes and weights where features are weighed.
    random_state : int, RandomState instance or None
        Seed of all random choices: those of the starts and of the order.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of each sample.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Means of the clusters.
    feature_weights_ : ndarray of shape (n_features,)
        1 for each feature.
    objective_ : float
        Sum of squares within the clusters (equation 1).
    violations_ : int
        How many pairs the labels break.
    n_iter_ : int
        Passes over the samples; equal to ``max_iter`` where that may have ended the search.
    n_empty_ : int
        How many times a cluster lost all its samples and was given the one farthest from its own centre.

    References
    ----------
    Vouros and Vasilaki, A semi-supervised sparse K-Means algorithm, Pattern Recognition Letters 142 (2021).

    Examples
    --------
    >>> from pcsos.clusterers import KMeans
    >>> model = KMeans(2, init="dkm++", random_state=0).fit([[0.0], [2.0], [10.0], [12.0], [11.0]])
    >>> model.labels_.tolist(), model.objective_
    ([1, 1, 0, 0, 0], 4.0)
    """

    def _search(self, task: ClusteringTask) -> Search:
        free, one = without_costs(len(task.points)), np.ones(1)
        return lambda centres: descend(task.points, free, one, centres, task.passes)


@dataclass(eq=False, repr=False, kw_only=True)
class PCKMeans(PairwiseClusterer):
    """Pairwise constrained k-means: broken pairs cost something (PCKM of the paper, section 2.3).

    Parameters
    ----------
    violation_cost : {"confidence", "distance", "unit"}
        With "confidence" a broken pair costs what a pair that is right with that probability is worth to round Gaussian
        clusters, 2 v log(p / (1 - p)) with v the variance
        that k-means leaves (:func:`pcsos.solve` with ``penalty="confidence"``). With "distance" a
        broken must-link costs the squared distance of its samples, and a broken cannot-link what that lacks to the
        largest separation (equation 8), which makes cannot-links nearly hard.
        With "unit" either costs 1, as in the original algorithm (Basu et al. 2004).
    separation : {"box", "diameter"}
        The largest separation of "distance": the diagonal of the box around the samples, or the largest distance of
        two samples. The second takes time with the square of the number of samples.
    confidence : float
        The probability that a pair is right, above 0.5 and below 1; with other costs it has no part.
    reset_labels : bool
        Whether passes begin without labels as long as that lowers the cost. Otherwise, as in the paper, labels are kept
        from one pass to the next, and pairs hold a sample that was misplaced once where it is.
    n_clusters, init, n_init, order, max_iter, random_state
        As in :class:`KMeans`.

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

    >>> from pcsos.clusterers import PCKMeans
    >>> X = [[0.0], [1.0], [8.0], [9.0]]
    >>> model = PCKMeans(2, violation_cost="unit", init="dkm++", random_state=0).fit(X, must_link=[(1, 2)])
    >>> model.labels_.tolist(), model.objective_, model.violations_
    ([0, 0, 1, 1], 2.0, 1)
    >>> model.fit(X, must_link=[(1, 2)], must_link_weight=100.0).violations_
    0
    """

    separation: str = "box"

    def _search(self, task: ClusteringTask) -> Search:
        penalties, one = self._penalties(task), np.ones(1)
        return lambda centres: descend(task.points, penalties, one, centres, task.passes)

    def _penalties(self, task: ClusteringTask) -> Penalties:
        one_of("violation_cost", self.violation_cost, ("confidence", "distance", "unit"))
        one_of("separation", self.separation, ("box", "diameter"))
        n = len(task.points)
        if self.violation_cost == "distance":
            return in_total(task.points, task.pairs, self.separation)
        if self.violation_cost == "unit":
            return alike(n, task.pairs, np.ones(1))
        variance = variance_within(task.points, np.ones(n), task.n_clusters)
        return alike(n, task.pairs, np.array([log_odds(self.confidence) * variance]))
