"""Certain pairs: all partitions within epsilon agree on them, against all partitions in fractions."""

import inspect
import itertools
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos import Instance, Partition
from pcsos.analysis.certainty import certain_pairs as module_of_certain_pairs
from pcsos.analysis.certainty import deciding
from pcsos.analysis.certainty.certain_pairs import certain_pairs, membership
from pcsos.analysis.certainty.relaxed import SharedRelaxation
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import CertainPairs, Certainty, Ended, Result
from pcsos.problem.reduction import Reduced, contract
from tests.clocks import Ticking
from tests.conditioned import Conditioned, random_conditioned
from tests.oracle import random_instance
from tests.slow import first_few

TWO_GROUPS = [0.0, 1.0, 5.0, 9.0, 10.0]


def disagreements(truth: Conditioned, certain: CertainPairs) -> list[tuple[int, int]]:
    """Pairs of which something is said that partitions within epsilon do not bear out."""
    assert truth.optimum is not None
    most = truth.optimum * (1 + Fraction(certain.epsilon))
    near = np.array([labels for labels, cost in truth.feasible if cost <= most])
    wrong = []
    for i, j in itertools.combinations(range(truth.instance.n_points), 2):
        together = near[:, i] == near[:, j]
        said = certain.relation(i, j)
        if said is not None and (together != said).any():
            wrong.append((i, j))
        if certain.is_uncertain(i, j) and (said is not None or together.all() or not together.any()):
            wrong.append((i, j))
    return wrong


def below(cost: Fraction | None) -> float:
    """A bound that no partition beats."""
    assert cost is not None
    return float(cost) * (1.0 - 1e-10)


def best_partition(truth: Conditioned) -> Partition:
    return Partition.of(truth.instance, min(truth.feasible, key=lambda own: own[1])[0])


@pytest.mark.parametrize("seed", first_few(6, range(60)))
def test_all_partitions_within_epsilon_agree_on_certain_pairs_and_some_disagree_on_uncertain_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = random_instance(rng, max_points=7)
    truth = random_conditioned(seed) if seed % 2 else Conditioned(drawn)
    if not truth.feasible:
        return
    for epsilon in (0.0, 0.05, 0.5):
        certain = certain_pairs(truth.instance, best_partition(truth), epsilon, lower_bound=below(truth.optimum))
        assert not disagreements(truth, certain)
        matrix = certain.matrix()
        pairs = itertools.combinations(range(truth.instance.n_points), 2)
        values = {None: 0, True: 1, False: -1}
        assert all(matrix[i, j] == matrix[j, i] == values[certain.relation(i, j)] for i, j in pairs)
        n = len(matrix)
        assert certain.num_certain == (np.count_nonzero(matrix) - n) // 2
        assert certain.num_certain + certain.num_open == certain.num_pairs == n * (n - 1) // 2
        every = itertools.combinations(range(n), 2)
        assert certain.num_uncertain == sum(certain.is_uncertain(i, j) for i, j in every)
        assert all(certain.doubts.matrix()[i, j] == certain.is_uncertain(i, j) for i, j in np.ndindex(n, n))
        assert certain.num_undecided == certain.num_open - certain.num_uncertain >= 0
        if certain.num_open == 0:
            assert certain.status is Certainty.UNIQUE
        else:
            assert certain.status is (Certainty.PARTIAL if certain.num_undecided else Certainty.COMPLETE)
        assert certain.reason is Ended.FINISHED


@pytest.mark.slow
def test_many_pairs_are_known_to_be_uncertain_and_without_a_bound_none_is() -> None:
    uncertain = undecided = 0
    for seed in range(30):
        truth = random_conditioned(seed)
        if truth.feasible:
            best = best_partition(truth)
            certain = certain_pairs(truth.instance, best, 0.5, lower_bound=below(truth.optimum))
            uncertain, undecided = uncertain + certain.num_uncertain, undecided + certain.num_undecided
            assert certain_pairs(truth.instance, best, 0.5).num_uncertain == 0
            halved = certain_pairs(truth.instance, best, 0.2, lower_bound=0.5 * below(truth.optimum))
            assert halved.num_uncertain == 0 or best.objective == 0.0
    assert min(uncertain, undecided) > 30


