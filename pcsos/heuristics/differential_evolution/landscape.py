"""Landscape: the value of a vector of centres under a criterion, its partition, and k-means from there (HDE 3 and 5).

A super-point belongs to its nearest centre. An empty cluster gets the member of the largest cluster that is farthest
from the centre of that cluster. The partition is judged around the means of its clusters, not around the vector.
Before vectors are combined, their centres may be put in the order that agrees best with another vector (HDE 6,
Algorithm 2).
"""

from typing import Literal, NamedTuple

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.centres import centres_of, objective_of, overlap, summarise
from pcsos.heuristics.moves import squared_distance
from pcsos.heuristics.record import Solution, Work
from pcsos.problem.reduction import Reduced

#: The trace of the scatter within clusters, and the variance ratio; both are minimised here.
Criterion = Literal["TRW", "VRC"]
CRITERIA: tuple[Criterion, ...] = ("TRW", "VRC")


class Landscape(NamedTuple):
    """What vectors of centres are judged by.

    ``offset`` is the scatter inside the super-points, ``total`` that of all points about their mean, both part of the
    criteria; ``is_ratio`` tells VRC from TRW.
    """

    points: Floats
    weights: Floats
    offset: float
    total: float
    n_clusters: int
    is_ratio: bool


def landscape_of(reduced: Reduced, criterion: Criterion) -> Landscape:
    """Return the landscape of a problem over its super-points."""
    points = np.ascontiguousarray(reduced.coordinates)
    is_ratio = criterion == "VRC"
    return Landscape(points, reduced.weights, float(reduced.offset), reduced.total, reduced.n_clusters, is_ratio)


@kernel
def criterion_value(landscape: Landscape, cost: float) -> float:
    """Return TRW, or -VRC without its factor, of a partition with this cost over the super-points (HDE eqs 4 and 6).

    VRC is ``(tr B / tr W) (n - k) / (k - 1)``. Its last factor is the same for all partitions into k clusters and
    cancels from every comparison of values and of their relative differences. What is left is defined for k = 1 and for
    any weights, too.
    """
    within = landscape.offset + (cost if cost > EPS * landscape.total else 0.0)
    if not landscape.is_ratio:
        return within
    return 1.0 - landscape.total / within if within > 0.0 else -np.inf


@inner_kernel
def fill_empty_clusters(weights: Floats, labels: Indices, distances: Floats, n_clusters: int) -> int:
    """Change ``labels`` until every cluster is used, and return the number of clusters filled.

    The largest cluster is the one of the greatest weight that can spare a super-point; ``distances`` (s,) are those of
    the super-points to the centres they belong to.
    """
    mass, sizes = np.zeros(n_clusters), np.zeros(n_clusters, np.intp)
    for i in range(labels.size):
        mass[labels[i]] += weights[i]
        sizes[labels[i]] += 1
    filled = 0
    for h in range(n_clusters):
        if sizes[h] > 0:
            continue
        giver = -1
        for g in range(n_clusters):
            if sizes[g] > 1 and (giver < 0 or mass[g] > mass[giver]):
                giver = g
        moved = -1
        for i in range(labels.size):
            if labels[i] == giver and (moved < 0 or distances[i] > distances[moved]):
                moved = i
        labels[moved] = h
        mass[giver] -= weights[moved]
        mass[h] += weights[moved]
        sizes[giver] -= 1
        sizes[h] += 1
        filled += 1
    return filled


@kernel
def evaluate(landscape: Landscape, centres: Floats, labels: Indices) -> tuple[float, Floats, int]:
    """Write the partition of these centres (k, d) into ``labels``; return its value, its means, and clusters filled."""
    distances = np.empty(labels.size)
    for i in range(labels.size):
        nearest = squared_distance(landscape.points, i, centres, 0)
        labels[i] = 0
        for h in range(1, landscape.n_clusters):
            distance = squared_distance(landscape.points, i, centres, h)
            if distance < nearest:
                nearest = distance
                labels[i] = h
        distances[i] = nearest
    filled = fill_empty_clusters(landscape.weights, labels, distances, landscape.n_clusters)
    means, cost = summarise(landscape.points, landscape.weights, labels, landscape.n_clusters)
    return criterion_value(landscape, cost), means, filled


