"""Grafts keep to the constraints, never make a partition worse, and bring together what two partitions are good at."""

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.heuristics import grafting
from pcsos.heuristics.centres import objective_of
from pcsos.heuristics.dense_search import settled
from pcsos.heuristics.grafting import give_away, grafted, grow, take_over
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.moves import Nodes
from pcsos.heuristics.record import Solution
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.problem.generate import gaussian_mixture
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import MemeticParams
from pcsos.problem.reduction import Reduced, reduce_instance
from tests.heuristics.problems import dense, keeps
from tests.slow import first_few


def as_solution(reduced: Reduced, labels: np.ndarray) -> Solution:
    return Solution(labels, objective_of(reduced, labels))


def graft(reduced: Reduced, solution: Solution, donor: Solution, seed: int = 0) -> Solution:
    return grafted(reduced, solution, donor, rng=np.random.default_rng(seed), budget=AMPLE)


def after_ten_passes(reduced: Reduced, solution: Solution, donor: Solution) -> Solution:
    for seed in range(10):
        solution = graft(reduced, solution, donor, seed)
    return solution


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_what_is_found_keeps_to_the_constraints_and_is_no_worse(seed: int) -> None:
    rng = np.random.default_rng(seed)
    reduced, hidden = dense(seed, share=float(rng.choice([0.02, 0.2, 0.6])))
    other, _ = s_mdeclust(reduced, seed=seed, params=MemeticParams(population=4, max_generations=0))
    assert other is not None
    for solution, donor in ((as_solution(reduced, hidden), other), (other, as_solution(reduced, hidden))):
        before = solution.labels.copy(), donor.labels.copy()
        found = graft(reduced, solution, donor, seed)
        assert keeps(reduced, found.labels)
        assert found.objective == pytest.approx(objective_of(reduced, found.labels), rel=1e-12)
        assert found is solution or found.objective < solution.objective
        assert (solution.labels == before[0]).all()
        assert (donor.labels == before[1]).all()


def test_each_half_is_taken_from_where_it_is_best() -> None:
    """Two far groups of blobs; each parent has a wrong cluster in one of them that no move mends."""
    centres = np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 0.0], [900.0, 0.0], [910.0, 0.0], [920.0, 0.0]])
    points = np.repeat(centres, 8, axis=0) + 0.1 * np.random.default_rng(0).normal(size=(48, 2))
    truth = np.repeat(np.arange(6), 8)
    left, right = truth.copy(), truth.copy()
    left[:16], left[16:20], left[20:24] = 0, 1, 2  # two blobs in one cluster, and one in two
    right[24:40], right[40:44], right[44:] = 3, 4, 5
    reduced = reduce_instance(Instance(points, 6))
    parents = [improve(reduced, labels)[0] for labels in (left, right)]
    best = objective_of(reduced, truth)
    assert min(each.objective for each in parents) > 100 * best
    names = np.random.default_rng(1).permutation(6)
    donor = Solution(names[parents[1].labels], parents[1].objective)
    assert after_ten_passes(reduced, parents[0], donor).objective == pytest.approx(best)
    assert after_ten_passes(reduced, donor, parents[0]).objective == pytest.approx(best)


@pytest.mark.parametrize("share", [0.0, 0.4])
def test_nothing_comes_of_the_same_partition_under_other_names(share: float) -> None:
    reduced, hidden = dense(5, share=share)
    solution = settled(reduced, hidden)
    names = np.random.default_rng(5).permutation(reduced.n_clusters)
    assert graft(reduced, solution, Solution(names[solution.labels], solution.objective)) is solution


@pytest.mark.parametrize(("n", "k"), [(5, 1), (4, 4)])
def test_nothing_comes_of_it_where_there_is_one_partition(n: int, k: int) -> None:
    reduced = reduce_instance(Instance(np.arange(float(n)), k))
    solution = as_solution(reduced, np.arange(n) % k)
    assert graft(reduced, solution, as_solution(reduced, np.arange(n)[::-1] % k)) is solution


def test_a_run_that_has_to_end_tries_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    reduced, hidden = dense(0)
    solution, donor = as_solution(reduced, hidden), settled(reduced, hidden)
    tried: list[int] = []

    def count(*arguments: object) -> int:
        tried.append(len(arguments[5]))  # type: ignore[arg-type]
        return 0

    monkeypatch.setattr(grafting, "graft_often", count)
    monkeypatch.setattr(grafting, "ROUND", 2 * reduced.size)
    grafted(reduced, solution, donor, rng=np.random.default_rng(0), budget=Budget(Stop(lambda: True)))
    assert tried == [2]
    tried.clear()
    graft(reduced, solution, donor)
    assert tried == [2, 2, 2]


