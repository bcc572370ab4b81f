"""Moves, swaps and chains: feasible, never worse, and at the end nothing that is tried by hand improves."""

from itertools import combinations

import numpy as np
import pytest

from pcsos.heuristics.centres import Costs, random_centres
from pcsos.heuristics.ipc_kmeans import ipc_kmeans
from pcsos.heuristics.local_search import improve, search_from
from pcsos.problem.instance import Instance
from tests.heuristics.problems import (
    Problem,
    assert_is_right,
    blobs,
    breaks,
    cost,
    feasible_problems,
    tolerance,
    triangle,
)


def starts(problem: Problem, seed: int = 0) -> np.ndarray:
    """Feasible labels, not good ones."""
    rng = np.random.default_rng(seed)
    solution, *_ = ipc_kmeans(
        problem.reduced, rng.normal(size=random_centres(problem.reduced, rng).shape), max_iterations=1
    )
    return solution.labels


def test_results_are_feasible_never_worse_and_cost_what_they_say() -> None:
    for problem, truth in feasible_problems(150):
        for row in truth.labels[:: max(1, len(truth.labels) // 3)]:
            labels = problem.reduced.project(row)
            solution, sweeps = improve(problem.reduced, labels)
            assert_is_right(problem, solution, truth)
            assert solution.objective <= cost(problem, labels) + tolerance(problem.instance)
            assert sweeps >= 1


@pytest.mark.parametrize("seed", range(4))
def test_no_single_move_and_no_swap_improves_the_result(seed: int) -> None:
    problem = Problem.of(blobs(36, 4, constraints=40, seed=seed))
    solution, _ = improve(problem.reduced, starts(problem, seed), rng=np.random.default_rng(seed))
    best = solution.objective * (1 - 1e-9)
    neighbours = []
    for i in range(problem.reduced.size):
        for h in range(4):
            neighbours.append(solution.labels.copy())
            neighbours[-1][i] = h
    for i, j in combinations(range(problem.reduced.size), 2):
        neighbours.append(solution.labels.copy())
        neighbours[-1][[i, j]] = solution.labels[[j, i]]
    allowed = [labels for labels in neighbours if not breaks(problem, labels)]
    assert len(allowed) > 100
    assert min(cost(problem, labels) for labels in allowed) >= best


def test_a_chain_of_cannot_links_changes_sides_as_one() -> None:
    # Each of 0, 1, 2 is at the wrong end of the line; alone none of them may move.
    instance = Instance([0.0, 10.0, 0.0, 0.2, 10.2], 2, cannot_link=[(0, 1), (1, 2)])
    problem = Problem.of(instance)
    wrong = problem.reduced.project(np.array([1, 0, 1, 0, 1]))
    solution, _ = improve(problem.reduced, wrong)
    lifted = problem.reduced.lift(solution.labels)
    assert lifted[0] == lifted[2] == lifted[3] != lifted[1] == lifted[4]


def test_a_swap_is_found_where_no_single_move_helps() -> None:
    # Moving a point out of {8, 2, 3} costs more than 30, and 0 is alone; exchanging 0 and 8 does help.
    problem = Problem.of(Instance([0.0, 8.0, 2.0, 3.0], 2, weights=[8.0, 1.0, 5.0, 3.0]))
    labels = np.array([0, 1, 1, 1])
    assert improve(problem.reduced, labels, swaps=False)[0].objective == pytest.approx(30.0)
    assert improve(problem.reduced, labels)[0].objective == pytest.approx(24.4375)


def test_a_cluster_is_never_emptied() -> None:
    problem = Problem.of(Instance([0.0, 0.0, 0.0, 0.0], 3))
    solution, _ = improve(problem.reduced, np.array([0, 1, 2, 2]))
    assert not breaks(problem, solution.labels)


def test_the_labels_given_are_not_changed() -> None:
    problem = Problem.of(blobs(30, 3, seed=2))
    labels = starts(problem)
    before = labels.copy()
    solution, _ = improve(problem.reduced, labels)
    np.testing.assert_array_equal(labels, before)
    assert not np.array_equal(solution.labels, before)


def test_more_sweeps_are_never_worse() -> None:
    problem = Problem.of(blobs(400, 8, constraints=100, seed=5))
    labels = starts(problem)
    objectives = [improve(problem.reduced, labels, max_sweeps=m)[0].objective for m in (1, 2, 100)]
    assert objectives == sorted(objectives, reverse=True)
    assert objectives[-1] < objectives[0]


def test_search_from_centres_is_at_least_as_good_as_its_own_descent() -> None:
    problem = Problem.of(blobs(60, 5, constraints=60, seed=1))
    costs, rng = Costs.of(problem.reduced), np.random.default_rng(0)
    for _ in range(10):
        centres = random_centres(problem.reduced, rng)
        first, *_ = ipc_kmeans(problem.reduced, centres, max_iterations=1)
        solution, work, _ = search_from(problem.reduced, centres, costs=costs, rng=rng)
        assert not breaks(problem, solution.labels)
        assert solution.objective <= first.objective
        assert work.local_search_iterations > work.exact_assignments >= 1


def test_search_without_an_assignment_says_so() -> None:
    reduced, rng = triangle(), np.random.default_rng(0)
    solution, work, _ = search_from(reduced, reduced.coordinates[:2], costs=Costs.of(reduced), rng=rng)
    assert solution is None
    assert work.exact_assignments == 1
