"""The checker under limits of clusters and soft pairs: what it concludes is true, and runs are about their own."""

import copy
import itertools
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import ctx

import pcsos
from pcsos.base.exceptions import InfeasibleError
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.evidence.codec import encode_multipliers
from pcsos.presolve.implied_pairs import infer_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params, PriceParams
from pcsos.problem.reduction import contract, reduce_instance
from pcsos.verify import VerificationError, verify
from pcsos.verify.bound import Bound
from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.state import State
from tests.asked import asked
from tests.blobs import arrays
from tests.conditioned import Conditioned, random_conditioned, random_fair
from tests.slow import first_few
from tests.verify.certificates import random_multipliers


@pytest.fixture(autouse=True)
def precision() -> object:
    with ctx.workprec(128):
        yield


def conditions_of(instance: Instance) -> Conditions:
    stated = json.loads(json.dumps(instance.asked.to_dict()))
    return Conditions(Doubles(instance.weights), instance.n_clusters, stated)


def states_of(truth: Conditioned, seed: int, number: int) -> list[State]:
    """States of an instance: its own pairs, and some more."""
    rng, instance = np.random.default_rng(seed), truth.instance
    states = []
    for more in range(number):
        state = State(instance.n_points)
        for kind, pairs in (("ML", instance.must_link), ("CL", instance.cannot_link)):
            for i, j in pairs.tolist():
                state.add(kind, i, j)
        for _ in range(more):
            i, j = rng.choice(instance.n_points, 2, replace=False).tolist()
            state.add("ML" if rng.random() < 0.5 else "CL", i, j)
        states.append(state)
    return states


def costs_in(truth: Conditioned, state: State) -> list[Fraction]:
    pairs = list(itertools.combinations(range(truth.instance.n_points), 2))
    return [
        cost
        for labels, cost in truth.feasible
        if not state.broken
        and all(labels[i] == labels[j] or state.name[i] != state.name[j] for i, j in pairs)
        and all(labels[i] != labels[j] or not state.apart(i, j) for i, j in pairs)
    ]


@pytest.mark.parametrize(
    ("draw", "seed"),
    first_few(30, itertools.product([random_conditioned], range(200)))
    + first_few(12, itertools.product([random_fair], range(30))),
)
def test_what_is_concluded_of_states_is_true(draw: Callable[[int], Conditioned], seed: int) -> None:
    truth, rng = draw(seed), np.random.default_rng(seed)
    instance, k, conditions = truth.instance, truth.instance.n_clusters, conditions_of(truth.instance)
    data, sets = Data(Doubles(instance.points), Doubles(instance.weights)), bool((instance.weights == 1.0).all())
    for state in states_of(truth, seed, 5):
        if state.broken or state.size < k:
            continue
        costs = costs_in(truth, state)
        assert not (costs and conditions.refute(state))
        for first, second in itertools.combinations(state.names(), 2):
            if conditions.beyond(conditions.held(state.points(first)), conditions.held(state.points(second))):
                together = copy.deepcopy(state)
                together.add("ML", first, second)
                assert not costs_in(truth, together)
        for strength in (0.0, 0.1, 1.0) if costs else ():
            multipliers = random_multipliers(rng, state.size, k, strength, sets=sets, pairs=True)
            proof = Bound(data, state, arrays(encode_multipliers(multipliers)), k, conditions)
            assert Fraction(float(proof.value.lower())) <= min(costs) * (1 + Fraction(1, 2**40))


