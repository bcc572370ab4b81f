"""MPCKMeans: pairwise constrained k-means that learns a diagonal metric."""

from pcsos.semisupervised.soft.base import PairwiseClusterer, Task
from pcsos.semisupervised.soft.descent import Found
from pcsos.semisupervised.soft.metric import metric_search
from pcsos.semisupervised.soft.penalties import by_feature


class MPCKMeans(PairwiseClusterer):
    """Metric pairwise constrained k-means with one diagonal metric (MPCKM of the paper, section 2.3).

    After each pass a feature weighs the more, the less it contributes to the sum of squares within the clusters and to
    the costs of broken pairs. A feature that contributes nothing keeps its weight.

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty.
    init : {"dkm++", "robin", "maximin", "seeding", "k-means++"} or callable
        Where centres begin, as in :class:`KMeans`.
    order : {"index", "random"}
        In which order samples are gone through; the result depends on it.
    max_iter : int
        Most passes over the samples.
    random_state : int, RandomState instance or None
        Seed of all random choices: those of the starts "seeding" and "k-means++", and of the order.

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

    >>> from pcsos.semisupervised import MPCKMeans
    >>> X = [[0.0, 0.0], [1.0, 10.0], [8.0, 0.0], [9.0, 10.0]]
    >>> model = MPCKMeans(2, init="maximin").fit(X, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (1, 3)])
    >>> model.labels_.tolist(), model.feature_weights_.tolist(), model.violations_
    ([1, 1, 0, 0], [4.0, 0.04], 0)
    """

    def _find(self, task: Task) -> Found:
        return metric_search(task.points, by_feature(task.points, task.pairs), task.centres, task.passes)
