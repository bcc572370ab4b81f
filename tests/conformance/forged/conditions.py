"""Limits and soft pairs: what is none, what labels break, and what ranges do not prove (sections 1 and 13)."""

import json
from typing import Any

from tests.conformance.encoding import doubles, integers
from tests.conformance.forgery import Forgery, changed, refused, stated

LONG = "1" + "0" * 30


def said(label: str, conditions: object, base: str = "hand") -> Forgery:
    text = conditions if isinstance(conditions, str) else json.dumps(conditions)
    return refused(f"conditions-{label}", base, "conditions", changed("instance", conditions=text))


def limits(label: str, base: str = "hand", **own: Any) -> Forgery:
    return said(label, {"limits": own}, base)


def soft(label: str, *rows: object) -> Forgery:
    return said(f"soft-{label}", {"soft": list(rows)})


def range_of(base: str, why: str, bound: float) -> Forgery:
    return refused(f"range-{base}: {why} (13)", base, "conditions", stated(0, "open", bound=bound))


def unforced(base: str, why: str, **own: Any) -> Forgery:
    text = json.dumps({"limits": own})
    return refused(f"unforced-{base}: {why} (13)", base, "conditions", changed("instance", conditions=text))


GROUPS = ["a", "a", "b", "b", "b"]
LOADS = [[1]] * 5
FORCED_GROUPS = ["a", "b", "a", "b", "c", "c"]

