"""Post-processing of an unconstrained k-means."""

from dataclasses import replace

import numpy as np
import pytest

from pcsos.heuristics.baselines.post_processing import membership_costs, memberships, post_processing
from pcsos.problem.instance import Instance
from tests.heuristics.problems import Problem, blobs, breaks, cost, feasible_problems, tolerance


def test_memberships_are_shares_inverse_to_squared_distances() -> None:
    found = memberships(np.array([[1.0, 3.0], [0.0, 2.0], [0.0, 0.0]]))
    np.testing.assert_allclose(found, [[0.75, 0.25], [1.0, 0.0], [0.5, 0.5]])


def test_costs_of_a_super_point_are_those_of_its_points() -> None:
    instance = Instance([0.0, 1.0, 5.0], 2, must_link=[(0, 1)], weights=[1.0, 2.0, 1.0])
    distances = np.array([[1.0, 3.0], [1.0, 1.0], [0.0, 4.0]])
    costs = membership_costs(distances, instance.weights, Problem.of(instance).reduced)
    np.testing.assert_allclose(costs, [[0.25 + 2 * 0.5, 0.75 + 2 * 0.5], [0.0, 1.0]])


def test_without_violations_it_is_the_unconstrained_clustering() -> None:
    instance = Instance([0.0, 1.0, 10.0, 11.0], 2, [(0, 1)], [(0, 3)])
    problem = Problem.of(instance)
    solution, record = post_processing(instance, problem.reduced, seed=0, num_starts=5)
    assert solution is not None
    assert record.objective == pytest.approx(1.0)


def test_it_is_feasible_on_random_problems() -> None:
    for problem, truth in feasible_problems(80, first_seed=300):
        solution, record = post_processing(problem.instance, problem.reduced, seed=0, num_starts=2)
        assert solution is not None
        slack = tolerance(problem.instance)
        assert not breaks(problem, solution.labels)
        assert record.objective == pytest.approx(cost(problem, solution.labels), rel=1e-9, abs=slack)
        assert solution.objective >= truth.optimum * (1 - 1e-9) - slack


def test_infeasible_constraints_are_reported() -> None:
    instance = Instance(np.arange(4.0), 2)
    triangle = replace(Problem.of(instance).reduced, cannot_link=np.array([(0, 1), (0, 2), (1, 2)]))
    solution, record = post_processing(instance, triangle, seed=0, num_starts=2)
    assert solution is None
    assert "cannot-links" in record.message


def test_it_is_reproducible() -> None:
    problem = Problem.of(blobs(60, 4, constraints=60, seed=1))
    first, again = (post_processing(problem.instance, problem.reduced, seed=3, num_starts=3)[0] for _ in range(2))
    assert first is not None
    assert again is not None
    np.testing.assert_array_equal(first.labels, again.labels)
