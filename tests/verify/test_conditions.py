"""The checker under limits of clusters and soft pairs: what it proves holds, and files built to deceive are refused."""

import copy
import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import ctx

import pcsos
from pcsos.base.exceptions import InfeasibleError
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.evidence.codec import encode_integers, encode_multipliers
from pcsos.evidence.multipliers import Multipliers
from pcsos.presolve.implied_pairs import infer_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import contract, reduce_instance
from pcsos.verify import VerificationError, verify
from pcsos.verify.bound import Bound
from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.state import State
from tests.asked import asked
from tests.blobs import arrays
from tests.conditioned import Conditioned, random_conditioned
from tests.slow import first_few
from tests.verify.certificates import edit, random_multipliers


@pytest.fixture(autouse=True)
def precision() -> object:
    with ctx.workprec(128):
        yield


def conditions_of(instance: Instance) -> Conditions:
    stated = json.loads(json.dumps(instance.asked.to_dict()))
    return Conditions(Doubles(instance.weights), instance.n_clusters, stated)


def states_of(truth: Conditioned, seed: int, number: int = 3) -> list[State]:
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
    """Costs of the feasible partitions of a state."""
    pairs = list(itertools.combinations(range(truth.instance.n_points), 2))
    return [
        cost
        for labels, cost in truth.feasible
        if not state.broken
        and all(labels[i] == labels[j] or state.name[i] != state.name[j] for i, j in pairs)
        and all(labels[i] != labels[j] or not state.apart(i, j) for i, j in pairs)
    ]


@pytest.mark.parametrize("seed", first_few(30, range(120)))
def test_no_partition_costs_less_than_multipliers_prove(seed: int) -> None:
    truth, rng = random_conditioned(seed), np.random.default_rng(seed)
    instance = truth.instance
    k, conditions = instance.n_clusters, conditions_of(instance)
    data = Data(Doubles(instance.points), Doubles(instance.weights))
    for state in states_of(truth, seed):
        least = min(costs_in(truth, state), default=None)
        if least is None or state.size < k:
            continue
        for strength in (0.0, 0.1, 1.0):
            sets = bool((instance.weights == 1.0).all())
            multipliers = random_multipliers(rng, state.size, k, strength, sets=sets, pairs=True)
            proof = Bound(data, state, arrays(encode_multipliers(multipliers)), k, conditions)
            assert Fraction(float(proof.value.lower())) <= least * (1 + Fraction(1, 2**40))


@pytest.mark.parametrize("seed", range(60))
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


@pytest.mark.parametrize("seed", first_few(24, range(200)))
def test_states_are_refuted_and_pairs_forced_only_where_that_is_true(seed: int) -> None:
    truth = random_conditioned(seed)
    conditions = conditions_of(truth.instance)
    for state in states_of(truth, seed, 5):
        if state.broken or state.size < truth.instance.n_clusters:
            continue
        costs = costs_in(truth, state)
        assert not (costs and conditions.refute(state))
        for first, second in itertools.combinations(state.names(), 2):
            if conditions.beyond(conditions.held(state.points(first)), conditions.held(state.points(second))):
                together = copy.deepcopy(state)
                together.add("ML", first, second)
                assert not costs_in(truth, together)


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


# Files that are built to deceive


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


def state_conditions(path: Path, stated: object) -> None:
    edit(path, ("UPDATE instance SET conditions = ?", (stated if isinstance(stated, str) else json.dumps(stated),)))


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


@pytest.mark.parametrize(
    "stated",
    [
        {},  # the labels then cost less than stated, and the bound is no bound
        {"limits": {"size_min": 3, "size_max": 3}},
        {"limits": {"size_min": 2}, "soft": OWN["soft"]},
        {"limits": {"size_max": 2}, "soft": OWN["soft"]},
        {"limits": {"sizes": [2, 4]}, "soft": OWN["soft"]},
        {"limits": {"weight_max": 2.9}, "soft": OWN["soft"]},
        OWN | {"soft": [[2, 3, 0.4, 0.0]]},
        OWN | {"soft": [[2, 3, 0.5, 0.0], [0, 5, 0.1, 0.0]]},
        OWN | {"soft": [[0, 1, 0.0, 0.5]]},
    ],
)
def test_other_conditions_in_the_file_are_noticed(balanced: Path, stated: dict[str, object]) -> None:
    state_conditions(balanced, stated)
    with pytest.raises(VerificationError):
        verify(balanced)