@kernel
def k_means(
    landscape: Landscape, means: Floats, value: float, labels: Indices, tolerance: float, max_iterations: int
) -> tuple[float, Floats, int, int]:
    """Continue from a partition until its value changes by less than this share; ``labels`` become those at the end.

    Returns the value, the means, the number of iterations, and how many empty clusters were filled.
    """
    iterations, filled = 0, 0
    while iterations < max_iterations:
        before = value
        value, means, count = evaluate(landscape, means, labels)
        iterations += 1
        filled += count
        if not abs(value - before) > tolerance * abs(before):  # true, too, where both are infinite
            break
    return value, means, iterations, filled


def relative_spread(values: Floats) -> float:
    """Return ``(fmax - fmin) / |fmin|`` (HDE eq 11), 0 where no value can be less than the least one.

    HDE divides by fmin, which is negative for VRC: the ratio would be, too, and every run would end at once.
    """
    least, greatest = float(values.min()), float(values.max())
    if least == greatest or least in (0.0, -np.inf):
        return 0.0
    return (greatest - least) / abs(least)


def polished(reduced: Reduced, solution: Solution, max_iterations: int) -> tuple[Solution, Work]:
    """Return where k-means leads from a solution when only a sum of squares that stays the same ends it."""
    labels, means = solution.labels.copy(), centres_of(reduced, solution.labels)
    landscape = landscape_of(reduced, "TRW")
    _, _, iterations, filled = k_means(landscape, means, solution.objective, labels, 0.0, max_iterations)
    return Solution(labels, objective_of(reduced, labels)), Work(1, iterations, filled_clusters=filled)


#: Largest entries first, as in HDE; or the best rule there is.
Matching = Literal["greedy", "hungarian"]
MATCHINGS: tuple[Matching, ...] = ("greedy", "hungarian")


@kernel
def greedy_rule(matrix: Floats) -> Indices:
    """Return r, shape (k,): centre i moves to position r[i]. The largest entry left decides, time after time.

    As printed, Algorithm 2 does not check whether a position is taken, so that its r need not be a permutation; here an
    entry counts only while both its row and its column are free. What no entry above zero decides is filled in order.

    Examples
    --------
    >>> (greedy_rule(np.array([[0.0, 0.0, 6.0], [8.0, 0.0, 0.0], [0.0, 10.0, 0.0]])) + 1).tolist()  # as in HDE 6
    [3, 1, 2]
    """
    k = matrix.shape[0]
    rule, is_taken = np.full(k, -1, np.intp), np.zeros(k, np.bool_)
    for _ in range(k):
        most, row, column = 0.0, -1, -1
        for i in range(k):
            for j in range(k):
                if rule[i] < 0 and not is_taken[j] and matrix[i, j] > most:
                    most, row, column = matrix[i, j], i, j
        if row < 0:
            break
        rule[row], is_taken[column] = column, True
    free = 0
    for i in range(k):
        if rule[i] < 0:
            while is_taken[free]:
                free += 1
            rule[i], is_taken[free] = free, True
    return rule


def hungarian_rule(matrix: Floats) -> Indices:
    """Return the rule that leaves least weight off the diagonal, which the greedy one can miss.

    Examples
    --------
    >>> matrix = np.array([[10.0, 9.0], [9.0, 0.0]])
    >>> greedy_rule(matrix).tolist(), hungarian_rule(matrix).tolist()
    ([0, 1], [1, 0])
    """
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(matrix, maximize=True)[1].astype(np.intp)  # type: ignore[no-any-return]


def reorder(vectors: Floats, labels: Indices, best: int, weights: Floats, n_clusters: int, matching: Matching) -> None:
    """Change the order of the centres of all individuals but the best one to agree with that one's, in place.

    The individuals have their centres in ``vectors`` (N, k d), and ``labels`` (N, s), which are renamed with these.
    """
    rule_of = greedy_rule if matching == "greedy" else hungarian_rule
    for i in range(labels.shape[0]):
        if i == best:
            continue
        rule = rule_of(overlap(labels[i], labels[best], weights, n_clusters))
        centres = vectors[i].reshape(n_clusters, -1)
        centres[rule] = centres.copy()
        labels[i] = rule[labels[i]]
