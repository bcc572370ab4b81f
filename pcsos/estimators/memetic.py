"""MemeticKMeans: very good clusterings of any size, without proof."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pcsos.control.signals import Signals, acknowledged
from pcsos.estimators.base import ConstrainedKMeans
from pcsos.events import Notice
from pcsos.instance import Instance
from pcsos.penalties import Penalty
from pcsos.progress import listener
from pcsos.result import Reason, Result, Status
from pcsos.similarity import Kernel
from pcsos.typing import Indices


class MemeticKMeans(ConstrainedKMeans):
    """A very good clustering under must-links and cannot-links, of data of any size: S-MDEClust.

    Differential evolution over centres, whose offspring are improved by a local search that keeps to the constraints.

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty.
    size_min, size_max : int or None
        Least and greatest number of samples of a cluster.
    weight_min, weight_max : float or None
        Least and greatest weight of a cluster, to one part in 2^30: the sum of its ``sample_weight``.
    sizes : sequence of int or None
        The numbers of samples of the clusters, one for each, in any order.
    penalty : float, "distance", "confidence" or None
        What breaking a soft pair costs that has no penalty of its own, or what values of soft pairs mean, as for
        :func:`pcsos.solve`.
    max_stall : int or None
        Offspring in a row without a better partition after which the search ends; None: 500.
    population : int
        Number of solutions that evolve, at least 4.
    time_limit : float or None
        Seconds, after which the best partition so far is kept if the search has not ended before.
    use_all_time : bool
        Whether the search begins anew where it would end, until the time limit.
    max_diameter : float or None
        Greatest Euclidean distance within a cluster; with a kernel, in its feature space.
    min_split : float or None
        Least Euclidean distance between samples of different clusters.
    kernel : {"linear", "rbf", "precomputed"}, callable or None
        Cluster the samples in the feature space of this kernel (:func:`pcsos.similarity.kernel_matrix`); with
        ``precomputed``, X holds their inner products. There are no ``cluster_centers_`` then, and clusters are
        numbered by their first sample.
    gamma : float or None
        Of the kernel ``rbf``; by default 1 / (n_features * X.var()).
    random_state : int, RandomState instance or None
        Seed of all random choices; None takes it from the global state of NumPy.
    verbose : bool
        Whether a table on the standard error shows the progress.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of each sample. Clusters are numbered by their centres, in lexicographic order, so that the numbers do
        not depend on the order of the samples.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Weighted means of the clusters.
    inertia_ : float
        Weighted sum of squared distances of the samples to the centres of their clusters.
    penalty_, violated_ : float, list of BrokenPair
        What is paid for broken soft pairs, and which they are: ``i`` and ``j`` (positions in X), ``kind``, ``penalty``.
    lower_bound_, gap_ : None
        Nothing is proved; :func:`pcsos.certify` tells how far from optimal the labels are.
    status_ : pcsos.Status
        ``FEASIBLE``.
    reason_ : pcsos.Reason
        Why the run stopped.
    n_iter_ : int
        Local searches.
    n_features_in_, feature_names_in_ : int, ndarray of str
        Number of features, and their names where X had names that are all strings.
    result_ : pcsos.Result
        All of it, for the samples of positive weight, which it keeps; clusters are numbered by first appearance.

    See Also
    --------
    CertifiedKMeans : the best clustering, with proof.
    pcsos.heuristics.run : the same without scikit-learn, and other heuristics.

    Notes
    -----
    Ctrl-C ends a fit with the best partition so far.

    References
    ----------
    Mansueto and Schoen, Memetic differential evolution methods for semi-supervised clustering.

    Examples
    --------
    >>> from pcsos import MemeticKMeans
    >>> model = MemeticKMeans(2, random_state=0).fit([[0.0], [1.0], [5.0], [6.0]], partial_labels=[-1, 7, 7, 3])
    >>> model.labels_.tolist(), str(model.status_)
    ([0, 0, 0, 1], 'FEASIBLE')
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        size_min: int | None = None,
        size_max: int | None = None,
        weight_min: float | None = None,
        weight_max: float | None = None,
        sizes: Sequence[int] | None = None,
        penalty: Penalty = None,
        max_stall: int | None = None,
        population: int = 20,
        time_limit: float | None = None,
        use_all_time: bool = False,
        max_diameter: float | None = None,
        min_split: float | None = None,
        kernel: Kernel | None = None,
        gamma: float | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.size_min = size_min
        self.size_max = size_max
        self.weight_min = weight_min
        self.weight_max = weight_max
        self.sizes = sizes
        self.penalty = penalty
        self.max_stall = max_stall
        self.population = population
        self.time_limit = time_limit
        self.use_all_time = use_all_time
        self.max_diameter = max_diameter
        self.min_split = min_split
        self.kernel = kernel
        self.gamma = gamma
        self.random_state = random_state
        self.verbose = verbose

    def _find(self, instance: Instance, seed: int, initial_labels: Indices | None) -> tuple[Result, int]:
        from pcsos import heuristics  # compiled kernels are loaded when they are needed

        tell = listener(None, verbose=bool(self.verbose))

        def note(sentence: str) -> None:
            tell(Notice(sentence))

        heuristics.warm_up(instance, note)
        rule: dict[str, Any] = {} if self.max_stall is None else {"max_stall": self.max_stall}
        with Signals() as signals:
            partition, record = heuristics.run(
                instance,
                seed=seed,
                time_limit=self.time_limit,
                use_all_time=self.use_all_time,
                should_stop=acknowledged(signals, note),
                urgent=signals.urgent,
                verbose=bool(self.verbose),
                **rule,
                population=self.population,
                initial_labels=initial_labels,
            )
        result = Result.of(
            instance,
            Status.UNKNOWN if partition is None else Status.FEASIBLE,
            Reason.of_heuristic(record.message, was_interrupted=signals.asked()),
            partition,
            n_super_points=record.n_super_points,
            seconds=record.seconds,
            seed=seed,
        )
        return result, record.local_search_calls
