"""Weights and costs of many magnitudes."""

import itertools
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.heuristics.assignment.exact import Assignment, assign
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import Budget
from pcsos.problem.params import ColouringParams
from pcsos.verify import verify

POINTS = [[1, 1, 0], [2, 1, 1], [2, 2, 2], [2, 0, 2], [1, 1, 1], [1, 0, 2], [0, 0, 1], [1, 1, 1], [2, 1, 0]]
WEIGHTS = [1e-4, 1000.0, 0.01, 0.001, 100.0, 100.0, 100.0, 1.0, 0.1]
A, B = 4.0, 1.2
MUST = [
    (8, 2, A), (6, 0, 1.03), (8, 1, A), (8, 5, 0.78), (3, 1, 1.1), (6, 2, A), (6, 5, A), (4, 1, 0.076), (5, 2, 2.3),
    (6, 4, A),
]  # fmt: skip
CANNOT = [
    (2, 1, B), (2, 0, 0.76), (7, 5, A), (7, 6, A), (1, 0, B), (6, 3, A), (5, 1, B), (8, 7, A), (8, 6, A), (4, 3, A),
    (7, 2, 0.87), (5, 4, A), (6, 1, A), (7, 4, B), (7, 0, A), (3, 2, A), (8, 0, B), (3, 0, A), (8, 4, B), (4, 2, B),
    (8, 3, A), (5, 0, 2.2), (7, 1, B), (4, 0, A),
]  # fmt: skip


@pytest.mark.slow
def test_weights_of_many_magnitudes_lead_to_a_run_file_that_can_be_checked(tmp_path: Path) -> None:
    path, apart = tmp_path / "some.run", [(0, 1), (0, 4), (0, 5), (0, 6)]
    conditions, options = [pcsos.SoftPairs(MUST, CANNOT)], pcsos.Options(node_limit=12)
    points = np.array(POINTS, float)
    given = {"weights": WEIGHTS, "cannot_link": apart, "conditions": conditions, "gap": 1e-6, "workers": 1}
    result = pcsos.solve(points, 3, **given, run_file=path, options=options)
    assert verify(path).status == result.status


@pytest.mark.slow
@pytest.mark.parametrize("far", [1e6, 1e9, 1e10, 1e13])
def test_an_integer_program_is_exact_beside_a_cost_that_is_far_above_the_others(far: float) -> None:
    pairs = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (4, 5), (5, 6), (4, 6)]
    every = np.array(list(itertools.product(range(3), repeat=7)))
    proper = np.all([every[:, i] != every[:, j] for i, j in pairs], axis=0)
    proper &= np.all([(every == c).any(axis=1) for c in range(3)], axis=0)
    budget = Budget(ilp="highs", params=ColouringParams(region_steps=-1))
    for seed in range(60):
        costs = np.random.default_rng(seed).random((7, 3))
        costs[2, 0] = far
        found = assign(costs, ConflictGraph.build(7, pairs), budget=budget)
        assert isinstance(found, Assignment)
        assert found.cost <= costs[np.arange(7), every[proper]].sum(axis=1).min() * (1.0 + 1e-9)
