"""Evidence `prices` and `infeasible` that does not hold (sections 4, 12 and 13)."""

import json
from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import child, evidence
from tests.conformance.encoding import Cut, axes, axis, doubles, integers, multipliers
from tests.conformance.forgery import Forgery, changed, exchanged, refused, remade, stated

NAN, INFINITE = float("nan"), float("inf")
ONES = [1.0] * 4
ONE = 1 << 30


def of(name: str, base: str, why: str, **values: Any) -> Forgery:
    return refused(f"prices-{name}", base, "prices", why, "12", stated(0, "prices", **values))


def along(name: str, why: str, *rows: Sequence[int]) -> Forgery:
    return of(f"axes-{name}", "prices-plane", why, axes=rows)


def knots(name: str, why: str, *own: int, base: str = "prices-knot") -> Forgery:
    return of(f"knots-{name}", base, why, knots=own)


def search(name: str, base: str, why: str, *own: int) -> Forgery:
    return refused(f"infeasible-{name}", base, "infeasible", why, "4", stated(0, "infeasible", search=own))


def loosened(base: str, why: str, section: str = "13", **limits: Any) -> Forgery:
    text = json.dumps({"limits": limits})
    return refused(f"infeasible-{base}", base, "infeasible", why, section, changed("instance", conditions=text))


GROUPS = ["a", "a", "b", "b"]

