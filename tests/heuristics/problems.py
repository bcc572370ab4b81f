"""Small problems for the tests of the heuristics, with the truth about them."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from pcsos.heuristics.record import Solution
from pcsos.presolve.implied_pairs import infer_and_check
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, reduce_instance
from tests import oracle


@dataclass(frozen=True, eq=False)
class Problem:
    """An instance in all the forms that heuristics take."""

    instance: Instance
    reduced: Reduced

    @classmethod
    def of(cls, instance: Instance) -> "Problem":
        reduced, _ = infer_and_check(reduce_instance(instance))
        return cls(instance, reduced)


def feasible_problems(count: int, *, first_seed: int = 0, max_points: int = 8) -> list[tuple[Problem, oracle.Truth]]:
    """The first random instances that have a feasible partition, with all of their partitions."""
    found: list[tuple[Problem, oracle.Truth]] = []
    seed = first_seed
    while len(found) < count:
        instance = oracle.random_instance(np.random.default_rng(seed), max_points=max_points)
        seed += 1
        truth = oracle.enumerate_feasible(instance)
        if truth.feasible:
            found.append((Problem.of(instance), truth))
    return found


@cache
def infeasible_instances(count: int) -> list[Instance]:
    """The first random instances that have no feasible partition."""
    instances = (oracle.random_instance(np.random.default_rng(seed)) for seed in range(10_000))
    without = [i for i, _ in zip(instances, range(600), strict=False) if not oracle.enumerate_feasible(i).feasible]
    return without[:count]


def blobs(n: int, k: int, *, constraints: int = 0, seed: int = 0, d: int = 3) -> Instance:
    """Overlapping blobs with as many must-links and cannot-links as asked for, none of them contradictory."""
    rng = np.random.default_rng(seed)
    classes = np.concatenate([np.arange(k), rng.integers(k, size=n - k)])
    points = 2.0 * rng.standard_normal((k, d))[classes] + rng.standard_normal((n, d))
    pairs = np.array([rng.choice(n, 2, replace=False) for _ in range(constraints)], np.intp).reshape(-1, 2)
    same = classes[pairs[:, 0]] == classes[pairs[:, 1]]
    return Instance(points, k, pairs[same], pairs[~same])


def breaks(problem: Problem, labels: NDArray[np.intp]) -> bool:
    """Whether labels of super-points break a cannot-link or leave a cluster empty, seen from the pairs alone."""
    pairs = problem.reduced.cannot_link
    return bool((labels[pairs[:, 0]] == labels[pairs[:, 1]]).any()) or (
        set(labels.tolist()) != set(range(problem.reduced.n_clusters))
    )


def cost(problem: Problem, labels: NDArray[np.intp]) -> float:
    """Cost of labels of super-points, from the pairwise distances of the original points."""
    return float(oracle.costs(problem.instance, problem.reduced.lift(labels)[None, :])[0])


def tolerance(instance: Instance) -> float:
    """Rounding that an objective may carry: a few units in the last place of the scatter around the origin."""
    centred = instance.points - instance.points.mean(axis=0)
    return 1e-12 * float(instance.weights @ (centred**2).sum(axis=1)) + 1e-300


def assert_is_right(problem: Problem, solution: Solution, truth: oracle.Truth | None = None) -> None:
    """That a solution is feasible, costs what it says, and no less than the optimum."""
    slack = tolerance(problem.instance)
    assert not breaks(problem, solution.labels)
    assert solution.objective == pytest.approx(cost(problem, solution.labels), rel=1e-9, abs=slack)
    if truth is not None:
        assert solution.objective >= truth.optimum * (1 - 1e-9) - slack


def triangle() -> Reduced:
    """Three points that are all to be apart, in two clusters."""
    reduced = Problem.of(Instance(np.arange(4.0), 2)).reduced
    return replace(reduced, cannot_link=np.array([(0, 1), (0, 2), (1, 2)]))


def dense(seed: int, n: int = 60, k: int = 6, share: float = 0.4) -> tuple[Reduced, np.ndarray]:
    """A problem with many cannot-links, and labels that respect them."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) % k)
    i, j = np.triu_indices(n, 1)
    chosen = (labels[i] != labels[j]) & (rng.random(i.size) < share)
    weights = rng.choice([1.0, 2.0, 0.5], n)
    reduced = reduce_instance(Instance(rng.normal(size=(n, 2)), k, (), np.column_stack([i, j])[chosen], weights))
    return reduced, labels.astype(np.intp)


def keeps(reduced: Reduced, labels: np.ndarray) -> bool:
    i, j = reduced.cannot_link.T
    return bool((labels[i] != labels[j]).all() and np.bincount(labels, minlength=reduced.n_clusters).min() > 0)
