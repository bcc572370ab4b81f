"""ConnectedKMeans: clusters of little scatter, each of which is connected in a graph of neighbours."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import reaches, relative_gap
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.connected.adjacency import Adjacency
from pcsos.clusterers.connected.search import Map, search, starts_of
from pcsos.estimators.base import lexicographic_order
from pcsos.estimators.samples import checked_samples
from pcsos.estimators.training import checked_n_clusters, checked_weights, drawn_seed
from pcsos.evidence.result import Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import nearest_centre
from pcsos.problem.validation.arrays import whole_number
from pcsos.problem.validation.names import refuse_other_index
from pcsos.solving import solve


@dataclass(eq=False, repr=False)
class ConnectedKMeans(ClusterMixin, BaseEstimator):
    """Clusters with a small sum of squares, each of which is connected in a graph of neighbours.

    The search is a heuristic: other connected clusters may cost less. How much less is proved: connected clusters are
    clusters, so that what :func:`pcsos.solve` proves of all of them without the graph holds for these, too.

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty; at least the number of components of the graph.
    n_init : int
        Number of starts: by merging neighbours (Ward), by cutting the shortest spanning tree, the others by cutting
        random spanning trees. Where there is a bound, the pieces of the clusters without the graph are one more.
    max_stall : int
        A start is left after so many perturbations in a row that find nothing better.
    time_limit : float or None
        Seconds for the bound, None for as long as it takes, 0 for no bound. The search for clusters follows it.
    gap : float
        The relative ``gap_`` at which both may stop.
    random_state : int, RandomState instance or None
        Seed of all random choices; None takes it from the global state of NumPy.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of each sample. Clusters are numbered by their centres, in lexicographic order.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Weighted means of the clusters; the plain mean where a cluster weighs nothing.
    inertia_ : float
        Weighted sum of squared distances of the samples to the centres of their clusters.
    lower_bound_ : float or None
        No ``n_clusters`` clusters cost less, connected or not, despite rounding; None where nothing was bounded.
    gap_ : float or None
        ``(inertia_ - lower_bound_) / inertia_``: the most that connected clusters could cost less, as a share. A part
        of it may be the price of being connected, which no search can save.
    status_ : pcsos.Status
        What is proved: ``OPTIMAL`` within the gap, or ``FEASIBLE``.
    n_iter_ : int
        Perturbations that were tried, over all starts.
    n_features_in_, feature_names_in_ : int, ndarray of str
        Number of features, and their names where X had names that are all strings.

    See Also
    --------
    pcsos.CertifiedKMeans : the best clusters without a graph, with proof.

    Notes
    -----
    From each start, single samples at borders change clusters as long as that lowers the cost and leaves the cluster
    behind in one piece (Openshaw). Then, again and again, a cluster is cut at the best edge of a random spanning
    tree (Assuncao et al. cut the shortest one), two neighbouring clusters are merged, and samples move; the result is
    kept if it costs less.

    References
    ----------
    Assuncao, Neves, Camara, da Costa Freitas, Efficient regionalization techniques for socio-economic geographical
    units using minimum spanning trees, International Journal of Geographical Information Science 20 (2006).
    Openshaw, A geographical solution to scale and aggregation problems in region-building, partitioning and spatial
    modelling, Transactions of the Institute of British Geographers 2 (1977).

    Examples
    --------
    Six places along a road, of which the outer ones are alike:

    >>> from pcsos.clusterers import ConnectedKMeans
    >>> X, road = [[1.0], [2.0], [9.0], [8.0], [1.0], [2.0]], [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    >>> model = ConnectedKMeans(3, random_state=0).fit(X, connectivity=road)
    >>> model.labels_.tolist(), model.inertia_
    ([0, 0, 2, 2, 1, 1], 1.5)
    >>> str(model.status_), model.lower_bound_ < 1.5
    ('FEASIBLE', True)
    """

    n_clusters: int = 8
    _: KW_ONLY
    n_init: int = 5
    max_stall: int = 50
    time_limit: float | None = 60.0
    gap: float = 1e-4
    random_state: int | np.random.RandomState | None = None

    def fit(
        self, X: ArrayLike, y: object = None, *, connectivity: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Cluster the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, dense and finite. Features count as they are: scale them before.
        y : object
            Ignored, as scikit-learn's convention has it.
        connectivity : sparse or dense matrix of shape (n_samples, n_samples), or array-like of shape (n_edges, 2)
            Which samples are neighbours: a matrix in which their entries are not 0, or pairs of them, by position from
            0 or by the labels of a DataFrame's index. Either order is fine, and a sample is no neighbour of itself.
            None makes all samples neighbours, which takes memory for each pair of them.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of at least 0; 1 unless given. A sample of weight 0 costs nothing, but is in a cluster as others
            are, and may be what connects it.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        InputError
            If samples, graph, weights or parameters cannot be used, or the graph has more components than there are
            clusters. It is a ValueError.
        """
        refuse_other_index(X, sample_weight, "sample_weight")
        samples = checked_samples(self, X)
        weights = checked_weights(sample_weight, len(samples))
        rows = np.flatnonzero(weights)
        k = checked_n_clusters(self.n_clusters, len(rows))
        n_init, max_stall = whole_number("n_init", self.n_init, 1), whole_number("max_stall", self.max_stall, 0)
        seed = drawn_seed(self.random_state)
        options = Options(gap=self.gap, time_limit=self.time_limit, seed=seed)
        graph = Adjacency.of(connectivity, X if hasattr(X, "iloc") else samples)
        if graph.n_components > k:
            raise InputError(
                f"the graph has {graph.n_components} components, which {k} connected clusters cannot cover; "
                f"give at least {graph.n_components} clusters, or edges that join components"
            )
        instance = Instance(samples[rows], k, weights=weights[rows])
        # without the graph: its bound holds for connected clusters, too
        free = None if options.time_limit == 0 else solve(instance, options=options)
        bound = -np.inf if free is None or free.lower_bound is None else free.lower_bound
        map_ = Map(graph, samples - np.average(samples, axis=0, weights=weights), weights, k)
        rng = np.random.default_rng(seed)
        labels, self.n_iter_ = search(
            map_,
            starts_of(map_, _labels_of_all(free, rows, samples), n_init, rng),
            max_stall,
            lambda cost: reaches(relative_gap(cost, bound), options.gap),
            rng,
        )
        self._keep(labels, samples, weights)
        self.inertia_ = instance.geometry.cost(labels[rows])
        gap = relative_gap(self.inertia_, bound)
        self.lower_bound_ = None if np.isinf(bound) else bound
        self.gap_ = None if np.isinf(bound) else gap
        self.status_ = Status.OPTIMAL if reaches(gap, options.gap) else Status.FEASIBLE
        return self

    def _keep(self, labels: Indices, samples: Floats, weights: Floats) -> None:
        """Set labels and centres, with clusters in the order of their centres."""
        clusters = [np.flatnonzero(labels == cluster) for cluster in range(int(labels.max()) + 1)]
        means = [
            np.average(samples[own], axis=0, weights=weights[own] if weights[own].any() else None) for own in clusters
        ]
        order = lexicographic_order(np.array(means))
        self.labels_ = np.argsort(order)[labels]
        self.cluster_centers_ = np.array(means)[order]


def _labels_of_all(free: Result | None, rows: Indices, samples: Floats) -> Indices | None:
    """Return the clusters that were found for these rows, the other samples with the nearest centre; None without."""
    if free is None or free.labels is None or free.centers is None:
        return None
    labels = nearest_centre(samples, free.centers)[0]
    labels[rows] = free.labels
    return labels