def test_limits_that_are_null_are_none() -> None:
    weights = Doubles(np.array([2.0, 3.0, 4.0]))
    conditions = Conditions(weights, 2, {"limits": {"size_min": None, "sizes": None, "weight_max": None}})
    assert (conditions.low, conditions.high, conditions.limits) == (0, 9, {})


@pytest.mark.parametrize("limits", [{"size_min": 3}, {"size_max": 3}, {"sizes": [3, 3]}, {"weight_max": 3.0}])
def test_labels_that_break_a_limit_are_refused(balanced: Path, limits: dict[str, object]) -> None:
    state_conditions(balanced, OWN | {"limits": limits})
    edit(balanced, ("UPDATE claim SET objective = 65.5, labels = ?", (encode_integers([0, 0, 1, 1, 1, 1]),)))
    with pytest.raises(VerificationError, match="the labels break a limit of clusters"):
        verify(balanced)


@pytest.mark.parametrize(
    ("stated", "sentence"),
    [
        ("{", "conditions: no JSON"),
        ("[]", "of an unknown kind"),
        ('{"more": 1}', "of an unknown kind"),
        ('{"limits": []}', "a limit of an unknown kind"),
        ('{"limits": {"size": 1}}', "a limit of an unknown kind"),
        ('{"limits": {"size_min": true}}', "size_min is True"),
        ('{"limits": {"size_min": -1}}', "size_min is -1"),
        ('{"limits": {"size_max": 1e9}}', "size_max is 1000000000"),
        ('{"limits": {"weight_min": NaN}}', "conditions: no JSON"),
        ('{"limits": {"weight_min": "1"}}', "weight_min is '1', no weight"),
        ('{"limits": {"weight_max": 1e999}}', "inf is not a finite number"),
        ('{"limits": {"weight_max": -1}}', "weight_max is -1, no weight"),
        ('{"limits": {"sizes": [3]}}', "sizes of other clusters or points"),
        ('{"limits": {"sizes": [2, 2]}}', "sizes of other clusters or points"),
        ('{"limits": {"sizes": [0, 6]}}', "a size is 0"),
        ('{"limits": {"sizes": 6}}', "not a list"),
        ('{"soft": {}}', "not a list"),
        ('{"soft": [[0, 1, 1]]}', "not a pair and its penalties"),
        ('{"soft": [[0, 0, 1, 1]]}', "a soft pair of a point with itself"),
        ('{"soft": [[0, 6, 1, 1]]}', "a point is 6"),
        ('{"soft": [[0, 1.0, 1, 1]]}', "a point is 1.0"),
        ('{"soft": [[0, 1, -1, 1]]}', "-1 is not a penalty"),
        ('{"soft": [[0, 1, NaN, 1]]}', "conditions: no JSON"),
        ('{"soft": [[0, 1, 1e999, 1]]}', "inf is not a finite number"),
        ('{"soft": [[0, 1, true, 1]]}', "True is not a penalty"),
    ],
)
def test_conditions_that_are_none_are_refused_in_words(balanced: Path, stated: str, sentence: str) -> None:
    state_conditions(balanced, stated)
    with pytest.raises(VerificationError, match=sentence):
        verify(balanced)


NOTHING = encode_integers(np.empty(0, np.int64))


def evidence(position: int, kind: str, payload: bytes, bound: float = 0.0) -> tuple[str, tuple[object, ...]]:
    """Add evidence of the whole."""
    return "INSERT INTO evidence VALUES (?, 0, ?, ?, ?, 0.0, '')", (position, kind, bound, payload)


def only(path: Path, kind: str, payload: bytes) -> None:
    """Let evidence of one kind be all that there is."""
    edit(path, ("DELETE FROM evidence", ()), evidence(10, kind, payload))


