"""What is proved about all partitions within epsilon of the best one, against every partition there is."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pcsos import SoftPairs
from pcsos.analysis.active import ActiveSession, LabelOracle
from pcsos.analysis.certainty import deciding, relaxed
from pcsos.base import tolerances
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.evidence.result.certain_pairs import _rounded_down
from pcsos.problem.instance import Instance
from tests import oracle
from tests.conditioned import Conditioned, random_conditioned
from tests.slow import shares

EPSILONS = (0.0, 1e-3, 0.05, 0.5)


def unweighted(rng: np.random.Generator) -> Instance:
    drawn = oracle.random_instance(rng, max_points=9)
    return Instance(drawn.points, drawn.n_clusters, drawn.must_link, drawn.cannot_link)


@pytest.mark.parametrize("seeds", shares(8, 200))
def test_all_partitions_within_epsilon_agree_on_what_is_decided(seeds: range) -> None:
    num_feasible = num_unique = num_settled = 0
    for seed in seeds:
        instance, epsilon = unweighted(np.random.default_rng(seed)), EPSILONS[seed % 4]
        truth = oracle.enumerate_feasible(instance)
        try:
            standing = ActiveSession(instance, epsilon=epsilon).standing()
        except InfeasibleError:
            assert not truth.feasible
            continue
        near = truth.labels[truth.costs <= (1.0 + epsilon) * truth.optimum]
        component, apart = standing.decided.component, standing.decided.cannot_link
        together = near[:, :, None] == near[:, None, :]
        assert together[:, component[:, None] == component[None, :]].all(), seed
        first = standing.decided.representative
        assert not together[:, first[apart[:, 0]], first[apart[:, 1]]].any(), seed
        others = np.sort(truth.costs)[1:]
        if standing.is_settled:
            assert len(near) == 1, seed
            assert len(others) == 0 or others[0] >= standing.lower_bound * (1.0 - 1e-9), seed
        num_feasible, num_unique = num_feasible + 1, num_unique + (len(near) == 1)
        num_settled += standing.is_settled
    assert num_feasible > 0.7 * len(seeds)
    assert num_settled > 0.9 * num_unique > 0.35 * len(seeds)


def unweighted_conditioned(seed: int) -> Conditioned | None:
    """An instance with limits and soft pairs, where its limits are kept by points of weight 1 and some partition."""
    try:
        truth = Conditioned(random_conditioned(seed).instance.with_(weights=None))
    except InputError:
        return None
    return truth if truth.feasible else None


@pytest.mark.parametrize("seeds", shares(30, 150))
def test_what_is_proved_after_answers_holds_under_limits_and_soft_pairs(seeds: range) -> None:
    """The truth comes from what was given at first and the answers, not from what the session has made of it."""
    num_decided = num_settled = num_limited = num_soft = 0
    for seed in seeds:
        truth, epsilon = unweighted_conditioned(seed), EPSILONS[seed % 4]
        if truth is None:
            continue
        rng, n = np.random.default_rng(seed), truth.instance.n_points
        classes = truth.feasible[int(rng.integers(len(truth.feasible)))][0]
        session = ActiveSession(truth.instance, epsilon=epsilon)
        for _ in range(int(rng.integers(1, 3))):
            i, j = rng.choice(n, 2, replace=False).tolist()
            session.tell((i, j), bool(classes[i] == classes[j]))
        assert session.instance.asked.to_dict() == truth.instance.asked.to_dict()
        left = [
            (labels, cost)
            for labels, cost in truth.feasible
            if all((labels[i] == labels[j]) == same for i, j, same in session.answers)
        ]
        optimum, standing = min(cost for _, cost in left), session.standing()
        assert standing.partition.objective >= float(optimum) * (1.0 - 1e-12)
        near = np.array([labels for labels, cost in left if cost <= (1 + Fraction(epsilon)) * optimum])
        for i in range(n):
            for j in range(i):
                said = standing.relation(i, j)
                num_decided += said is not None
                assert said is None or ((near[:, i] == near[:, j]) == said).all(), (seed, i, j)
        if standing.is_settled:
            others = sorted(cost for _, cost in left)[1:]
            assert not others or float(others[0]) >= standing.lower_bound * (1.0 - 1e-12), seed
        num_settled += standing.is_settled
        num_limited += session.instance.limits is not None
        num_soft += len(session.instance.soft) > 0
    assert num_decided > 3.34 * len(seeds)
    assert min(num_settled, num_limited, num_soft) > 0.2 * len(seeds)


def test_limits_and_soft_pairs_outlast_answers_and_their_taking_back() -> None:
    instance = Instance(np.arange(8.0), 2, size_min=3, conditions=[SoftPairs(must_link=[(0, 7, 5.0)])])
    session = ActiveSession(instance, strategy="mmffqs")
    session.tell((0, 1), True)
    session.tell((0, 7), False)
    assert session.instance.asked.to_dict() == instance.asked.to_dict()
    session.undo()
    assert session.instance.asked.to_dict() == instance.asked.to_dict()
    for point in range(2, 5):
        session.tell((0, point), True)
    with pytest.raises(InfeasibleError):
        session.tell((0, 5), True)  # two points are left for a cluster of three


def test_the_bound_of_a_settled_session_holds_for_every_other_partition() -> None:
    points = [0.0, 1.0, 10.0, 11.0, 30.0]
    session = ActiveSession(points, 3, epsilon=1.0)
    truth = oracle.enumerate_feasible(Instance(points, 3))
    standing = session.standing()
    assert session.is_settled
    assert standing.partition.objective == pytest.approx(truth.optimum)
    assert 2.0 * truth.optimum < standing.lower_bound <= np.sort(truth.costs)[1]
    assert str(standing).startswith("settled: one partition costs 1")


def test_an_answer_against_the_cheapest_partition_moves_what_is_settled() -> None:
    points = [0.0, 1.0, 10.0, 11.0]
    session = ActiveSession(points, 2, epsilon=0.1)
    assert session.is_settled
    session.tell((0, 1), False)
    standing = session.standing()
    assert standing.partition.labels[0] != standing.partition.labels[1]
    session.undo()
    assert session.is_settled


def test_two_partitions_of_equal_cost_are_never_settled() -> None:
    session = ActiveSession([0.0, 1.0, 2.0], 2, epsilon=0.0, strategy="certified")
    assert not session.is_settled
    assert str(session.standing()).startswith("not settled")
    pair = session.ask()
    assert pair is not None
    session.tell(pair, True)
    assert session.is_settled
    assert session.ask() is None


def test_points_at_one_place_are_open_but_a_cost_of_zero_can_be_settled() -> None:
    assert not ActiveSession([0.0, 0.0, 0.0, 5.0], 3).is_settled
    assert ActiveSession([0.0, 0.0, 5.0, 5.0], 2).is_settled


@pytest.mark.parametrize("n_clusters", [1, 4])
def test_one_partition_is_settled_without_a_bound(n_clusters: int) -> None:
    session = ActiveSession([0.0, 1.0, 5.0, 9.0], n_clusters, strategy="certified")
    standing = session.standing()
    assert session.is_settled
    assert math.isinf(standing.lower_bound)
    assert "leave one partition" in str(standing)
    assert session.ask() is None


@pytest.mark.slow
def test_what_certified_asks_is_undecided_and_in_the_end_nothing_is() -> None:
    rng = np.random.default_rng(5)
    points, classes = rng.standard_normal((9, 2)), rng.integers(0, 3, 9)
    classes[:3] = range(3)
    session, answer = ActiveSession(points, 3, strategy="certified", epsilon=0.05), LabelOracle(classes)
    num_undecided = 0
    while (pair := session.ask()) is not None:
        if len(session.answers) >= 4 and not session.is_settled:
            truth = oracle.enumerate_feasible(session.instance)
            near = truth.labels[truth.costs <= 1.05 * truth.optimum]
            assert np.unique(near[:, pair[0]] == near[:, pair[1]]).size == 2
            num_undecided += 1
        session.tell(pair, answer(*pair))
    assert session.is_settled
    assert num_undecided >= 1


def test_without_memory_for_a_bound_the_questions_go_on_and_nothing_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [0.0, 1.0, 10.0, 11.0, 30.0]
    for module in (relaxed, deciding):
        monkeypatch.setattr(module, "shortage", lambda size: f"{size} super-points needs more")
    session = ActiveSession(points, 3, strategy="certified")
    assert session.ask() is not None
    assert not session.is_settled
    with pytest.raises(InputError, match="take another strategy, such as kmmffqs"):
        ActiveSession(points, 3, strategy="sdp-branch").ask()


def test_a_time_limit_leaves_time_for_the_proof() -> None:
    points = [0.0, 1.0, 10.0, 11.0, 30.0]
    session = ActiveSession(points, 3, strategy="certified", time_limit=3600.0)
    assert session.is_settled
    session.tell((0, 1), True)
    assert session.is_settled


def test_the_bound_that_decides_is_above_what_it_is_compared_with() -> None:
    assert tolerances.beyond(2.0, 0.5) > 3.0
    assert tolerances.beyond(0.0, 0.5) > 0.0


def test_the_bound_in_words_is_a_bound() -> None:
    for bound in (3.8452188279481185, 0.1 + 0.2, 123456789012.3, 1e-300, 2.0**70):
        assert float(_rounded_down(bound)) <= bound
        assert float(_rounded_down(bound)) == pytest.approx(bound, rel=1e-8)
