"""The baselines: COP-k-means, and k-means whose labels are made feasible afterwards."""

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.heuristics.baselines import cop_kmeans, membership_costs, memberships, post_processing
from pcsos.problem.instance import Instance
from pcsos.problem.options import Budget
from tests.heuristics.problems import Problem, assert_is_right, blobs, breaks, cost, feasible_problems, triangle

#: Three far apart groups of four points, and a point beside the first of them.
GROUPS = np.repeat([0.0, 1e4, 2e4], 4)
LATE = Instance([*GROUPS, 1.0], 3, cannot_link=[(0, 12), (4, 12), (8, 12)])
EARLY = Instance([1.0, *GROUPS], 3, cannot_link=[(0, 1), (0, 5), (0, 9)])


def test_the_known_failure_is_reported_and_no_partition_returned() -> None:
    problem = Problem.of(LATE)  # each group has taken a cluster before the last point comes, and none is left for it
    solution, record = cop_kmeans(problem.instance, problem.reduced, seed=0)
    assert solution is None
    assert not record.feasible
    assert "all 100 runs failed" in record.message
    assert "point 12" in record.message


def test_the_same_points_in_another_order_do_not_fail() -> None:
    problem = Problem.of(EARLY)
    solution, record = cop_kmeans(problem.instance, problem.reduced, seed=0)
    assert not breaks(problem, solution.labels)
    assert record.objective == pytest.approx(cost(problem, solution.labels))


@pytest.mark.slow
def test_what_it_returns_is_feasible_and_costs_what_it_says() -> None:
    returned = 0
    for problem, truth in feasible_problems(120, first_seed=900):
        solution, record = cop_kmeans(problem.instance, problem.reduced, seed=1, num_starts=5)
        assert record.feasible == (solution is not None)
        if solution is not None:
            returned += 1
            assert_is_right(problem, solution, truth)
        else:
            assert record.message
    assert returned > 60


def test_it_is_reproducible_and_stops_on_request() -> None:
    problem = Problem.of(blobs(60, 4, constraints=15, seed=1))
    first, again = (cop_kmeans(problem.instance, problem.reduced, seed=3, num_starts=10)[0] for _ in range(2))
    np.testing.assert_array_equal(first.labels, again.labels)
    solution, record = cop_kmeans(problem.instance, problem.reduced, seed=3, budget=Budget(Stop(lambda: True)))
    assert solution is None
    assert record.message == "stopped on request"


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
        assert record.objective == solution.objective
        assert_is_right(problem, solution, truth)


def test_infeasible_constraints_are_reported() -> None:
    solution, record = post_processing(Instance(np.arange(4.0), 2), triangle(), seed=0, num_starts=2)
    assert solution is None
    assert "cannot-links" in record.message


def test_it_is_reproducible() -> None:
    problem = Problem.of(blobs(60, 4, constraints=60, seed=1))
    first, again = (post_processing(problem.instance, problem.reduced, seed=3, num_starts=3)[0] for _ in range(2))
    np.testing.assert_array_equal(first.labels, again.labels)
