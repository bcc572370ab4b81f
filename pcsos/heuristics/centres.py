"""Centres of clusters: from labels, at random or by k-means++, and the cost of assigning super-points to them."""

from dataclasses import dataclass

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, centre_of_points

#: Up to so many dimensions the differences are formed one by one; a matrix product is faster beyond.
MAX_DIMENSION_FOR_DIFFERENCES = 12


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs ``a_ih = e_i |m_i - c_h|^2`` of assigning super-points to centres.

    Build it once for a problem with :meth:`of`, then call it with centres, shape (k, d'). In more than a few
    dimensions the square is expanded into one matrix product, which loses digits only in proportion to the squared
    norms; centred data keep those small.
    """

    #: shapes (s, d') and (s,): the super-points
    points: Floats
    weights: Floats
    factor: Floats  #: shape (s, d' + 2): rows ``e_i (m_i, 1, |m_i|^2)``; empty in few dimensions

    @classmethod
    def of(cls, reduced: Reduced) -> "Costs":
        """Return the costs of this problem in :attr:`~pcsos.problem.reduction.Reduced.coordinates`."""
        points, weights = np.ascontiguousarray(reduced.coordinates), reduced.weights
        if points.shape[1] <= MAX_DIMENSION_FOR_DIFFERENCES:
            return cls(points, weights, np.empty((0, 0)))
        norms = np.einsum("ij,ij->i", points, points)
        rows = np.column_stack([points, np.ones(reduced.size), norms])
        return cls(points, weights, np.ascontiguousarray(rows * weights[:, None]))

    def __call__(self, centres: Floats) -> Floats:
        """Return the costs, shape (s, k), never negative."""
        if self.factor.size == 0:
            return weighted_squares(self.points, self.weights, np.ascontiguousarray(centres.T))
        norms = np.einsum("ij,ij->i", centres, centres)
        columns = np.column_stack([-2.0 * centres, norms, np.ones(norms.size)])
        costs: Floats = self.factor @ columns.T
        return np.maximum(costs, 0.0, out=costs)


@kernel
def weighted_squares(points: Floats, weights: Floats, columns: Floats) -> Floats:
    """Return ``e_i |x_i - c_h|^2``, shape (s, k); ``columns`` (d, k) holds a centre a column."""
    dimension, n_clusters = columns.shape
    costs = np.zeros((points.shape[0], n_clusters))
    for i in range(points.shape[0]):
        row = costs[i]
        for c in range(dimension):
            for h in range(n_clusters):
                difference = points[i, c] - columns[c, h]
                row[h] += difference * difference
        for h in range(n_clusters):
            row[h] *= weights[i]
    return costs


def centres_of(reduced: Reduced, labels: Indices) -> Floats:
    """Return the weighted means of the clusters, shape (k, d'); every cluster must be used."""
    return summarise(reduced.coordinates, reduced.weights, labels, reduced.n_clusters)[0]


def centres_of_points(reduced: Reduced, labels: Indices, weights: Floats) -> Floats:
    """Return where clusters of the points are, shape (k, d'), even if they divide super-points.

    A cluster takes as much of a super-point as its points weigh. The points have labels (n,), every cluster used, and
    weights (n,).
    """
    shares = np.zeros((reduced.n_clusters, reduced.size))
    np.add.at(shares, (labels, reduced.component), weights)
    centres: Floats = shares @ reduced.coordinates / shares.sum(axis=1, keepdims=True)
    return centres


def unconditioned(points: Floats, weights: Floats, n_clusters: int) -> Reduced:
    """Return the problem of points, about their mean, of which nothing is asked: each is its own super-point."""
    return Reduced(points, weights, 0.0, n_clusters, np.empty((0, 2), np.intp), np.arange(len(points)))


def located_centres(instance: Instance, reduced: Reduced, centres: Floats) -> Floats:
    """Return centres among the points of an instance as centres in the coordinates of the reduced problem."""
    return reduced.located(centres - centre_of_points(instance))


def objective_of(reduced: Reduced, labels: Indices) -> float:
    """Return the sum of squares of the labels of super-points and the penalties of soft pairs, the offset included."""
    cost = summarise(reduced.coordinates, reduced.weights, labels, reduced.n_clusters)[1]
    return reduced.offset + float(cost) + (reduced.soft.cost(labels) if len(reduced.soft) else 0.0)


@kernel
def summarise(points: Floats, weights: Floats, labels: Indices, n_clusters: int) -> tuple[Floats, float]:
    """Return the weighted means of the clusters, shape (k, d), and the sum of squares around them, in two passes."""
    dimension = points.shape[1]
    centres = np.zeros((n_clusters, dimension))
    mass = np.zeros(n_clusters)
    for i in range(labels.size):
        mass[labels[i]] += weights[i]
        for c in range(dimension):
            centres[labels[i], c] += weights[i] * points[i, c]
    for h in range(n_clusters):
        if mass[h] > 0.0:
            for c in range(dimension):
                centres[h, c] /= mass[h]
    total = 0.0
    for i in range(labels.size):
        squared = 0.0
        for c in range(dimension):
            difference = points[i, c] - centres[labels[i], c]
            squared += difference * difference
        total += weights[i] * squared
    return centres, total


@kernel
def overlap(labels: Indices, others: Indices, weights: Floats, n_clusters: int) -> Floats:
    """Return the weight of what is in cluster i of the one and j of the other partition, shape (k, k)."""
    matrix = np.zeros((n_clusters, n_clusters))
    for i in range(labels.size):
        matrix[labels[i], others[i]] += weights[i]
    return matrix


def random_centres(reduced: Reduced, rng: np.random.Generator) -> Floats:
    """Return k distinct super-points drawn in proportion to their weights, shape (k, d')."""
    shares = reduced.weights / reduced.weights.sum()
    chosen = rng.choice(reduced.size, reduced.n_clusters, replace=False, p=shares)
    return reduced.coordinates[chosen]


def kmeans_pp_centres(reduced: Reduced, rng: np.random.Generator) -> Floats:
    """Return k super-points, each drawn in proportion to its cost with respect to those before (k-means++).

    Where super-points may be left out, those that would cost most are not drawn.
    """
    points, weights = reduced.coordinates, reduced.weights
    chosen = [int(rng.choice(reduced.size, p=weights / weights.sum()))]
    nearest = np.full(reduced.size, np.inf)
    free = np.ones(reduced.size, np.bool_)
    while True:
        free[chosen[-1]] = False
        if len(chosen) == reduced.n_clusters:
            return points[chosen]
        differences = points - points[chosen[-1]]
        nearest = np.minimum(nearest, np.einsum("ij,ij->i", differences, differences))
        shares = np.where(free, weights * nearest, 0.0)
        if reduced.outliers:
            shares[np.argsort(-shares)[: min(reduced.outliers, reduced.size - reduced.n_clusters)]] = 0.0
        if shares.sum() <= 0.0:  # all that is left coincides with a chosen super-point
            shares = np.where(free, weights, 0.0)
        chosen.append(int(rng.choice(reduced.size, p=shares / shares.sum())))