def test_a_bound_above_the_partition_makes_no_certain_pair_uncertain() -> None:
    truth = Conditioned(Instance(TWO_GROUPS, 2))
    certain = certain_pairs(truth.instance, best_partition(truth), 0.1, lower_bound=100.0)
    assert not disagreements(truth, certain)


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_a_worse_partition_makes_fewer_pairs_certain_and_none_wrong(seed: int) -> None:
    truth = random_conditioned(seed)
    if len(truth.feasible) < 2:
        return
    worst = Partition.of(truth.instance, max(truth.feasible, key=lambda own: own[1])[0])
    assert not disagreements(truth, certain_pairs(truth.instance, worst, 0.1, lower_bound=below(truth.optimum)))


def test_groups_far_apart_are_certain_whatever_lies_between_them_is_not() -> None:
    certain = pcsos.solve(TWO_GROUPS, 2).certain_pairs(0.1)
    assert certain.relation(0, 1) is True
    assert certain.relation(1, 3) is False
    assert certain.relation(2, 3) is None
    assert certain.groups.tolist() == [0, 0, 1, 2, 2]
    assert not certain.is_unique
    assert certain.lower_bound > 1.1 * 8.5
    told = certain.to_dict()
    assert (told["apart"], told["status"], told["reason"]) == ([[0, 3]], "COMPLETE", "FINISHED")
    assert (told["n_certain_pairs"], told["n_uncertain_pairs"], told["n_undecided_pairs"]) == (6, 4, 0)
    assert str(certain).endswith("in every partition within 10 % of the best one, the other 4 are not")
    assert (certain.is_uncertain(1, 2), certain.is_uncertain(0, 1)) == (True, False)
    points: list[Any] = [5, -1, 0.5, "1", True]
    for point in points:
        for asked in (certain.is_uncertain, certain.relation):
            with pytest.raises(InputError, match=f"point {point!r} does not exist; give indices from 0 to 4"):
                asked(0, point)


def test_a_unique_partition_is_called_so() -> None:
    certain = pcsos.solve([0.0, 1.0, 9.0, 10.0], 2).certain_pairs(0.5)
    assert certain.is_unique
    assert str(certain) == "no other partition is within 50 % of the best one"


@pytest.mark.parametrize(
    ("stop", "reason", "words"),
    [
        (Stop(time_limit=0.0), Ended.TIME_LIMIT, "the time limit was reached"),
        (Stop(lambda: True), Ended.INTERRUPTED, "it was interrupted"),
    ],
)
def test_what_is_cut_short_says_so(stop: Stop, reason: Ended, words: str) -> None:
    points = np.random.default_rng(0).normal(size=(40, 2))
    result = pcsos.solve(points, 3, workers=1)
    assert result.instance is not None
    assert result.partition is not None
    certain = certain_pairs(result.instance, result.partition, 0.01, stop=stop)
    assert (certain.status, certain.reason) == (Certainty.PARTIAL, reason)
    assert certain.num_undecided == certain.num_open > 0
    assert str(certain).startswith(f"proved so far: at least {certain.num_certain} of 780 pairs are the same in every")
    assert str(certain).endswith(f"{certain.num_undecided} are undecided ({words})")


def test_without_memory_for_a_bound_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    result = pcsos.solve(TWO_GROUPS, 2, workers=1)
    for module in (module_of_certain_pairs, deciding):
        monkeypatch.setattr(module, "shortage", lambda size: f"{size} super-points needs more")
    certain = result.certain_pairs(0.1)
    assert (certain.status, certain.reason, certain.num_uncertain) == (Certainty.PARTIAL, Ended.NO_MEMORY, 4)
    assert str(certain).endswith("6 are undecided (bounds do not fit into memory)")


def test_there_is_a_limit_by_default_and_progress_is_told() -> None:
    assert inspect.signature(Result.certain_pairs).parameters["time_limit"].default == 60.0
    points = np.random.default_rng(0).normal(size=(40, 2)) + 6.0 * np.repeat([[0, 0], [1, 1]], 20, axis=0)
    told: list[CertainPairs] = []
    certain = pcsos.solve(points, 2, workers=1).certain_pairs(0.05, time_limit=None, on_progress=told.append)
    numbers = [each.num_certain for each in told]
    assert len(numbers) > 1
    assert numbers == sorted(numbers)
    assert numbers[-1] == certain.num_certain
    assert all(each.lower_bound <= certain.lower_bound for each in told[1:])
    assert all(each.num_uncertain == certain.num_uncertain for each in told)
    with pytest.raises(InputError, match="time_limit is -1"):
        pcsos.solve(TWO_GROUPS, 2).certain_pairs(0.1, time_limit=-1)


