"""CertifiedKMeans: the best clustering, with proof."""

import os
from dataclasses import dataclass
from typing import Any

from pcsos.base.exceptions import InfeasibleError
from pcsos.estimators.base import ConstrainedKMeans
from pcsos.evidence.result import Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options, in_familiar_words
from pcsos.solving import solve


@dataclass(eq=False, repr=False, kw_only=True)
class CertifiedKMeans(ConstrainedKMeans):
    """The clustering with the least sum of squares under must-links and cannot-links, and the proof that it is.

    Parameters
    ----------
    n_clusters : int
        Number of clusters, none of which is empty.
    size_min, size_max : int or None
        Least and greatest number of samples of a cluster.
    conditions : list of conditions
        What is asked of clusters besides, such as ``[pcsos.Weights(at_most=10.0), pcsos.Diameter(2.0)]``; those that
        name samples are given to :meth:`fit`.
    gap : float
        The relative ``gap_`` at which the search may stop.
    time_limit : float or None
        Seconds. The best partition and bound until then are kept.
    node_limit : int or None
        Most nodes of the tree to bound.
    workers : int or None
        Worker processes, by default one for each core that this process may use, at most 16; -1 is one for each. Where
        scikit-learn runs several fits at a time (``n_jobs``), give 1.
    run_file : path or None
        Where to write the run, which :func:`pcsos.verify.verify` checks; a new file for each fit. Its points are the
        samples of positive weight.
    kernel : {"linear", "rbf", "precomputed"}, callable or None
        Cluster the samples in the feature space of this kernel (:func:`pcsos.problem.similarity.kernel_matrix`); with
        ``precomputed``, X holds their inner products. There are no ``cluster_centers_`` then, and clusters are
        numbered by their first sample.
    gamma : float or None
        Of the kernel ``rbf``; by default 1 / (n_features times the variance of all coordinates).
    random_state : int, RandomState instance or None
        Seed of all random choices; None takes it from the global state of NumPy. The proof does not depend on it.
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
    lower_bound_ : float or None
        No partition that satisfies the constraints costs less, penalties included and despite rounding; None where
        nothing was bounded.
    gap_ : float or None
        ``(cost - lower_bound_) / cost`` with the cost ``inertia_ + penalty_``.
    status_ : pcsos.Status
        What is proved: ``OPTIMAL`` within the gap, or ``FEASIBLE``.
    reason_ : pcsos.Reason
        Why the run stopped.
    n_iter_ : int
        Nodes of the tree that were bounded.
    n_features_in_, feature_names_in_ : int, ndarray of str
        Number of features, and their names where X had names that are all strings.
    result_ : pcsos.Result
        All of it, for the samples of positive weight, which it keeps; clusters are numbered by first appearance.

    See Also
    --------
    MemeticKMeans : very good clusterings of any size, without proof.
    pcsos.solve : the same without scikit-learn.

    Notes
    -----
    Ctrl-C ends a fit with the best partition and bound so far. Weights of 2 are the same as two copies of a sample.

    Examples
    --------
    >>> from pcsos import CertifiedKMeans
    >>> X = [[0.0], [2.0], [10.0], [12.0], [11.0]]
    >>> model = CertifiedKMeans(2, random_state=0).fit(X, must_link=[(2, 3)], cannot_link=[(0, 2)])
    >>> model.labels_.tolist(), model.cluster_centers_.tolist(), model.inertia_
    ([0, 0, 1, 1, 1], [[1.0], [11.0]], 4.0)
    >>> str(model.status_), model.lower_bound_ > 3.999
    ('OPTIMAL', True)
    >>> model.predict([[-3.0], [7.0]]).tolist()
    [0, 1]
    """

    gap: float = 1e-4
    time_limit: float | None = None
    node_limit: int | None = None
    workers: int | None = None
    run_file: str | os.PathLike[str] | None = None

    def _find(self, instance: Instance, seed: int, **beginning: Any) -> tuple[Result, int]:
        result = solve(
            instance,
            **beginning,
            gap=self.gap,
            time_limit=self.time_limit,
            workers=self.workers,
            seed=seed,
            run_file=self.run_file,
            verbose=bool(self.verbose),
            options=Options(node_limit=self.node_limit),
        )
        if result.status is Status.INFEASIBLE:
            message = result.message or "every node of the tree is closed without a partition"
            raise InfeasibleError(message, {"kind": "solved"}, conflict=result.conflict)
        return result, result.nodes


setattr(CertifiedKMeans, "__init__", in_familiar_words(CertifiedKMeans.__init__))  # noqa: B010
