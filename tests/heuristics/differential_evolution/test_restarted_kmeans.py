"""Restarted k-means: its passes over the points are counted as those of differential evolution are."""

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InputError
from pcsos.heuristics.differential_evolution.restarted_kmeans import restarted_kmeans
from pcsos.heuristics.record import Solution
from pcsos.presolve.colouring.budget import Budget
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from tests import oracle
from tests.heuristics.problems import blobs


def test_passes_are_evaluations_and_iterations() -> None:
    reduced = reduce_instance(blobs(80, 5, seed=1))
    _, one = restarted_kmeans(reduced, seed=0, max_passes=1)
    assert (one.evaluations, one.local_search_calls) == (1, 2)  # the second one polishes
    steps: list[Solution] = []
    best, many = restarted_kmeans(reduced, seed=0, max_passes=500, on_improvement=steps.append)
    assert best is not None
    assert many.objective == best.objective == steps[-1].objective
    assert one.objective is not None
    assert best.objective <= one.objective
    assert many.local_search_calls == many.evaluations + 1
    passes = many.evaluations + many.local_search_iterations
    assert 500 <= passes < 500 + 60
    assert many.method == "restarted-kmeans"


def test_optima_of_small_instances() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        instance = Instance(rng.standard_normal((8, 2)), 3, [(0, 1)], weights=rng.uniform(0.5, 2.0, 8))
        best, _ = restarted_kmeans(reduce_instance(instance), seed=seed, max_passes=600)
        assert best is not None
        assert best.objective == pytest.approx(oracle.enumerate_feasible(instance).optimum)


def test_the_same_seed_gives_the_same_solution() -> None:
    reduced = reduce_instance(blobs(80, 5, seed=1))
    first, again, other = (restarted_kmeans(reduced, seed=seed, max_passes=30)[0] for seed in (3, 3, 4))
    assert first is not None
    assert again is not None
    assert other is not None
    np.testing.assert_array_equal(first.labels, again.labels)
    assert not np.array_equal(first.labels, other.labels)


def test_a_stop_ends_it_after_a_start() -> None:
    reduced = reduce_instance(blobs(80, 5, seed=1))
    best, record = restarted_kmeans(reduced, seed=0, max_passes=10**9, budget=Budget(Stop(lambda: True)))
    assert best is not None
    assert record.local_search_calls == 1
    assert record.message == "stopped on request"


def test_no_passes_are_refused() -> None:
    with pytest.raises(InputError, match=r"max_passes is 0; give a whole number of at least 1"):
        restarted_kmeans(reduce_instance(blobs(20, 2)), seed=0, max_passes=0)
