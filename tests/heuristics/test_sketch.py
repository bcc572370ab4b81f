"""Sketches of problems with many coordinates, and searches in them."""

import numpy as np
import pytest

from pcsos import Kernel
from pcsos.heuristics import run, sketch
from pcsos.heuristics.record import Solution
from pcsos.heuristics.sketch import finished, is_worth_sketching
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced, reduce_instance


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
    small = sketch.sketch(reduced, np.random.default_rng(1))
    assert small.means.shape == (320, sketch.COORDINATES)
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
    assert partition is not None
    assert record.objective == pytest.approx(partition.objective)
    again, _ = run(instance, seed=0, **options)
    assert again is not None
    assert again.labels.tolist() == partition.labels.tolist()
    monkeypatch.setattr("pcsos.heuristics.registry.is_worth_sketching", lambda reduced: False)
    whole, _ = run(instance, seed=0, **options)
    assert whole is not None
    assert partition.objective <= 1.001 * whole.objective
    assert Partition.of(instance, partition.labels).objective == partition.objective


def test_points_are_not_sketched() -> None:
    points = np.random.default_rng(0).normal(size=(30, 300))
    assert not is_worth_sketching(reduce_instance(Instance(points, 2)))