FORGERIES = [
    of("claimed", "prices", "1.5 is proved, the optimum.", bound=1.51),
    of("claimed-all", "prices", "More is stated than all prices together, so F would be negative.", bound=6.5),
    of("claimed-plane", "prices-plane", "1 is proved, the optimum.", bound=1.01),
    of("claimed-super-points", "prices-super-points", "2 is proved, the optimum.", bound=2.01),
    of("claimed-negative", "prices-negative", "A price of -1/4 counts as well: -3/4 is proved.", bound=-0.7),
    of("claimed-none-positive", "prices-none-positive", "The prices are -1 together.", bound=-0.99),
    of("empty", "prices", "Nothing is there.", prices=b"", knots=b"", axes=b""),
    of("arrays-missing", "prices", "Knots and axes are missing.", knots=b"", axes=b""),
    of("axes-missing", "prices", "Axes are missing, and no array of none is there.", axes=b""),
    of("knots-missing", "prices", "Knots are missing, and no array of none is there.", knots=b""),
    of("bound-infinite", "prices", "A leaf of prices states minus infinity.", bound=-INFINITE),
    of("too-few", "prices", "There are five prices for six super-points.", prices=[1.0] * 5),
    of(
        "too-many",
        "prices-super-points",
        "There are six prices for four super-points.",
        prices=[1.5, 1.0, 1.0, 1.5, 0.0, 0.0],
    ),
    of("nan", "prices", "A price is no number.", prices=[1.0, 1.0, 1.0, 1.0, 1.0, NAN]),
    of("infinite", "prices", "A price is infinite.", prices=[1.0, 1.0, 1.0, 1.0, 1.0, INFINITE]),
    of("in-rows", "prices", "Prices are an array of two dimensions.", prices=doubles([[1.0]] * 6)),
    of(
        "other",
        "prices",
        "With a price of 2 a pair earns more than the others.",
        prices=[2.0, 1.0, 1.0, 1.0, 1.0, 1.0],
    ),
    along("too-long", "An axis is longer than 1.", axis(1.000001, 0), axis(0, 1)),
    along("by-hand", "2^60 + 2^30 is more than 2^60.", [ONE, 0], [1, ONE]),
    along("alike", "Two axes along one line lengthen distances.", axis(0.8, 0.2), axis(0.8, 0.2)),
    along("entry", "An entry is 2^31.", [2 * ONE, 0]),
    along("wrapped", "An entry is 2^62, whose square is 0 in 64 bits.", [1 << 62, 0], [0, ONE]),
    along("least", "An entry is -2^63, which has no opposite in 64 bits.", [-(1 << 63), 0], [0, ONE]),
    along("too-many", "Three axes, where there are two features.", axis(0.5, 0), axis(0, 0.5), axis(0, 0)),
    along("of-one-feature", "Axes of one feature, where there are two.", axis(1)),
    along("of-three-features", "Axes of three features, where there are two.", axis(1, 0, 0), axis(0, 1, 0)),
    along("short", "Along shorter axes the pairs earn more.", axis(0.5, 0), axis(0, 0.5)),
    along("one", "Along one axis the points of a pair are at one place.", axis(1, 0)),
    of("axes-none-of-three", "prices-plane", "No axes of three features, where there are two.", axes=axes((), 3)),
    of("axes-none-of-one", "prices-plane", "No axes of one feature, where there are two.", axes=axes((), 1)),
    of("axes-none-in-a-row", "prices-plane", "No axes, in an array of one dimension.", axes=integers([])),
    of("axes-in-a-row", "prices-plane", "An axis is an array of one dimension.", axes=integers([ONE, 0])),
    of("axes-of-doubles", "prices-plane", "Axes are doubles.", axes=doubles([[1.0, 0.0]])),
    of(
        "axes-twice",
        "prices-plane",
        "There are two matrices of axes.",
        axes=[axis(1, 0)],
        behind=integers([axis(0, 1)]),
    ),
    of("axes-before-knots", "prices-plane", "Axes stand before knots.", knots=axes((), 2), axes=integers([])),
    knots("none", "Without the knot the two earn together."),
    of("knots-of-others", "prices-knot", "In a knot of others the two earn together.", knots=[2, 0, 2]),
    knots("of-one", "A knot of one super-point.", 1, 0, 2, 1, 2),
    knots("of-none", "A knot of no super-point.", 0, 2, 0, 1),
    knots("negative", "A knot of -1 super-points.", -1, 2, 0, 1),
    knots("cut-off", "The list ends within a knot.", 3, 0, 1),
    knots("beyond", "A super-point that does not exist.", 2, 0, 3),
    knots("below", "A super-point of -1.", 2, 0, -1),
    knots("twice", "A super-point is twice in one knot.", 3, 0, 1, 0),
    knots("twice-in-two", "A super-point is in two knots.", 2, 0, 1, 2, 1, 2),
    knots("too-long", "The list has seven numbers, more than 2 s = 6.", 2, 0, 1, 2, 2, 2, 2),
    knots("of-seventeen", "A knot of seventeen.", 17, *range(17), base="prices-knot-of-sixteen"),
    of("knots-of-doubles", "prices-knot", "Knots are doubles.", knots=doubles([2.0, 0.0, 1.0])),
    of("knots-in-rows", "prices-knot", "Knots are an array of two dimensions.", knots=[[2], [0], [1]]),
    refused(
        "prices-knots-choices",
        "prices-knot-of-sixteen",
        "prices",
        "A knot has 64 choices.",
        "12",
        changed("instance", cannot_link=integers([[i, i + 1] for i in range(0, 12, 2)])),
    ),
    refused(
        "prices-knots-not-apart",
        "prices-knot",
        "prices",
        "The two members of the knot are not apart, and earn together.",
        "12",
        changed("instance", cannot_link=integers([[0, 2]])),
    ),
    refused(
        "prices-knots-together",
        "prices-knot-decided",
        "prices",
        "Prices of three super-points, where the decision leaves two.",
        "12",
        remade(child(1, 0, "CL 0 1")),
        remade(child(2, 0, "ML 0 1")),
        exchanged(1, "single", evidence(1, "open", multipliers=multipliers(3))),
    ),
    search("cut-off", "odd-cycle", "The search is not at its end.", 0, 1),
    search("empty", "odd-cycle", "A search of no points."),
    search("goes-on", "odd-cycle", "The search goes on after its end.", 0, 1, 2, 0),
    search("takes-twice", "odd-cycle", "A point is taken that has a colour.", 0, 0, 1, 2),
    search("beyond", "odd-cycle", "A point that does not exist.", 0, 1, 3),
    search("below", "odd-cycle", "A point of -1.", 0, 1, -1),
    search("wrapped", "odd-cycle", "A point of 2^32 + 2, which is 2 in 32 bits.", 0, 1, (1 << 32) + 2),
    search(
        "cycle-not-in-order",
        "odd-cycle-of-five",
        "The cycle is not in order: the search goes another way.",
        0,
        1,
        2,
        3,
        4,
    ),
    search("clique-too-small", "clique", "Three points that are apart have three colours.", 1, 4, 2),
    search("no-clique", "clique", "Point 0 is apart from nobody.", 3, 1, 4, 0),
    search(
        "super-point-twice",
        "clique-of-super-points",
        "Both points of a super-point, which has a colour already.",
        0,
        4,
        1,
        2,
        3,
    ),
    search("colouring-cut-off", "colouring", "The wheel without its last points.", 1, 2, 3, 4, 5),
    refused(
        "infeasible-empty-payload",
        "odd-cycle",
        "infeasible",
        "There is no search, and no array of none.",
        "1",
        stated(0, "infeasible", search=b""),
    ),
    refused(
        "infeasible-another-k",
        "odd-cycle",
        "infeasible",
        "A triangle has three colours.",
        "4",
        changed("instance", n_clusters=3),
    ),
    refused(
        "infeasible-cannot-link-less",
        "odd-cycle",
        "infeasible",
        "A triangle without one side has two colours.",
        "4",
        changed("instance", cannot_link=integers([[0, 1], [1, 2]])),
    ),
    refused(
        "infeasible-no-contradiction",
        "contradiction",
        "infeasible",
        "Nothing contradicts itself.",
        "4",
        changed("instance", cannot_link=integers([[2, 0]])),
        changed("instance", must_link=integers([[0, 1]])),
    ),
    refused(
        "infeasible-enough-points",
        "too-few-points",
        "infeasible",
        "Two super-points are enough for two clusters.",
        "4",
        changed("instance", must_link=integers([[0, 1]])),
    ),
    loosened("limits-too-many", "Three points are not too many.", size_max=3),
    loosened("limits-too-many-left", "Three points leave one for the other cluster.", size_min=1),
    loosened("limits-too-heavy", "3 misses 2.999999998 by less than 2^-30 of it.", weight_max=2.999999998),
    loosened("limits-too-many-of-a-group", "Two of a group are not too many.", groups=GROUPS, group_max=[["a", 2]]),
    loosened("limits-too-few", "Point 0 reaches two points, and clusters need no more.", size_min=2, size_max=5),
    loosened(
        "limits-too-few-of-a-group", "Point 0 reaches one of group a, itself.", groups=GROUPS, group_min=[["a", 1]]
    ),
    loosened("limits-too-light", "1.5 misses 1.500000001 by less than 2^-30 of it.", weight_min=1.500000001),
    loosened("limits-too-light-elsewhere", "Clusters of 1, 1 and 4, or more even ones.", weight_min=1),
    loosened("limits-single", "The one partition that is left has the sizes that are listed.", sizes=[3, 1]),
    loosened("limits-single-sizes", "The one partition that is left has the sizes that are listed.", sizes=[2, 2]),
    loosened("limits-one-cluster", "All points are as many as a cluster may have.", size_max=4),
    loosened("limits-sizes-conflict", "The one partition that is left keeps all limits.", sizes=[2, 4], size_min=2),
    loosened("limits-dear", "Limits that are null are none, and then a bound is just a bound.", size_max=None),
    refused(
        "infeasible-not-dear",
        "limits-dear",
        "infeasible",
        "A bound of 1 is not above what all points in one cluster cost: 2.",
        "13",
        stated(
            0,
            "bound",
            bound=0.5,
            multipliers=multipliers(3, [0, -1, -1, 0, -1, 0], [Cut(-1, [0, 1, 2], 2)], a=-1, b=-1),
        ),
    ),
]
