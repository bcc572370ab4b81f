"""Rearrangement: the centres of an individual in the order that agrees best with another one's (HDE 6, Algorithm 2)."""

from typing import Literal

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices

#: Largest entries first, as in HDE; or the best rule there is.
Matching = Literal["greedy", "hungarian"]
MATCHINGS: tuple[Matching, ...] = ("greedy", "hungarian")


@kernel
def classification_matrix(labels: Indices, reference: Indices, weights: Floats, n_clusters: int) -> Floats:
    """Return the weight of what is in cluster i of the one and j of the other partition, shape (k, k)."""
    matrix = np.zeros((n_clusters, n_clusters))
    for i in range(labels.size):
        matrix[labels[i], reference[i]] += weights[i]
    return matrix


def dissimilarity(matrix: Floats) -> float:
    """Return the dissimilarity measure DM, the share of the weight off the diagonal (HDE eq 9)."""
    return 1.0 - float(np.trace(matrix) / matrix.sum())


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
    """Return the rule of the least dissimilarity, which the greedy one can miss.

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

    Parameters
    ----------
    vectors : ndarray, shape (N, k d)
        Centres of the individuals.
    labels : ndarray of int, shape (N, s)
        Their partitions, which are renamed with the centres.
    """
    rule_of = greedy_rule if matching == "greedy" else hungarian_rule
    for i in range(labels.shape[0]):
        if i == best:
            continue
        rule = rule_of(classification_matrix(labels[i], labels[best], weights, n_clusters))
        centres = vectors[i].reshape(n_clusters, -1)
        centres[rule] = centres.copy()
        labels[i] = rule[labels[i]]
