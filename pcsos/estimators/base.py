"""The base of the estimators: what fitting, predicting and transforming mean, whatever finds the partition."""

import warnings
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from pcsos.base.exceptions import InfeasibleError, InputError, PcsosError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.estimators.samples import checked_classes, checked_samples, constraints_on_rows
from pcsos.estimators.training import PRECOMPUTED, SEEDS, Training, checked_weights, drawn_seed
from pcsos.evidence.result import Result
from pcsos.heuristics.assignment.transport import transport
from pcsos.problem.conditions.conditions import checked
from pcsos.problem.conditions.role import Condition
from pcsos.problem.conditions.sizes import Sizes
from pcsos.problem.instance import Instance
from pcsos.problem.notes import notes
from pcsos.problem.partition import is_centres, nearest_centre
from pcsos.problem.similarity import Kernel, KernelFunction, kernel_alone, kernel_between, kernel_gamma
from pcsos.problem.validation.arrays import whole_number
from pcsos.problem.validation.cluster_names import numbered_clusters, refuse_other_number
from pcsos.problem.validation.names import refuse_other_index, row_labels


@dataclass(frozen=True, eq=False)
class KernelClusters:
    """The clusters of the samples that were fitted.

    The square of the distance of a sample x to the centre of a cluster is ``k(x, x) - 2 sum_j s_j k(x, x_j) +
    sum_jl s_j s_l k(x_j, x_l)``, where s_j is the share of sample j in the weight of the cluster.
    """

    #: the samples that were fitted, of any width where they are inner products, and what computes inner products
    kernel: Kernel
    rows: Indices  #: shape (m,): their positions in what was fitted
    shares: Floats  #: shape (m, k): s_j for each cluster, 0 outside
    offsets: Floats  #: shape (k,): the last sum for each cluster

    @classmethod
    def of(cls, instance: Instance, labels: Indices, kernel: Kernel, rows: Indices) -> "KernelClusters":
        """Return the clusters with these labels of an instance that has a Gram matrix, given all samples."""
        assert instance.gram is not None
        shares = np.zeros((instance.n_points, instance.n_clusters))
        shares[np.arange(instance.n_points), labels] = instance.weights
        shares /= shares.sum(axis=0)
        offsets = np.einsum("jc,jc->c", shares, instance.gram.matrix @ shares)
        samples, function = kernel.points[rows], kernel.function
        gamma = kernel_gamma(samples, kernel.gamma) if function == "rbf" else None
        return cls(Kernel(samples, function, gamma), rows, shares, offsets)

    def nearest(self, samples: Floats) -> Indices:
        """Return the cluster with the nearest centre for each sample, or for each row of its inner products."""
        return np.asarray(np.argmin(self._relative(samples), axis=1), np.intp)

    def squares(self, samples: Floats) -> Floats:
        """Return the squared distance of each sample to each centre, shape (n, k)."""
        if self.kernel.function == PRECOMPUTED:
            raise InputError(
                "kernel='precomputed' does not tell the inner product of a sample with itself, which distances need; "
                "use predict, or another kernel"
            )
        alone = kernel_alone(samples, self.kernel.function, self.kernel.gamma, self.kernel.points)
        squares = self._relative(samples) + alone[:, None]
        return np.asarray(np.maximum(squares, 0.0), np.float64)

    def _relative(self, samples: Floats) -> Floats:
        """Return the same less what does not depend on the cluster."""
        fitted, function = self.kernel.points, self.kernel.function
        if function == PRECOMPUTED:
            inner = samples[:, self.rows]
        else:
            inner = kernel_between(samples, fitted, function, self.kernel.gamma, fitted)
        return np.asarray(self.offsets - 2.0 * inner @ self.shares, np.float64)


#: Digits to which coordinates of centres, relative to their spread, count when centres are ordered.
DIGITS = 9


def lexicographic_order(centres: Floats) -> Indices:
    """Return the order of the centres by their first coordinate, then the next, as far as rounding leaves it alone.

    Only where all rounded coordinates are equal, the others count.
    """
    offsets = centres - centres.min(axis=0)
    spread = offsets.max()
    rounded = np.round(offsets / (spread or 1.0), DIGITS)
    return np.lexsort((*offsets.T[::-1], *rounded.T[::-1]))


