"""The truth for small instances: every partition into exactly k non-empty clusters, looked at one by one.

Nothing here uses the package except :class:`pcsos.problem.instance.Instance`. Costs come from pairwise distances
(``sum over pairs of w_i w_j ||p_i - p_j||^2 / weight of their cluster``), sums of non-negative terms without
cancellation, and not from centres as in the package.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pcsos.problem.instance import Instance


@dataclass(frozen=True, eq=False)
class Truth:
    """All feasible partitions of an instance, shape (p, n), and their costs, shape (p,)."""

    labels: NDArray[np.intp]
    costs: NDArray[np.float64]

    @property
    def feasible(self) -> bool:
        return bool(self.costs.size)

    @property
    def optimum(self) -> float:
        return float(self.costs.min())

    @property
    def best_labels(self) -> NDArray[np.intp]:
        return self.labels[np.argmin(self.costs)]


@lru_cache(maxsize=128)
def all_partitions(n: int, k: int) -> NDArray[np.intp]:
    """Restricted growth strings of length n with exactly k different values, one per row."""
    rows = np.zeros((1, 1), np.intp)
    for _ in range(1, n):
        used = rows.max(axis=1) + 1
        rows = np.vstack([np.column_stack([rows[used >= v], np.full((used >= v).sum(), v)]) for v in range(k)])
    return rows[rows.max(axis=1) == k - 1]


def enumerate_feasible(instance: Instance) -> Truth:
    """All partitions that satisfy the constraints of an instance with n <= 10, with their costs."""
    labels = all_partitions(instance.n_points, instance.n_clusters)
    together = labels[:, :, None] == labels[:, None, :]
    keep = np.ones(len(labels), bool)
    for i, j in instance.must_link:
        keep &= together[:, i, j]
    for i, j in instance.cannot_link:
        keep &= ~together[:, i, j]
    return Truth(labels[keep], costs(instance, labels[keep]))


def costs(instance: Instance, labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Cost of each row of labels, from pairwise distances."""
    i, j = np.triu_indices(instance.n_points, 1)
    squared = ((instance.points[i] - instance.points[j]) ** 2).sum(axis=1)
    terms = instance.weights[i] * instance.weights[j] * squared
    return ((labels[:, i] == labels[:, j]) * terms / cluster_weights(labels, instance.weights)[:, i]).sum(axis=1)


def cluster_weights(labels: NDArray[np.intp], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight of the cluster that each point lies in, one partition a row."""
    together = labels[:, :, None] == labels[:, None, :]
    return together @ weights


def z_matrices(labels: NDArray[np.intp], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Z of each partition, shape (p, n, n): 1 / weight of the cluster where i and j share one, else 0."""
    together = labels[:, :, None] == labels[:, None, :]
    return together / cluster_weights(labels, weights)[:, :, None]


def y_matrices(labels: NDArray[np.intp], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Y of each partition, shape (p, n, n): Z scaled by ``sqrt(w_i w_j)``, an orthogonal projector."""
    root = np.sqrt(weights)
    return z_matrices(labels, weights) * np.outer(root, root)


def random_instance(rng: np.random.Generator, *, max_points: int = 8) -> Instance:
    """A small instance of any kind: duplicates, ties, offsets, all scales, weights, contradictions."""
    n = int(rng.integers(1 if rng.random() < 0.2 else max_points - 2, max_points + 1))
    k = int(rng.integers(1, n + 1)) if rng.random() < 0.3 else min(int(rng.integers(2, 5)), n)
    return Instance(
        points=_random_points(rng, n),
        n_clusters=k,
        must_link=_random_pairs(rng, n, 2),
        cannot_link=_random_pairs(rng, n, 4),
        weights=_random_weights(rng, n),
    )


def _random_points(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    d = int(rng.choice([1, 2, 3, 12]))
    kind = rng.choice(["gauss", "grid", "duplicates", "equal", "clusters"], p=[0.35, 0.2, 0.2, 0.05, 0.2])
    if kind == "grid":
        points = rng.integers(0, 3, (n, d)).astype(float)
    elif kind == "duplicates":
        points = rng.standard_normal((n, d))[rng.integers(0, n, n)]
    elif kind == "equal":
        points = np.repeat(rng.standard_normal((1, d)), n, axis=0)
    elif kind == "clusters":
        points = 5.0 * rng.standard_normal((3, d))[rng.integers(0, 3, n)] + rng.standard_normal((n, d))
    else:
        points = rng.standard_normal((n, d))
    return points * rng.choice([1.0, 1e-6, 1e6, 1e-30, 1e30], p=[0.6, 0.1, 0.1, 0.1, 0.1]) + rng.choice([0.0, 100.0])


def _random_pairs(rng: np.random.Generator, n: int, most: int) -> list[tuple[int, int]]:
    if n < 2 or rng.random() < 0.4:
        return []
    count = int(rng.integers(1, most + 1))
    return [tuple(rng.choice(n, 2, replace=False).tolist()) for _ in range(count)]


def _random_weights(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    kind = rng.choice(["one", "whole", "real", "spread"], p=[0.5, 0.2, 0.2, 0.1])
    if kind == "whole":
        return rng.integers(1, 5, n).astype(float)
    if kind == "real":
        return rng.uniform(0.1, 3.0, n)
    if kind == "spread":
        return 10.0 ** rng.uniform(-3, 3, n)
    return np.ones(n)
