"""SparseKMeans, which weighs features, and PCSKMeans, which weighs them and pays for broken pairs."""

from dataclasses import dataclass

import numpy as np

from pcsos.clusterers.soft.base import ClusteringTask, PairwiseClusterer, Search, SoftClusterer
from pcsos.clusterers.soft.pairs import Penalties, alike, by_feature, log_odds, without_costs
from pcsos.clusterers.soft.sparse import checked_sparsity, chosen_by_pairs, halfway, sparse_search
from pcsos.problem.conditions.spread import variances_within
from pcsos.problem.validation.arrays import one_of


@dataclass(eq=False, repr=False, kw_only=True)
class SparseKMeans(SoftClusterer):
    """Sparse k-means: features that do not tell clusters apart get weight 0 (SKM of the paper, section 2.2).

    Parameters
    ----------
    s : float or None
        Bound on the sum of the weights, whose squares sum to 1 at most: from 1, one feature, to the root of the number
        of features, all of them. None is halfway, for want of a better choice;
        :func:`pcsos.clusterers.selection.select_sparsity` chooses with known classes.
    n_clusters, init, n_init, order, max_iter, random_state
        As in :class:`KMeans`.

    Attributes
    ----------
    labels_, cluster_centers_, violations_, n_empty_
        As in :class:`KMeans`.
    feature_weights_ : ndarray of shape (n_features,)
        What the squared difference in each feature counts.
    objective_ : float
        Weighted sum of squares between the clusters (equation 4), which the algorithm makes large.
    n_iter_ : int
        Rounds: clusters for given weights, then weights for given clusters.

    References
    ----------
    Witten and Tibshirani, A framework for feature selection in clustering, Journal of the American Statistical
    Association 105 (2010).
    Vouros and Vasilaki, A semi-supervised sparse K-Means algorithm, Pattern Recognition Letters 142 (2021).

    Examples
    --------
    >>> from pcsos.clusterers import SparseKMeans
    >>> X = [[0.0, 1.0], [1.0, 3.0], [8.0, 2.0], [9.0, 2.0]]
    >>> model = SparseKMeans(2, s=1.0, init="dkm++", random_state=0).fit(X)
    >>> model.labels_.tolist(), model.feature_weights_.tolist(), model.objective_
    ([1, 1, 0, 0], [1.0, 0.0], 64.0)
    """

    _makes_large = True

    s: float | None = None

    def _search(self, task: ClusteringTask) -> Search:
        n, p = task.points.shape
        s = halfway(p) if self.s is None else checked_sparsity(self.s, p)
        free = without_costs(n, p)
        return lambda centres: sparse_search(task.points, free, s, centres, task.passes)


@dataclass(eq=False, repr=False, kw_only=True)
class PCSKMeans(PairwiseClusterer):
    """Pairwise constrained sparse k-means: soft pairs and a choice of features (PCSKM of the paper, section 2.4).

    Parameters
    ----------
    s : float or None
        Bound on the sum of the weights of features, as in :class:`SparseKMeans`. With None the pairs choose among
        equal weights and five values up to the root of the number of features, by how many of them clusters break that
        are found without them. Equal weights give way to fewer by more than chance, or to no more where half of the
        features, or more, are left out. Without pairs it is that of :class:`SparseKMeans`.
    penalise_weights : bool
        Whether a feature loses weight by what broken pairs cost in it (equation 15); if not, broken pairs tell in the
        assignment only.
    violation_cost, confidence, reset_labels
        As in :class:`MPCKMeans` and :class:`PCKMeans`.
    n_clusters, init, n_init, order, max_iter, random_state
        As in :class:`KMeans`.

    Attributes
    ----------
    labels_, cluster_centers_, violations_, n_empty_
        As in :class:`KMeans`.
    feature_weights_, n_iter_
        As in :class:`SparseKMeans`.
    s_ : float or None
        The bound that was used; None where all features weigh the same.
    objective_ : float
        Weighted sum of squares between the clusters less the costs of broken pairs (equation 13), which the algorithm
        makes large.

    Notes
    -----
    Where broken pairs cost more than any feature gains there are no weights that are good for anything; the last ones
    are kept, with a warning. Features are not rescaled: what varies more counts more.

    References
    ----------
    Vouros and Vasilaki, A semi-supervised sparse K-Means algorithm, Pattern Recognition Letters 142 (2021).

    Examples
    --------
    The samples form two groups in either feature; one cannot-link says which feature is meant.

    >>> from pcsos.clusterers import PCSKMeans, SparseKMeans
    >>> X = [[0.0, 0.0], [0.0, 6.0], [5.0, 0.0], [5.0, 6.0]]
    >>> SparseKMeans(2, s=1.0, random_state=0).fit(X).feature_weights_.tolist()
    [0.0, 1.0]
    >>> PCSKMeans(2, s=1.0, random_state=0).fit(X, cannot_link=[(0, 2), (1, 3)]).feature_weights_.tolist()
    [1.0, 0.0]
    """

    _makes_large = True

    s: float | None = None
    penalise_weights: bool = True

    def _search(self, task: ClusteringTask) -> Search:
        self.s_ = self._sparsity(task)
        penalties = self._penalties(task)
        return lambda centres: sparse_search(
            task.points, penalties, self.s_, centres, task.passes, penalise_weights=bool(self.penalise_weights)
        )

    def _sparsity(self, task: ClusteringTask) -> float | None:
        if self.s is not None:
            return checked_sparsity(self.s, task.points.shape[1])
        if not task.pairs.are_any:
            return halfway(task.points.shape[1])
        return chosen_by_pairs(task)

    def _penalties(self, task: ClusteringTask) -> Penalties:
        one_of("violation_cost", self.violation_cost, ("confidence", "distance"))
        if self.violation_cost == "distance":
            return by_feature(task.points, task.pairs)
        variances = variances_within(task.points, task.n_clusters)
        num_weighed = float(np.count_nonzero(np.ptp(task.points, axis=0))) or 1.0
        if self.s_ is not None:
            num_weighed = min(self.s_**2, num_weighed)  # so many equal weights of length 1 have the sum s
        return alike(len(task.points), task.pairs, log_odds(self.confidence) / num_weighed * variances)