@pytest.mark.parametrize("seed", first_few(16, range(60)))
def test_checker_and_solver_prove_the_same(seed: int) -> None:
    truth, rng = random_conditioned(seed), np.random.default_rng(seed)
    instance = truth.instance
    try:
        reduced = reduce_instance(instance)
        if reduced.size > reduced.n_clusters and rng.random() < 0.5:
            reduced = contract(reduced, (), [rng.choice(reduced.size, 2, replace=False)])
        reduced, _ = infer_pairs(reduced)
    except InfeasibleError:
        return
    state = State(instance.n_points)
    for i in range(instance.n_points):
        state.add("ML", int(reduced.representative[reduced.component[i]]), i)
    for i, j in reduced.representative[reduced.cannot_link].tolist():
        state.add("CL", i, j)
    k = instance.n_clusters
    sets = bool((instance.weights == 1.0).all())
    multipliers = random_multipliers(rng, reduced.size, k, 0.3, sets=sets, pairs=True)
    data = Data(Doubles(instance.points), Doubles(instance.weights))
    checked = Bound(data, state, arrays(encode_multipliers(multipliers)), k, conditions_of(instance)).value
    ours = prove(peng_wei.build(reduced), multipliers)
    size = 1.0 + float(data.frame(state.moved).total) + instance.soft.total + float(np.abs(multipliers.box).sum())
    assert ours == pytest.approx(float(checked), abs=1e-9 * size)
    assert ours <= float(checked)


@pytest.mark.parametrize(("weights", "limit"), [([0.1, 0.7], {"weight_min": 0.8}), ([0.1] * 3, {"weight_max": 0.3})])
def test_weights_miss_a_limit_by_what_decimal_fractions_are_rounded(
    weights: list[float], limit: dict[str, float]
) -> None:
    m = len(weights)
    clusters = [list(range(m)), list(range(m, 2 * m))]
    assert Conditions(Doubles(np.array(2 * weights)), 2, {"limits": limit}).hold(clusters)
    name, value = next(iter(limit.items()))
    missed = value * (1.0 + 1e-8 if name == "weight_min" else 1.0 - 1e-8)
    assert not Conditions(Doubles(np.array(2 * weights)), 2, {"limits": {name: missed}}).hold(clusters)


# Runs


POINTS = np.array([0.0, 1.0, 2.0, 3.0, 10.0, 11.0])


@pytest.fixture
def balanced(tmp_path: Path) -> Path:
    """A proved run with three points a cluster, and a soft pair that is broken."""
    path = tmp_path / "some.run"
    labels = [0, 0, 0, 1, 1, 1]
    given = {"size_min": 3, "size_max": 3, "soft_must_link": [(2, 3, 0.5)]}
    result = pcsos.solve(POINTS, 2, start=labels, run_file=path, **asked(**given))
    assert str(result.status) == "OPTIMAL"
    return path


OWN = {"limits": {"size_min": 3, "size_max": 3}, "soft": [[2, 3, 0.5, 0.0]]}


def test_a_run_with_conditions_is_verified_with_them(balanced: Path) -> None:
    verdict = verify(balanced, POINTS, ([], []), conditions=OWN)
    assert verdict.status == "OPTIMAL"
    assert verdict.objective == pytest.approx(2.0 + 38.0 + 0.5)
    turned = {"limits": {"size_max": 3, "size_min": 3}, "soft": [[3, 2, 0.25, 0.0], [2, 3, 0.25, 0.0]]}
    assert verify(balanced, POINTS, ([], []), conditions=turned) == verdict


@pytest.mark.parametrize(
    "given",
    [
        None,
        {},
        {"limits": {"size_min": 3, "size_max": 3}},
        {"soft": [[2, 3, 0.5, 0.0]]},
        OWN | {"limits": {"size_min": 2, "size_max": 3}},
        OWN | {"limits": {"sizes": [3, 3]}},
        OWN | {"soft": [[2, 3, 0.0, 0.5]]},
        OWN | {"soft": [[2, 4, 0.5, 0.0]]},
    ],
)
def test_a_run_about_other_conditions_is_refused_whoever_gives_points(
    balanced: Path, given: dict[str, object] | None
) -> None:
    with pytest.raises(VerificationError, match=r"other limits or soft pairs .* its own are 1 soft pairs, size"):
        verify(balanced, POINTS, ([], []), conditions=given)


def test_long_limits_are_cut_where_people_read_them() -> None:
    shown = Conditions(Doubles(np.ones(60)), 60, {"limits": {"sizes": [1] * 60}}).shown()
    assert shown == ", sizes = " + "[1, " + "1, " * 18 + "1,..."


