"""CPRBBA: the optimum of every small instance, proved infeasibility, and what is left when it is stopped."""

import numpy as np
import pytest

import pcsos
from benchmarks.case import Case, Settings
from benchmarks.comparators import cprbba as module
from benchmarks.comparators.cprbba import cprbba, furthest_first
from benchmarks.solving import load
from benchmarks.suites.instances import cases
from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.problem.instance import Instance
from tests import oracle
from tests.heuristics.problems import blobs, tolerance

#: Instances of the repository that take CPRBBA less than a second.
QUICK = ("iris30", "iris-both", "line-", "two-ml", "two-both", "grid-", "tiny")


def test_it_agrees_with_all_partitions_of_small_instances() -> None:
    feasible = infeasible = 0
    for seed in range(600):
        instance = oracle.random_instance(np.random.default_rng(seed))
        truth = oracle.enumerate_feasible(instance)
        if not truth.feasible:
            infeasible += 1
            with pytest.raises(InfeasibleError):
                cprbba(instance)
            continue
        feasible += 1
        proof = cprbba(instance)
        assert proof.partition is not None
        assert proof.partition.objective == pytest.approx(truth.optimum, rel=1e-9, abs=tolerance(instance))
        assert proof.num_done <= instance.n_points
    assert min(feasible, infeasible) > 50


@pytest.mark.parametrize("seed", range(12))
def test_it_agrees_with_the_solver(seed: int) -> None:
    instance = blobs(24, 3 + seed % 2, constraints=(0, 6, 12)[seed % 3], seed=seed, d=2)
    proof = cprbba(instance)
    solved = pcsos.solve(instance, gap=1e-8)
    assert proof.partition is not None
    assert proof.lower_bound == proof.partition.objective
    assert proof.partition.objective == pytest.approx(solved.objective, rel=1e-8)


@pytest.mark.parametrize(
    "case", [case for case in cases(Settings()) if case.name.startswith(QUICK)], ids=lambda case: case.name
)
def test_it_agrees_with_the_recorded_optima(case: Case) -> None:
    proof = cprbba(load(**case.arguments))
    assert proof.partition is not None
    assert proof.partition.objective == pytest.approx(case.columns["optimum"], rel=1e-10)


def test_a_run_that_is_stopped_leaves_a_valid_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NODES_A_STEP", 50)
    instance = blobs(40, 4, constraints=10, seed=3, d=2)
    proof, stopped = cprbba(instance), cprbba(instance, Stop(time_limit=0.0))
    assert proof.partition is not None
    assert stopped.partition is None
    assert stopped.num_done < proof.num_done
    assert stopped.nodes < proof.nodes
    assert stopped.lower_bound <= proof.partition.objective


def test_steps_of_any_size_lead_to_the_same_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = blobs(30, 3, constraints=8, seed=5, d=2)
    whole = cprbba(instance)
    monkeypatch.setattr(module, "NODES_A_STEP", 7)
    pieces = cprbba(instance)
    assert whole.nodes == pieces.nodes
    assert whole.lower_bound == pieces.lower_bound


def test_the_order_is_furthest_first() -> None:
    assert furthest_first(np.array([[0.0], [1.0], [10.0], [4.0]])).tolist() == [2, 0, 3, 1]
    assert sorted(furthest_first(np.zeros((4, 2))).tolist()) == [0, 1, 2, 3]


def test_too_many_super_points_are_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match="201 super-points; CPRBBA takes up to 200"):
        cprbba(Instance(np.arange(201.0), 2))
