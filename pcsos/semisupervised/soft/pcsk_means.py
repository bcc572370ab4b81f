"""PCSKMeans: sparse k-means that pays for the pairs that it breaks."""

from typing import Any

import numpy as np

from pcsos.semisupervised.soft.base import PairwiseClusterer, Task, checked_sparsity
from pcsos.semisupervised.soft.descent import Found
from pcsos.semisupervised.soft.penalties import by_feature
from pcsos.semisupervised.soft.sparse import sparse_search


class PCSKMeans(PairwiseClusterer):
    """Pairwise constrained sparse k-means: soft pairs and a choice of features (PCSKM of the paper, section 2.4).

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty.
    s : float or None
        Bound on the sum of the weights of features, as in :class:`SparseKMeans`.
    penalise_weights : bool
        Whether a feature loses weight by what broken pairs cost in it (equation 15); if not, broken pairs tell in the
        assignment only.
    init : {"dkm++", "robin", "maximin", "seeding", "k-means++"} or callable
        Where centres begin, as in :class:`KMeans`.
    order : {"index", "random"}
        In which order samples are gone through; the result depends on it.
    max_iter : int
        Most rounds, and most passes over the samples in each.
    random_state : int, RandomState instance or None
        Seed of all random choices: those of the starts "seeding" and "k-means++", and of the order.

    Attributes
    ----------
    labels_, cluster_centers_, violations_, n_empty_
        As in :class:`KMeans`.
    feature_weights_ : ndarray of shape (n_features,)
        What the squared difference in each feature counts.
    objective_ : float
        Weighted sum of squares between the clusters less the costs of broken pairs (equation 13), which the algorithm
        makes large.
    n_iter_ : int
        Rounds: clusters for given weights, then weights for given clusters.

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

    >>> from pcsos.semisupervised import PCSKMeans, SparseKMeans
    >>> X = [[0.0, 0.0], [0.0, 6.0], [5.0, 0.0], [5.0, 6.0]]
    >>> SparseKMeans(2, s=1.0).fit(X).feature_weights_.tolist()
    [0.0, 1.0]
    >>> PCSKMeans(2, s=1.0).fit(X, cannot_link=[(0, 2), (1, 3)]).feature_weights_.tolist()
    [1.0, 0.0]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        s: float | None = None,
        penalise_weights: bool = True,
        init: Any = "dkm++",
        order: str = "index",
        max_iter: int = 25,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(n_clusters, init=init, order=order, max_iter=max_iter, random_state=random_state)
        self.s = s
        self.penalise_weights = penalise_weights

    def _find(self, task: Task) -> Found:
        return sparse_search(
            task.points,
            by_feature(task.points, task.pairs),
            checked_sparsity(self.s, task.points.shape[1]),
            task.centres,
            task.passes,
            penalise_weights=bool(self.penalise_weights),
        )
