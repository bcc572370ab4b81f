"""Limits of groups: what users may hand over, what is refused, and what limits come to."""

import itertools
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pcsos import Groups, InputError, Instance
from pcsos.problem.conditions.conditions import stated
from pcsos.problem.conditions.groups import GroupLimits
from pcsos.problem.reduction import reduce_instance
from tests.asked import asked
from tests.slow import first_few

POINTS = [0.0, 1.0, 2.0, 5.0, 6.0, 9.0]
LABELS = [*"aabbab"]


def conditions(**given: Any) -> dict[str, Any]:
    return Instance(POINTS, 2, **asked(**given)).asked.to_dict()


@pytest.mark.parametrize(
    "groups",
    [
        [1, 1, 2, 2, 1, 2],
        [1.0, 1.0, 2.0, 2.0, 1.0, 2.0],
        ["1", "1", "2", "2", "1", "2"],
        np.array([1, 1, 2, 2, 1, 2], np.uint8),
        np.array([1, 1, 2, 2, 1, 2], np.float32),
        pd.Series([1, 1, 2, 2, 1, 2]),
        pd.Categorical(["1", "1", "2", "2", "1", "2"]),
    ],
)
def test_labels_that_read_the_same_are_the_same_group(groups: Any) -> None:
    own = conditions(groups=groups, group_min={np.int64(1): np.int32(1)}, group_max={"2": 2})
    assert own == {"limits": {"groups": [*"112212"], "group_min": [["1", 1]], "group_max": [["2", 2]]}}
    assert Instance(POINTS, 2, conditions=stated(json.loads(json.dumps(own)))).asked.to_dict() == own


def test_equal_requests_are_equal() -> None:
    each = conditions(groups=LABELS, group_min=1)
    assert (
        each
        == conditions(groups=LABELS, group_min={"b": 1, "a": 1})
        == conditions(groups=tuple(LABELS), group_min=pd.Series({"a": 1, "b": 1}), group_max=3)
    )
    one, other = (Instance(POINTS, 2, conditions=[Groups(LABELS, at_least=1)]).limits for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    "given", [{}, {"group_min": 0}, {"group_max": 3}, {"group_min": {"a": 0}, "group_max": {"b": 9}}]
)
def test_what_says_nothing_is_left_out_and_the_groups_with_it(given: dict[str, Any]) -> None:
    instance = Instance(POINTS, 2, **asked(groups=LABELS, **given))
    assert instance.limits is None
    assert instance.conditions == []


EACH = "give a whole number of points of at least 0, or such a number for each of some groups"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"group_min": 1, "groups": None}, "group_min is given without groups; give the group of each point as groups"),
        ({"group_max": {"a": 1}, "groups": None}, "group_max is given without groups; give the group of each point"),
        ({"groups": [*"aab"]}, "groups are 3 labels for 6 points; give one label per point"),
        ({"groups": [*"aabba", None]}, r"groups\[5\] is None; give every point the number or name of a group"),
        ({"groups": [1, 2, np.nan, 1, 1, 1]}, r"groups\[2\] is nan; give every point the number or name of a group"),
        ({"groups": [1, 2, 0.5, 1, 1, 1]}, r"groups\[2\] is 0\.5; a number with decimals names no group"),
        ({"groups": 3}, "groups are of type int; give one label per point"),
        (
            {"group_min": 2},
            "2 clusters of group_min = 2 for group 'a' need 4 points of it, but there are 3; give",
        ),
        ({"group_max": {"b": 1}}, "group_max = 1 for group 'b' hold 2 points of it, but there are 3; give at least 2"),
        (
            {"group_min": {"a": 1}, "group_max": {"a": 0}},
            "group_min of group 'a' is 1, more than group_max = 0",
        ),
        ({"group_min": {"c": 1}}, "group_min names the group 'c', but the groups are 'a', 'b'; correct the name"),
        ({"group_min": [("a", 1), ("a", 1)]}, "group_min names the group 'a' twice; leave one of them out"),
        (
            {"group_min": 1, "sizes": [1, 5]},
            "sizes has 1, but the other limits ask for at least 2 points of a cluster; correct one of them",
        ),
        (
            {"groups": [*"aaaaab"], "group_max": {"a": 3}, "sizes": [5, 1]},
            "sizes has 5, but the other limits ask for at most 4 points of a cluster; correct one of them",
        ),
        ({"group_min": -1}, f"group_min is -1; {EACH}"),
        ({"group_min": True}, f"group_min is True; {EACH}"),
        ({"group_min": 1.0}, f"group_min is 1.0; {EACH}"),
        ({"group_min": "a=1"}, f"group_min is 'a=1'; {EACH}"),
        ({"group_min": [1, 1]}, rf"group_min is \[1, 1\]; {EACH}"),
        ({"group_max": {"a": 2.5}}, f"group_max of group 'a' is 2.5; {EACH}"),
        ({"group_max": {"a": True}}, f"group_max of group 'a' is True; {EACH}"),
    ],
)
def test_bad_limits_get_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        conditions(**{"groups": LABELS} | given)
    assert "\n" not in str(caught.value)


