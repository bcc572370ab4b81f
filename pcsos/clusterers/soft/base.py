"""The base of the soft clusterers: from samples and pairs to attributes, whatever is alternated in between."""

import warnings
from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from pcsos.base.exceptions import InfeasibleError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.clusterers.soft.descent import Passes, SoftClustering, means_and_scatter
from pcsos.clusterers.soft.pairs import Given, WeightedPairs
from pcsos.clusterers.soft.starts import all_starts
from pcsos.estimators.samples import checked_samples
from pcsos.estimators.training import checked_n_clusters, drawn_seed
from pcsos.problem.conditions.pairs import broken_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.partition import nearest_centre
from pcsos.problem.reduction import reduce_instance
from pcsos.problem.validation.arrays import one_of, whole_number
from pcsos.problem.validation.names import PointNames, row_labels

#: From centres to what a search finds from there.
Search = Callable[[Floats], SoftClustering]


@dataclass(frozen=True, eq=False)
class ClusteringTask:
    """What is to be clustered, and from where."""

    points: Floats  #: shape (n, p): the samples, moved so that their mean is 0; constant features are exactly 0
    starts: list[Floats]  #: each of shape (k, p): where centres begin, start by start
    pairs: WeightedPairs  #: the pairs and their weights
    passes: Passes  #: how often, and in which order, points are gone through

    @property
    def n_clusters(self) -> int:
        """Number of clusters k."""
        return len(self.starts[0])


@dataclass(eq=False, repr=False)
class SoftClusterer(ClusterMixin, BaseEstimator, metaclass=ABCMeta):
    """Clusterers in the manner of k-means that begin at named starts and go through the points in some order.

    A subclass says how clusters are found from a start, and whether its objective is to be large.
    """

    _makes_large = False
    reset_labels = False

    n_clusters: int = 8
    init: Any = "k-means++"
    n_init: int = 10
    order: str = "random"
    max_iter: int = 100
    random_state: int | np.random.RandomState | None = None

    @abstractmethod
    def _search(self, task: ClusteringTask) -> Search:
        """Return how clusters are found from one start."""

    def fit(self, X: ArrayLike, y: object = None, *, must_link: Pairs = (), cannot_link: Pairs = ()) -> Self:
        """Cluster the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, dense and finite.
        y : object
            Ignored, as scikit-learn's convention has it.
        must_link, cannot_link : array-like of shape (n_pairs, 2), or iterable of pairs, optional
            Pairs of samples by position, or by the labels of a DataFrame's index. This algorithm pays no heed to them;
            must-links say where ``init="seeding"`` begins, and ``violations_`` counts those of both that are broken.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        InputError
            If samples, pairs or parameters cannot be used. It is a ValueError.
        """
        return self._fit(X, must_link, cannot_link, 1.0, 1.0)

    def _fit(
        self,
        X: ArrayLike,
        must_link: Pairs,
        cannot_link: Pairs,
        must_link_weight: ArrayLike,
        cannot_link_weight: ArrayLike,
    ) -> Self:
        names = row_labels(X)
        samples = checked_samples(self, X)
        n = len(samples)
        k = checked_n_clusters(self.n_clusters, n)
        together, apart = Given.of(must_link, "must_link", names), Given.of(cannot_link, "cannot_link", names)
        instance = Instance(samples, k, together.pairs, apart.pairs, names=PointNames(n, ids=names))
        self._look_at(instance)
        pairs = WeightedPairs(
            instance.must_link,
            instance.cannot_link,
            together.weights(must_link_weight, instance.must_link, n),
            apart.weights(cannot_link_weight, instance.cannot_link, n),
        )
        rng = np.random.default_rng(drawn_seed(self.random_state))
        one_of("order", self.order, ("index", "random"))
        is_drawn = self.order == "random"
        passes = Passes(whole_number("max_iter", self.max_iter, 1), rng if is_drawn else None, bool(self.reset_labels))
        n_init = whole_number("n_init", self.n_init, 1)
        starts = all_starts(self.init, n_init, samples, k, instance.constraints, rng, order_is_drawn=is_drawn)
        moved = samples - samples[0]
        middle = moved.mean(axis=0)
        task = ClusteringTask(moved - middle, [centres - samples[0] - middle for centres in starts], pairs, passes)
        found = [*map(self._search(task), task.starts)]
        best = max if self._makes_large else min
        self._keep(best(found, key=lambda one: one.objectives[-1]), samples, pairs)
        return self

    def _look_at(self, instance: Instance) -> None:
        """See to it that a user learns of pairs that cannot all be kept."""

    def _keep(self, found: SoftClustering, samples: Floats, pairs: WeightedPairs) -> None:
        self.labels_ = found.labels
        self.cluster_centers_ = means_and_scatter(samples, found.labels, self.n_clusters)[0]
        self.feature_weights_ = found.weights
        self.objective_ = found.objectives[-1]
        broken = broken_pairs(pairs.must_link, pairs.cannot_link, found.labels)
        self.violations_ = int(sum(flags.sum() for flags in broken))
        self.n_iter_ = len(found.objectives)
        self.n_empty_ = found.num_refilled
        if found.remark:
            warnings.warn(found.remark, stacklevel=4)

    def predict(self, X: ArrayLike) -> Indices:
        """Return the nearest centre of each sample, by the weights of the features; pairs play no part.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        labels : ndarray of int, shape (n_samples,)
            Index of the nearest of ``cluster_centers_``, the first of them where there are several.
        """
        check_is_fitted(self, "cluster_centers_")
        samples = checked_samples(self, X, reset=False)
        roots = np.sqrt(self.feature_weights_)
        return nearest_centre(samples * roots, self.cluster_centers_ * roots)[0]


@dataclass(eq=False, repr=False, kw_only=True)
class PairwiseClusterer(SoftClusterer):
    """Those that pay for pairs that they break."""

    violation_cost: str = "confidence"
    confidence: float = 0.95
    reset_labels: bool = True

    def fit(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        must_link: Pairs = (),
        cannot_link: Pairs = (),
        must_link_weight: ArrayLike = 1.0,
        cannot_link_weight: ArrayLike = 1.0,
    ) -> Self:
        """Cluster the samples.

        Parameters
        ----------
        X, y
            As in :meth:`KMeans.fit`.
        must_link, cannot_link : array-like of shape (n_pairs, 2), or iterable of pairs, optional
            Samples that should, or should not, share a cluster: their positions, from 0, or the labels of a
            DataFrame's index. Breaking them costs something and is allowed; that they cannot all be kept is a warning.
        must_link_weight, cannot_link_weight : float or array-like of shape (n_pairs,)
            By how much the costs of breaking pairs are multiplied, at least 0: one number, or one per pair. A pair that
            is given twice counts once, with the larger weight.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        InputError
            If samples, pairs, weights or parameters cannot be used. It is a ValueError.
        """
        return self._fit(X, must_link, cannot_link, must_link_weight, cannot_link_weight)

    def _look_at(self, instance: Instance) -> None:
        try:
            reduce_instance(instance)
        except InfeasibleError as error:
            warnings.warn(f"some pairs are broken whatever the clusters are: {error}", stacklevel=4)
