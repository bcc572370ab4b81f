"""The truth where points may be left out: every choice of them, and every partition of the others, looked at.

Nothing here uses the package except :class:`pcsos.problem.instance.Instance`. Costs come from pairwise distances, as in
:mod:`tests.oracle`.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pcsos.problem.conditions.outliers import Outliers
from pcsos.problem.instance import Instance
from tests.oracle import all_partitions, cluster_weights

LEFT_OUT = -1


def least_cost(instance: Instance, outliers: int) -> float | None:
    """The least cost where so many of at most about ten points may be left out; None where there is no partition."""
    costs = [cost for _, cost in partitions(instance, outliers)]
    return min((float(cost.min()) for cost in costs), default=None)


def partitions(instance: Instance, outliers: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
    """Labels and costs of all partitions, those that leave out the same points together, shapes (p, n) and (p,)."""
    n, k = instance.n_points, instance.n_clusters
    group = groups_of(n, instance.must_link.tolist())
    if any(group[i] == group[j] for i, j in instance.cannot_link.tolist()):
        return
    names = sorted(set(group))
    for number in range(len(names) - k + 1):
        for gone in combinations(names, number):
            kept = [point for point in range(n) if group[point] not in gone]
            if n - len(kept) > outliers:
                continue
            place = {name: at for at, name in enumerate(name for name in names if name not in gone)}
            found = np.full((len(all_partitions(len(place), k)), n), LEFT_OUT, np.intp)
            found[:, kept] = all_partitions(len(place), k)[:, [place[group[point]] for point in kept]]
            for i, j in instance.cannot_link.tolist():
                found = found[(found[:, i] != found[:, j]) | (found[:, i] == LEFT_OUT)]
            if len(found):
                yield found, costs(instance.points[kept], instance.weights[kept], found[:, kept])


def groups_of(n: int, must_link: Iterable[tuple[int, int]]) -> list[int]:
    """The least point of the group of each point."""
    group = list(range(n))
    for _ in range(n):
        for i, j in must_link:
            least, other = sorted((group[i], group[j]))
            group = [least if own == other else own for own in group]
    return group


def costs(points: NDArray[np.float64], weights: NDArray[np.float64], labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Cost of each row of labels."""
    i, j = np.triu_indices(len(points), 1)
    terms = weights[i] * weights[j] * ((points[i] - points[j]) ** 2).sum(axis=1)
    return ((labels[:, i] == labels[:, j]) * terms / cluster_weights(labels, weights)[:, i]).sum(axis=1)


def random_leaving_out(seed: int, most_points: int = 9) -> Instance:
    """A small instance, one in three without pairs: duplicates, ties, weights, scales, and some without a partition."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, most_points + 1))
    k = int(rng.integers(1, min(n, 5) + 1))
    points = rng.normal(size=(n, int(rng.choice([1, 2, 2, 3, 6]))))
    kind = rng.choice(["gauss", "grid", "duplicates", "clusters"])
    if kind == "grid":
        points = rng.integers(0, 3, points.shape).astype(float)
    elif kind == "duplicates":
        points = points[rng.integers(0, n, n)]
    elif kind == "clusters":
        points += 5.0 * rng.normal(size=(3, points.shape[1]))[rng.integers(0, 3, n)]
    points *= rng.choice([1.0, 1e-6, 1e6], p=[0.8, 0.1, 0.1])
    weights = np.ones(n) if rng.random() < 0.6 else rng.choice([0.5, 1.0, 2.0, 3.7], n)
    numbers = (0, 0) if rng.random() < 1 / 3 else (rng.integers(0, 4), rng.integers(0, 6))
    must, cannot = ([tuple(rng.choice(n, 2, replace=False).tolist()) for _ in range(own)] for own in numbers)
    return Instance(points, k, must, cannot, weights, conditions=[Outliers(int(rng.integers(0, n - k + 1)))])
