"""Searches under dense cannot-links keep to the constraints and never make a partition worse."""

from dataclasses import replace

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.heuristics.centres import Costs, objective_of, random_centres
from pcsos.heuristics.dense_search import is_dense, search_dense, settle, settled
from pcsos.heuristics.ipc_kmeans import first_solution
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.moves import Nodes
from pcsos.heuristics.record import Solution
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.reduction import reduce_instance
from tests.heuristics.problems import dense, keeps
from tests.slow import first_few


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_settling_keeps_to_the_constraints_and_leaves_little_to_the_moves(seed: int) -> None:
    reduced, labels = dense(seed)
    found = settled(reduced, labels)
    assert keeps(reduced, found.labels)
    assert found.objective == pytest.approx(objective_of(reduced, found.labels), rel=1e-12)
    assert found.objective <= objective_of(reduced, labels)
    improved, _ = improve(reduced, found.labels, swaps=False)
    assert improved.objective <= found.objective


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_what_has_settled_no_single_move_improves(seed: int) -> None:
    reduced, labels = dense(seed, share=(0.0, 0.02, 0.4)[seed % 3])
    found = settled(reduced, labels)
    for i in range(reduced.size):
        for h in range(reduced.n_clusters):
            moved = found.labels.copy()
            moved[i] = h
            if keeps(reduced, moved):
                assert objective_of(reduced, moved) >= found.objective * (1 - 1e-9)


def test_settling_begins_at_the_clusters_that_it_is_told() -> None:
    points = np.array([[0.0], [1.0], [9.0], [10.0], [20.0], [21.0]])
    given = Nodes(points, np.ones(6), np.zeros(7, np.intp), np.empty(0, np.intp))
    labels, dirty = np.array([0, 0, 0, 1, 2, 2]), np.array([False, False, True])
    settle(given, points.T.copy(), labels, dirty)
    assert labels.tolist() == [0, 0, 0, 1, 2, 2]
    dirty[1] = True
    settle(given, points.T.copy(), labels, dirty)
    assert labels.tolist() == [0, 0, 1, 1, 2, 2]
    assert not dirty.any()


def test_who_stands_in_each_others_way_changes_sides() -> None:
    """Two super-points that are apart, each in the other's cluster: only both moves at once are allowed."""
    instance = Instance([0.0, 0.1, 0.2, 10.0, 10.1, 10.2], 2, (), [(2, 3)])
    found = settled(reduce_instance(instance), np.array([0, 0, 1, 0, 1, 1]))
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_a_dense_search_uses_every_cluster_wherever_the_centres_are() -> None:
    reduced, _ = dense(3, k=12, share=0.25)
    assert is_dense(reduced)
    told: list[Solution] = []
    centres = np.full((reduced.n_clusters, reduced.coordinates.shape[1]), 1e3)
    centres[:4] = reduced.coordinates[:4]
    solution, work, failure = search_dense(
        reduced, centres, costs=Costs.of(reduced), max_iterations=500, budget=AMPLE, on_way=told.append
    )
    assert solution is not None
    assert (failure, told[-1]) == ("", solution)
    assert all(keeps(reduced, each.labels) for each in told)
    assert [each.objective for each in told] == sorted((each.objective for each in told), reverse=True)
    assert (work.local_search_calls, work.exact_assignments) == (1, 0)


def test_a_dense_search_says_that_there_is_no_partition() -> None:
    clique = np.array([(i, j) for i in range(30) for j in range(i)])
    reduced = replace(reduce_instance(Instance(np.arange(60.0), 20)), cannot_link=clique)
    centres = random_centres(reduced, np.random.default_rng(0))
    solution, _, failure = search_dense(
        reduced, centres, costs=Costs.of(reduced), max_iterations=9, budget=AMPLE, on_way=lambda each: None
    )
    assert (solution, failure) == (None, "no assignment to the clusters satisfies the cannot-links")


@pytest.mark.parametrize("variant", ["S-MDE", "SG-MDE", "SM-MDE", "SMG-MDE", "pcsos"])
def test_there_is_a_partition_however_little_time_there_is(variant: str) -> None:
    reduced, _ = dense(1, n=120, k=8)
    assert is_dense(reduced)
    best, record = s_mdeclust(reduced, seed=0, variant=variant, budget=Budget(Stop(time_limit=0.0)))
    assert keeps(reduced, best.labels)
    assert record.feasible


def test_a_first_solution_is_for_dense_cannot_links_only() -> None:
    reduced, _ = dense(2)
    centres = random_centres(reduced, np.random.default_rng(0))
    found = first_solution(reduced, Costs.of(reduced), centres, AMPLE)
    assert keeps(reduced, found.labels)
    sparse, _ = dense(2, share=0.02)
    assert first_solution(sparse, Costs.of(sparse), centres, AMPLE) is None
