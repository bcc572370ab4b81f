"""From parts with some labels to a clustering: what seeds say, and what the rest joins."""

import warnings
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.graph.placement import Placement, place_by_distance, place_by_links
from pcsos.clusterers.graph.side_information import SideInformation
from pcsos.estimators.side_information import UNKNOWN
from pcsos.heuristics.neighbours import SharedNeighbourGraph

Leftovers = Literal["nearest", "noise"]
LEFTOVERS = ("nearest", "noise")


@dataclass(frozen=True, eq=False)
class Principal:
    """Principal clusters: parts of super-points, those with a label and those that are still to be placed.

    Parameters
    ----------
    part : ndarray of int, shape (s,)
        The part of each super-point.
    labels : ndarray of int, shape (p,)
        The label of each part, a position among the known classes; -1 where it has none.
    """

    part: Indices
    labels: Indices


def principal_clusters(part: Indices, labels: Indices, sizes: Indices) -> Principal:
    """Return parts with their labels; without any label at all, each part of several points has one of its own.

    Parameters
    ----------
    part : ndarray of int, shape (s,)
        The part of each super-point.
    labels : ndarray of int, shape (p,)
        The label of each part, -1 where there is none.
    sizes : ndarray of int, shape (s,)
        Number of points of each super-point.
    """
    if (labels >= 0).any():
        return Principal(part, labels)
    is_cluster = np.bincount(part, weights=sizes) > 1
    is_cluster |= not is_cluster.any()
    return Principal(part, np.where(is_cluster, np.cumsum(is_cluster) - 1, -1))


def complete(
    principal: Principal, graph: SharedNeighbourGraph, side: SideInformation, points: Floats, leftovers: Leftovers
) -> Indices:
    """Return the label of each point as the user calls it, -1 for noise, shape (n,).

    Parameters
    ----------
    principal : Principal
        The principal clusters.
    graph : SharedNeighbourGraph
        What super-points share with one another.
    side : SideInformation
        The pairs and the known labels.
    points : ndarray, shape (n, d)
        Coordinates.
    leftovers : {"nearest", "noise"}
        What becomes of points that share nothing with any cluster which they may join.
    """
    placement = Placement(principal.labels.copy(), principal.part[side.cannot_link])
    place_by_links(placement, graph, principal.part)
    if leftovers == "nearest" and (placement.labels < 0).any():
        opened = place_by_distance(placement, points, principal.part[side.group])
        if opened:
            warnings.warn(
                f"cannot-links keep points out of all clusters; they have been given {opened} more, with labels of "
                "their own; label one of them, or look for a wrong pair",
                stacklevel=4,
            )
    return names_of(placement.labels, side)[principal.part[side.group]]


def names_of(labels: Indices, side: SideInformation) -> Indices:
    """Return labels as the user calls them, where new ones go on after the greatest."""
    n_known = side.classes.size
    first_new = int(max(side.classes.max(initial=-1), -1)) + 1
    names = np.append(side.classes, first_new + np.arange(max(int(labels.max()) + 1 - n_known, 0)))
    return np.where(labels >= 0, np.append(names, UNKNOWN)[labels], UNKNOWN)
