"""Small instances with limits of clusters and soft pairs, and the truth about them from definitions, in fractions."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.problem.instance import Instance
from tests.asked import asked
from tests.exact_oracle import ExactCosts, keeps_groups, keeps_loads
from tests.oracle import all_partitions

#: The share of a limit by which a weight may miss it.
SLACK = Fraction(1, 2**30)


@dataclass(frozen=True, eq=False)
class Conditioned:
    """An instance of at most about eight points, and all its feasible partitions."""

    instance: Instance

    @cached_property
    def costs(self) -> ExactCosts:
        return ExactCosts(self.instance.points, self.instance.weights)

    @cached_property
    def feasible(self) -> list[tuple[NDArray[np.intp], Fraction]]:
        """All feasible partitions with their costs, penalties included."""
        instance = self.instance
        every = all_partitions(instance.n_points, instance.n_clusters)
        return [(labels, self.cost(labels)) for labels in every if self.admits(labels)]

    @property
    def optimum(self) -> Fraction | None:
        return min((cost for _, cost in self.feasible), default=None)

    def admits(self, labels: NDArray[np.intp]) -> bool:
        return self._keeps_pairs(labels) and self._keeps_limits(labels)

    def cost(self, labels: NDArray[np.intp]) -> Fraction:
        """Sum of squares and penalties."""
        soft, total = self.instance.soft, self.costs.cost(labels)
        for (i, j), apart, together in zip(soft.pairs, soft.apart, soft.together, strict=True):
            total += Fraction(float(together if labels[i] == labels[j] else apart))
        return total

    def _keeps_pairs(self, labels: NDArray[np.intp]) -> bool:
        musts = all(labels[i] == labels[j] for i, j in self.instance.must_link)
        return musts and all(labels[i] != labels[j] for i, j in self.instance.cannot_link)

    def _keeps_limits(self, labels: NDArray[np.intp]) -> bool:
        if self.instance.limits is None:
            return True
        limits = self.instance.limits.to_dict()
        counts = np.bincount(labels).tolist()
        masses = [
            sum((Fraction(float(w)) for w in self.instance.weights[labels == c]), Fraction(0))
            for c in range(len(counts))
        ]
        light, heavy = (Fraction(limits.get(name, 0.0)) for name in ("weight_min", "weight_max"))
        return (
            min(counts) >= limits.get("size_min", 1)
            and max(counts) <= limits.get("size_max", len(labels))
            and ("weight_min" not in limits or min(masses) >= light * (1 - SLACK))
            and ("weight_max" not in limits or max(masses) <= heavy * (1 + SLACK))
            and ("sizes" not in limits or sorted(counts) == limits["sizes"])
            and all(
                keeps(limits, np.flatnonzero(labels == c).tolist())
                for c in range(len(counts))
                for keeps in (keeps_groups, keeps_loads)
            )
        )


@cache
def random_conditioned(seed: int) -> Conditioned:
    """Draw an instance: points, a few pairs, and limits, soft pairs or both."""
    rng = np.random.default_rng(seed)
    while True:
        n = int(rng.integers(4, 8))
        k = int(rng.integers(1, min(4, n) + 1))
        d = int(rng.integers(1, 3))
        points = rng.normal(size=(n, d)) if rng.random() < 0.8 else rng.integers(0, 3, (n, d)).astype(float)
        weights = np.ones(n) if rng.random() < 0.5 else rng.choice([0.1, 0.5, 1.0, 2.0, 3.7], n)
        pairs = rng.permutation([(i, j) for i in range(n) for j in range(i)])
        first, second = rng.integers(0, 3, 2)
        wanted = rng.choice(["sizes", "limits", "soft", "both"])
        limits = {} if wanted == "soft" else dict(_limits(rng, weights, k, wanted == "sizes"))
        soft = {} if wanted in {"sizes", "limits"} else dict(_soft(rng, pairs))
        try:
            return Conditioned(
                Instance(points, k, pairs[:first], pairs[first : first + second], weights, **asked(**limits, **soft))
            )
        except InputError:
            continue


def random_fair(seed: int) -> Conditioned:
    """Draw an instance with limits of groups: by themselves, or beside pairs, weights, sizes or soft pairs."""
    rng = np.random.default_rng(seed)
    while True:
        n, k = int(rng.integers(5, 10)), int(rng.integers(2, 5))
        groups = rng.integers(0, int(rng.integers(2, 4)), n)
        pairs = rng.permutation([(i, j) for i in range(n) for j in range(i)])
        first, second = rng.integers(0, 3, 2) * int(rng.random() < 0.5)
        weights = np.ones(n) if rng.random() < 0.5 else rng.choice([0.5, 1.0, 2.0, 3.5], n)
        others = dict(_soft(rng, pairs)) if rng.random() < 0.3 else {}
        others |= {"size_min": int(rng.integers(1, n // k + 1))} if rng.random() < 0.3 else {}
        own = dict(_fair(rng, groups, k))
        try:
            instance = Instance(
                rng.normal(size=(n, 2)),
                k,
                pairs[:first],
                pairs[first : first + second],
                weights,
                **asked(groups=groups, **own, **others),
            )
        except InputError:
            continue
        if instance.limits is not None:
            return Conditioned(instance)


def _fair(rng: np.random.Generator, groups: NDArray[np.intp], k: int) -> Iterator[tuple[str, object]]:
    held = dict(zip(*(found.tolist() for found in np.unique(groups, return_counts=True)), strict=True))
    if rng.random() < 0.2:
        yield "group_min", min(held.values()) // k
        return
    yield "group_min", {group: int(rng.integers(0, n // k + 1)) for group, n in held.items() if rng.random() < 0.7}
    yield "group_max", {group: int(rng.integers(-(-n // k), n + 1)) for group, n in held.items() if rng.random() < 0.5}


def random_loaded(seed: int) -> Conditioned:
    """Draw an instance with limits of one or two loads, whole or not: alone, or beside pairs, weights, sizes, more."""
    rng = np.random.default_rng(seed)
    while True:
        n, k = int(rng.integers(5, 10)), int(rng.integers(2, 5))
        pairs = rng.permutation([(i, j) for i in range(n) for j in range(i)])
        first, second = rng.integers(0, 3, 2) * int(rng.random() < 0.5)
        weights = np.ones(n) if rng.random() < 0.5 else rng.choice([0.5, 1.0, 2.0, 3.5], n)
        others = dict(_soft(rng, pairs)) if rng.random() < 0.2 else {}
        others |= {"size_min": int(rng.integers(1, n // k + 1))} if rng.random() < 0.2 else {}
        others |= {"sizes": [n // k + (c < n % k) for c in range(k)]} if rng.random() < 0.1 else {}
        loads = [pcsos.Loads(**dict(_loads(rng, n, k))) for _ in range(int(rng.integers(1, 3)))]
        given = asked(**others)
        try:
            instance = Instance(
                rng.normal(size=(n, int(rng.integers(1, 3)))), k, pairs[:first], pairs[first : first + second],
                weights, conditions=given["conditions"] + loads,
            )  # fmt: skip
        except InputError:
            continue
        if instance.limits is not None:
            return Conditioned(instance)


def _loads(rng: np.random.Generator, n: int, k: int) -> Iterator[tuple[str, Any]]:
    """One load, or two of them in one table."""
    r = int(rng.integers(1, 3))
    amounts = rng.integers(0, 10, (n, r)).astype(float) if rng.random() < 0.5 else rng.uniform(0.1, 1.0, (n, r))
    share = amounts.sum(axis=0) / k
    yield "amounts", amounts if r > 1 else amounts[:, 0]
    yield "at_most", (share * rng.uniform(1.0, 1.5, r)).tolist()
    if rng.random() < 0.3:
        yield "at_least", [None if rng.random() < 0.3 else float(own) for own in share * rng.uniform(0.3, 1.0, r)]


def _limits(
    rng: np.random.Generator, weights: NDArray[np.float64], k: int, exact: bool
) -> Iterator[tuple[str, object]]:
    n, share = len(weights), weights.sum() / k
    if exact:
        cuts = np.sort(rng.choice(np.arange(1, n), k - 1, replace=False))
        yield "sizes", np.diff([0, *cuts, n]).tolist()
        return
    for name, value in (
        ("size_min", int(rng.integers(1, n // k + 1))),
        ("size_max", int(rng.integers(math.ceil(n / k), n + 1))),
        ("weight_min", float(share * rng.random())),
        ("weight_max", float(share * (1.0 + rng.random()))),
    ):
        if rng.random() < 0.5:
            yield name, value


def _soft(rng: np.random.Generator, pairs: NDArray[np.intp]) -> Iterator[tuple[str, object]]:
    for name in ("soft_must_link", "soft_cannot_link"):
        chosen = rng.permutation(pairs)[: int(rng.integers(1, 6))]
        yield name, [(int(i), int(j), float(rng.choice([0.0, 0.1, 0.5, 2.0, 10.0]))) for i, j in chosen]