def test_memberships_are_one_and_zero_where_the_relaxation_is_exact_and_between_where_it_is_not() -> None:
    exact = pcsos.solve([0.0, 1.0, 9.0, 10.0], 2).membership()
    assert np.allclose(exact, [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], atol=1e-3)
    torn = pcsos.solve(TWO_GROUPS, 2).membership()
    seconds: list[Any] = ["x", -1.0, True]
    for limit in seconds:
        with pytest.raises(InputError, match="time_limit"):
            pcsos.solve(TWO_GROUPS, 2).membership(time_limit=limit)
    assert torn.min() >= 0.0
    assert torn.max() <= 1.0
    assert 0.1 < torn[2, 0] < 0.9
    assert np.allclose(torn, torn.T)


@pytest.mark.parametrize("k", [1, 4])
def test_a_single_partition_has_its_own_memberships(k: int) -> None:
    instance = Instance([0.0, 1.0, 2.0, 3.0], k)
    labels = np.zeros(4, np.intp) if k == 1 else np.arange(4)
    shares = membership(instance, Partition.of(instance, labels))
    assert np.array_equal(shares, np.ones((4, 4)) if k == 1 else np.eye(4))
    assert certain_pairs(instance, Partition.of(instance, labels), 1.0).is_unique


@pytest.mark.parametrize("epsilon", [-0.1, float("nan"), float("inf"), "0.1", True, 1e308, 10**400])
def test_an_epsilon_that_is_none_gets_one_sentence(epsilon: object) -> None:
    result = pcsos.solve(TWO_GROUPS, 2)
    with pytest.raises(InputError, match=r"epsilon is .*; give a share of the cost from 0 to 1e\+20, such as 0\.01"):
        result.certain_pairs(epsilon)  # type: ignore[arg-type]


def test_without_a_partition_there_is_nothing_to_compare() -> None:
    result = pcsos.solve(TWO_GROUPS, 1, cannot_link=[(0, 1)])
    with pytest.raises(InputError, match="there is no partition to compare others with: the status is INFEASIBLE"):
        result.certain_pairs()


def test_steps_that_may_last_are_taken_aside_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    result = pcsos.solve(TWO_GROUPS, 2, workers=1)
    assert result.instance is not None
    assert result.partition is not None
    here = certain_pairs(result.instance, result.partition, 0.05, stop=NEVER)
    monkeypatch.setattr(module_of_certain_pairs, "LARGE", 0)
    aside = certain_pairs(result.instance, result.partition, 0.05, stop=Stop(lambda: False))
    assert aside.to_dict() == here.to_dict()
    assert here.num_certain > 0


@pytest.mark.skipif(sys.platform != "linux", reason="what is replaced here is not replaced in a new interpreter")
def test_a_step_that_lasts_is_left_at_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    result = pcsos.solve(TWO_GROUPS, 2, workers=1)
    assert result.instance is not None

    def endless(shared: SharedRelaxation, *, on_decided: Callable[[Reduced], object], **_: object) -> None:
        on_decided(contract(shared.knowledge.problem, [(0, 1)], ()))
        time.sleep(3600.0)

    def end(told: CertainPairs) -> None:
        clock.now += 10.0 * told.num_certain

    for name, value in (("LARGE", 0), ("standing_of", endless)):
        monkeypatch.setattr(module_of_certain_pairs, name, value)
    clock = Ticking(monkeypatch)
    stop = Stop(urgent=lambda: True, time_limit=1.0)
    certain = certain_pairs(result.instance, result.partition, 0.05, stop=stop, on_progress=end)
    assert (certain.reason, certain.relation(0, 1), certain.relation(3, 4)) == (Ended.TIME_LIMIT, True, None)
    assert certain.lower_bound == pytest.approx(1.05 * result.partition.objective, rel=1e-6)
