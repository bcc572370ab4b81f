"""Splitting: components that hold a cannot-link are cut at rising thresholds until none does."""

from typing import Literal

import numpy as np

from pcsos.base.typing import Flags, Indices
from pcsos.clusterers.graph.forest import Forest, components
from pcsos.clusterers.graph.side_information import SideInformation, labels_of_parts

Split = Literal["offending", "literal", "minimum_cut"]
SPLITS = ("offending", "literal", "minimum_cut")


def split_components(forest: Forest, threshold: int, side: SideInformation, split: Split) -> Indices:
    """Return the part of each super-point: components, of which none holds a cannot-link.

    Edges of the lightest weight go first (Dang et al. 2021, Algorithm 1, lines 7 to 14). Cutting begins with the
    edges at the threshold, which the printed lines, where it is raised once more after success, would never touch.

    Parameters
    ----------
    forest : Forest
        The maximum spanning forest of the super-points.
    threshold : int
        The least weight of an edge that has joined the components.
    side : SideInformation
        Labels and cannot-links. Parts of one label make one cluster, so that a cannot-link between two of them has to
        go, too.
    split : {"offending", "literal"}
        What is cut at a time: the parts that offend, or, as printed, all parts of a component that holds one of them.

    Returns
    -------
    ndarray of int, shape (s,)
        Parts, numbered by first appearance.
    """
    is_kept = forest.weights >= threshold
    part = whole = components(forest.n_nodes, forest.edges[is_kept])
    for weight in np.unique(forest.weights[is_kept]).tolist():
        is_cut = offending_parts(part, side)[part]
        if not is_cut.any():
            break
        if split == "literal":
            is_cut = np.isin(whole, whole[is_cut])
        is_kept &= (forest.weights > weight) | ~is_cut[forest.edges[:, 0]]
        part = components(forest.n_nodes, forest.edges[is_kept])
    return part


def offending_parts(part: Indices, side: SideInformation) -> Flags:
    """Tell for each part whether a cannot-link has both ends in it, or one in it and one in another of its label."""
    labels = labels_of_parts(part, side.labels)
    ends = part[side.cannot_link]
    one, other = labels[ends[:, 0]], labels[ends[:, 1]]
    is_broken = (ends[:, 0] == ends[:, 1]) | ((one >= 0) & (one == other))
    offends = np.zeros(labels.size, np.bool_)
    offends[ends[is_broken].ravel()] = True
    return offends
