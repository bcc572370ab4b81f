"""The base of the clusterers on graphs: how samples, labels and pairs come in, and how new samples are labelled."""

import warnings
from abc import ABCMeta, abstractmethod
from collections import defaultdict
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array, csr_array
from scipy.spatial import cKDTree
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.clusterers.graph.side_information import SideInformation, labels_of_parts
from pcsos.estimators.samples import UNKNOWN, checked_classes, checked_samples, constraints_on_rows
from pcsos.heuristics.neighbours import SharedNeighbourGraph, closest
from pcsos.problem.conditions.pairs import broken_pairs, unique_pairs
from pcsos.problem.validation.arrays import one_of, refuse_too_close, whole_number
from pcsos.problem.validation.names import PointNames, refuse_other_index, row_labels


class Placement:
    """The labels of parts while they are placed, with the parts that cannot-links keep apart from each.

    The labels, shape (p,), are -1 where there is none yet, and changed in place; ``apart``, shape (c, 2), are pairs of
    parts that cannot share a label.
    """

    def __init__(self, labels: Indices, apart: Indices) -> None:
        self.labels = labels
        self.rivals: dict[int, set[int]] = defaultdict(set)
        for one, other in unique_pairs(apart).tolist():
            self.rivals[one].add(other)
            self.rivals[other].add(one)

    def admits(self, part: int, label: int) -> bool:
        """Return whether no cannot-link keeps a part out of the cluster of this label."""
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

    Points that are placed here attract no others. A part that may join no cluster opens a new one; how many these are
    is returned. The ``part`` is that of each of the points, shapes (n,) and (n, d).
    """
    labels = placement.labels
    is_known = labels[part] >= 0
    left = np.flatnonzero(~is_known)
    known, names = points[is_known], labels[part[is_known]]
    found = closest(known, points[left], 1)[:, 0]
    label_of, distances = names[found], np.linalg.norm(points[left] - known[found], axis=1)
    trees: dict[int, cKDTree] = {}  # the points of each label, once they are needed
    order = np.argsort(distances, kind="stable")
    order = order[np.sort(np.unique(part[left[order]], return_index=True)[1])]
    opened: list[int] = []
    for candidate, label in zip(part[left[order]].tolist(), label_of[order].tolist(), strict=True):
        choice: int | None = label
        if not placement.admits(candidate, label):
            trees = trees or {name: cKDTree(known[names == name]) for name in np.unique(names).tolist()}
            away = {name: tree.query(points[part == candidate])[0].min() for name, tree in trees.items()}
            others = [*sorted(away, key=away.__getitem__), *opened]
            choice = next((other for other in others if placement.admits(candidate, other)), None)
        if choice is None:
            choice = int(labels.max()) + 1
            opened.append(choice)
        labels[candidate] = choice
    return len(opened)


Leftovers = Literal["nearest", "noise"]
LEFTOVERS = ("nearest", "noise")


@dataclass(frozen=True, eq=False)
class Principal:
    """Principal clusters: parts of super-points, those with a label and those that are still to be placed."""

    part: Indices  #: shape (s,): the part of each super-point
    labels: Indices  #: shape (p,): the label of each part, a position among the known classes; -1 where it has none


def principal_clusters(part: Indices, side: SideInformation) -> Principal:
    """Return parts with their labels; without any label at all, each part of several points has one of its own.

    The ``part`` is that of each super-point, shape (s,).
    """
    labels = labels_of_parts(part, side.labels)
    if (labels >= 0).any():
        return Principal(part, labels)
    is_cluster = np.bincount(part[side.group]) > 1
    is_cluster |= not is_cluster.any()
    return Principal(part, np.where(is_cluster, np.cumsum(is_cluster) - 1, -1))


def complete(
    principal: Principal, graph: SharedNeighbourGraph, side: SideInformation, points: Floats, leftovers: Leftovers
) -> Indices:
    """Return the label of each point, shape (n, d), as the user calls it, -1 for noise, shape (n,).

    The graph tells what super-points share with one another; ``leftovers``, what becomes of points that share nothing
    with any cluster which they may join.
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


class GraphClusterer(ClusterMixin, BaseEstimator, metaclass=ABCMeta):
    """Clusterers that grow principal clusters from labelled samples; a subclass says how.

    A subclass has the parameter ``leftovers``.
    """

    leftovers: Leftovers

    @property
    def _is_contracted(self) -> bool:
        """Whether samples that must-links connect are one from the start."""
        return True

    @abstractmethod
    def _grow(self, points: Floats, side: SideInformation) -> tuple[Principal, SharedNeighbourGraph]:
        """Return principal clusters, and the graph by which the others are placed."""

    def fit(self, X: ArrayLike, y: ArrayLike | None = None, *, must_link: Pairs = (), cannot_link: Pairs = ()) -> Self:
        """Cluster the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, dense and finite. Features count as they are: scale them before.
        y : array-like of shape (n_samples,), optional
            Seeds: known labels as whole numbers, -1 where not known.
        must_link, cannot_link : array-like of shape (n_pairs, 2), or iterable of pairs, optional
            Samples that must, or must not, share a cluster: their positions, from 0. Where X is a pandas DataFrame, the
            labels of its index; a pair with a label that is not there is left out with a warning.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        InfeasibleError
            If seeds and pairs contradict each other; the message names the chain.
        InputError
            If samples, seeds, pairs or parameters cannot be used. It is a ValueError.
        """
        names = row_labels(X)
        refuse_other_index(X, y, "y")
        points = checked_samples(self, X)
        refuse_too_close(points, "X")
        one_of("leftovers", self.leftovers, LEFTOVERS)
        constraints = constraints_on_rows(must_link, cannot_link, len(points), names)
        side = SideInformation.of(
            constraints,
            checked_classes(y, len(points), "y"),
            PointNames(len(points), ids=names).__getitem__,
            is_contracted=self._is_contracted,
        )
        principal, graph = self._grow(points, side)
        self.principal_labels_ = names_of(principal.labels, side)[principal.part[side.group]]
        self.labels_ = complete(principal, graph, side, points, self.leftovers)
        is_apart, is_together = broken_pairs(constraints.must_link, constraints.cannot_link, self.labels_)
        is_together &= self.labels_[constraints.cannot_link[:, 0]] != UNKNOWN
        self.n_violations_ = int(is_apart.sum() + is_together.sum())
        self._labelled = points[self.labels_ != UNKNOWN]
        return self

    def fit_predict(
        self, X: ArrayLike, y: ArrayLike | None = None, *, must_link: Pairs = (), cannot_link: Pairs = ()
    ) -> Indices:
        """Cluster the samples and return ``labels_``; parameters and errors are those of :meth:`fit`."""
        return self.fit(X, y, must_link=must_link, cannot_link=cannot_link).labels_

    def predict(self, X: ArrayLike) -> Indices:
        """Return the label of the nearest sample that was fitted and is no noise.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        labels : ndarray of int, shape (n_samples,)
            Labels; of several samples that are equally near, the first one counts.
        """
        check_is_fitted(self, "labels_")
        queries = checked_samples(self, X, reset=False)
        labels: Indices = self.labels_[self.labels_ != UNKNOWN]
        return labels[closest(self._labelled, queries, 1)[:, 0]]


def count_of_neighbours(name: str, value: Any, n_samples: int) -> int:
    """Return a parameter that counts neighbours: all others where there are no more."""
    return min(whole_number(name, value, 1, ", such as 10"), n_samples - 1)
