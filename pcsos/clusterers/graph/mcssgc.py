"""MCSSGC: shared-neighbour graph clustering with seeds, must-links and cannot-links."""

from dataclasses import replace
from typing import Literal

import numpy as np

from pcsos.base.typing import Floats
from pcsos.clusterers.graph.base import GraphClusterer, count_of_neighbours
from pcsos.clusterers.graph.clustering import Leftovers, Principal, principal_clusters
from pcsos.clusterers.graph.forest import Forest
from pcsos.clusterers.graph.minimum_cut import cut_between_ends
from pcsos.clusterers.graph.placement import Placement, place_by_links
from pcsos.clusterers.graph.side_information import SideInformation, labels_of_parts
from pcsos.clusterers.graph.splitting import SPLITS, Split, split_components
from pcsos.estimators.side_information import UNKNOWN
from pcsos.heuristics.neighbours import SharedNeighbourGraph
from pcsos.problem.validation.choices import one_of

MustLink = Literal["contracted", "neighbours"]
MUST_LINK = ("contracted", "neighbours")


class MCSSGC(GraphClusterer):
    """Components of the shared-neighbour graph that neither two labels nor a cannot-link are left in.

    Mutual nearest neighbours are joined and weighed by the neighbours that they share. The least threshold on these
    weights at which no component holds seeds of two labels makes principal clusters; components that hold a cannot-link
    are cut at higher thresholds. What has no label then joins the cluster with which it shares most, or else the
    nearest one, as far as cannot-links admit. All pairs are satisfied, unless must-links only make neighbours, as was
    published. Nothing is random.

    Parameters
    ----------
    n_neighbors : int
        Number of nearest neighbours of each sample, itself not counted: all others where there are no more.
        With as many as a cluster has samples, or more, clusters share everything with each other. It is the only
        parameter of the published method.
    must_link : {"contracted", "neighbours"}
        What must-links do: their samples are one from the start, and all pairs are satisfied; or, as it was published,
        each is among the neighbours of the other, and what is labelled hands its label on over must-links, where
        cannot-links admit it. Pairs of both kinds may be broken then: components are cut between some must-links, and
        cannot-links between two components of one label stay.
    split : {"offending", "literal", "minimum_cut"}
        What is cut at rising thresholds: only the parts that hold a cannot-link, or, as it was published, also the
        clean parts of a component that has one. Or what a minimum cut between the ends of each cannot-link takes away,
        which is slower.
    leftovers : {"nearest", "noise"}
        What becomes of samples that share nothing with a cluster which they may join: they join the nearest one that
        they may, or a new one where there is none (with a warning), or their label is -1.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Labels as in ``y``; new ones go on after the greatest. Without any seed, components of several samples are
        numbered from 0. -1 is noise.
    principal_labels_ : ndarray of int, shape (n_samples,)
        Labels in the principal clusters, -1 for samples that were placed afterwards.
    threshold_ : int
        The least number of shared neighbours of an edge that joins seeds' components.
    n_violations_ : int
        Number of pairs that ``labels_`` break: 0 with ``must_link="contracted"``.
    graph_ : SharedNeighbourGraph
        The graph of the samples; with ``must_link="contracted"`` before any pair has changed it, else before
        cannot-links have.
    n_features_in_, feature_names_in_ : int, ndarray of str
        Number of features, and their names where X had names that are all strings.

    See Also
    --------
    SSGC : the same with seeds alone.
    pcsos.CertifiedKMeans : compact clusters under the same pairs, with proof.

    Notes
    -----
    The published method puts the two samples of a must-link into each other's lists of neighbours, so that thresholds
    cut must-links, too: ``MCSSGC(must_link="neighbours", split="literal")`` is that. By default must-links are
    contracted, so that no threshold cuts them, and super-points with a cannot-link between them have no edge. Where a
    cannot-link leads from one part of a label to another part of it, both are cut, which was not published either.

    Only the maximum spanning forest of the graph is ever cut: time grows with n log n and memory with
    ``n_samples * n_neighbors``.

    References
    ----------
    Dang, Vu, Do, Le, Graph based clustering with constraints and active learning, Journal of Computer Science and
    Cybernetics 37 (2021), Algorithm 1.

    Examples
    --------
    >>> from pcsos.clusterers import MCSSGC
    >>> X = [[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [12.0], [13.0]]
    >>> y = [7, -1, -1, -1, -1, -1, -1, 4]
    >>> model = MCSSGC(n_neighbors=3).fit(X, y, must_link=[(4, 5)], cannot_link=[(0, 3)])
    >>> model.labels_.tolist(), model.threshold_
    ([7, 7, 7, 4, 4, 4, 4, 4], 0)
    >>> model.predict([[1.4], [99.0]]).tolist()
    [7, 4]
    """

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        must_link: MustLink = "contracted",
        split: Split = "offending",
        leftovers: Leftovers = "nearest",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.must_link = must_link
        self.split = split
        self.leftovers = leftovers

    @property
    def _is_contracted(self) -> bool:
        one_of("must_link", self.must_link, MUST_LINK)
        return self.must_link == "contracted"

    def _grow(self, points: Floats, side: SideInformation) -> tuple[Principal, SharedNeighbourGraph]:
        one_of("split", self.split, SPLITS)
        count = count_of_neighbours("n_neighbors", self.n_neighbors, len(points))
        self.graph_ = graph = SharedNeighbourGraph.of(points, count, side.must_link)
        graph = graph.contracted(side.group, side.size, side.cannot_link)
        forest = Forest.of(graph)
        self.threshold_ = forest.separating_threshold(side.labels)
        # as published, only cannot-links within a component cut it, whatever its label
        known = side if self._is_contracted else replace(side, labels=np.full(side.size, UNKNOWN))
        if self.split == "minimum_cut":
            part = cut_between_ends(graph, self.threshold_, known)
        else:
            part = split_components(forest, self.threshold_, known, self.split)
        principal = principal_clusters(part, labels_of_parts(part, side.labels), np.bincount(side.group))
        return _handed_on(principal, side), graph


def _handed_on(principal: Principal, side: SideInformation) -> Principal:
    """Return principal clusters whose labels have travelled over must-links (Algorithm 1, line 15).

    Again and again, the part that has the most must-links with a cluster which it may join takes its label.
    """
    placement = Placement(principal.labels.copy(), principal.part[side.cannot_link])
    links = SharedNeighbourGraph(side.size, side.must_link, np.ones(len(side.must_link), np.intp))
    place_by_links(placement, links, principal.part)
    return replace(principal, labels=placement.labels)
