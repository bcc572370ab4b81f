"""Samples of super-points, and sketches of their coordinates."""

import numpy as np
import pytest

from pcsos import Kernel
from pcsos.base.control.stop import NEVER, Stop
from pcsos.heuristics import run, sampled
from pcsos.heuristics.ipc_kmeans import multi_start
from pcsos.heuristics.record import Solution
from pcsos.heuristics.sampled import COORDINATES, finished, is_worth_sketching, sketch
from pcsos.presolve.presolve import presolve
from pcsos.problem.instance import Instance
from pcsos.problem.options import Budget, Options
from pcsos.problem.partition import Partition, violation
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.search import first_incumbents
from pcsos.search.first_incumbents import offer_first_incumbents
from pcsos.search.role import Context


def drawn(n: int, k: int, d: int = 2, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(scale=3.0, size=(k, d))[rng.integers(0, k, n)] + rng.normal(size=(n, d))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin with 500 super-points, so that there are samples of several sizes."""
    monkeypatch.setattr(sampled, "LEAST", 500)
    monkeypatch.setattr(sampled, "OF_A_CLUSTER", 20)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_as_good_as_many_starts_on_all_points(seed: int) -> None:
    reduced = reduce_instance(Instance(drawn(9000, 6, seed=seed), 6))
    met: list[Solution] = []
    best, record = sampled.sampled(reduced, seed=seed, on_improvement=met.append)
    other, _ = multi_start(reduced, seed=seed, num_starts=10)
    assert best.objective <= 1.001 * other.objective
    assert (best, record.objective, record.message) == (met[-1], best.objective, "")
    assert (np.diff([solution.objective for solution in met]) < 0.0).all()


@pytest.mark.slow
def test_weights_and_must_links_count_and_conditions_are_kept() -> None:
    rng, points = np.random.default_rng(1), drawn(6000, 4, seed=1)
    pairs = rng.permutation(6000)[:400].reshape(-1, 2)
    instance = Instance(points, 4, pairs[:100], pairs[100:], rng.uniform(0.1, 9.0, 6000), size_min=1000)
    partition, record = run(instance, "sampled")
    assert record.feasible
    assert violation(instance, partition.labels) is None
    free, _ = run(Instance(points, 4, weights=instance.weights), "sampled")
    assert free.objective < partition.objective < 1.5 * free.objective


@pytest.mark.slow
def test_more_features_than_points_in_a_sample() -> None:
    points = drawn(1200, 3, d=700)
    partition, _ = run(Instance(points, 3), "sampled")
    other, _ = run(Instance(points, 3), "ipc-kmeans", num_starts=5)
    assert partition.objective <= 1.001 * other.objective


@pytest.mark.parametrize("questions", [0, 1, 5, 40, 200])
def test_it_ends_when_asked_with_what_it_has(questions: int) -> None:
    asked = iter(range(questions))
    budget = Budget(Stop(lambda: next(asked, None) is None))
    best, _ = sampled.sampled(reduce_instance(Instance(drawn(9000, 6), 6)), seed=0, budget=budget)
    assert np.unique(best.labels).size == 6


def test_a_solve_of_many_points_begins_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = Instance(drawn(3000, 4), 4)
    monkeypatch.setattr(first_incumbents, "SAMPLED_FROM", 10_000)
    monkeypatch.setattr(first_incumbents, "memetic_partition", None)
    context = Context.of(instance, Options(), NEVER)
    offer_first_incumbents(presolve(instance, Budget()), context)
    expected, _ = run(instance, "sampled")
    assert context.primal.objective == expected.objective


@pytest.fixture(scope="module")
def instance() -> Instance:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(320, 8)) + 3.0 * rng.normal(size=(6, 8))[np.arange(320) % 6]
    return Instance(Kernel(points, "rbf"), 6, weights=rng.uniform(0.5, 2.0, 320))


@pytest.fixture(scope="module")
def reduced(instance: Instance) -> Reduced:
    return reduce_instance(instance)


def cost(reduced: Reduced, labels: np.ndarray) -> float:
    centres = np.array(
        [np.average(reduced.means[labels == c], axis=0, weights=reduced.weights[labels == c]) for c in range(6)]
    )
    return reduced.offset + float(reduced.weights @ ((reduced.means - centres[labels]) ** 2).sum(axis=1))


def test_partitions_cost_no_more_than_in_a_sketch_and_little_less(reduced: Reduced) -> None:
    assert is_worth_sketching(reduced)
    small = sketch(reduced, np.random.default_rng(1))
    assert small.means.shape == (320, COORDINATES)
    assert small.total == pytest.approx(reduced.total)
    for labels in (np.arange(320) % 6, np.random.default_rng(2).permutation(np.arange(320) % 6)):
        assert cost(reduced, labels) <= cost(small, labels) * (1.0 + 1e-12)
        assert cost(small, labels) <= 1.02 * cost(reduced, labels)


def test_what_is_found_in_a_sketch_is_finished_in_the_problem(reduced: Reduced) -> None:
    start = np.random.default_rng(3).permutation(np.arange(320) % 6)
    found = finished(reduced, Solution(start, 0.0))
    assert found.objective < cost(reduced, start)
    assert found.objective == pytest.approx(cost(reduced, found.labels))


def test_searches_are_as_good_as_without(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"population": 6, "max_stall": 10}
    partition, record = run(instance, seed=0, **options)
    assert record.objective == pytest.approx(partition.objective)
    again, _ = run(instance, seed=0, **options)
    assert again.labels.tolist() == partition.labels.tolist()
    monkeypatch.setattr("pcsos.heuristics.registry.is_worth_sketching", lambda reduced: False)
    whole, _ = run(instance, seed=0, **options)
    assert partition.objective <= 1.001 * whole.objective
    assert Partition.of(instance, partition.labels).objective == partition.objective


def test_points_are_not_sketched() -> None:
    points = np.random.default_rng(0).normal(size=(30, 300))
    assert not is_worth_sketching(reduce_instance(Instance(points, 2)))