def called_infeasible(path: Path) -> None:
    edit(path, ("UPDATE claim SET status = 'INFEASIBLE', labels = NULL, objective = NULL, lower_bound = NULL", ()))


def test_a_state_that_keeps_its_limits_is_not_infeasible(balanced: Path) -> None:
    only(balanced, "infeasible", NOTHING)
    called_infeasible(balanced)
    with pytest.raises(VerificationError):
        verify(balanced)


def pair(kind: str, i: int, j: int) -> bytes:
    return encode_integers(np.array([[int(kind == "CL")], [i], [j]]), differences=True)


@pytest.mark.parametrize(
    ("kind", "payload", "sentence"),
    [
        ("forced", pair("CL", 0, 1) + encode_integers([0]), "does not force CL 0 1"),
        ("forced", pair("ML", 0, 1) + encode_integers([0]), "does not force ML 0 1"),
        ("equal", pair("ML", 0, 1), "joined, but there are limits"),
    ],
)
def test_deductions_that_limits_do_not_justify_are_refused(
    balanced: Path, kind: str, payload: bytes, sentence: str
) -> None:
    edit(balanced, ("UPDATE evidence SET position = position + 100", ()), evidence(1, kind, payload))
    with pytest.raises(VerificationError, match=sentence):
        verify(balanced)


def test_equal_points_are_not_joined_under_limits(tmp_path: Path) -> None:
    """Four equal points and two others, two a cluster: joined, they could not be parted."""
    points = [0.0, 0.0, 0.0, 0.0, 5.0, 6.0]
    path = tmp_path / "some.run"
    result = pcsos.solve(points, 3, size_max=2, start=[0, 0, 1, 1, 2, 2], run_file=path)
    assert result.objective == 0.5
    assert verify(path).status == "OPTIMAL"


def test_bounds_of_parts_take_no_limits(tmp_path: Path) -> None:
    """What a part of the points must cost alone is not raised by limits that clusters of the whole have."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 2))
    labels = np.arange(60) % 3
    path = tmp_path / "some.run"
    instance = Instance(points, 3, size_min=20, size_max=20)
    result = pcsos.certify(instance, labels, run_file=path, time_limit=20, options=pcsos.Options(block_size=20))
    plain = pcsos.solve(points, 3)
    assert result.lower_bound is not None
    assert plain.objective is not None
    assert result.lower_bound <= plain.objective
    verdict = verify(path, points, ([], []), conditions=instance.asked.to_dict())
    assert verdict.lower_bound >= result.lower_bound


def test_a_super_point_is_not_too_much_for_a_cluster_because_it_is_named_twice(tmp_path: Path) -> None:
    """Two points that must be linked, of three, would be four: more than there are, and infeasible."""
    path = tmp_path / "some.run"
    pcsos.solve([0.0, 1.0, 10.0], 2, must_link=[(0, 1)], run_file=path)
    only(path, "infeasible", NOTHING)
    edit(path, evidence(1, "forced", pair("CL", 0, 1) + encode_integers([0])))
    called_infeasible(path)
    with pytest.raises(VerificationError, match="does not force CL 0 1"):
        verify(path)


@pytest.mark.parametrize(
    ("points", "given"),
    [
        ([0.0, 1.0], {"size_max": 1, "soft_must_link": [(0, 1, 1000.0)]}),
        ([0.0, 1.0, 10.0], {"sizes": [1, 2], "must_link": [(0, 2)], "soft_must_link": [(0, 1, 1000.0)]}),
    ],
)
def test_penalties_that_a_step_cuts_off_still_count_in_what_no_partition_exceeds(
    points: list[float], given: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "some.run"
    true = pcsos.solve(points, 2, run_file=path, **asked(**given))
    size = len(points) - len(given.get("must_link", ()))
    zero = encode_multipliers(Multipliers.none(size))
    only(path, "infeasible", NOTHING)
    edit(path, evidence(1, "soft", pair("ML", 0, 1) + zero, 999.0))
    called_infeasible(path)
    assert true.objective is not None
    with pytest.raises(VerificationError):
        verify(path)


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
