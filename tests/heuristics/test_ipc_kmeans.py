"""IPC-k-means and its many starts."""

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.heuristics.centres import random_centres
from pcsos.heuristics.ipc_kmeans import ipc_kmeans, multi_start
from pcsos.problem.options import Budget
from tests.heuristics.problems import Problem, assert_is_right, blobs, breaks, feasible_problems, triangle


@pytest.mark.slow
def test_it_is_feasible_on_random_problems_of_every_kind() -> None:
    rng = np.random.default_rng(0)
    for problem, truth in feasible_problems(200):
        solution, *_ = ipc_kmeans(problem.reduced, random_centres(problem.reduced, rng))
        assert_is_right(problem, solution, truth)


def test_the_objective_never_increases_with_the_iterations() -> None:
    problem = Problem.of(blobs(120, 6, constraints=80, seed=3))
    centres = random_centres(problem.reduced, np.random.default_rng(1))
    objectives = []
    for limit in range(1, 12):
        solution, work, _ = ipc_kmeans(problem.reduced, centres, max_iterations=limit)
        assert work.local_search_iterations <= limit
        objectives.append(solution.objective)
    assert objectives == sorted(objectives, reverse=True)
    assert objectives[-1] < objectives[0]


def test_without_constraints_it_is_k_means() -> None:
    problem = Problem.of(blobs(50, 3, seed=4))
    points = problem.reduced.coordinates
    solution, *_ = ipc_kmeans(problem.reduced, points[:3])
    centres = np.array([points[solution.labels == h].mean(axis=0) for h in range(3)])
    nearest = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(solution.labels, nearest)


def test_infeasible_constraints_give_none() -> None:
    assert ipc_kmeans(triangle(), triangle().coordinates[:2]).solution is None


def test_it_stops_on_request_with_a_feasible_solution() -> None:
    problem = Problem.of(blobs(120, 6, constraints=80, seed=3))
    centres = random_centres(problem.reduced, np.random.default_rng(1))
    solution, work, _ = ipc_kmeans(problem.reduced, centres, budget=Budget(Stop(lambda: True)))
    assert work.local_search_iterations == 1
    assert not breaks(problem, solution.labels)


@pytest.mark.parametrize("starts", ["k-means++", "random"])
def test_more_starts_are_never_worse(starts: str) -> None:
    problem = Problem.of(blobs(80, 6, constraints=40, seed=8))
    few, many = (multi_start(problem.reduced, seed=1, starts=starts, num_starts=count) for count in (1, 20))
    assert many[0].objective <= few[0].objective
    assert many[1].local_search_calls == 20
    assert many[1].exact_assignments == many[1].local_search_iterations >= 20
