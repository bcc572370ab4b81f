"""SSGC: shared-neighbour graph clustering with seeds."""

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.clusterers.graph.base import GraphClusterer, Leftovers, Principal, count_of_neighbours, principal_clusters
from pcsos.clusterers.graph.forest import Forest
from pcsos.clusterers.graph.side_information import SideInformation, labels_of_parts
from pcsos.heuristics.neighbours import SharedNeighbourGraph


class SSGC(GraphClusterer):
    """Components of the shared-neighbour graph in which no two labels are left.

    Mutual nearest neighbours are joined and weighed by the neighbours that they share. The least threshold on these
    weights at which no component holds seeds of two labels makes principal clusters; what has no label then joins the
    cluster with which it shares most, or else the nearest one. Nothing is random.

    Parameters
    ----------
    n_neighbors : int
        Number of nearest neighbours of each sample, itself not counted: all others where there are no more.
        With as many as a cluster has samples, or more, clusters share everything with each other. It is the only
        parameter of the published method.
    leftovers : {"nearest", "noise"}
        What becomes of samples that share nothing with a cluster: they join the nearest one, or their label is -1.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Labels as in ``y``, -1 for noise. Without any seed, components of several samples are numbered from 0.
    principal_labels_ : ndarray of int, shape (n_samples,)
        Labels in the principal clusters, -1 for samples that were placed afterwards.
    threshold_ : int
        The least number of shared neighbours of an edge that joins components.
    graph_ : SharedNeighbourGraph
        The graph of the samples.
    n_features_in_, feature_names_in_ : int, ndarray of str
        Number of features, and their names where X had names that are all strings.

    See Also
    --------
    MCSSGC : the same with must-links and cannot-links, which are refused here.

    References
    ----------
    Vu, An efficient semi-supervised graph based clustering, Intelligent Data Analysis 22 (2018), as in section 3.1
    of Dang, Vu, Do, Le, Graph based clustering with constraints and active learning (2021). How the rest is placed is
    our choice.

    Examples
    --------
    >>> from pcsos.clusterers import SSGC
    >>> X = [[0.0], [1.0], [2.0], [5.0], [6.0], [7.0], [30.0]]
    >>> model = SSGC(n_neighbors=2).fit(X, [0, -1, -1, -1, -1, 1, -1])
    >>> model.labels_.tolist(), model.principal_labels_.tolist(), model.threshold_
    ([0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, -1], 0)
    """

    def __init__(self, n_neighbors: int = 10, *, leftovers: Leftovers = "nearest") -> None:
        self.n_neighbors = n_neighbors
        self.leftovers = leftovers

    def _grow(self, points: Floats, side: SideInformation) -> tuple[Principal, SharedNeighbourGraph]:
        if side.size < len(points) or side.cannot_link.size:
            raise InputError("must_link and cannot_link are of no use to SSGC, which knows seeds alone; use MCSSGC")
        self.graph_ = SharedNeighbourGraph.of(points, count_of_neighbours("n_neighbors", self.n_neighbors, len(points)))
        forest = Forest.of(self.graph_)
        self.threshold_ = forest.separating_threshold(side.labels)
        part = forest.components(self.threshold_)
        return principal_clusters(part, labels_of_parts(part, side.labels), np.bincount(side.group)), self.graph_
