"""Partitions of the points of an instance: labels, cost, whether they satisfy the constraints, and the best known."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.base import tolerances
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.cost import clusters_of, mean_of
from pcsos.problem.instance import Instance
from pcsos.problem.validation.arrays import coordinates
from pcsos.problem.validation.cluster_names import numbered_clusters, refuse_other_number
from pcsos.problem.validation.names import refuse_other_columns
from pcsos.verify.reading.text import number_of


@dataclass(frozen=True, eq=False)
class Partition:
    """A partition into k non-empty clusters, always in the space of the original points.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Cluster of each point, ``0..k-1``, numbered by first appearance; -1 for points that are left out of all.
    objective : float
        ``sum_i w_i ||p_i - centre of its cluster||^2``, computed from the original points; 0 only where every cluster
        consists of equal points. With soft pairs, the penalties of the broken ones are added. With a Gram matrix it is
        computed from that.

    Examples
    --------
    >>> from pcsos import Instance, Partition
    >>> Partition.of(Instance([0.0, 2.0, 9.0], 2), ["b", "b", "a"]).objective
    2.0
    """

    labels: Indices = field(repr=False)
    objective: float

    @classmethod
    def of(cls, instance: Instance, labels: ArrayLike) -> "Partition":
        """Return the partition with these labels, checked against every constraint of the instance.

        Raises
        ------
        InputError
            If a constraint is broken or there are not exactly k clusters.
        """
        canonical = canonical_labels(np.asarray(labels), outliers=instance.outliers > 0)
        problem = violation(instance, canonical)
        if problem is not None:
            raise InputError(problem)
        canonical.setflags(write=False)
        return cls(canonical, instance.geometry.cost(canonical) + instance.soft.cost(canonical))


def beginning(instance: Instance, start: ArrayLike | None) -> tuple[Partition | None, Floats | None]:
    """Return the partition, or the centres of shape (k, d), that a run is to begin with; neither without a start.

    A start is numbers or names of clusters, shape (n,), which may break no constraint, or centres, shape (k, d).
    """
    if start is None:
        return None, None
    if is_centres(start):
        return None, _checked_centres(instance, start)
    clusters = numbered_clusters(start, "start", may_leave_out=instance.outliers > 0)
    refuse_other_number(clusters, instance.n_points)
    problem = violation(instance, clusters)
    if problem is not None:
        raise InputError(
            f"a run cannot start from these labels: {problem}; give labels that satisfy all constraints with exactly "
            f"{instance.n_clusters} clusters, or none"
        )
    return Partition.of(instance, clusters), None


def is_centres(start: ArrayLike) -> bool:
    """Return whether what a run is to begin with is centres, which have rows, and not labels."""
    try:
        return np.ndim(start) > 1
    except ValueError:  # rows of several lengths
        return True


def _checked_centres(instance: Instance, centres: ArrayLike) -> Floats:
    """Return the centres that a run is to begin with, shape (k, d)."""
    if instance.gram is not None:
        raise InputError("centres need coordinates, but there are inner products; give labels as start instead")
    refuse_other_columns(centres, instance.feature_names, "centres")
    k, d = instance.n_clusters, instance.n_features
    return coordinates(centres, "centres", (k, d), f"give {k} centres of {d} coordinates")


def canonical_labels(labels: NDArray[np.integer], *, outliers: bool = False) -> Indices:
    """Return the same partition with clusters numbered by first appearance; with outliers, -1 stands for no cluster."""
    names, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.full(first.size, -1, np.intp)
    if outliers:
        order = order[names[order] != -1]
    rank[order] = np.arange(order.size)
    return rank[inverse]


def violation(instance: Instance, labels: Indices) -> str | None:
    """Return one sentence on the first thing that the labels break, or None if they are feasible."""
    if labels.shape != (instance.n_points,):
        return f"labels have shape {labels.shape}, but there are {instance.n_points} points"
    used = np.unique(labels[labels >= 0]).size
    if used != instance.n_clusters:
        return f"the labels use {number_of(used, 'cluster')} instead of {instance.n_clusters}"
    own = labels
    if instance.outliers:  # groups that are left out share no cluster
        own = np.where(labels < 0, -1 - instance.constraints.groups, labels)
    problem = instance.constraints.violation(own, instance.names.word)
    if problem is None and instance.limits is not None:
        problem = instance.limits.violation(labels, instance.weights)
    return problem


def cluster_means(instance: Instance, labels: Indices) -> Floats:
    """Return the weighted mean of each cluster of labels ``0..k-1``, shape (k, d)."""
    return np.array([mean_of(instance.points[own], instance.weights[own]) for own in clusters_of(labels)])


class Costed(Protocol):
    """Anything with an objective: a partition, a solution of a heuristic, what a node has found."""

    @property
    def objective(self) -> float:
        """Its sum of squares."""


T = TypeVar("T", bound=Costed)


class Incumbent(Generic[T]):
    """The best of what is offered, and of what others are known to have: an ``objective``, infinity without any.

    While nothing better was offered, ``best`` is None; everything that is taken over is handed to ``on_improvement``.
    """

    def __init__(self, objective: float = math.inf, on_improvement: Callable[[T], object] | None = None) -> None:
        self.best: T | None = None
        self.objective = objective
        self._on_improvement = on_improvement

    def is_beaten_by(self, objective: float) -> bool:
        """Return whether this objective is better by more than rounding."""
        return tolerances.is_improvement(objective, self.objective)

    def offer(self, found: T) -> bool:
        """Take it over if it is better, and tell whether it is."""
        if not self.is_beaten_by(found.objective):
            return False
        self.best, self.objective = found, found.objective
        if self._on_improvement is not None:
            self._on_improvement(found)
        return True

    def hear_of(self, objective: float) -> None:
        """Remember an objective that was found elsewhere."""
        self.objective = min(self.objective, objective)


#: Distances that are held in memory at a time.
BATCH = 4_000_000


def nearest_centre(points: Floats, centres: Floats) -> tuple[Indices, Floats]:
    """Return the nearest centre of each point and the square of its distance, each of shape (n,).

    Where several are equally near, it is the first of them.
    """
    from scipy.spatial.distance import cdist  # slow to load

    labels, squares = np.empty(len(points), np.intp), np.empty(len(points))
    size = max(BATCH // len(centres), 1)
    for start in range(0, len(points), size):
        batch = slice(start, start + size)
        distances = cdist(points[batch], centres, "sqeuclidean")
        labels[batch] = distances.argmin(axis=1)
        squares[batch] = distances.min(axis=1)
    return labels, squares
