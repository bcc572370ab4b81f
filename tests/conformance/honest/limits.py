"""Limits of sizes, weights, loads and groups: what they make of the range, of forced pairs and of labels."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import Certificate, Claim, branching, certificate, evidence
from tests.conformance.encoding import multipliers

SIX = {"points": [0, 1, 2, 3, 10, 11], "k": 2, "must_link": [(0, 1)]}
GROUPS = ["a", "b", "a", "b", "a", "b"]
ONES, HEAVY = {"loads": [[1]] * 6}, [[1], [1], [1], [1], [3], [3]]
BEST = 109.33333333333333
JUST_ABOVE, JUST_BELOW = 1.0 + 2.0**-31, 1.0 - 2.0**-31


def ranged(label: str, limits: dict[str, Any], diagonal: int, bound: float, **more: Any) -> Certificate:
    """Points 0 and 1 together cost 1/2; N on the diagonal, in eighths, loses what the range leaves of it."""
    box = [diagonal, 0, 0, 0, 0, diagonal, 0, 0, 0, diagonal, 0, 0, diagonal, 0, diagonal]
    instance = SIX | {"conditions": {"limits": limits}} | more.pop("given", {})
    claim = Claim("FEASIBLE", more.pop("labels", (0, 0, 0, 1, 1, 1)), more.pop("objective", 40.0), bound)
    own = evidence(0, "open", bound, multipliers=multipliers(5, box, a=-3))
    return certificate(label, "limits", instance, claim, [own])


def missed(label: str, limits: dict[str, Any], weights: Sequence[float]) -> Certificate:
    instance = {"points": [0, 1], "k": 2, "weights": weights, "conditions": {"limits": limits}}
    claim = Claim("OPTIMAL", (0, 1), 0.0, 0.0)
    return certificate(label, "limits", instance, claim, [evidence(0, "single", 0.0)], gap=0.0)


FORCED = SIX | {"must_link": [(0, 1), (2, 3)], "conditions": {"limits": {"size_max": 3}}}
FORCED_TREE = [
    evidence(0, "forced", decisions=["CL 0 2"], cliques=[[]]),
    *branching(0, 1, 2, "0 4"),
    evidence(1, "forced", decisions=["CL 0 5", "ML 2 5"], cliques=[[], [0]]),
    evidence(1, "single", 109.3333),
    evidence(2, "forced", decisions=["ML 2 4", "CL 3 5", "ML 0 5"], cliques=[[0], [], [2]]),
    evidence(2, "single", 112.0),
]


def forced(label: str, limits: dict[str, Any]) -> Certificate:
    """Two super-points that are too much for one cluster, three times."""
    own, claim = FORCED | {"conditions": {"limits": limits}}, Claim("OPTIMAL", (0, 0, 1, 1, 0, 1), BEST, 109.3333)
    return certificate(label, "forced", own, claim, FORCED_TREE)


CERTIFICATES = [
    ranged("limits-size-max: size_max: the larger cluster weighs 4 at most. (13)", {"size_max": 4}, 4, 0.2499),
    ranged("limits-size-min: size_min: every cluster weighs 2 at least. (13)", {"size_min": 2}, -2, 0.2499),
    ranged(
        "limits-both-sizes: size_min and size_max of 3: N on the diagonal costs nothing. (13)",
        {"size_min": 3, "size_max": 3},
        8000,
        0.4999,
    ),
    ranged("limits-size-left: size_min of 3: no cluster has more than 3, either. (13)", {"size_min": 3}, 8000, 0.4999),
    ranged("limits-weight-min: weight_min, in decimals. (13)", {"weight_min": 2.5}, -8, 0.0999),
    ranged(
        "limits-weight-max: weight_max: the other cluster weighs at least what is left. (13)",
        {"weight_max": 3.5},
        -8,
        0.0999,
    ),
    ranged(
        "limits-sizes: sizes: from 2 to 4. (13)", {"sizes": [4, 2]}, 4, 0.2499, labels=(0, 0, 0, 0, 1, 1), objective=5.5
    ),
    ranged(
        "limits-sizes-and-range: sizes beside limits that say less. (13)",
        {"sizes": [4, 2], "size_min": 1, "size_max": 5},
        4,
        0.2499,
        labels=(0, 0, 0, 0, 1, 1),
        objective=5.5,
    ),
    ranged(
        "limits-sizes-and-weights: sizes beside a weight that says more. (13)",
        {"sizes": [2, 4], "weight_min": 1.5},
        -2,
        0.2499,
        labels=(0, 0, 0, 0, 1, 1),
        objective=5.5,
    ),
    ranged("limits-load-max: A load of one a point is a number of points. (13)", ONES | {"load_max": [4]}, 4, 0.2499),
    ranged("limits-load-min: The same: every cluster weighs 2 at least. (13)", ONES | {"load_min": [2]}, -2, 0.2499),
    ranged(
        "limits-load-max-divided: Four points of load 1, and half of one of 3, fill 5.5: none weighs more. (13)",
        {"loads": HEAVY, "load_max": [5.5]},
        4,
        0.1666,
        labels=(0, 0, 1, 1, 0, 1),
        objective=BEST,
    ),
    ranged(
        "limits-load-min-divided: What 4.5 leaves of 10 to others weighs 4.5 at most, so that 1.5 is left. (13)",
        {"loads": HEAVY, "load_min": [4.5]},
        -2,
        0.0833,
        labels=(0, 0, 1, 1, 0, 1),
        objective=BEST,
    ),
    ranged(
        "limits-loads-and-more: Two loads, one without a least and one without a greatest, sizes and weights. (13)",
        {"loads": [[1, 0.5]] * 6, "load_min": [None, 1], "load_max": [3.75, None], "size_max": 5, "weight_max": 5},
        8,
        0.0999,
    ),
    ranged(
        "limits-load-weights: The point of load 3 goes first, as it weighs 4, and three of load 1 with it: 7. (13)",
        {"loads": [[1], [1], [4], [1], [1], [3]], "load_max": [6]},
        4,
        0.2142,
        given={"weights": [1, 1, 2, 1, 1, 4]},
        objective=54.25,
    ),
    ranged(
        "limits-group-min: One point of each group at least: every cluster weighs 2 to 4. (13)",
        {"groups": GROUPS, "group_min": [["a", 1], ["b", 1]]},
        4,
        0.2499,
    ),
    ranged(
        "limits-group-max: Two points of each group at most: every cluster weighs 2 to 4. (13)",
        {"groups": GROUPS, "group_max": [["b", 2], ["a", 2]]},
        -2,
        0.2499,
    ),
    ranged(
        "limits-groups-and-more: Groups, sizes and weights at once. (13)",
        {"groups": GROUPS, "group_min": [["a", 1]], "group_max": [["a", 2]], "size_min": 2, "weight_max": 3.75},
        8,
        0.0999,
    ),
    ranged(
        "limits-group-weights: Of each group the lightest points: 0.5 and 1. (13)",
        {"groups": GROUPS, "group_min": [["a", 1], ["b", 1]]},
        -2,
        0.0833,
        given={"weights": [1, 1, 0.5, 2, 1, 1]},
        labels=(0, 0, 0, 1, 1, 1),
        objective=58.15,
    ),
    ranged(
        "limits-nulls: Limits that are null, some of them. (13)",
        {
            "size_min": None,
            "size_max": 4,
            "sizes": None,
            "weight_min": None,
            "groups": None,
            "group_min": None,
            "group_max": [],
            "loads": None,
            "load_min": None,
        },
        4,
        0.2499,
    ),
    certificate(
        "limits-all-null: Limits that are all null are no limits: equal points may be joined. (13)",
        "limits",
        {"points": [0, 0, 5], "k": 2, "conditions": {"limits": {"size_min": None, "sizes": None}, "soft": []}},
        Claim("OPTIMAL", (0, 0, 1), 0.0, 0.0),
        [evidence(0, "equal", decisions=["ML 0 1"]), evidence(0, "single", 0.0)],
    ),
    missed(
        "limits-weight-max-slack: A cluster is too heavy by 2^-31 of weight_max. (13)",
        {"weight_max": 1},
        [JUST_ABOVE, 1],
    ),
    missed(
        "limits-load-max-slack: A cluster has too much by 2^-31 of load_max. (13)",
        {"loads": [[JUST_ABOVE], [1]], "load_max": [1]},
        [1, 1],
    ),
    missed(
        "limits-load-min-slack: A cluster has too little by 2^-31 of load_min. (13)",
        {"loads": [[JUST_BELOW], [1]], "load_min": [1.0]},
        [1, 1],
    ),
    missed(
        "limits-weight-min-slack: A cluster is too light by 2^-31 of weight_min. (13)",
        {"weight_min": 1.0},
        [JUST_BELOW, 1],
    ),
    forced("limits-forced: Super-points of more than three points together are apart. (13)", {"size_max": 3}),
    forced(
        "limits-forced-load: What brings more than 3.25 together is apart. (13)",
        ONES | {"load_max": [3.25]},
    ),
    forced("limits-forced-load-left: The same, as the other cluster needs three. (13)", ONES | {"load_min": [3]}),
    forced("limits-forced-left: The same, as the other cluster needs three. (13)", {"size_min": 3}),
    forced(
        "limits-forced-weight: Super-points of a weight of more than 3 together are apart. (13)", {"weight_max": 3.25}
    ),
    forced(
        "limits-forced-group: Super-points with too many of a group together are apart. (13)",
        {"groups": ["a", "b", "a", "b", "c", "c"], "group_max": [["a", 1], ["c", 1]]},
    ),
    certificate(
        "limits-one-cluster-holds: k = 1, with all limits at what all points are. (13)",
        "limits",
        {
            "points": [0, 1, 5],
            "k": 1,
            "conditions": {"limits": {"sizes": [3], "size_max": 3, "weight_min": 3, "weight_max": 3}},
        },
        Claim("OPTIMAL", (0, 0, 0), 14.0, 14.0),
        [evidence(0, "single", 14.0)],
    ),
    certificate(
        "limits-sizes-conflict: sizes of 2 and 4, where size_min is 3: the one partition that is left breaks it. (13)",
        "infeasible",
        SIX
        | {"must_link": [(0, 1), (2, 3), (3, 4), (4, 5)], "conditions": {"limits": {"sizes": [2, 4], "size_min": 3}}},
        Claim("INFEASIBLE"),
        [evidence(0, "infeasible")],
    ),
]
