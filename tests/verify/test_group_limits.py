"""The checker under limits of groups: what it concludes is true, and files built to deceive are refused in words."""

import copy
import itertools
import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import ctx

import pcsos
from pcsos.evidence.codec import encode_multipliers
from pcsos.verify import VerificationError, verify
from pcsos.verify.bound import Bound
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from tests.asked import asked
from tests.blobs import arrays
from tests.conditioned import random_fair
from tests.slow import first_few
from tests.verify.certificates import edit, random_multipliers
from tests.verify.test_conditions import conditions_of, costs_in, states_of


@pytest.fixture(autouse=True)
def precision() -> object:
    with ctx.workprec(128):
        yield


@pytest.mark.parametrize("seed", first_few(12, range(30)))
def test_what_is_concluded_of_states_is_true(seed: int) -> None:
    truth, rng = random_fair(seed), np.random.default_rng(seed)
    instance, k, conditions = truth.instance, truth.instance.n_clusters, conditions_of(truth.instance)
    data = Data(Doubles(instance.points), Doubles(instance.weights))
    for state in states_of(truth, seed):
        if state.broken or state.size < k:
            continue
        costs = costs_in(truth, state)
        assert not (costs and conditions.refute(state))
        for first, second in itertools.combinations(state.names(), 2):
            if conditions.beyond(conditions.held(state.points(first)), conditions.held(state.points(second))):
                together = copy.deepcopy(state)
                together.add("ML", first, second)
                assert not costs_in(truth, together)
        if costs:
            multipliers = random_multipliers(rng, state.size, k, 0.1, sets=bool((instance.weights == 1.0).all()))
            proof = Bound(data, state, arrays(encode_multipliers(multipliers)), k, conditions)
            assert Fraction(float(proof.value.lower())) <= min(costs) * (1 + Fraction(1, 2**40))


def test_a_group_is_too_much_or_too_little_for_a_cluster() -> None:
    own = conditions_of(
        pcsos.Instance(np.arange(6.0), 2, conditions=[pcsos.Groups([*"aabbab"], at_least=1, at_most={"a": 2})])
    )
    assert [own.beyond(own.held(points)) for points in ([0, 1], [0, 1, 4], [2, 3, 5])] == [
        False,
        True,
        True,
    ]  # of b, the other cluster needs one
    assert own.hold([[0, 1, 2], [3, 4, 5]])
    assert not own.hold([[0, 1], [2, 3, 4, 5]])
    assert not own.hold([[0], [1, 2, 3, 4, 5]])


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A proved run with one point of each group a cluster at least."""
    path = tmp_path_factory.mktemp("proved") / "fair.run"
    result = pcsos.solve(
        [0.0, 1.0, 2.0, 8.0, 9.0, 10.0], 2, workers=1, run_file=path, conditions=[pcsos.Groups([*"aaabbb"], at_least=1)]
    )
    assert result.status == "OPTIMAL"
    return path


@pytest.fixture
def fair(proved: Path, tmp_path: Path) -> Path:
    """That run, for a test to change."""
    return Path(shutil.copy(proved, tmp_path))


LABELS = [*"aaabbb"]


def state_limits(path: Path, limits: object) -> None:
    edit(path, ("UPDATE instance SET conditions = ?", (json.dumps({"limits": limits}),)))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"groups": [*"aaabba"], "group_min": 1},
        {"groups": LABELS, "group_min": {"a": 1}},
        {"groups": LABELS, "group_max": 2},
        {"groups": LABELS, "group_min": 1, "group_max": {"a": 2}},
    ],
)
def test_a_run_about_other_groups_is_refused(fair: Path, given: dict[str, Any]) -> None:
    points = np.array([0.0, 1.0, 2.0, 8.0, 9.0, 10.0])
    own = pcsos.Instance(points, 2, conditions=[pcsos.Groups(LABELS, at_least=1)]).asked.to_dict()
    assert verify(fair, points, conditions=own).status == "OPTIMAL"
    with pytest.raises(VerificationError, match="about other limits or soft pairs"):
        verify(fair, points, conditions=pcsos.Instance(points, 2, **asked(**given)).asked.to_dict())


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"groups": LABELS, "group_min": [["a", 1]]},
        {"groups": [*"ababab"], "group_min": [["a", 1], ["b", 1]]},
        {"groups": [*"aaaabb"], "group_max": [["a", 2]]},
    ],
)
def test_other_groups_in_the_file_are_noticed(fair: Path, limits: dict[str, object]) -> None:
    state_limits(fair, limits)
    with pytest.raises(VerificationError):
        verify(fair)


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"groups": LABELS[:5], "group_min": [["a", 1]]}, "groups are not one for each point"),
        ({"groups": [], "group_min": []}, "groups are not one for each point"),
        ({"groups": "aaabbb", "group_min": [["a", 1]]}, "not a list"),
        ({"groups": [1, *"aabbb"], "group_min": [["a", 1]]}, "a label of a group is not text"),
        ({"groups": [["a"]] * 6, "group_min": [["a", 1]]}, "a label of a group is not text"),
        ({"group_min": [["a", 1]]}, "group_min is about a group that has no points"),
        ({"groups": None, "group_min": [["", 1]]}, "group_min is about a group that has no points"),
        ({"groups": LABELS, "group_max": [["c", 1]]}, "group_max is about a group that has no points"),
        ({"groups": LABELS, "group_min": [[["a"], 1]]}, "group_min is about a group that has no points"),
        ({"groups": LABELS, "group_min": {"a": 1}}, "not a list"),
        ({"groups": LABELS, "group_min": 1}, "not a list"),
        ({"groups": LABELS, "group_min": ["a1"]}, "group_min is not about groups"),
        ({"groups": LABELS, "group_min": [["a", 1, 1]]}, "group_min is not about groups"),
        ({"groups": LABELS, "group_min": [["a", 1], ["a", 0]]}, "group_min is twice about a group"),
        ({"groups": LABELS, "group_min": [["a", -1]]}, "group_min is -1, not from 0 to 6"),
        ({"groups": LABELS, "group_min": [["a", True]]}, "group_min is True, not from 0 to 6"),
        ({"groups": LABELS, "group_max": [["a", 1.0]]}, "group_max is 1.0, not from 0 to 6"),
        ({"groups": LABELS, "group_max": [["a", 10**400]]}, "group_max is 1000"),
        ({"groups": LABELS, "group_max": [["a", float("nan")]]}, "conditions: no JSON"),
    ],
)
def test_groups_that_are_none_are_refused_in_words(fair: Path, limits: object, sentence: str) -> None:
    state_limits(fair, limits)
    with pytest.raises(VerificationError, match=sentence):
        verify(fair)
    with pytest.raises(pcsos.PcsosError):  # whoever reads the file otherwise is told so, too
        pcsos.resume(fair)
