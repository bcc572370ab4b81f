"""The truth for small instances in rational arithmetic: every feasible partition, no rounding, no tolerance.

Doubles are integers times powers of two, so after a common scaling the cost of a cluster,
``sum over pairs of w_i w_j ||p_i - p_j||^2 / weight of the cluster``, is one integer over another. Nothing here needs
an instance to be admitted by the package, so that refusals can be judged as well.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.problem.instance import Instance
from tests.oracle import all_partitions

Pairs = Iterable[Sequence[int]] | NDArray[np.integer]
#: Bits that the least cost of a cluster has when partitions are compared before they are compared exactly.
LEADING_BITS = 64


class ExactCosts:
    """Costs of clusters and partitions of weighted points, as fractions."""

    def __init__(self, points: ArrayLike, weights: ArrayLike) -> None:
        rows = np.asarray(points, np.float64)
        rows = rows.reshape(len(rows), -1)
        coordinates, unit = integers(rows)
        self.weights, weight_unit = integers(weights)
        self.n = len(self.weights)
        self.weight_unit = weight_unit
        self.unit = weight_unit * unit * unit  #: of weight times squared coordinate
        place = [coordinates[i * rows.shape[1] : (i + 1) * rows.shape[1]] for i in range(self.n)]
        weighted = list(zip(place, self.weights, strict=True))
        self.pairs = [
            [v * w * sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for q, w in weighted] for p, v in weighted
        ]  #: w_i w_j ||p_i - p_j||^2, in units

    def cost(self, labels: ArrayLike) -> Fraction:
        """Cost of any labels, feasible or not."""
        clusters: dict[int, list[int]] = {}
        for point, label in enumerate(np.asarray(labels).tolist()):
            clusters.setdefault(label, []).append(point)
        return sum((self.cluster(members) for members in clusters.values()), Fraction(0))

    def cluster(self, members: Sequence[int]) -> Fraction:
        spread = sum(self.pairs[i][j] for i in members for j in members if i < j)
        return Fraction(spread, sum(self.weights[i] for i in members) * self.unit)

    def squared(self, i: int, j: int) -> Fraction:
        return Fraction(self.pairs[i][j] * self.weight_unit, self.weights[i] * self.weights[j] * self.unit)


class ExactTruth(ExactCosts):
    """All feasible partitions of at most about ten points, one per row of ``labels``, and what they cost."""

    def __init__(
        self,
        points: ArrayLike,
        weights: ArrayLike,
        n_clusters: int,
        must_link: Pairs = (),
        cannot_link: Pairs = (),
        conditions: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(points, weights)
        self.k = n_clusters
        conditions = {} if conditions is None else conditions
        self.limits: dict[str, Any] = conditions.get("limits", {})
        self.soft: list[list[Any]] = conditions.get("soft", [])
        allowed = self._allowed(must_link, cannot_link) & self._within()
        subsets = _subsets(self.n, n_clusters)
        keep = allowed[subsets].all(axis=1) & self._of_sizes(subsets)
        self.labels: NDArray[np.intp] = all_partitions(self.n, n_clusters)[keep]
        self._subsets = subsets[keep]
        self._spread, self._mass = self._sums()
        self._leading = self._leading_digits()

    @classmethod
    def of(cls, instance: Instance) -> "ExactTruth":
        return cls(
            instance.points, instance.weights, instance.n_clusters, instance.must_link, instance.cannot_link,
            instance.asked.to_dict(),
        )  # fmt: skip

    def cost(self, labels: ArrayLike) -> Fraction:
        """Cost of any labels, penalties included."""
        return super().cost(labels) + self.penalty(labels)

    def penalty(self, labels: ArrayLike) -> Fraction:
        """What labels pay for soft pairs."""
        own = np.asarray(labels).tolist()
        return sum((Fraction(t if own[i] == own[j] else a) for i, j, a, t in self.soft), Fraction(0))

    @property
    def feasible(self) -> bool:
        return len(self.labels) > 0

    @cached_property
    def optimum(self) -> Fraction:
        least = self.least()
        if least is None:
            raise ValueError("no partition is feasible")
        return least

    @property
    def best_labels(self) -> NDArray[np.intp]:
        """Labels of an optimal partition (up to what the leading digits do not tell)."""
        best: NDArray[np.intp] = self.labels[int(np.argmin(self._leading))]
        return best

    @property
    def worst_labels(self) -> NDArray[np.intp]:
        """Labels of a feasible partition of the largest cost, likewise."""
        worst: NDArray[np.intp] = self.labels[int(np.argmax(self._leading))]
        return worst

    def least(self, keep: NDArray[np.bool_] | None = None) -> Fraction | None:
        """Return the least cost of the feasible partitions that are kept, None where there are none."""
        rows = np.arange(len(self.labels)) if keep is None else np.flatnonzero(keep)
        if not rows.size:
            return None
        if self.soft:
            return min(self._costs[row] for row in rows.tolist())
        leading = self._leading[rows]
        near = rows[leading <= leading.min() + self.k]  # of each cluster less than one unit is missing
        different = {tuple(sorted((self._spread[s], self._mass[s]) for s in self._subsets[row])) for row in near}
        return min(sum((Fraction(a, b * self.unit) for a, b in clusters), Fraction(0)) for clusters in different)

    def admits(self, labels: ArrayLike) -> bool:
        """Tell whether labels are a feasible partition into k clusters, whatever the names of the clusters."""
        array = np.asarray(labels)
        if array.shape != (self.n,):
            return False
        together = array[:, None] == array[None, :]
        rows = self.labels[:, :, None] == self.labels[:, None, :]
        return bool((rows == together).all(axis=(1, 2)).any())

    def _allowed(self, must_link: Pairs, cannot_link: Pairs) -> NDArray[np.bool_]:
        """Tell of each set of points, as bits of its index, whether it breaks no constraint as a cluster."""
        has = (np.arange(1 << self.n)[:, None] >> np.arange(self.n)) & 1 == 1
        allowed = np.ones(1 << self.n, bool)
        for i, j in must_link:
            allowed &= has[:, i] == has[:, j]
        for i, j in cannot_link:
            allowed &= ~(has[:, i] & has[:, j])
        return allowed

    def _within(self) -> NDArray[np.bool_]:
        """Tell of each set of points whether it keeps the limits of a cluster; weights may miss them by 2^-30."""
        within = np.ones(1 << self.n, bool)
        if not self.limits:
            return within
        weights = [Fraction(weight, self.weight_unit) for weight in self.weights]
        slack = Fraction(1, 2**30)
        for subset in range(1, 1 << self.n):
            members = [point for point in range(self.n) if subset >> point & 1]
            weight = sum((weights[point] for point in members), Fraction(0))
            light, heavy = (self.limits.get(name) for name in ("weight_min", "weight_max"))
            within[subset] = (
                self.limits.get("size_min", 0) <= len(members) <= self.limits.get("size_max", self.n)
                and (light is None or weight >= Fraction(light) * (1 - slack))
                and (heavy is None or weight <= Fraction(heavy) * (1 + slack))
                and keeps_groups(self.limits, members)
                and keeps_loads(self.limits, members)
            )
        return within

    def _of_sizes(self, subsets: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Tell of each partition whether its clusters have the sizes that are asked for."""
        wanted = self.limits.get("sizes")
        if wanted is None:
            return np.ones(len(subsets), bool)
        counts = np.sort(np.bitwise_count(subsets), axis=1)
        return np.asarray((counts == np.sort(wanted)).all(axis=1))

    @cached_property
    def _costs(self) -> list[Fraction]:
        return [self.cost(labels) for labels in self.labels]

    def _sums(self) -> tuple[list[int], list[int]]:
        """Sum of w_i w_j ||p_i - p_j||^2 over the pairs, and weight, of each set of points."""
        spread, mass = [0], [0]
        for point in range(self.n):
            towards = [0]
            for other in range(point):
                towards += [value + self.pairs[point][other] for value in towards]
            spread += [a + b for a, b in zip(spread, towards, strict=True)]
            mass += [value + self.weights[point] for value in mass]
        return spread, mass

    def _leading_digits(self) -> NDArray[np.object_]:
        """Costs of the partitions as integers, too small by less than k; 0 only for a cost of 0."""
        used = np.unique(self._subsets)
        missing = [self._mass[s].bit_length() - self._spread[s].bit_length() for s in used if self._spread[s]]
        shift = max([0, *(bits + LEADING_BITS for bits in missing)])
        costs = np.zeros(1 << self.n, object)
        costs[used] = [(self._spread[s] << shift) // self._mass[s] for s in used]
        if self.soft:
            return np.array([int(cost * (self.unit << shift)) for cost in self._costs], object)
        leading: NDArray[np.object_] = costs[self._subsets].sum(axis=1)
        return leading


def keeps_groups(limits: Mapping[str, Any], members: Sequence[int]) -> bool:
    """Tell whether a cluster of these points holds as many of each group as limits in JSON ask for."""
    own = [limits["groups"][point] for point in members] if "groups" in limits else []
    return all(own.count(group) >= number for group, number in limits.get("group_min", ())) and all(
        own.count(group) <= number for group, number in limits.get("group_max", ())
    )


def keeps_loads(limits: Mapping[str, Any], members: Sequence[int]) -> bool:
    """Tell whether a cluster of these points holds of each load what limits in JSON ask for, to 2^-30 of it."""
    if "loads" not in limits:
        return True
    held = [sum(map(Fraction, own), Fraction(0)) for own in zip(*(limits["loads"][p] for p in members), strict=True)]
    few = zip(limits.get("load_min", []), held, strict=False)
    much = zip(limits.get("load_max", []), held, strict=False)
    slack = Fraction(1, 2**30)
    return all(end is None or own >= Fraction(end) * (1 - slack) for end, own in few) and all(
        end is None or own <= Fraction(end) * (1 + slack) for end, own in much
    )


def integers(values: ArrayLike) -> tuple[list[int], int]:
    """Return doubles as integers, and the power of two by which they were multiplied."""
    ratios = [value.as_integer_ratio() for value in np.asarray(values, np.float64).ravel().tolist()]
    unit = max((denominator for _, denominator in ratios), default=1)
    return [numerator * (unit // denominator) for numerator, denominator in ratios], unit


@lru_cache(maxsize=128)
def _subsets(n: int, k: int) -> NDArray[np.intp]:
    """Clusters of all partitions as bit sets, shape (p, k)."""
    labels = all_partitions(n, k)
    bits = np.intp(1) << np.arange(n, dtype=np.intp)
    return np.column_stack([(labels == cluster) @ bits for cluster in range(k)])