def test_super_points_are_given_to_the_nearest_clusters_that_are_free() -> None:
    points, centres = np.array([[0.0], [10.0], [1.0], [2.0]]), np.array([[0.0], [10.0]])
    weights, touched = np.ones(4), np.zeros(2, np.bool_)
    indptr, indices = np.array([0, 0, 0, 1, 2]), np.array([3, 2])  # the last two are apart
    labels = np.array([0, 1, -1, -1])
    assert give_away(Nodes(points, weights, indptr, indices), labels, centres, touched)
    assert labels.tolist() == [0, 1, 0, 1]
    assert touched.all()


def test_it_is_told_where_a_super_point_finds_no_cluster() -> None:
    points, centres, touched = np.arange(3.0)[:, None], np.array([[0.0], [1.0]]), np.zeros(2, np.bool_)
    indptr, indices = np.array([0, 2, 3, 4]), np.array([1, 2, 0, 0])
    given = Nodes(points, np.ones(3), indptr, indices)
    assert not give_away(given, np.array([-1, 0, 1]), centres, touched)


def test_who_loses_most_by_waiting_chooses_first_and_weight_counts() -> None:
    """Both of the last two want the first cluster, and they are apart."""
    points, centres = np.array([[0.0], [10.0], [20.0], [2.0], [1.0]]), np.array([[0.0], [10.0], [20.0]])
    indptr, indices = np.array([0, 0, 0, 0, 1, 2]), np.array([4, 3])
    for weights, expected in (([1, 1, 1, 1, 1], [1, 0]), ([1, 1, 1, 9, 1], [0, 1])):
        labels, touched = np.array([0, 1, 2, -1, -1]), np.zeros(3, np.bool_)
        given = Nodes(points, np.array(weights, float), indptr, indices)
        assert give_away(given, labels, centres, touched)
        assert labels.tolist() == [0, 1, 2, *expected]
        assert touched.tolist() == [True, True, False]


def test_a_region_is_taken_over_with_all_whom_it_concerns() -> None:
    labels, donor = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 1, 2, 1])
    trial, touched = np.empty(6, np.intp), np.zeros(3, np.bool_)
    assert take_over(labels, donor, np.array([False, True, False]), trial, touched)
    assert trial.tolist() == [0, 1, 1, 1, 2, 1]
    assert touched.tolist() == [True, True, True]
    touched[:] = False
    assert take_over(labels, donor, np.array([True, False, False]), trial, touched)
    assert trial.tolist() == [0, -1, 1, 1, 2, 2]
    assert touched.tolist() == [True, False, False]
    assert not take_over(labels, labels, np.array([True, True, False]), trial, touched)


def test_a_cluster_that_would_be_left_empty_is_not_taken_from() -> None:
    labels, donor = np.array([0, 0, 1, 2]), np.array([0, 0, 0, 1])
    trial, touched = np.empty(4, np.intp), np.zeros(3, np.bool_)
    assert not take_over(labels, donor, np.array([True, False, False]), trial, touched)


def test_regions_grow_along_the_overlap_to_two_clusters_on_the_average() -> None:
    overlap, region, rng = np.eye(30) + np.eye(30, k=1), np.zeros(30, np.bool_), np.random.default_rng(0)
    sizes = []
    for _ in range(2000):
        grow(overlap, 15, region, rng)
        marked = np.flatnonzero(region)
        assert 15 in marked
        assert (np.diff(marked) == 1).all()
        sizes.append(marked.size)
    assert np.mean(sizes) == pytest.approx(2.0, abs=0.15)
    grow(np.eye(30), 3, region, rng)
    assert np.flatnonzero(region).tolist() == [3]


@pytest.mark.parametrize("seed", range(10))
def test_what_a_graft_has_changed_settles(seed: int) -> None:
    """Nothing that two partitions by chance have is good, but what the moves make of a graft is."""
    points, _ = gaussian_mixture(60, 2, 6, separation=8.0, seed=seed)
    reduced = reduce_instance(Instance(points, 6))
    rng = np.random.default_rng(seed)
    parents = [as_solution(reduced, rng.permutation(np.arange(60) % 6)) for _ in range(2)]
    found = graft(reduced, *parents, seed)
    assert keeps(reduced, found.labels)
    assert found.objective < 0.5 * min(each.objective for each in parents)


def test_grafts_help_where_clusters_are_many() -> None:
    points = gaussian_mixture(600, 2, 40, separation=8.0, seed=3)[0]
    reduced = reduce_instance(Instance(points, 40))
    ends = []
    for grafts_from in (41, 40):
        best, _ = s_mdeclust(reduced, seed=0, params=MemeticParams(max_generations=0, grafts_from=grafts_from))
        ends.append(best.objective)
    assert ends[1] < 0.99 * ends[0]
