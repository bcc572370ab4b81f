"""The compact model by SCIP: the optimum of small instances, bounds of a run that is stopped, infeasible pairs."""

import numpy as np
import pytest

import pcsos
from benchmarks.rivals.scip_model import solve_by_scip
from pcsos.base.exceptions import InfeasibleError
from pcsos.problem.instance import Instance
from tests import oracle
from tests.heuristics.problems import blobs

#: SCIP works in floating point: what it says may be wrong by this share of the sum of squares about the mean.
SLACK = 1e-5

pytest.importorskip("pyscipopt", reason="PySCIPOpt is not installed (pip install pyscipopt)")


def small(seed: int) -> Instance:
    """Five to seven points with up to five pairs, drawn without regard to whether all of them can hold."""
    rng = np.random.default_rng(seed)
    n, k = 5 + seed % 3, 2 + seed % 2
    pairs = np.sort([rng.choice(n, 2, replace=False) for _ in range(seed % 6)]).reshape(-1, 2)
    scale = (1.0, 1e-4, 1e4)[seed % 3]
    return Instance(scale * rng.standard_normal((n, 2)), k, pairs[: seed % 2], pairs[seed % 2 :])


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 60))])
def test_it_agrees_with_all_partitions_of_small_instances(seed: int) -> None:
    instance = small(seed)
    truth = oracle.enumerate_feasible(instance)
    try:
        proof = solve_by_scip(instance, gap=1e-6)
    except InfeasibleError:
        assert not truth.feasible
        return
    if not truth.feasible:
        assert (proof.status, proof.partition, proof.is_proved) == ("infeasible", None, False)
        return
    spread = float(((instance.points - instance.points.mean(axis=0)) ** 2).sum())
    assert proof.is_proved
    assert proof.partition.objective == pytest.approx(truth.optimum, abs=SLACK * spread)
    assert proof.lower_bound == pytest.approx(truth.optimum, abs=SLACK * spread)


def test_pairs_that_contradict_each_other_are_proved_infeasible() -> None:
    triangle = Instance(np.eye(4), 2, [(0, 1)], [(1, 2), (2, 3), (0, 3)])
    with pytest.raises(InfeasibleError):
        solve_by_scip(triangle)
    clique = Instance(np.arange(5.0), 3, cannot_link=[(i, j) for j in range(4) for i in range(j)])
    proof = solve_by_scip(clique)
    assert (proof.status, proof.partition, proof.is_proved) == ("infeasible", None, False)


def test_a_run_that_is_stopped_leaves_a_bound() -> None:
    instance = blobs(24, 4, seed=1, d=2)
    proof = solve_by_scip(instance, time_limit=0.1)
    assert (proof.is_proved, proof.status) == (False, "timelimit")
    assert 0.0 <= proof.lower_bound < pcsos.solve(instance, workers=1).objective
