"""Spread: the largest distance of two points, and what k-means leaves of their variance within clusters."""

import math

import numpy as np

from pcsos.base.typing import Floats, Indices

#: Starts of k-means, and passes of each.
NUM_STARTS = 3
MAX_PASSES = 50


def largest_square(points: Floats) -> float:
    """Return the largest squared distance of two points, 0 for a single one.

    With r the distances from the mean, no two points are farther apart than the sum of theirs. So the points are gone
    through from the outermost inwards, each with those only that can beat what is known.
    """
    radii = np.sqrt(_squares(points, points.mean(axis=0)))
    order = np.argsort(-radii, kind="stable")
    outer, radii = points[order], radii[order]
    largest = 0.0
    for i, point in enumerate(outer[:-1]):
        end = int(np.searchsorted(-radii, radii[i] - np.sqrt(largest), "right"))
        if end <= i + 1:
            break
        largest = max(largest, float(_squares(outer[i + 1 : end], point).max()))
    return largest


def variance_within(points: Floats, weights: Floats, n_clusters: int) -> float:
    """Return the variance of a feature within the clusters of k-means: its cost by total weight and varying features.

    That is the maximum-likelihood estimate for round Gaussian clusters of one variance, as k-means supposes them. The
    starts of k-means are drawn with a seed of their own, so that the same points have the same variance.

    Coordinates (n, d) are finite, weights (n,) positive.
    """
    varying = points[:, np.ptp(points, axis=0) > 0.0]
    if varying.shape[1] == 0:
        return 0.0
    cost, _ = _k_means(varying, weights, n_clusters)
    return float(cost / weights.sum() / varying.shape[1])


def variances_within(points: Floats, n_clusters: int) -> Floats:
    """Return the variance of each feature within the same clusters, shape (d,), for points of weight 1."""
    _, labels = _k_means(points, np.ones(len(points)), n_clusters)
    scatter = np.zeros(points.shape[1])
    for cluster in np.unique(labels):
        own = points[labels == cluster]
        scatter += ((own - own.mean(axis=0)) ** 2).sum(axis=0)
    return scatter / len(points)


def _k_means(points: Floats, weights: Floats, n_clusters: int) -> tuple[float, Indices]:
    """Return cost and labels of the best start of k-means."""
    rng = np.random.default_rng(0)
    return min((_one_start(points, weights, n_clusters, rng) for _ in range(NUM_STARTS)), key=lambda found: found[0])


def _one_start(points: Floats, weights: Floats, n_clusters: int, rng: np.random.Generator) -> tuple[float, Indices]:
    """Return cost and labels of one run of k-means; centres that lose all points stay where they are."""
    centres = _far_centres(points, weights, n_clusters, rng)
    labels = _nearest(points, centres)
    for _ in range(MAX_PASSES):
        for cluster in np.unique(labels).tolist():
            own = labels == cluster
            centres[cluster] = np.average(points[own], axis=0, weights=weights[own])
        before, labels = labels, _nearest(points, centres)
        if np.array_equal(before, labels):
            break
    costs = [_cost(points[own], weights[own]) for own in (labels == cluster for cluster in np.unique(labels))]
    return math.fsum(costs), labels


def _cost(points: Floats, weights: Floats) -> float:
    """Return the cost of a cluster, without products of matrices, whose last digits depend on the processor."""
    return math.fsum((weights * _squares(points, np.average(points, axis=0, weights=weights))).tolist())


def _far_centres(points: Floats, weights: Floats, n_clusters: int, rng: np.random.Generator) -> Floats:
    """Return centres of k-means++: points drawn in proportion to their squared distance from those drawn before."""
    centres = points[[rng.choice(len(points), p=weights / weights.sum())]]
    squares = _squares(points, centres[0])
    while len(centres) < n_clusters and squares.any():
        mass = weights * squares
        drawn = points[rng.choice(len(points), p=mass / mass.sum())]
        centres = np.vstack([centres, drawn])
        squares = np.minimum(squares, _squares(points, drawn))
    return centres


def _nearest(points: Floats, centres: Floats) -> Indices:
    """Return the nearest centre of each point, shape (n,)."""
    labels, least = np.zeros(len(points), np.intp), np.full(len(points), np.inf)
    for number, centre in enumerate(centres):
        squares = _squares(points, centre)
        is_nearer = squares < least
        labels[is_nearer], least[is_nearer] = number, squares[is_nearer]
    return labels


def _squares(points: Floats, centre: Floats) -> Floats:
    """Return the squared distance of each point from one."""
    squares: Floats = ((points - centre) ** 2).sum(axis=1)
    return squares