@dataclass(eq=False, repr=False)
class ConstrainedKMeans(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator, metaclass=ABCMeta
):
    """Clusterers with the k-means objective under must-links and cannot-links.

    A subclass has these parameters and others, and finds the partition.
    """

    n_clusters: int = 8
    _: KW_ONLY
    size_min: int | None = None
    size_max: int | None = None
    conditions: Iterable[Condition] = ()
    kernel: KernelFunction | None = None
    gamma: float | None = None
    random_state: int | np.random.RandomState | None = None
    verbose: bool = False

    @abstractmethod
    def _find(self, instance: Instance, seed: int, **beginning: Any) -> tuple[Result, int]:
        """Return what was found, and after how many iterations; raise InfeasibleError where there is no partition.

        The search begins with a ``start`` where one is given.
        """

    def fit(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        sample_weight: ArrayLike | None = None,
        must_link: Pairs = (),
        cannot_link: Pairs = (),
        conditions: Iterable[Condition] = (),
        partial_labels: ArrayLike | None = None,
        start: ArrayLike | None = None,
    ) -> Self:
        """Cluster the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, finite; sparse ones are made dense, for which there must be memory. With
            ``kernel="precomputed"`` their inner products, (n_samples, n_samples).
        y : object
            Ignored, as scikit-learn's convention has it.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of at least 0; 1 unless given. A weight of 3 counts like three copies. A sample of weight 0 is left
            out together with the pairs that name it, and labelled by its nearest centre, as a new one would be; it
            does not count for the limits of sizes.
        must_link, cannot_link : array-like of shape (n_pairs, 2), or iterable of pairs, optional
            Samples that must, or must not, share a cluster: their positions, from 0. Where X is a pandas DataFrame, the
            labels of its index; a pair with a label that is not there is left out with a warning, because
            cross-validation fits parts of a table.
        conditions : list of conditions, optional
            What is asked besides the parameter of this name: conditions that name samples, such as
            :class:`pcsos.SoftPairs`, whose samples are named likewise, and :class:`pcsos.Groups`, whose labels may be
            a pandas Series with the index of X, or with that of a table of which X is a part.
        partial_labels : array-like of shape (n_samples,), optional
            Known classes as whole numbers, -1 where unknown: samples of one class share a cluster, those of different
            classes do not. Labels of clusters are not those of classes.
        start : array-like of shape (n_samples,) or (n_clusters, n_features), optional
            An initial partition, such as that of an earlier fit or of scikit-learn's KMeans: the cluster of each
            sample, as a number or a name. It has exactly ``n_clusters`` clusters and satisfies all constraints. The
            result is at most as expensive. Or initial centres; not with a kernel.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        InfeasibleError
            If no partition satisfies the constraints; the message says why.
        InputError
            If samples, weights, pairs or parameters cannot be used. It is a ValueError.
        PcsosError
            If a limit or an interrupt came before any partition was found.
        """
        labels = row_labels(X)
        for name, values in (("partial_labels", partial_labels), ("sample_weight", sample_weight)):
            refuse_other_index(X, values, name)
        points = checked_samples(self, X, accept_sparse="csr")
        n = len(points)
        constraints = constraints_on_rows(must_link, cannot_link, n, labels)
        classes, weights = checked_classes(partial_labels, n), checked_weights(sample_weight, n)
        asked = [Sizes(self.size_min, self.size_max), *checked(self.conditions), *checked(conditions)]
        training = Training(X, np.flatnonzero(weights), n)
        instance = training.instance(
            points, self.n_clusters, constraints, classes, weights, asked, self.kernel, self.gamma
        )
        for note in (*training.remarks, *notes(instance)):
            warnings.warn(note, stacklevel=2)
        beginning = {} if start is None else {"start": start}
        if start is not None and not is_centres(start):
            refuse_other_index(X, start, "start")
            numbers = numbered_clusters(start, "start", may_leave_out=instance.outliers > 0)
            refuse_other_number(numbers, n)
            beginning["start"] = numbers[training.rows]
        try:
            result, n_iter = self._find(instance, self._seed(), **beginning)
        except InfeasibleError as error:
            raise training.in_words_of_the_user(error) from error
        self._keep(result, n_iter, points, instance, training)
        return self

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return whole_number("random_state", self.random_state, 0, SEEDS)
        return drawn_seed(self.random_state)

    def _keep(self, result: Result, n_iter: int, points: Floats, instance: Instance, training: Training) -> None:
        """Set the attributes that the result of fitting these rows gives."""
        rows = training.rows
        centres, labels = result.centers, result.labels
        if labels is None:
            why = result.message or f"the run ended with {result.reason}"
            raise PcsosError(f"no partition was found ({why}); give it more time or a simpler task")
        self._clusters: KernelClusters | None = None  # of the kernel at the time, whatever is set after it
        if self.kernel is not None:
            self._clusters = KernelClusters.of(instance, labels, Kernel(points, self.kernel, self.gamma), rows)
            self.__dict__.pop("cluster_centers_", None)  # of an earlier fit without a kernel
        elif centres is not None:
            order = lexicographic_order(centres)
            self.cluster_centers_ = centres[order]
            labels = np.where(labels < 0, -1, np.argsort(order)[labels])
        left_out = np.setdiff1d(np.arange(len(points)), rows)
        self.labels_ = np.empty(len(points), np.intp)
        self.labels_[rows] = labels
        self.labels_[left_out] = self._nearest(points[left_out])
        self.inertia_ = instance.geometry.cost(labels) if result.penalty else result.objective
        self.penalty_, self.violated_ = result.penalty, training.in_rows(result.violated)
        self.lower_bound_, self.gap_ = result.lower_bound, result.gap
        self.status_, self.reason_ = result.status, result.reason
        self.n_iter_ = n_iter
        self.result_ = result

    def predict(self, X: ArrayLike, *, size_min: int | None = None, size_max: int | None = None) -> Indices:
        """Return the nearest centre of each sample, or the centres of least cost within limits of their numbers.

        Constraints do not apply to new samples: they were about those that were fitted. Neither do they apply to these
        here, so that a constrained sample may be predicted into another cluster than the one in ``labels_``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        size_min, size_max : int, optional
            Least and greatest number of these samples of a cluster; those of fitting do not apply.

        Returns
        -------
        labels : ndarray of int, shape (n_samples,)
            Index of the nearest of ``cluster_centers_``, the first of them where there are several.

        Raises
        ------
        InputError
            If samples cannot be used, or there are too few or too many of them for the limits.
        """
        points = self._checked(X)
        if size_min is None and size_max is None:
            return self._nearest(points)
        n, k = len(points), self.result_.n_clusters
        least = whole_number("size_min", 0 if size_min is None else size_min, 0)
        most = whole_number("size_max", n if size_max is None else size_max, 0)
        sent = transport(self._squares(points), np.full(k, least), np.full(k, most))
        if sent is None:
            raise InputError(
                f"{n} samples cannot be in {k} clusters of {least} to {most}; give other limits, or other samples"
            )
        return sent.labels

    def _nearest(self, points: Floats) -> Indices:
        """Return the nearest centre of each of some samples."""
        if not len(points):
            return np.empty(0, np.intp)
        if self._clusters is not None:
            return self._clusters.nearest(points)
        return nearest_centre(points, self.cluster_centers_)[0]

    def transform(self, X: ArrayLike) -> Floats:
        """Return the Euclidean distance of each sample to each centre.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        distances : ndarray of shape (n_samples, n_clusters)
            In single precision where X is.
        """
        points = self._checked(X)
        return np.sqrt(self._squares(points)).astype(points.dtype, copy=False)

    def _squares(self, points: Floats) -> Floats:
        """Return the squared distance of each of some samples to each centre."""
        if self._clusters is not None:
            return self._clusters.squares(points)
        return np.asarray(cdist(points, self.cluster_centers_, "sqeuclidean"), np.float64)

    def score(self, X: ArrayLike, y: object = None, *, sample_weight: ArrayLike | None = None) -> float:
        """Return the sum of squared distances to the nearest centres, negated, so that greater is better.

        Constraints play no part: for the samples that were fitted it is at least ``-inertia_``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : object
            Ignored.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of at least 0.

        Returns
        -------
        score : float
            At most 0.
        """
        points = self._checked(X)
        weights = checked_weights(sample_weight, len(points))
        if self._clusters is not None:
            return -float(weights @ self._squares(points).min(axis=1))
        return -float(weights @ nearest_centre(points, self.cluster_centers_)[1])

    def _checked(self, X: ArrayLike) -> Floats:
        check_is_fitted(self, "labels_")
        return checked_samples(self, X, reset=False, accept_sparse="csr", dtype=[np.float64, np.float32])

    def __sklearn_tags__(self) -> Any:
        """Return what scikit-learn may expect: distances keep the precision of samples, inner products are square."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.pairwise = self.kernel == PRECOMPUTED
        tags.input_tags.sparse = True
        return tags

    @property
    def _n_features_out(self) -> int:
        """Number of columns of :meth:`transform`."""
        return self.result_.n_clusters
