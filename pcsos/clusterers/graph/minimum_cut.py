"""Minimum cuts: components that hold a cannot-link are cut where its ends share least."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from pcsos.base.typing import Flags, Indices
from pcsos.clusterers.graph.forest import components
from pcsos.clusterers.graph.side_information import SideInformation, labels_of_parts
from pcsos.heuristics.neighbours import SharedNeighbourGraph


def cut_between_ends(graph: SharedNeighbourGraph, threshold: int, side: SideInformation) -> Indices:
    """Return the part of each super-point: components, of which none holds a cannot-link.

    The cannot-links are separated one after the other, each by a minimum cut in its part as it is then. Where one leads
    from one part of a label to another, each end is separated from the seeds of its part.

    Parameters
    ----------
    graph : SharedNeighbourGraph
        The graph of the super-points.
    threshold : int
        The least weight of an edge that has joined the components.
    side : SideInformation
        Labels and cannot-links.

    Returns
    -------
    ndarray of int, shape (s,)
        Parts, numbered by first appearance.
    """
    is_kept = graph.weights >= threshold
    part = components(graph.n_nodes, graph.edges[is_kept])
    for ends in side.cannot_link:
        if part[ends[0]] == part[ends[1]]:
            is_kept &= ~_minimum_cut(graph, is_kept, part == part[ends[0]], ends[0], ends[1:])
            part = components(graph.n_nodes, graph.edges[is_kept])
        one, other = labels_of_parts(part, side.labels)[part[ends]]
        if one == other and one >= 0:
            for end in ends[side.labels[ends] < 0]:
                seeds = np.flatnonzero((part == part[end]) & (side.labels >= 0))
                is_kept &= ~_minimum_cut(graph, is_kept, part == part[end], end, seeds)
            part = components(graph.n_nodes, graph.edges[is_kept])
    return part


def _minimum_cut(graph: SharedNeighbourGraph, is_kept: Flags, is_inside: Flags, source: int, sinks: Indices) -> Flags:
    """Tell which edges of the graph a minimum cut between a node and others of its part takes away.

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
