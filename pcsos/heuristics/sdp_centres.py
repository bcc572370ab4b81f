"""Centres from a solution of the semidefinite relaxation (Paper 3.4, Algorithm 2)."""

from dataclasses import replace

import numpy as np

from pcsos.base.typing import Floats
from pcsos.heuristics.centres import Costs, centres_of, kmeans_pp_centres
from pcsos.heuristics.ipc_kmeans import ipc_kmeans
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.reduction import Reduced

#: k-means++ starts of the k-means over the approximate centroids.
NUM_STARTS = 5


def sdp_centres(Z: Floats, reduced: Reduced, rng: np.random.Generator) -> Floats:
    """Return k centres, shape (k, d'), from Z, shape (s, s), with ``Z_ij = Y_ij / sqrt(e_i e_j)``.

    The paper's Z has one row an original point; its best approximation of rank k is that of Y in disguise, because
    repeating the rows of a super-point is an isometry of the normalised coordinates. So Y is what is truncated.
    """
    roots = np.sqrt(reduced.weights)
    return centres_from_projection(Z * np.outer(roots, roots), reduced, rng)


def centres_from_projection(Y: Floats, reduced: Reduced, rng: np.random.Generator) -> Floats:
    """Return k centres, shape (k, d'), from Y, shape (s, s), the relaxed projector in normalised coordinates.

    Every super-point gets an approximate centroid: its row of the best rank-k approximation of Y applied to the
    points. Where the relaxation is tight there are only k different ones; otherwise k-means groups them.
    """
    from scipy.linalg import eigh

    size, k = reduced.size, reduced.n_clusters
    values, vectors = eigh(0.5 * (Y + Y.T), subset_by_index=[size - k, size - 1])
    roots = np.sqrt(reduced.weights)[:, None]
    centroids = (vectors * values) @ (vectors.T @ (roots * reduced.coordinates)) / roots
    return kmeans_centres(replace(reduced, means=centroids), rng)


def kmeans_centres(reduced: Reduced, rng: np.random.Generator, *, num_starts: int = NUM_STARTS) -> Floats:
    """Return the centres of the best of several unconstrained k-means from k-means++ starts, shape (k, d').

    Cannot-links, limits and soft pairs of ``reduced`` are ignored; must-links hold, because super-points stay whole.
    """
    free = replace(reduced, cannot_link=np.empty((0, 2), np.intp), limits=None, soft=PenalisedPairs.none())
    costs = Costs.of(free)
    runs = (ipc_kmeans(free, kmeans_pp_centres(free, rng), costs=costs).solution for _ in range(num_starts))
    best = min((solution for solution in runs if solution is not None), key=lambda solution: solution.objective)
    return centres_of(free, best.labels)
