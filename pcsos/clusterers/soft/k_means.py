"""KMeans: the algorithm of Lloyd, the reference for what pairs and weights of features change."""

import numpy as np

from pcsos.clusterers.soft.base import ClusteringTask, Search, SoftClusterer
from pcsos.clusterers.soft.descent import descend
from pcsos.clusterers.soft.penalties import without_costs


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
