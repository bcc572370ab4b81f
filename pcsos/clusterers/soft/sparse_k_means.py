"""SparseKMeans: k-means that chooses and weighs features."""

from typing import Any

import numpy as np

from pcsos.clusterers.soft.base import ClusteringTask, Search, SoftClusterer
from pcsos.clusterers.soft.penalties import without_costs
from pcsos.clusterers.soft.sparse import checked_sparsity, halfway, sparse_search


class SparseKMeans(SoftClusterer):
    """Sparse k-means: features that do not tell clusters apart get weight 0 (SKM of the paper, section 2.2).

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty.
    s : float or None
        Bound on the sum of the weights, whose squares sum to 1 at most: from 1, one feature, to the root of the number
        of features, all of them. None is halfway, for want of a better choice;
        :func:`pcsos.clusterers.selection.select_sparsity` chooses with known classes.
    init, n_init, order, max_iter, random_state
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

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        s: float | None = None,
        init: Any = "k-means++",
        n_init: int = 10,
        order: str = "random",
        max_iter: int = 100,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(n_clusters, init, n_init, order, max_iter, random_state)
        self.s = s

    def _search(self, task: ClusteringTask) -> Search:
        n, p = task.points.shape
        s = halfway(p) if self.s is None else checked_sparsity(self.s, p)
        free = without_costs(n, p)
        return lambda centres: sparse_search(task.points, free, s, centres, task.passes)