FORGERIES = [
    said("list: The conditions are a list. (13)", []),
    said("null: The conditions are null, which is no object. (13)", None),
    said("no-json: The conditions are no JSON. (1)", "{"),
    said("unknown: An unknown member. (1)", {"more": 1}),
    said("twice: A name is twice in one object. (1)", '{"soft": [], "soft": []}'),
    said("limit-twice: A limit is there twice. (1)", '{"limits": {"size_min": 1, "size_min": 1}}'),
    said("limits-list: The limits are a list. (13)", {"limits": []}),
    said("limits-null: The limits are null, which is no object. (13)", {"limits": None}),
    said("soft-null: The soft pairs are null, which is no list. (13)", {"soft": None}),
    said("soft-object: The soft pairs are an object. (13)", {"soft": {}}),
    limits("limit-unknown: An unknown limit. (1)", size=1),
    limits("size-min-0: size_min is from 1. (13)", size_min=0),
    limits("size-min-negative: size_min is negative. (13)", size_min=-1),
    limits("size-max-beyond: size_max is more than n. (13)", size_max=6),
    limits("size-max-real: size_max is 5.0, which is no whole number. (1)", size_max=5.0),
    said("size-max-exponent: size_max is 5e0, which is no whole number. (1)", '{"limits": {"size_max": 5e0}}'),
    limits("size-min-true: size_min is true, which is no number. (1)", size_min=True),
    limits("size-min-text: size_min is text. (1)", size_min="1"),
    said("size-max-long: size_max is 10^30. (13)", f'{{"limits": {{"size_max": {LONG}}}}}'),
    limits("weight-min-text: weight_min is text. (1)", weight_min="1"),
    limits("weight-min-true: weight_min is true, which is no number. (1)", weight_min=True),
    limits("weight-max-negative: weight_max is negative. (13)", weight_max=-1),
    said("weight-min-nan: NaN is no JSON. (1)", '{"limits": {"weight_min": NaN}}'),
    said("weight-max-infinite: The nearest double would be infinite. (1)", '{"limits": {"weight_max": 1e999}}'),
    limits("sizes-too-few: One size, where k = 2. (13)", sizes=[5]),
    limits("sizes-of-more: Sizes of six points, where there are five. (13)", sizes=[2, 4]),
    limits("sizes-0: A size is 0. (13)", sizes=[0, 5]),
    limits("sizes-real: A size is 2.0, which is no whole number. (1)", sizes=[2.0, 3]),
    limits("sizes-number: The sizes are no list. (13)", sizes=5),
    limits("groups-too-few: Four groups for five points. (13)", groups=GROUPS[:4]),
    limits("groups-of-numbers: Groups are numbers. (13)", groups=[0, 0, 1, 1, 1]),
    limits("groups-text: Groups are a text. (13)", groups="aabbb"),
    limits("group-unknown: A group that has no points. (13)", groups=GROUPS, group_min=[["c", 1]]),
    limits("group-without-groups: A limit of groups without groups. (13)", group_max=[["a", 1]]),
    limits("group-twice: A group is there twice. (13)", groups=GROUPS, group_min=[["a", 1], ["a", 1]]),
    limits("group-beyond: More of a group than there are points. (13)", groups=GROUPS, group_max=[["a", 6]]),
    limits("group-negative: Fewer of a group than none. (13)", groups=GROUPS, group_min=[["a", -1]]),
    limits("group-real: A number of 1.0, which is no whole number. (1)", groups=GROUPS, group_max=[["a", 1.0]]),
    limits("group-object: Limits of groups are an object. (13)", groups=GROUPS, group_max={"a": 2}),
    limits("group-of-three: A limit of a group has three members. (13)", groups=GROUPS, group_max=[["a", 1, 1]]),
    limits("loads-too-few: Four loads for five points. (13)", loads=[[1]] * 4),
    limits("loads-of-numbers: Loads are numbers. (13)", loads=[1] * 5),
    limits("loads-number: Loads are no list. (13)", loads=1),
    limits("loads-none: Loads of no point. (13)", loads=[]),
    limits("loads-empty: No load of each point. (13)", loads=[[]] * 5),
    limits("loads-ragged: One point brings two loads. (13)", loads=[[1], [1], [1], [1], [1, 1]]),
    limits("loads-negative: A load is negative. (13)", loads=[[1], [1], [1], [1], [-1]]),
    limits("loads-null: A load is null. (13)", loads=[[1], [1], [1], [1], [None]]),
    limits("loads-text: A load is text. (1)", loads=[[1], [1], [1], [1], ["1"]]),
    limits("loads-true: A load is true, which is no number. (1)", loads=[[1], [1], [1], [1], [True]]),
    limits("load-max-alone: A limit of loads without loads. (13)", load_max=[5]),
    limits("load-max-number: A limit of loads is no list. (13)", loads=LOADS, load_max=5),
    limits("load-max-of-two: Two limits for one load. (13)", loads=LOADS, load_max=[5, 5]),
    limits("load-min-empty: No limit for a load. (13)", loads=LOADS, load_min=[]),
    limits("load-min-negative: A limit of a load is negative. (13)", loads=LOADS, load_min=[-1]),
    limits("load-max-text: A limit of a load is text. (1)", loads=LOADS, load_max=["5"]),
    soft("of-three: A soft pair has three members. (13)", [0, 1, 1]),
    soft("of-five: A soft pair has five members. (13)", [0, 1, 1, 0, 0]),
    soft("itself: A soft pair of a point and itself. (13)", [1, 1, 1, 0]),
    soft("beyond: A soft pair with a point that does not exist. (13)", [0, 5, 0, 0]),
    soft("real: A point is 1.0, which is no whole number. (1)", [0, 1.0, 0, 0]),
    soft("negative: A penalty is negative. (13)", [0, 1, -1, 0]),
    soft("text: A penalty is text. (1)", [0, 1, "1", 0]),
    soft("true: A penalty is true, which is no number. (1)", [0, 1, True, 0]),
    soft("penalty-null: A penalty is null. (1)", [0, 1, None, 0]),
    said("soft-infinite: The nearest double of a penalty would be infinite. (1)", '{"soft": [[0, 1, 1e999, 0]]}'),
    said("soft-nan: NaN is no JSON. (1)", '{"soft": [[0, 1, NaN, 0]]}'),
    limits("broken-size-min: A cluster of two points, where three are the least. (13)", size_min=3),
    limits("broken-size-max: A cluster of three points, where two are the most. (13)", size_max=2),
    limits("broken-weight-min: A cluster weighs 2, where 2.1 is the least. (13)", weight_min=2.1),
    refused(
        "conditions-broken-weight-min-alone: A cluster weighs 1, where 1.5 is the least; none is too heavy. (13)",
        "line",
        "conditions",
        changed("instance", conditions='{"limits": {"weight_min": 1.5}}'),
        changed("claim", labels=integers([0, 1, 1, 2, 2, 2])),
    ),
    limits("broken-weight-max: A cluster weighs 3, where 2.9 is the most. (13)", weight_max=2.9),
    limits("broken-sizes: Clusters of two and three points, where four and one are asked for. (13)", sizes=[4, 1]),
    limits("broken-sizes-and-range: The sizes are right, and size_min is broken. (13)", sizes=[2, 3], size_min=3),
    limits("broken-group-min: A cluster has none of group b. (13)", groups=GROUPS, group_min=[["b", 1]]),
    limits("broken-group-max: A cluster has three of group b. (13)", groups=GROUPS, group_max=[["b", 2]]),
    limits("broken-load-min: A cluster has 2 of a load, where 2.1 is the least. (13)", loads=LOADS, load_min=[2.1]),
    limits("broken-load-max: A cluster has 3 of a load, where 2.9 is the most. (13)", loads=LOADS, load_max=[2.9]),
    limits(
        "broken-second-load: The first load is right, and the second is too much. (13)",
        loads=[[1, 1], [1, 1], [1, 2], [1, 2], [1, 2]],
        load_max=[3, 5],
    ),
    refused(
        "conditions-load-amounts: The points bring other loads: one cluster has 6. (13)",
        "limits-load-max",
        "conditions",
        changed("instance", conditions='{"limits": {"loads": [[1], [1], [1], [2], [2], [2]], "load_max": [4]}}'),
    ),
    refused(
        "conditions-load-max-slack: A cluster has too much by 2^-29 of load_max. (13)",
        "limits-load-max-slack",
        "conditions",
        changed("instance", conditions=json.dumps({"limits": {"loads": [[1 + 2.0**-29], [1]], "load_max": [1]}})),
    ),
    refused(
        "conditions-load-min-slack: A cluster has too little by 2^-29 of load_min. (13)",
        "limits-load-min-slack",
        "conditions",
        changed("instance", conditions=json.dumps({"limits": {"loads": [[1 - 2.0**-29], [1]], "load_min": [1]}})),
    ),
    refused(
        "conditions-weight-max-slack: A cluster is too heavy by 2^-29 of weight_max. (13)",
        "limits-weight-max-slack",
        "conditions",
        changed("instance", weights=doubles([1 + 2.0**-29, 1.0])),
    ),
    refused(
        "conditions-weight-min-slack: A cluster is too light by 2^-29 of weight_min. (13)",
        "limits-weight-min-slack",
        "conditions",
        changed("instance", weights=doubles([1 - 2.0**-29, 1.0])),
    ),
    said("unpaid: Another soft pair is broken, so that the labels cost more. (13)", {"soft": [[0, 2, 1, 0]]}),
    range_of("limits-size-max", "M = 4: 1/4 is proved.", 0.251),
    range_of("limits-size-min", "L = 2: 1/4 is proved.", 0.251),
    range_of("limits-both-sizes", "L = U = 3: 1/2 is proved.", 0.501),
    range_of("limits-size-left", "L = U = 3: 1/2 is proved.", 0.501),
    range_of("limits-weight-min", "L = 2.5: 1/10 is proved.", 0.101),
    range_of("limits-weight-max", "L = 2.5: 1/10 is proved.", 0.101),
    range_of("limits-sizes", "M = 4: 1/4 is proved.", 0.251),
    range_of("limits-sizes-and-range", "M = 4, as sizes say: 1/4 is proved.", 0.251),
    range_of("limits-sizes-and-weights", "L = 2, as sizes say: 1/4 is proved.", 0.251),
    range_of("limits-load-max", "M = 4: 1/4 is proved.", 0.251),
    range_of("limits-load-min", "L = 2: 1/4 is proved.", 0.251),
    range_of("limits-load-max-divided", "M = 4.5: 1/6 is proved.", 0.167),
    range_of("limits-load-min-divided", "L = 1.5: 1/12 is proved.", 0.084),
    range_of("limits-loads-and-more", "M = 3.75: 1/10 is proved.", 0.101),
    range_of("limits-load-weights", "M = 7: 3/14 is proved.", 0.215),
    range_of("limits-group-min", "M = 4: 1/4 is proved.", 0.251),
    range_of("limits-group-max", "L = 2: 1/4 is proved.", 0.251),
    range_of("limits-groups-and-more", "M = 3.75: 1/10 is proved.", 0.101),
    range_of("limits-group-weights", "L = 1.5: 1/12 is proved.", 0.084),
    range_of("limits-nulls", "M = 4: 1/4 is proved.", 0.251),
    limits(
        "all-null: Limits that are null are none, so that nothing is proved of the range. (13)",
        "limits-size-max",
        size_max=None,
    ),
    limits("wider: With five points in a cluster less is proved. (13)", "limits-size-max", size_max=5),
    limits(
        "load-wider: With 5 of the load in a cluster less is proved. (13)",
        "limits-load-max",
        loads=[[1]] * 6,
        load_max=[5],
    ),
    limits(
        "load-lighter: Where points bring less, more of them fit, and less is proved. (13)",
        "limits-load-max",
        loads=[[1], [1], [1], [1], [1], [0.5]],
        load_max=[4],
    ),
    limits("load-no-max: Without the limit less is proved. (13)", "limits-load-max", loads=[[1]] * 6, load_max=[None]),
    limits("weaker: With one point in a cluster less is proved. (13)", "limits-size-min", size_min=1),
    unforced("limits-forced", "Four points are not too many.", size_max=4),
    unforced("limits-forced-left", "Four points leave two for the other cluster.", size_min=2),
    unforced("limits-forced-weight", "4 misses 3.999999997 by less than 2^-30 of it.", weight_max=3.999999997),
    unforced(
        "limits-forced-load",
        "4 misses 3.999999997 by less than 2^-30 of it.",
        loads=[[1]] * 6,
        load_max=[3.999999997],
    ),
    unforced("limits-forced-load-left", "Four points leave two for the other cluster.", loads=[[1]] * 6, load_min=[2]),
    unforced(
        "limits-forced-group", "Two of group a are not too many.", groups=FORCED_GROUPS, group_max=[["a", 2], ["c", 1]]
    ),
    refused(
        "unforced-one-super-point: Two points in one super-point are not set apart by a limit. (13)",
        "limits-forced",
        "conditions",
        stated(0, "forced", decisions=["CL 0 1"]),
    ),
    refused(
        "unforced-together: ML with an empty clique, where k = 2. (13)",
        "limits-forced",
        "conditions",
        stated(0, "forced", decisions=["ML 0 2"]),
    ),
    refused(
        "unforced-pairs: Two points by themselves are not too much. (13)",
        "limits-forced",
        "conditions",
        changed("instance", must_link=integers([[0, 1]])),
    ),
]
