"""Dear pairs: by how much pairs make clusters dearer, about, and which of them do most."""

import numpy as np

from pcsos.base.numerics.portable import squared_distances
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.registry import run
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.instance import Instance
from pcsos.problem.partition import cluster_means

#: Pairs that are named, at most.
NAMED = 5


def dear_pairs(instance: Instance, time_limit: float) -> tuple[float, Constraints]:
    """Return the share by which pairs make clusters dearer, and those that clusters without pairs break for most.

    Both are estimates: of clusters that IPC-k-means finds with the pairs, which can be satisfied, and without them. A
    pair saves about what one of its points gains by being where pairs do not let it be.

    Parameters
    ----------
    instance : Instance
        The problem, by its points.
    time_limit : float
        Seconds for either search.
    """
    free = instance.with_(must_link=(), cannot_link=())
    with_pairs, without = (run(own, "ipc-kmeans", time_limit=time_limit).partition for own in (instance, free))
    if with_pairs is None or without is None:
        return 0.0, Constraints(instance.n_points)
    must, cannot, labels = instance.must_link, instance.cannot_link, without.labels
    squares = squared_distances(instance.points, cluster_means(instance, labels))
    away = instance.weights[:, None] * (squares - squares[np.arange(labels.size), labels][:, None])
    dearness = with_pairs.objective / max(without.objective, np.finfo(float).tiny) - 1.0
    saved = np.concatenate([_apart(away, must, labels), _together(away, cannot, labels)])
    most = np.argsort(-saved, kind="stable")[:NAMED]
    most = most[saved[most] > 0.0]
    of_must = most < len(must)
    return dearness, Constraints(instance.n_points, must[most[of_must]], cannot[most[~of_must] - len(must)])


def _apart(away: Floats, pairs: Indices, labels: Indices) -> Floats:
    """Return what the cheaper move costs that brings both points of a pair together."""
    i, j = pairs.T
    return np.asarray(np.minimum(away[i, labels[j]], away[j, labels[i]]))


def _together(away: Floats, pairs: Indices, labels: Indices) -> Floats:
    """Return what the cheaper move costs that parts both points of a pair; 0 where they are apart."""
    away = away.copy()
    away[np.arange(labels.size), labels] = np.inf
    least, (i, j) = away.min(axis=1), pairs.T
    return np.where(labels[i] == labels[j], np.minimum(least[i], least[j]), 0.0)
