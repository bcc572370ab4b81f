"""Evidence `prices` and `infeasible` that does not hold (sections 4, 12 and 13)."""

import json
from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import child, evidence
from tests.conformance.encoding import Cut, axes, axis, doubles, integers, multipliers
from tests.conformance.forgery import Forgery, changed, exchanged, more, refused, remade, stated

NAN, INFINITE = float("nan"), float("inf")
ONES = [1.0] * 4
ONE = 1 << 30


def of(label: str, base: str, **values: Any) -> Forgery:
    return refused(f"prices-{label}", base, "prices", stated(0, "prices", **values))


def along(label: str, *rows: Sequence[int]) -> Forgery:
    return of(f"axes-{label}", "prices-plane", axes=rows)


def knots(label: str, *own: int, base: str = "prices-knot") -> Forgery:
    return of(f"knots-{label}", base, knots=own)


def search(label: str, base: str, *own: int) -> Forgery:
    return refused(f"infeasible-{label}", base, "infeasible", stated(0, "infeasible", search=own))


def loosened(base: str, why: str, **limits: Any) -> Forgery:
    text = json.dumps({"limits": limits})
    return refused(f"infeasible-{base}: {why} (13)", base, "infeasible", changed("instance", conditions=text))


GROUPS = ["a", "a", "b", "b"]


def fuller(base: str, why: str, **limits: Any) -> Forgery:
    text = json.dumps({"limits": limits})
    return refused(f"{base}-more: {why} (12, 13)", base, "prices", changed("instance", conditions=text))


