"""Random instances of inner products, and the truth about them from the matrix alone."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pcsos import Gram
from pcsos.problem.instance import Instance
from tests.oracle import _random_pairs, _random_weights, cluster_weights, enumerate_feasible

Floats = NDArray[np.float64]
KINDS = ("full", "singular", "rank one", "zero", "equal points", "rbf", "distances", "offset", "huge", "tiny", "rough")


def random_matrix(rng: np.random.Generator, n: int, kind: str) -> Floats:
    """Symmetric, and positive semidefinite about the mean up to rounding; ``rough``: up to that of single precision."""
    points = rng.standard_normal((n, int(rng.integers(1, n + 3))))
    if kind == "rank one":
        points = points[:, :1]
    elif kind == "singular":
        points = points[:, : max(1, n // 2)]
    elif kind == "zero":
        points = np.zeros((n, 1))
    elif kind == "equal points":
        points = points[rng.integers(0, max(1, n // 2), n)]
    elif kind == "offset":
        points = points + 1e3
    elif kind in ("huge", "tiny"):
        points = points * (1e60 if kind == "huge" else 1e-60)
    squares = ((points[:, None] - points[None, :]) ** 2).sum(axis=2)
    if kind == "rbf":
        return np.exp(-rng.uniform(0.01, 2.0) * squares)
    if kind == "distances":
        return -0.5 * squares
    matrix = points @ points.T
    if kind == "rough":
        matrix = matrix + 1e-8 * np.trace(matrix) / n * rng.standard_normal((n, n))
    return 0.5 * (matrix + matrix.T)


def random_gram_instance(rng: np.random.Generator, *, max_points: int = 8) -> Instance:
    """A small instance of any kind, with weights and pairs."""
    n = int(rng.integers(1 if rng.random() < 0.1 else 4, max_points + 1))
    k = min(int(rng.integers(1, 5)), n)
    matrix = random_matrix(rng, n, str(rng.choice(KINDS)))
    pairs = _random_pairs(rng, n, 2), _random_pairs(rng, n, 3)
    return Instance(Gram(matrix), k, *pairs, _random_weights(rng, n))


def matrix_costs(instance: Instance, labels: NDArray[np.intp]) -> Floats:
    assert instance.gram is not None
    matrix = instance.gram.matrix
    i, j = np.triu_indices(instance.n_points, 1)
    terms = instance.weights[i] * instance.weights[j] * ((matrix[i, i] - matrix[i, j]) + (matrix[j, j] - matrix[i, j]))
    return ((labels[:, i] == labels[:, j]) * terms / cluster_weights(labels, instance.weights)[:, i]).sum(axis=1)


def exact_cost(matrix: Floats, weights: Floats, labels: NDArray[np.intp]) -> Fraction:
    """Cost of a partition in rational numbers: the trace of ``D K`` less what the means keep of it."""
    inner = [[Fraction(x) for x in row] for row in matrix.tolist()]
    mass = [Fraction(w) for w in weights.tolist()]
    cost = sum((w * inner[i][i] for i, w in enumerate(mass)), Fraction(0))
    for label in np.unique(labels):
        own = np.flatnonzero(labels == label).tolist()
        cost -= sum(mass[i] * mass[j] * inner[i][j] for i in own for j in own) / sum(mass[i] for i in own)
    return cost


def feasible_labels(instance: Instance) -> NDArray[np.intp]:
    return enumerate_feasible(instance).labels
