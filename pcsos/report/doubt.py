"""Doubt: the points whose cluster is less sure than that of others, and the section about them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pcsos.base.typing import Flags, Floats, Indices
from pcsos.evidence.result import CertainPairs
from pcsos.evidence.result.words import whole_percent
from pcsos.problem.instance import Instance
from pcsos.problem.partition import cluster_means
from pcsos.report.markup import Section, counted, element, folded, join, listed

#: How many times as far as its own centre that of another cluster may be from a point near a border.
NEAR = 1.1
#: Rows of the table of distances that are held at a time.
ROWS = 4_096

#: Reasons, as the legend of the picture has them.
MOVES = "may belong elsewhere"
BORDER = "near a border"


@dataclass(frozen=True, eq=False)
class Doubt:
    """Points in doubt for one reason.

    Parameters
    ----------
    name : str
        The reason in a few words: :data:`BORDER` or :data:`MOVES`.
    note : str
        The reason in the rest of a sentence.
    points : ndarray of bool, shape (n,)
        Which they are.
    """

    name: str
    note: str
    points: Flags


def doubts_of(instance: Instance, labels: Indices, certain: CertainPairs | None = None) -> tuple[Doubt, ...]:
    """Return what is in doubt: points near borders, and those that other good divisions put elsewhere."""
    share = 100.0 * (NEAR - 1.0)
    near = f"the centre of another cluster is at most {share:.0f} % farther away than the centre of the own one."
    found = [Doubt(BORDER, near, neighbouring_clusters(instance, labels) >= 0)]
    if certain is not None:
        moves = f"in some division that costs at most {whole_percent(certain.epsilon)} more than the best one."
        movable: Flags = np.asarray(certain.doubts.differs.any(axis=1))
        found.append(Doubt(MOVES, moves, movable[certain.doubts.component]))
    return tuple(doubt for doubt in found if doubt.points.any())


def neighbouring_clusters(instance: Instance, labels: Indices) -> Indices:
    """Return for each point the other cluster that it almost belongs to, shape (n,); -1 for one far from all borders.

    A point is near a border if the nearest centre of another cluster is at most :data:`NEAR` times as far from it as
    its own.

    Parameters
    ----------
    instance : Instance
        The points.
    labels : ndarray of int, shape (n,)
        Their clusters.
    """
    centres = cluster_means(instance, labels)
    if len(centres) == 1:
        return np.full(instance.n_points, -1)
    found = [
        _neighbours(instance.points[start : start + ROWS], centres, labels[start : start + ROWS])
        for start in range(0, instance.n_points, ROWS)
    ]
    return np.concatenate(found)


def _neighbours(points: Floats, centres: Floats, labels: Indices) -> Indices:
    from scipy.spatial.distance import cdist

    distances, rows = cdist(points, centres), np.arange(len(points))
    own = distances[rows, labels]
    distances[rows, labels] = np.inf
    nearest = distances.argmin(axis=1)
    return np.where(distances[rows, nearest] <= NEAR * own, nearest, -1)


def doubts_section(instance: Instance, labels: Indices, doubts: Sequence[Doubt]) -> Section:
    """Return which points are in doubt, and why."""
    parts = []
    for doubt in doubts:
        number = int(doubt.points.sum())
        parts.append(element("p", element("b", f"{counted(number, 'point')} {doubt.name}:"), f" {doubt.note}"))
        by_cluster = [
            element("li", f"cluster {cluster}: {listed(members, instance.names)}")
            for cluster in range(instance.n_clusters)
            if (members := np.flatnonzero(doubt.points & (labels == cluster))).size
        ]
        parts.append(folded("Which they are", element("ul", *by_cluster)))
    return Section("doubt", "Points in doubt", join(parts))