FORGERIES = [
    of("claimed: 1.5 is proved, the optimum. (12)", "prices", bound=1.51),
    of("claimed-all: More is stated than all prices together, so F would be negative. (12)", "prices", bound=6.5),
    of("claimed-plane: 1 is proved, the optimum. (12)", "prices-plane", bound=1.01),
    of("claimed-super-points: 2 is proved, the optimum. (12)", "prices-super-points", bound=2.01),
    of("claimed-negative: A price of -1/4 counts as well: -3/4 is proved. (12)", "prices-negative", bound=-0.7),
    of("claimed-none-positive: The prices are -1 together. (12)", "prices-none-positive", bound=-0.99),
    of("claimed-size-max: 32.5 is proved, the optimum. (12)", "prices-size-max", bound=32.6),
    of("claimed-size-min: 32.5 is proved, the optimum. (12)", "prices-size-min", bound=32.6),
    of("claimed-weight-max: 97.5 is proved, the optimum. (12)", "prices-weight-max", bound=97.8),
    fuller("prices-size-max", "Three points earn more.", size_max=3),
    fuller("prices-size-min", "One point leaves three to the other cluster.", size_min=1),
    fuller("prices-weight-max", "Three points weigh 9.", weight_max=9),
    of("empty: Nothing is there. (12)", "prices", prices=b"", knots=b"", axes=b""),
    of("arrays-missing: Knots and axes are missing. (12)", "prices", knots=b"", axes=b""),
    of("axes-missing: Axes are missing, and no array of none is there. (12)", "prices", axes=b""),
    of("knots-missing: Knots are missing, and no array of none is there. (12)", "prices", knots=b""),
    of("bound-infinite: A leaf of prices states minus infinity. (12)", "prices", bound=-INFINITE),
    of("too-few: There are five prices for six super-points. (12)", "prices", prices=[1.0] * 5),
    of(
        "too-many: There are six prices for four super-points. (12)",
        "prices-super-points",
        prices=[1.5, 1.0, 1.0, 1.5, 0.0, 0.0],
    ),
    of("nan: A price is no number. (12)", "prices", prices=[1.0, 1.0, 1.0, 1.0, 1.0, NAN]),
    of("infinite: A price is infinite. (12)", "prices", prices=[1.0, 1.0, 1.0, 1.0, 1.0, INFINITE]),
    of("in-rows: Prices are an array of two dimensions. (12)", "prices", prices=doubles([[1.0]] * 6)),
    of(
        "other: With a price of 2 a pair earns more than the others. (12)",
        "prices",
        prices=[2.0, 1.0, 1.0, 1.0, 1.0, 1.0],
    ),
    along("too-long: An axis is longer than 1. (12)", axis(1.000001, 0), axis(0, 1)),
    along("by-hand: 2^60 + 2^30 is more than 2^60. (12)", [ONE, 0], [1, ONE]),
    along("alike: Two axes along one line lengthen distances. (12)", axis(0.8, 0.2), axis(0.8, 0.2)),
    along("entry: An entry is 2^31. (12)", [2 * ONE, 0]),
    along("wrapped: An entry is 2^62, whose square is 0 in 64 bits. (12)", [1 << 62, 0], [0, ONE]),
    along("least: An entry is -2^63, which has no opposite in 64 bits. (12)", [-(1 << 63), 0], [0, ONE]),
    along("too-many: Three axes, where there are two features. (12)", axis(0.5, 0), axis(0, 0.5), axis(0, 0)),
    along("of-one-feature: Axes of one feature, where there are two. (12)", axis(1)),
    along("of-three-features: Axes of three features, where there are two. (12)", axis(1, 0, 0), axis(0, 1, 0)),
    along("short: Along shorter axes the pairs earn more. (12)", axis(0.5, 0), axis(0, 0.5)),
    along("one: Along one axis the points of a pair are at one place. (12)", axis(1, 0)),
    of("axes-none-in-a-row: No axes, in an array of one dimension. (12)", "prices-plane", axes=integers([])),
    of("axes-in-a-row: An axis is an array of one dimension. (12)", "prices-plane", axes=integers([ONE, 0])),
    of("axes-of-doubles: Axes are doubles. (12)", "prices-plane", axes=doubles([[1.0, 0.0]])),
    of(
        "axes-twice: There are two matrices of axes. (12)",
        "prices-plane",
        axes=[axis(1, 0)],
        behind=integers([axis(0, 1)]),
    ),
    of("axes-before-knots: Axes stand before knots. (12)", "prices-plane", knots=axes((), 2), axes=integers([])),
    knots("none: Without the knot the two earn together. (12)"),
    of("knots-of-others: In a knot of others the two earn together. (12)", "prices-knot", knots=[2, 0, 2]),
    knots("of-one: A knot of one super-point. (12)", 1, 0, 2, 1, 2),
    knots("of-none: A knot of no super-point. (12)", 0, 2, 0, 1),
    knots("negative: A knot of -1 super-points. (12)", -1, 2, 0, 1),
    knots("cut-off: The list ends within a knot. (12)", 3, 0, 1),
    knots("beyond: A super-point that does not exist. (12)", 2, 0, 3),
    knots("below: A super-point of -1. (12)", 2, 0, -1),
    knots("twice: A super-point is twice in one knot. (12)", 3, 0, 1, 0),
    knots("twice-in-two: A super-point is in two knots. (12)", 2, 0, 1, 2, 1, 2),
    knots("too-long: The list has seven numbers, more than 2 s = 6. (12)", 2, 0, 1, 2, 2, 2, 2),
    knots("of-seventeen: A knot of seventeen. (12)", 17, *range(17), base="prices-knot-of-sixteen"),
    of("knots-of-doubles: Knots are doubles. (12)", "prices-knot", knots=doubles([2.0, 0.0, 1.0])),
    of("knots-in-rows: Knots are an array of two dimensions. (12)", "prices-knot", knots=[[2], [0], [1]]),
    refused(
        "prices-knots-choices: A knot has 64 choices. (12)",
        "prices-knot-of-sixteen",
        "prices",
        changed("instance", cannot_link=integers([[i, i + 1] for i in range(0, 12, 2)])),
    ),
    refused(
        "prices-knots-not-apart: The two members of the knot are not apart, and earn together. (12)",
        "prices-knot",
        "prices",
        changed("instance", cannot_link=integers([[0, 2]])),
    ),
    refused(
        "prices-knots-together: Prices of three super-points, where the decision leaves two. (12)",
        "prices-knot-decided",
        "prices",
        remade(child(1, 0, "CL 0 1")),
        remade(child(2, 0, "ML 0 1")),
        exchanged(1, "single", evidence(1, "open", multipliers=multipliers(3))),
    ),
    refused(
        "prices-behind-infeasible: Prices have to show what they state, even of what is infeasible. (3)",
        "odd-cycle",
        "prices",
        more(evidence(0, "prices", 1e300, prices=[0.0] * 3)),
    ),
    search("cut-off: The search is not at its end. (4)", "odd-cycle", 0, 1),
    search("empty: A search of no points. (4)", "odd-cycle"),
    search("goes-on: The search goes on after its end. (4)", "odd-cycle", 0, 1, 2, 0),
    search("takes-twice: A point is taken that has a colour. (4)", "odd-cycle", 0, 0, 1, 2),
    search("beyond: A point that does not exist. (4)", "odd-cycle", 0, 1, 3),
    search("below: A point of -1. (4)", "odd-cycle", 0, 1, -1),
    search("wrapped: A point of 2^32 + 2, which is 2 in 32 bits. (4)", "odd-cycle", 0, 1, (1 << 32) + 2),
    search(
        "cycle-not-in-order: The cycle is not in order: the search goes another way. (4)",
        "odd-cycle-of-five",
        0,
        1,
        2,
        3,
        4,
    ),
    search("clique-too-small: Three points that are apart have three colours. (4)", "clique", 1, 4, 2),
    search("no-clique: Point 0 is apart from nobody. (4)", "clique", 3, 1, 4, 0),
    search(
        "super-point-twice: Both points of a super-point, which has a colour already. (4)",
        "clique-of-super-points",
        0,
        4,
        1,
        2,
        3,
    ),
    search("colouring-cut-off: The wheel without its last points. (4)", "colouring", 1, 2, 3, 4, 5),
    refused(
        "infeasible-empty-payload: There is no search, and no array of none. (1)",
        "odd-cycle",
        "infeasible",
        stated(0, "infeasible", search=b""),
    ),
    refused(
        "infeasible-another-k: A triangle has three colours. (4)",
        "odd-cycle",
        "infeasible",
        changed("instance", n_clusters=3),
    ),
    refused(
        "infeasible-cannot-link-less: A triangle without one side has two colours. (4)",
        "odd-cycle",
        "infeasible",
        changed("instance", cannot_link=integers([[0, 1], [1, 2]])),
    ),
    refused(
        "infeasible-no-contradiction: Nothing contradicts itself. (4)",
        "contradiction",
        "infeasible",
        changed("instance", cannot_link=integers([[2, 0]])),
        changed("instance", must_link=integers([[0, 1]])),
    ),
    refused(
        "infeasible-enough-points: Two super-points are enough for two clusters. (4)",
        "too-few-points",
        "infeasible",
        changed("instance", must_link=integers([[0, 1]])),
    ),
    loosened("limits-too-many", "Three points are not too many.", size_max=3),
    loosened("limits-too-many-left", "Three points leave one for the other cluster.", size_min=1),
    loosened("limits-too-heavy", "3 misses 2.999999998 by less than 2^-30 of it.", weight_max=2.999999998),
    loosened("limits-too-many-of-a-group", "Two of a group are not too many.", groups=GROUPS, group_max=[["a", 2]]),
    loosened(
        "limits-load-too-much",
        "3 misses 2.999999998 by less than 2^-30 of it.",
        loads=[[1], [1], [3], [0.5]],
        load_max=[2.999999998],
    ),
    loosened(
        "limits-load-too-little",
        "1.5 misses 1.500000001 by less than 2^-30 of it.",
        loads=[[1, 1], [1, 0.5], [1, 2], [1, 2]],
        load_min=[None, 1.500000001],
    ),
    loosened("limits-too-few", "Point 0 reaches two points, and clusters need no more.", size_min=2, size_max=5),
    loosened(
        "limits-too-few-of-a-group", "Point 0 reaches one of group a, itself.", groups=GROUPS, group_min=[["a", 1]]
    ),
    loosened("limits-too-light", "1.5 misses 1.500000001 by less than 2^-30 of it.", weight_min=1.500000001),
    loosened("limits-too-light-together", "Points 0 and 1 together weigh 0.875.", weight_min=0.875),
    loosened("limits-too-light-elsewhere", "Clusters of 1, 1 and 4, or more even ones.", weight_min=1),
    loosened("limits-single", "The one partition that is left has the sizes that are listed.", sizes=[3, 1]),
    loosened("limits-single-sizes", "The one partition that is left has the sizes that are listed.", sizes=[2, 2]),
    loosened("limits-one-cluster", "All points are as many as a cluster may have.", size_max=4),
    loosened("limits-sizes-conflict", "The one partition that is left keeps all limits.", sizes=[2, 4], size_min=2),
    loosened("limits-dear", "Limits that are null are none, and then a bound is just a bound.", size_max=None),
    refused(
        "infeasible-not-dear: A bound of 1 is not above what all points in one cluster cost: 2. (13)",
        "limits-dear",
        "infeasible",
        stated(
            0,
            "bound",
            bound=0.5,
            multipliers=multipliers(3, [0, -1, -1, 0, -1, 0], [Cut(-1, [0, 1, 2], 2)], a=-1, b=-1),
        ),
    ),
]
