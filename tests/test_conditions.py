"""Limits of clusters and soft pairs from end to end, against brute force in fractions; every run is verified."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos import Instance
from pcsos.base.exceptions import InputError, RunFileError
from pcsos.evidence.run_file import RunFile
from pcsos.problem.conditions.limits import Limits
from pcsos.problem.conditions.role import Capacity
from pcsos.search import run
from pcsos.search.relaxation import bounding
from pcsos.verify import verify
from tests.asked import asked
from tests.conditioned import Conditioned, random_conditioned
from tests.slow import first_few
from tests.verify.certificates import edit

GAP = 1e-6


def check(truth: Conditioned, folder: Path) -> None:
    instance, path = truth.instance, folder / "some.run"
    result = pcsos.solve(instance, gap=GAP, workers=1, run_file=path)
    links = instance.must_link.tolist(), instance.cannot_link.tolist()
    verdict = verify(
        path, instance.points, links, weights=instance.weights, n_clusters=instance.n_clusters,
        conditions=instance.asked.to_dict(),
    )  # fmt: skip
    assert verdict.status == str(result.status)
    if truth.optimum is None:
        assert str(result.status) == "INFEASIBLE"
        return
    assert str(result.status) == "OPTIMAL"
    assert result.labels is not None
    assert truth.admits(result.labels)
    assert result.objective == pytest.approx(float(truth.cost(result.labels)), rel=1e-12)
    assert result.objective <= float(truth.optimum) * (1 + 2 * GAP) + 1e-12
    assert result.lower_bound is not None
    assert Fraction(result.lower_bound) <= truth.optimum * (1 + Fraction(1, 2**40))


def check_beside_the_optimum(truth: Conditioned) -> None:
    """A heuristic and a certificate of the worst feasible partition keep to the conditions."""
    if truth.optimum is None:
        return
    best, partition = float(truth.optimum), pcsos.heuristics.run(truth.instance, max_stall=20).partition
    assert partition is not None
    assert truth.admits(partition.labels)
    assert partition.objective >= best * (1.0 - 1e-12)
    result = pcsos.certify(truth.instance, max(truth.feasible, key=lambda found: found[1])[0], workers=1)
    assert result.lower_bound <= best * (1.0 + 1e-12)
    assert result.better is None or truth.admits(result.better.labels)


@pytest.mark.parametrize("seed", first_few(15, range(75)))
def test_the_optimum_is_found_and_proved(seed: int, tmp_path: Path) -> None:
    check(random_conditioned(seed), tmp_path)


@pytest.mark.parametrize("seed", first_few(10, range(150, 200)))
def test_the_tree_alone_finds_and_proves_it(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounding, "round_to_partition", lambda *_: None)
    monkeypatch.setattr(run, "offer_first_incumbents", lambda *_: None)
    check(random_conditioned(seed), tmp_path)


def test_a_stopped_run_goes_on_under_its_conditions(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    instance = Instance(
        rng.normal(size=(20, 2)),
        3,
        size_min=6,
        size_max=7,
        conditions=[pcsos.SoftPairs(must_link=[(0, 1), (2, 3)], penalty=0.5)],
    )
    path = tmp_path / "some.run"
    stopped = pcsos.solve(instance, run_file=path, options=pcsos.Options(node_limit=0))
    with RunFile.read(path) as file:
        assert file.instance.asked.to_dict() == instance.asked.to_dict()
    result = pcsos.resume(path)
    assert str(stopped.status) != "OPTIMAL"
    assert str(result.status) == "OPTIMAL"
    assert result.objective == pytest.approx(pcsos.solve(instance).objective, rel=1e-4)


def test_a_run_file_whose_conditions_were_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    pcsos.solve([0.0, 1.0, 2.0, 9.0], 2, size_min=2, run_file=path)
    edit(path, ("UPDATE instance SET conditions = ?", ('{"limits": {"size_max": 3}}',)))
    with pytest.raises(RunFileError, match="another digest"):
        RunFile.read(path)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"size_min": 3}, "2 clusters of size_min = 3 need 6 points, but there are 4; give at most 2"),
        ({"size_max": 1}, "2 clusters of size_max = 1 hold 2 points, but there are 4; give at least 2"),
        ({"size_min": 2, "size_max": 1}, "size_min is 2, more than size_max = 1; exchange or correct them"),
        ({"size_min": 0}, "size_min is 0; give a whole number of at least 1"),
        ({"size_min": 1.5}, "size_min is 1.5; give a whole number of at least 1"),
        ({"size_max": True}, "size_max is True; give a whole number of at least 1"),
        ({"weight_min": float("nan")}, "weight_min is nan; give a finite weight of at least 0"),
        ({"weight_max": -1.0}, "weight_max is -1.0; give a finite weight of at least 0"),
        ({"weight_min": 3.0}, "2 clusters of weight_min = 3 need 6 of weight in all, but there are 4; give at most 2"),
        ({"sizes": [1, 2]}, "sizes add up to 3, but there are 4 points; correct one of them"),
        ({"sizes": [4]}, "sizes are 1 for 2 clusters; give one per cluster"),
        ({"sizes": [0, 4]}, r"sizes\[0\] is 0; give a whole number of at least 1"),
        ({"sizes": [1, 3], "size_min": 2}, "sizes has 1, but size_min is 2; correct one of them"),
        ({"soft_must_link": [(0, 1)]}, r"soft_must_link\[0\] has no penalty; give it behind the two points, or one"),
        ({"soft_must_link": [(0, 1, -1)]}, r"soft_must_link\[0\] has the penalty -1; give a number of at least 0"),
        ({"soft_cannot_link": [(0, 0, 1)]}, r"soft_cannot_link\[0\] links point 0 to itself; remove that pair"),
        ({"soft_cannot_link": [(0, 9, 1)]}, r"soft_cannot_link\[0\] is \(0, 9\), but point indices go from 0 to 3"),
        ({"soft_cannot_link": [(0,)]}, r"soft_cannot_link\[0\] is \(0,\); give \(i, j\) or \(i, j, penalty\)"),
    ],
)
def test_bad_conditions_get_one_sentence(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Instance([0.0, 1.0, 5.0, 6.0], 2, **asked(**given))


def test_a_group_beyond_the_largest_size_makes_an_instance_infeasible() -> None:
    result = pcsos.solve([0.0, 1.0, 2.0, 9.0], 2, must_link=[(0, 1), (1, 2)], size_max=2)
    assert str(result.status) == "INFEASIBLE"
    assert (
        result.message
        == "point 0 and those that it must be linked to are 3 points of weight 3, more than size_max = 2 allows"
    )


def test_points_that_the_other_clusters_need_are_too_many_for_one(tmp_path: Path) -> None:
    weights, path = [0.5, 0.5, 0.5, 0.5, 4.0, 4.0], tmp_path / "some.run"
    linked = Instance(np.arange(6.0), 2, [(0, 1), (1, 2), (2, 3)], weights=weights, size_min=3)
    result = pcsos.solve(linked, run_file=path)
    assert str(result.status) == "INFEASIBLE"
    assert result.message is not None
    assert "are 4 points of weight 2, more than size_min = 3 allows" in result.message
    assert verify(
        path, linked.points, (linked.must_link.tolist(), []), weights=weights, conditions=linked.asked.to_dict()
    )


@pytest.mark.parametrize("n_clusters", [1, 2, 3])
def test_what_the_others_take_and_leave_bounds_a_cluster(n_clusters: int) -> None:
    own = Capacity(np.array([2.0, 1.0, 4.0]), 2.0, np.inf).left_by_others(n_clusters)
    assert (own.least, own.most) == {1: (7.0, 7.0), 2: (2.0, 5.0), 3: (2.0, 3.0)}[n_clusters]
    most = Capacity(np.array([2.0, 1.0, 4.0]), 0.0, 3.0).left_by_others(3)
    assert (most.least, most.most) == (1.0, 3.0)


def test_pairs_that_contradict_each_other_are_named_although_there_are_limits() -> None:
    result = pcsos.solve([0.0, 1.0, 2.0, 9.0], 2, must_link=[(0, 1)], cannot_link=[(0, 1)], size_max=3)
    assert result.conflict is not None
    assert result.conflict.cannot_link == ((0, 1),)


def test_an_infinite_penalty_is_a_hard_pair_and_none_says_nothing() -> None:
    soft = [(0, 1, np.inf), (2, 3, 0.0)]
    instance = Instance(
        [0.0, 9.0, 1.0, 8.0], 2, conditions=[pcsos.SoftPairs(must_link=soft, cannot_link=[(0, 2, np.inf)])]
    )
    assert instance.must_link.tolist() == [[0, 1]]
    assert instance.cannot_link.tolist() == [[0, 2]]
    assert len(instance.soft) == 0
    assert instance.is_plain


def test_equal_soft_pairs_add_their_penalties() -> None:
    soft = Instance(
        [0.0, 1.0, 2.0],
        2,
        conditions=[pcsos.SoftPairs(must_link=[(0, 1, 1.0), (1, 0, 2.0)], cannot_link=[(0, 1, 5.0)])],
    ).soft
    assert (soft.pairs.tolist(), soft.apart.tolist(), soft.together.tolist()) == ([[0, 1]], [3.0], [5.0])
    assert soft.cost(np.array([0, 0, 1])) == 5.0
    assert soft.cost(np.array([0, 1, 1])) == 3.0


def test_limits_that_say_nothing_are_none() -> None:
    assert Instance([0.0, 1.0, 2.0], 2, size_min=1, size_max=3, conditions=[pcsos.Weights(at_least=0.0)]).limits is None
    assert Instance([0.0, 1.0, 2.0], 2, size_max=2).limits == Limits.of([pcsos.Sizes(at_most=2)])


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_bounds_on_weights_hold_for_every_partition_that_keeps_the_limits(seed: int) -> None:
    truth = random_conditioned(seed)
    instance = truth.instance
    if instance.limits is None:
        return
    low, high = instance.limits.weight_range(instance.weights, instance.n_clusters)
    for labels, _ in truth.feasible:
        masses = np.bincount(labels, instance.weights)
        assert low <= masses.min()
        assert masses.max() <= high
