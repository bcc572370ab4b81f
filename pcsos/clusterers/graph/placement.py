"""Placement: parts without a label join clusters that cannot-links admit, by shared neighbours, then by distance."""

from collections import defaultdict
from functools import cached_property
from heapq import heappop, heappush

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.spatial import cKDTree

from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.neighbours import SharedNeighbourGraph, closest
from pcsos.problem.conditions.pairs import unique_pairs


class Placement:
    """The labels of parts while they are placed, with the parts that cannot-links keep apart from each.

    Parameters
    ----------
    labels : ndarray of int, shape (p,)
        Label of each part, -1 where there is none yet; changed in place.
    apart : ndarray of int, shape (c, 2)
        Pairs of parts that cannot share a label.
    """

    def __init__(self, labels: Indices, apart: Indices) -> None:
        self.labels = labels
        self.rivals: dict[int, set[int]] = defaultdict(set)
        for one, other in unique_pairs(apart).tolist():
            self.rivals[one].add(other)
            self.rivals[other].add(one)

    def admits(self, part: int, label: int) -> bool:
        """Tell whether no cannot-link keeps a part out of the cluster of this label."""
        return all(self.labels[rival] != label for rival in self.rivals.get(part, ()))


def place_by_links(placement: Placement, graph: SharedNeighbourGraph, part: Indices) -> None:
    """Label, again and again, the part that shares most with a cluster, until none shares anything with one.

    What a part shares with a cluster is the sum of the weights of all edges between them (after Dang et al. 2021,
    Algorithm 1, line 16). Ties go to the first part, then to the first label.
    """
    labels = placement.labels
    links = _links_between_parts(graph, part, labels.size)
    shared: dict[tuple[int, int], int] = defaultdict(int)
    queue: list[tuple[int, int, int]] = []

    def tell_neighbours(settled: int) -> None:
        label = int(labels[settled])
        for position in range(links.indptr[settled], links.indptr[settled + 1]):
            other = int(links.indices[position])
            if labels[other] < 0:
                shared[other, label] += int(links.data[position])
                heappush(queue, (-shared[other, label], other, label))

    for settled in np.flatnonzero(labels >= 0).tolist():
        tell_neighbours(settled)
    while queue:
        negated, candidate, label = heappop(queue)
        is_current = labels[candidate] < 0 and -negated == shared[candidate, label]
        if is_current and placement.admits(candidate, label):
            labels[candidate] = label
            tell_neighbours(candidate)


def _links_between_parts(graph: SharedNeighbourGraph, part: Indices, n_parts: int) -> csr_array:
    """Return the summed positive weights between parts, shape (p, p), in compressed rows."""
    ends = part[graph.edges]
    is_link = (ends[:, 0] != ends[:, 1]) & (graph.weights > 0)
    one, other = ends[is_link].T
    weights = np.tile(graph.weights[is_link], 2)
    rows, columns = np.concatenate([one, other]), np.concatenate([other, one])
    return coo_array((weights, (rows, columns)), shape=(n_parts, n_parts)).tocsr()


def place_by_distance(placement: Placement, points: Floats, part: Indices) -> int:
    """Label each part that is left like the nearest labelled point that it may join, the nearest parts first.

    Points that are placed here attract no others. A part that may join no cluster opens a new one.

    Parameters
    ----------
    placement : Placement
        The labels of the parts, some of which are known.
    points : ndarray, shape (n, d)
        Coordinates.
    part : ndarray of int, shape (n,)
        The part of each point.

    Returns
    -------
    int
        The number of new clusters.
    """
    labels = placement.labels
    is_known = labels[part] >= 0
    left = np.flatnonzero(~is_known)
    clusters = _Clusters(points[is_known], labels[part[is_known]])
    label_of, distances = clusters.nearest(points[left])
    order = np.argsort(distances, kind="stable")
    order = order[np.sort(np.unique(part[left[order]], return_index=True)[1])]
    opened: list[int] = []
    for candidate, label in zip(part[left[order]].tolist(), label_of[order].tolist(), strict=True):
        choice: int | None = label
        if not placement.admits(candidate, label):
            others = [*clusters.by_distance(points[part == candidate]), *opened]
            choice = next((other for other in others if placement.admits(candidate, other)), None)
        if choice is None:
            choice = int(labels.max()) + 1
            opened.append(choice)
        labels[candidate] = choice
    return len(opened)


class _Clusters:
    """Labelled points, and how far others are from those of each label."""

    def __init__(self, points: Floats, labels: Indices) -> None:
        self.points, self.labels = points, labels

    def nearest(self, queries: Floats) -> tuple[Indices, Floats]:
        """Return the label of the nearest point to each query, and its distance."""
        found = closest(self.points, queries, 1)[:, 0]
        return self.labels[found], np.linalg.norm(queries - self.points[found], axis=1)

    def by_distance(self, members: Floats) -> list[int]:
        """Return the labels by the distance of their points from the nearest of the members, then in order."""
        names = sorted(self.trees)
        distances = [self.trees[name].query(members)[0].min() for name in names]
        return [names[position] for position in np.argsort(distances, kind="stable")]

    @cached_property
    def trees(self) -> dict[int, cKDTree]:
        """The points of each label."""
        return {name: cKDTree(self.points[self.labels == name]) for name in np.unique(self.labels).tolist()}
