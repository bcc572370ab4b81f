"""LCVQE: k-means that pays for violated pairs (Pelleg and Baras, *K-means with large and noisy constraint sets*, 2007).

With D(i, h) the squared distance of point i to centre h, what is minimised is the sum of

- ``D(i, l_i) / 2`` over all points,
- ``(D(i, l_j) + D(j, l_i)) / 4`` over the must-links whose points are apart,
- ``D(i, h) / 2`` over the cannot-links whose points are together, where i is the one that is further from the centre
  and h its nearest other centre.

Where this comes from: the criterion with its weights 1/2 and 1/4, and that a pair is settled in the cheapest of its
ways (three for a must-link, two for a cannot-link), are told from memory; the text of the paper was not at hand. Dang,
Vu, Do and Le (2021, section 2) name LCVQE as an improvement of CVQE, where a broken pair costs the distance of two
centres, and print no formula. That the centres are the best for given labels and violations follows from the criterion,
and is tested, as is that without pairs this is k-means.

Readings, which are ours: pairs are settled one after the other in their order, each with the labels that those before
have left, so that the criterion may rise in between; a run ends where labels come back, and its best iteration counts.
At the moment that a pair is settled, to violate it is never cheaper than to satisfy it; it is violated in the end where
a later pair takes one of its points along. The best of ten runs from k-means++ counts, as the start is not part of the
method.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.comparators.clustering import Clustering, refuse_weights
from benchmarks.comparators.empty_clusters import fill_empty_clusters, squares_to
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.baselines.unreduced import unreduced
from pcsos.heuristics.centres import kmeans_pp_centres
from pcsos.problem.instance import Instance

NUM_STARTS = 10
MAX_ITERATIONS = 100


@dataclass(frozen=True, eq=False)
class Violations:
    """Pairs that labels violate.

    Parameters
    ----------
    apart : ndarray of int, shape (m, 2)
        Must-links in two clusters.
    further, refuge : ndarray of int, shape (c,)
        Of each cannot-link in one cluster the point further from the centre, and its nearest other centre.
    """

    apart: Indices
    further: Indices
    refuge: Indices


def lcvqe(instance: Instance, *, seed: int, num_starts: int = NUM_STARTS, stop: Stop = NEVER) -> Clustering:
    """Return the best of several runs of LCVQE; it may violate pairs.

    Parameters
    ----------
    instance : Instance
        The problem; all weights must be equal.
    seed : int
        Seed of the starts.
    num_starts : int
        Runs, at least one.
    stop : Stop
        When to end before that, asked after every run.

    Raises
    ------
    InputError
        If the weights differ.

    Examples
    --------
    >>> from pcsos import Instance
    >>> instance = Instance([0.0, 1.0, 8.0, 9.0], 2, must_link=[(0, 1)], cannot_link=[(1, 2)])
    >>> lcvqe(instance, seed=0).labels.tolist()
    [0, 0, 1, 1]
    """
    refuse_weights(instance, "LCVQE")
    problem, rng = unreduced(instance), np.random.default_rng(seed)
    best, least, num_runs, num_repairs = np.zeros(instance.n_points, np.intp), np.inf, 0, 0
    while num_runs < num_starts and not (num_runs and stop.asked()):
        labels, criteria, repairs = descend(problem.means, instance, kmeans_pp_centres(problem, rng))
        num_runs, num_repairs = num_runs + 1, num_repairs + repairs
        if min(criteria) < least:
            best, least = labels, min(criteria)
    return Clustering.of(instance, best, criterion=least, local_searches=num_runs, num_repairs=num_repairs)


def descend(points: Floats, instance: Instance, centres: Floats) -> tuple[Indices, list[float], int]:
    """Return the labels (n,) of the best iteration, the criterion of each, and how many empty clusters were filled.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        The points, in any frame.
    centres : ndarray, shape (k, d)
        Where to start.
    """
    best = np.zeros(instance.n_points, np.intp)
    criteria: list[float] = []
    seen: set[bytes] = set()
    num_repairs = 0
    while len(criteria) < MAX_ITERATIONS:
        labels, repairs = assign(points, instance, centres)
        num_repairs += repairs
        violations = violations_of(instance, labels, squares_to(points, centres))
        centres = updated_centres(points, labels, violations, len(centres))
        criteria.append(criterion(instance, labels, squares_to(points, centres)))
        if criteria[-1] == min(criteria):
            best = labels
        if labels.tobytes() in seen:
            break
        seen.add(labels.tobytes())
    return best, criteria, num_repairs


def assign(points: Floats, instance: Instance, centres: Floats) -> tuple[Indices, int]:
    """Return labels that settle pair after pair, each with the nearest centres or at the least price."""
    squares = squares_to(points, centres)
    labels = squares.argmin(axis=1)
    for i, j in instance.must_link:
        a, h = labels[i], labels[j]
        if a != h:
            apart = (squares[i, a] + squares[j, h]) / 2.0 + (squares[i, h] + squares[j, a]) / 4.0
            in_a, in_h = (squares[i, a] + squares[j, a]) / 2.0, (squares[i, h] + squares[j, h]) / 2.0
            if min(in_a, in_h) < apart:
                labels[i] = labels[j] = a if in_a <= in_h else h
    if len(centres) > 1:
        for i, j in instance.cannot_link:
            if labels[i] == labels[j]:
                further = i if squares[i, labels[i]] > squares[j, labels[j]] else j
                labels[further] = _nearest_others(squares, labels, np.array([further]))[0]
    own = squares[np.arange(labels.size), labels]
    return labels, fill_empty_clusters(points, own, centres, labels)


def violations_of(instance: Instance, labels: Indices, squares: Floats) -> Violations:
    """Return what labels violate, given the squared distances to the centres, shape (n, k)."""
    must, cannot = instance.must_link, instance.cannot_link
    apart = must[labels[must[:, 0]] != labels[must[:, 1]]]
    together = cannot[labels[cannot[:, 0]] == labels[cannot[:, 1]]]
    if squares.shape[1] == 1:
        together = together[:0]  # there is no other centre to pay for
    own = squares[np.arange(labels.size), labels]
    further = np.where(own[together[:, 0]] > own[together[:, 1]], together[:, 0], together[:, 1])
    return Violations(apart, further, _nearest_others(squares, labels, further))


def updated_centres(points: Floats, labels: Indices, violations: Violations, n_clusters: int) -> Floats:
    """Return the centres, shape (k, d), that make the criterion least for these labels and violations."""
    i, j = violations.apart.T
    members = np.concatenate([np.arange(labels.size), j, i, violations.further])
    clusters = np.concatenate([labels, labels[i], labels[j], violations.refuge])
    shares = np.repeat([1.0, 0.5, 1.0], [labels.size, 2 * i.size, violations.further.size])
    sums = np.zeros((n_clusters, points.shape[1]))
    np.add.at(sums, clusters, points[members] * shares[:, None])
    centres: Floats = sums / np.bincount(clusters, shares, n_clusters)[:, None]
    return centres


def criterion(instance: Instance, labels: Indices, squares: Floats) -> float:
    """Return what labels cost, given the squared distances to the centres, shape (n, k)."""
    violations = violations_of(instance, labels, squares)
    i, j = violations.apart.T
    return float(
        squares[np.arange(labels.size), labels].sum() / 2.0
        + (squares[i, labels[j]] + squares[j, labels[i]]).sum() / 4.0
        + squares[violations.further, violations.refuge].sum() / 2.0
    )


def _nearest_others(squares: Floats, labels: Indices, points: Indices) -> Indices:
    """Return the nearest centre of each of some points except for its own."""
    others = squares[points]
    others[np.arange(points.size), labels[points]] = np.inf
    return others.argmin(axis=1)