def test_a_run_without_conditions_does_not_pass_for_one_with_them(tmp_path: Path) -> None:
    pcsos.solve(POINTS, 2, run_file=tmp_path / "some.run")
    with pytest.raises(VerificationError, match="about other limits or soft pairs"):
        verify(tmp_path / "some.run", POINTS, ([], []), conditions=OWN)


def test_a_run_about_other_groups_is_refused(tmp_path: Path) -> None:
    path, labels = tmp_path / "fair.run", [*"aaabbb"]
    pcsos.solve(POINTS, 2, workers=1, run_file=path, conditions=[pcsos.Groups(labels, at_least=1)])
    own = pcsos.Instance(POINTS, 2, conditions=[pcsos.Groups(labels, at_least=1)]).asked.to_dict()
    assert verify(path, POINTS, conditions=own).status == "OPTIMAL"
    for given in ({}, {"groups": [*"aaabba"], "group_min": 1}, {"groups": labels, "group_min": {"a": 1}}):
        with pytest.raises(VerificationError, match="about other limits or soft pairs"):
            verify(path, POINTS, conditions=pcsos.Instance(POINTS, 2, **asked(**given)).asked.to_dict())


def test_bounds_of_parts_take_no_limits(tmp_path: Path) -> None:
    """What a part of the points must cost alone is not raised by limits that clusters of the whole have."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 2))
    labels = np.arange(60) % 3
    path = tmp_path / "some.run"
    instance = Instance(points, 3, size_min=20, size_max=20)
    options = pcsos.Options(block_size=20, params=Params(prices=PriceParams(features_up_to=0)))  # which count limits
    result = pcsos.certify(instance, labels, run_file=path, time_limit=20, options=options)
    plain = pcsos.solve(points, 3)
    assert result.lower_bound is not None
    assert plain.objective is not None
    assert result.lower_bound <= plain.objective
    verdict = verify(path, points, ([], []), conditions=instance.asked.to_dict())
    assert verdict.lower_bound >= result.lower_bound


@pytest.mark.parametrize("scale", [1.0, 1e-8, 1e-16, 1e-40, 1e-200])
def test_penalties_are_proved_to_the_last_digits_where_all_points_are_equal(scale: float, tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    result = pcsos.solve(
        [0.0] * 4,
        2,
        run_file=path,
        conditions=[pcsos.SoftPairs(must_link=[(0, 1, 2 * scale)], cannot_link=[(0, 1, 3 * scale)])],
    )
    assert result.objective == 2 * scale
    assert verify(path).status == str(result.status)


def test_what_a_genuine_run_cuts_off_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    pcsos.solve(
        [0.0] * 3,
        2,
        run_file=path,
        conditions=[pcsos.Sizes(exactly=[2, 1]), pcsos.SoftPairs(must_link=[(0, 1, 5.0), (1, 2, 0.3)])],
    )
    assert verify(path).objective == 0.3


def test_pairs_that_colours_join_and_limits_part_are_no_less_proved(tmp_path: Path) -> None:
    """Points 0 and 1 have the third cluster left, but with those that they must be linked to they are four."""
    path = tmp_path / "some.run"
    given = {"must_link": [(0, 4), (1, 5)], "cannot_link": [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], "size_max": 3}
    assert str(pcsos.solve(np.arange(6.0), 3, run_file=path, **asked(**given)).status) == "INFEASIBLE"
    assert verify(path).status == "INFEASIBLE"


def test_weights_that_must_links_make_whole_are_no_numbers_of_points(tmp_path: Path) -> None:
    """Two points that must be linked weigh 0.5 and 1.5; the checker takes set cuts only where each weighs 1."""
    path = tmp_path / "some.run"
    points = np.random.default_rng(0).standard_normal((20, 2))
    given = {"must_link": [(0, 1)], "weights": [0.5, 1.5, *[1.0] * 18], "size_min": 6, "size_max": 7}
    assert str(pcsos.solve(points, 3, run_file=path, **asked(**given)).status) == "OPTIMAL"
    assert verify(path).status == "OPTIMAL"
