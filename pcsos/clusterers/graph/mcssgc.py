"""SSGC and MCSSGC: shared-neighbour graph clustering with seeds, and with seeds, must-links and cannot-links."""

from dataclasses import KW_ONLY, dataclass, replace
from typing import Literal

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.clusterers.graph.base import (
    GraphClusterer,
    Leftovers,
    Placement,
    Principal,
    count_of_neighbours,
    place_by_links,
    principal_clusters,
)
from pcsos.clusterers.graph.side_information import SideInformation, labels_of_parts
from pcsos.estimators.samples import UNKNOWN
from pcsos.heuristics.neighbours import SharedNeighbourGraph
from pcsos.problem.conditions.pairs import connected_components
from pcsos.problem.validation.arrays import one_of


@dataclass(eq=False, repr=False)
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

    n_neighbors: int = 10
    _: KW_ONLY
    leftovers: Leftovers = "nearest"

    def _grow(self, points: Floats, side: SideInformation) -> tuple[Principal, SharedNeighbourGraph]:
        if side.size < len(points) or side.cannot_link.size:
            raise InputError("must_link and cannot_link are of no use to SSGC, which knows seeds alone; use MCSSGC")
        self.graph_ = SharedNeighbourGraph.of(points, count_of_neighbours("n_neighbors", self.n_neighbors, len(points)))
        self.threshold_ = separating_threshold(self.graph_, side.labels)
        return principal_clusters(self.graph_.components(self.threshold_), side), self.graph_


def separating_threshold(graph: SharedNeighbourGraph, labels: Indices) -> int:
    """Return the least threshold above which no component holds two labels.

    It is one more than the greatest weight at which nodes of different labels, shape (n_nodes,), are joined, and 0
    where they never are: what the loop of Dang et al. (2021), Algorithm 1, lines 2 to 6, arrives at.
    """
    known = np.flatnonzero(labels >= 0)
    for weight in np.unique(graph.weights)[::-1].tolist():
        part = graph.components(weight)[known]
        pairs = np.unique(np.column_stack([part, labels[known]]), axis=0)
        if len(pairs) > np.unique(part).size:
            return int(weight) + 1
    return 0


Split = Literal["offending", "literal", "minimum_cut"]
SPLITS = ("offending", "literal", "minimum_cut")


def split_components(graph: SharedNeighbourGraph, threshold: int, side: SideInformation, split: Split) -> Indices:
    """Return the part of each super-point, shape (s,): components, of which none holds a cannot-link.

    Edges of the lightest weight go first (Dang et al. 2021, Algorithm 1, lines 7 to 14). Cutting begins with the
    edges at the threshold, which the printed lines, where it is raised once more after success, would never touch.
    Parts are numbered by first appearance.

    Parameters
    ----------
    threshold : int
        The least weight of an edge that has joined the components.
    side : SideInformation
        Labels and cannot-links. Parts of one label make one cluster, so that a cannot-link between two of them has to
        go, too.
    split : {"offending", "literal"}
        What is cut at a time: the parts that offend, or, as printed, all parts of a component that holds one of them.
    """
    is_kept = graph.weights >= threshold
    part = whole = connected_components(graph.n_nodes, graph.edges[is_kept])
    for weight in np.unique(graph.weights[is_kept]).tolist():
        is_cut = offending_parts(part, side)[part]
        if not is_cut.any():
            break
        if split == "literal":
            is_cut = np.isin(whole, whole[is_cut])
        is_kept &= (graph.weights > weight) | ~is_cut[graph.edges[:, 0]]
        part = connected_components(graph.n_nodes, graph.edges[is_kept])
    return part


def offending_parts(part: Indices, side: SideInformation) -> Flags:
    """Return for each part whether a cannot-link has both ends in it, or one in it and one in another of its label."""
    labels = labels_of_parts(part, side.labels)
    ends = part[side.cannot_link]
    one, other = labels[ends[:, 0]], labels[ends[:, 1]]
    is_broken = (ends[:, 0] == ends[:, 1]) | ((one >= 0) & (one == other))
    offends = np.zeros(labels.size, np.bool_)
    offends[ends[is_broken].ravel()] = True
    return offends


