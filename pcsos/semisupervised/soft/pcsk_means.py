"""PCSKMeans: sparse k-means that pays for the pairs that it breaks."""

from typing import Any

import numpy as np

from pcsos.choices import one_of
from pcsos.semisupervised.soft.base import PairwiseClusterer, Search, Task
from pcsos.semisupervised.soft.penalties import Penalties, alike, by_feature, log_odds
from pcsos.semisupervised.soft.sparse import sparse_search
from pcsos.semisupervised.soft.sparsity import checked_sparsity, chosen_by_pairs, halfway
from pcsos.spread import variances_within


class PCSKMeans(PairwiseClusterer):
    """Pairwise constrained sparse k-means: soft pairs and a choice of features (PCSKM of the paper, section 2.4).

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty.
    s : float or None
        Bound on the sum of the weights of features, as in :class:`SparseKMeans`. With None the pairs choose among
        equal weights and five values up to the root of the number of features: the one whose clusters, found without
        the pairs, break the fewest of them. Without pairs it is that of :class:`SparseKMeans`.
    penalise_weights : bool
        Whether a feature loses weight by what broken pairs cost in it (equation 15); if not, broken pairs tell in the
        assignment only.
    violation_cost : {"confidence", "distance"}
        With "confidence" a broken pair costs what a pair that is right with that probability is worth to round Gaussian
        clusters, 2 v log(p / (1 - p)), with v the weighted mean of
        the variances that k-means leaves in the features. With "distance" a
        broken must-link costs the squared distance of its samples, and a broken cannot-link what that lacks to the
        largest separation (equation 13), which makes cannot-links nearly hard.
    confidence : float
        The probability that a pair is right, above 0.5 and below 1; with other costs it has no part.
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
        Most rounds, and most passes over the samples in each.
    random_state : int, RandomState instance or None
        Seed of all random choices: those of the starts and of the order.

    Attributes
    ----------
    labels_, cluster_centers_, violations_, n_empty_
        As in :class:`KMeans`.
    feature_weights_ : ndarray of shape (n_features,)
        What the squared difference in each feature counts.
    s_ : float or None
        The bound that was used; None where all features weigh the same.
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
    >>> SparseKMeans(2, s=1.0, random_state=0).fit(X).feature_weights_.tolist()
    [0.0, 1.0]
    >>> PCSKMeans(2, s=1.0, random_state=0).fit(X, cannot_link=[(0, 2), (1, 3)]).feature_weights_.tolist()
    [1.0, 0.0]
    """

    _makes_large = True

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        s: float | None = None,
        penalise_weights: bool = True,
        violation_cost: str = "confidence",
        confidence: float = 0.95,
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
        self.s = s
        self.penalise_weights = penalise_weights

    def _search(self, task: Task) -> Search:
        self.s_ = self._sparsity(task)
        penalties = self._penalties(task)
        return lambda centres: sparse_search(
            task.points, penalties, self.s_, centres, task.passes, penalise_weights=bool(self.penalise_weights)
        )

    def _sparsity(self, task: Task) -> float | None:
        if self.s is not None:
            return checked_sparsity(self.s, task.points.shape[1])
        if not task.pairs.are_any:
            return halfway(task.points.shape[1])
        return chosen_by_pairs(task.points, task.starts, task.pairs, task.passes)

    def _penalties(self, task: Task) -> Penalties:
        one_of("violation_cost", self.violation_cost, ("confidence", "distance"))
        if self.violation_cost == "distance":
            return by_feature(task.points, task.pairs)
        variances = variances_within(task.points, task.n_clusters)
        num_weighed = float(np.count_nonzero(np.ptp(task.points, axis=0))) or 1.0
        if self.s_ is not None:
            num_weighed = min(self.s_**2, num_weighed)  # so many equal weights of length 1 have the sum s
        return alike(len(task.points), task.pairs, log_odds(self.confidence) / num_weighed * variances)