def test_many_groups_and_many_points_do_not_flood_a_text() -> None:
    names = [f"group of the number {i}" for i in range(40) for _ in range(3)]
    with pytest.raises(InputError, match=r"but the groups are 'group of the number 0', .*, and 32 more; correct"):
        Instance(np.arange(120.0), 2, conditions=[Groups(names, at_most={"x": 2})])
    shown = repr(Instance(np.arange(120.0), 2, conditions=[Groups(names, at_most=2)]))
    assert shown.endswith("2 of the 3 of group 'group of the number 15', and 32 more)")
    assert len(shown) < 600


def test_labels_of_another_index_than_that_of_the_points_are_refused() -> None:
    table = pd.DataFrame({"x": POINTS}, index=[*"uvwxyz"])
    with pytest.raises(InputError, match=r"groups have another index than the points; give them as groups.loc"):
        Instance(table, 2, conditions=[Groups(pd.Series(LABELS), at_least=1)])
    given = pd.Series(LABELS, index=[*"uvwxyz"])
    assert Instance(table, 2, conditions=[Groups(given, at_least=1)]).limits is not None


def test_the_first_cluster_that_breaks_a_limit_is_named() -> None:
    limits = GroupLimits(tuple(LABELS), (("a", 1), ("b", 1)), (("b", 2),))
    ones = np.ones(6)
    assert limits.violation(np.array([0, 0, 0, 1, 1, 1]), ones) is None
    assert limits.violation(np.array([0, 0, 1, 1, 1, 1]), ones) == (
        "cluster 0 has 0 points of group 'b', less than group_min = 1"
    )
    most = GroupLimits(tuple(LABELS), group_max=(("b", 2),))
    assert most.violation(np.array([0, 1, 1, 1, 0, 1]), ones) == (
        "cluster 1 has 3 points of group 'b', more than group_max = 2"
    )


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_no_cluster_that_keeps_the_limits_weighs_more_or_less(seed: int) -> None:
    rng = np.random.default_rng(seed)
    groups, weights = rng.integers(0, 3, 7), rng.choice([0.5, 1.0, 2.0, 3.7], 7)
    names = tuple(map(str, groups.tolist()))
    limits = GroupLimits(names, ((names[0], 1),), ((names[-1], 1),))
    low, high = limits.weight_range(weights)
    kept = [
        weights[list(own)].sum()
        for size in range(1, 8)
        for own in itertools.combinations(range(7), size)
        if (groups[list(own)] == groups[0]).sum() >= 1 and (groups[list(own)] == groups[-1]).sum() <= 1
    ]
    assert low <= min(kept) + 1e-12
    assert high == pytest.approx(max(kept))


def test_super_points_bring_their_points_of_each_limited_group() -> None:
    instance = Instance(POINTS, 2, [(0, 2), (2, 3)], conditions=[Groups(LABELS, at_least={"a": 1}, at_most={"b": 2})])
    _, *own = reduce_instance(instance).capacities
    assert [(c.unit, c.amounts.tolist(), c.least, c.most) for c in own] == [
        ("of group 'a'", [1, 1, 1, 0], 1, np.inf),
        ("of group 'b'", [2, 0, 0, 1], 0, 2),
    ]
