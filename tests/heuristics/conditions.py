"""Small problems with limits of clusters and soft pairs, with the truth about them, formed without the package."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, reduce_instance
from tests import oracle
from tests.asked import asked

#: By this share weights may be beyond their limits.
SLACK = 2.0**-30


@dataclass(frozen=True, eq=False)
class SmallCase:
    """An instance, what it was made of, and all its feasible partitions with their costs."""

    instance: Instance
    given: dict[str, Any]
    truth: oracle.Truth

    @property
    def reduced(self) -> Reduced:
        return reduce_instance(self.instance)


@cache
def conditioned(seed: int, *, max_points: int = 8) -> SmallCase | None:
    """A random instance with limits or soft pairs; None where no such instance can be given."""
    rng = np.random.default_rng(seed)
    base = oracle.random_instance(rng, max_points=max_points)
    given = random_conditions(rng, base)
    try:
        instance = Instance(
            base.points, base.n_clusters, base.must_link, base.cannot_link, base.weights, **asked(**given)
        )
        reduce_instance(instance)
    except (InputError, InfeasibleError):
        return None
    return SmallCase(instance, given, truth_of(base, given))


def random_conditions(rng: np.random.Generator, base: Instance) -> dict[str, Any]:
    """Limits of one or two kinds, or soft pairs, or both."""
    n, k, total = base.n_points, base.n_clusters, float(base.weights.sum())
    given: dict[str, Any] = {}
    if rng.random() < 0.4:
        given["size_min"] = int(rng.integers(1, n // k + 1))
    if rng.random() < 0.4:
        given["size_max"] = int(rng.integers(-(-n // k), n + 1))
    if rng.random() < 0.2:
        given["weight_min"] = float(rng.uniform(0.0, total / k))
    if rng.random() < 0.2:
        given["weight_max"] = float(rng.uniform(total / k, total))
    if rng.random() < 0.2:
        cuts = np.sort(rng.choice(np.arange(1, n), k - 1, replace=False)) if k > 1 else np.empty(0, int)
        given = {"sizes": np.diff(np.concatenate([[0], cuts, [n]])).tolist()}
    if n > 1 and (not given or rng.random() < 0.5):
        scatter = float(base.weights @ ((base.points - base.points.mean(axis=0)) ** 2).sum(axis=1))
        for name in ("soft_must_link", "soft_cannot_link"):
            pairs = [rng.choice(n, 2, replace=False).tolist() for _ in range(rng.integers(0, 6))]
            penalties = scatter * rng.choice([0.0, 0.01, 0.1, 1.0], len(pairs))
            given[name] = [(i, j, p) for (i, j), p in zip(pairs, penalties.tolist(), strict=True)]
    return given


def truth_of(base: Instance, given: dict[str, Any]) -> oracle.Truth:
    """All partitions that satisfy pairs and limits, with sums of squares and penalties."""
    every = oracle.enumerate_feasible(base)
    held = [i for i, labels in enumerate(every.labels) if satisfies(labels, base.weights, given)]
    costs = [every.costs[i] + penalties(every.labels[i], given) for i in held]
    return oracle.Truth(every.labels[held], np.array(costs))


def satisfies(labels: NDArray[np.intp], weights: NDArray[np.float64], given: dict[str, Any]) -> bool:
    """Whether the clusters of these labels hold what the limits say."""
    counts = [int((labels == h).sum()) for h in np.unique(labels)]
    masses = [float(weights[labels == h].sum()) for h in np.unique(labels)]
    return (
        min(counts) >= given.get("size_min", 1)
        and max(counts) <= given.get("size_max", len(labels))
        and min(masses) >= given.get("weight_min", 0.0) * (1.0 - SLACK)
        and max(masses) <= given.get("weight_max", np.inf) * (1.0 + SLACK)
        and sorted(counts) == sorted(given.get("sizes", counts))
    )


def penalties(labels: NDArray[np.intp], given: dict[str, Any]) -> float:
    """What the broken soft pairs cost."""
    apart = [p for i, j, p in given.get("soft_must_link", ()) if labels[i] != labels[j]]
    return float(sum(apart) + sum(p for i, j, p in given.get("soft_cannot_link", ()) if labels[i] == labels[j]))


def some(count: int, *, feasible: bool, first_seed: int = 0, **options: int) -> list[SmallCase]:
    """The first instances that have, or have no, feasible partition."""
    found: list[SmallCase] = []
    seed = first_seed
    while len(found) < count:
        case = conditioned(seed, **options)
        seed += 1
        if case is not None and case.truth.feasible == feasible and not case.instance.is_plain:
            found.append(case)
    return found
