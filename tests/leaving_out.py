"""The truth where points may be left out: every choice of them, and every partition of the others, looked at.

Nothing here uses the package except instances, their condition, and how labels are numbered. Costs come from
pairwise distances, as in :mod:`tests.oracle`.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.problem.conditions.outliers import Outliers
from pcsos.problem.instance import Instance
from pcsos.problem.partition import canonical_labels
from tests.exact_oracle import ExactCosts
from tests.oracle import all_partitions, cluster_weights

LEFT_OUT = -1
Links = Sequence[Sequence[int]]


def least_cost(instance: Instance, outliers: int) -> float | None:
    """The least cost where so many of at most about ten points may be left out; None where there is no partition."""
    costs = [cost for _, cost in partitions(instance, outliers)]
    return min((float(cost.min()) for cost in costs), default=None)


def partitions(instance: Instance, outliers: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
    """Labels and costs of all partitions, those that leave out the same points together, shapes (p, n) and (p,)."""
    pairs = instance.must_link.tolist(), instance.cannot_link.tolist()
    for kept, found in choices(instance.n_points, instance.n_clusters, *pairs, outliers):
        yield found, costs(instance.points[kept], instance.weights[kept], found[:, kept])


def choices(
    n: int, k: int, must_link: Links, cannot_link: Links, outliers: int
) -> Iterator[tuple[list[int], NDArray[np.intp]]]:
    """Points that stay, and the labels of all partitions of these, -1 for the others."""
    group = groups_of(n, must_link)
    if any(group[i] == group[j] for i, j in cannot_link):
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
            for i, j in cannot_link:
                found = found[(found[:, i] != found[:, j]) | (found[:, i] == LEFT_OUT)]
            if len(found):
                yield kept, found


class LeavingOutTruth(ExactCosts):
    """What :class:`tests.exact_oracle.ExactTruth` says, where so many points may be left out."""

    def __init__(
        self, points: ArrayLike, weights: ArrayLike, k: int, must_link: Links, cannot_link: Links, outliers: int
    ) -> None:
        super().__init__(points, weights)
        found = [rows for _, rows in choices(self.n, k, must_link, cannot_link, outliers)]
        self._labels = {tuple(row) for rows in found for row in rows.tolist()}

    @property
    def feasible(self) -> bool:
        return bool(self._labels)

    @cached_property
    def optimum(self) -> Fraction:
        return min(map(self.cost, self._labels))

    def admits(self, labels: ArrayLike) -> bool:
        return tuple(canonical_labels(np.asarray(labels), outliers=True).tolist()) in self._labels

    def cost(self, labels: ArrayLike) -> Fraction:
        own = np.asarray(labels)
        clusters = [tuple(np.flatnonzero(own == label).tolist()) for label in np.unique(own[own != LEFT_OUT])]
        return sum((self._cluster(members) for members in clusters), Fraction(0))

    @cache  # noqa: B019
    def _cluster(self, members: tuple[int, ...]) -> Fraction:
        return self.cluster(members)


def groups_of(n: int, must_link: Links) -> list[int]:
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


def random_leaving_out(seed: int, most_points: int = 9, *, is_far: bool = False) -> Instance:
    """A small instance, one in three without pairs: duplicates, ties, weights, scales, and some without a partition.

    Up to three points may be far from the others.
    """
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
    if is_far:
        number = int(rng.integers(1, min(n, 3) + 1))
        points[:number] *= 10.0 ** rng.uniform(1.0, 7.0, (number, 1))
    weights = np.ones(n) if rng.random() < 0.6 else rng.choice([0.5, 1.0, 2.0, 3.7], n)
    numbers = (0, 0) if rng.random() < 1 / 3 else (rng.integers(0, 4), rng.integers(0, 6))
    must, cannot = ([tuple(rng.choice(n, 2, replace=False).tolist()) for _ in range(own)] for own in numbers)
    return Instance(points, k, must, cannot, weights, conditions=[Outliers(int(rng.integers(0, n - k + 1)))])