def cut_between_ends(graph: SharedNeighbourGraph, threshold: int, side: SideInformation) -> Indices:
    """Return parts as :func:`split_components` does.

    The cannot-links are separated one after the other, each by a minimum cut in its part as it is then. Where one leads
    from one part of a label to another, each end is separated from the seeds of its part.
    """
    is_kept = graph.weights >= threshold
    part = connected_components(graph.n_nodes, graph.edges[is_kept])
    for ends in side.cannot_link:
        if part[ends[0]] == part[ends[1]]:
            is_kept &= ~_minimum_cut(graph, is_kept, part == part[ends[0]], ends[0], ends[1:])
            part = connected_components(graph.n_nodes, graph.edges[is_kept])
        one, other = labels_of_parts(part, side.labels)[part[ends]]
        if one == other and one >= 0:
            for end in ends[side.labels[ends] < 0]:
                seeds = np.flatnonzero((part == part[end]) & (side.labels >= 0))
                is_kept &= ~_minimum_cut(graph, is_kept, part == part[end], end, seeds)
            part = connected_components(graph.n_nodes, graph.edges[is_kept])
    return part


def _minimum_cut(graph: SharedNeighbourGraph, is_kept: Flags, is_inside: Flags, source: int, sinks: Indices) -> Flags:
    """Return which edges of the graph a minimum cut between a node and others of its part takes away.

    An edge costs one more than its weight, so that none is free. The part of the source is as small as can be.
    """
    candidates = np.flatnonzero(is_kept & is_inside[graph.edges[:, 0]])
    place = np.cumsum(is_inside) - 1
    end = int(is_inside.sum())  # one more node, into which all sinks drain
    one, other = place[graph.edges[candidates]].T
    costs = graph.weights[candidates] + 1
    drain = place[sinks]
    rows, columns = np.concatenate([one, other, drain]), np.concatenate([other, one, np.full(drain.size, end)])
    capacity = np.concatenate([costs, costs, np.full(drain.size, costs.sum() + 1)]).astype(np.int32)
    network = coo_array((capacity, (rows, columns)), shape=(end + 1, end + 1)).tocsr()
    residual = network - maximum_flow(network, int(place[source]), end).flow
    residual.eliminate_zeros()
    is_reached = np.zeros(end + 1, np.bool_)
    is_reached[breadth_first_order(residual, int(place[source]), return_predecessors=False)] = True
    is_cut = np.zeros(is_kept.size, np.bool_)
    is_cut[candidates] = is_reached[one] != is_reached[other]
    return is_cut


MustLink = Literal["contracted", "neighbours"]
MUST_LINK = ("contracted", "neighbours")


@dataclass(eq=False, repr=False)
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
        As in :class:`SSGC`.
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
    principal_labels_, threshold_, n_features_in_, feature_names_in_
        As in :class:`SSGC`.
    n_violations_ : int
        Number of pairs that ``labels_`` break: 0 with ``must_link="contracted"``.
    graph_ : SharedNeighbourGraph
        The graph of the samples; with ``must_link="contracted"`` before any pair has changed it, else before
        cannot-links have.

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

    Time grows with n log n and memory with ``n_samples * n_neighbors``.

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

    n_neighbors: int = 10
    _: KW_ONLY
    must_link: MustLink = "contracted"
    split: Split = "offending"
    leftovers: Leftovers = "nearest"

    @property
    def _is_contracted(self) -> bool:
        one_of("must_link", self.must_link, MUST_LINK)
        return self.must_link == "contracted"

    def _grow(self, points: Floats, side: SideInformation) -> tuple[Principal, SharedNeighbourGraph]:
        one_of("split", self.split, SPLITS)
        count = count_of_neighbours("n_neighbors", self.n_neighbors, len(points))
        self.graph_ = graph = SharedNeighbourGraph.of(points, count, side.must_link)
        graph = graph.contracted(side.group, side.size, side.cannot_link)
        self.threshold_ = separating_threshold(graph, side.labels)
        # as published, only cannot-links within a component cut it, whatever its label
        known = side if self._is_contracted else replace(side, labels=np.full(side.size, UNKNOWN))
        if self.split == "minimum_cut":
            part = cut_between_ends(graph, self.threshold_, known)
        else:
            part = split_components(graph, self.threshold_, known, self.split)
        return _handed_on(principal_clusters(part, side), side), graph


def _handed_on(principal: Principal, side: SideInformation) -> Principal:
    """Return principal clusters whose labels have travelled over must-links (Algorithm 1, line 15).

    Again and again, the part that has the most must-links with a cluster which it may join takes its label.
    """
    placement = Placement(principal.labels.copy(), principal.part[side.cannot_link])
    links = SharedNeighbourGraph(side.size, side.must_link, np.ones(len(side.must_link), np.intp))
    place_by_links(placement, links, principal.part)
    return replace(principal, labels=placement.labels)
