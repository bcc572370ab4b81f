"""Closings `prices`."""

from tests.conformance.certificate import Claim, certificate, node
from tests.conformance.encoding import axis, integers, prices
from tests.conformance.honest.problems import CORNERS, FOUR_LABELS, PAIRS, PAIRS_LABELS

#: Section 12: {0}, {1, 2} costs 1/2.
TIED = {"points": [0, 1, 2], "k": 2, "cannot_link": [(0, 1)]}
TIED_PRICES = [1.0, 1.0, 0.5]
TWICE = {"points": [[0, 0], [1, 0], [2, 0], [0, 9], [1, 9], [2, 9]], "k": 4, "cannot_link": [(0, 1), (3, 4)]}


def root(bound: float, blob: bytes, knots: list[int] | None = None) -> list[dict[str, object]]:
    return [node(0, "prices", bound, prices=blob, search=None if knots is None else integers(knots))]


HALF, CORNER = Claim("OPTIMAL", (0, 1, 1), 0.5, 0.49999), Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.9999)

CERTIFICATES = [
    certificate(
        "prices",
        "prices",
        "The example of section 12, a pair a cluster.",
        "12",
        PAIRS,
        Claim("OPTIMAL", PAIRS_LABELS, 1.5, 1.49999),
        root(1.49999, prices([1.0] * 6)),
    ),
    certificate(
        "prices-one-place",
        "prices",
        "Prices that all together are no more than F: no search is needed.",
        "12",
        PAIRS,
        Claim("FEASIBLE", PAIRS_LABELS, 1.5, 0.0),
        root(-12.0, prices([1.0] * 6)),
    ),
    certificate(
        "prices-negative",
        "prices",
        "A price below 0 and one of 0.",
        "12",
        PAIRS,
        Claim("FEASIBLE", PAIRS_LABELS, 1.5, 0.0),
        root(-0.751, prices([1.0, 1.0, 1.0, 1.0, -0.25, 0.0])),
    ),
    certificate(
        "prices-none-positive",
        "prices",
        "No price above 0: nobody earns anything.",
        "12",
        PAIRS,
        Claim("FEASIBLE", PAIRS_LABELS, 1.5, 0.0),
        root(-1.0, prices([-0.5, 0.0, 0.0, -0.5, 0.0, 0.0])),
    ),
    certificate(
        "prices-super-points",
        "prices",
        "Super-points and weights: c_0 counts.",
        "12",
        PAIRS | {"must_link": [(0, 1), (4, 5)], "weights": [1, 1, 1, 1, 2, 2]},
        Claim("OPTIMAL", PAIRS_LABELS, 2.0, 1.99995),
        root(1.99995, prices([1.5, 1.0, 1.0, 1.5])),
    ),
    certificate("prices-plane", "prices", "Two features.", "12", CORNERS, CORNER, root(0.9999, prices([1.0] * 4))),
    certificate(
        "prices-axes",
        "prices",
        "Both features as axes.",
        "12",
        CORNERS,
        CORNER,
        root(0.9999, prices([1.0] * 4, [axis(1, 0), axis(0, 1)])),
    ),
    certificate(
        "prices-axes-turned",
        "prices",
        "Axes that are turned, and a little shorter; stored as differences.",
        "12",
        CORNERS,
        CORNER,
        root(0.9999, prices([1.0] * 4, [axis(0.6, 0.79999), axis(-0.79999, 0.6)], "d")),
    ),
    certificate(
        "prices-axis-zero",
        "prices",
        "An axis that is 0: the pairs are at one place, and 0 is proved.",
        "12",
        CORNERS,
        Claim("FEASIBLE", FOUR_LABELS, 1.0, 0.0),
        root(-0.001, prices([1.0] * 4, [axis(1, 0), axis(0, 0)])),
    ),
    certificate(
        "prices-axis",
        "prices",
        "One axis of two: the points of a pair are at one place.",
        "12",
        CORNERS,
        Claim("FEASIBLE", FOUR_LABELS, 1.0, 0.0),
        root(-0.001, prices([1.0] * 4, [axis(1, 0)])),
    ),
    certificate(
        "prices-knot",
        "prices",
        "The example of section 12 with a knot.",
        "12",
        TIED,
        HALF,
        root(0.49999, prices(TIED_PRICES), [2, 0, 1]),
    ),
    certificate(
        "prices-no-knot",
        "prices",
        "The same without the knot proves less than nothing.",
        "12",
        TIED,
        Claim("FEASIBLE", (0, 1, 1), 0.5, 0.0),
        root(-0.501, prices(TIED_PRICES)),
    ),
    certificate(
        "prices-knot-of-three",
        "prices",
        "A knot of all three, one of which is apart from nobody.",
        "12",
        TIED,
        HALF,
        root(0.49999, prices(TIED_PRICES), [3, 2, 1, 0]),
    ),
    certificate(
        "prices-knot-axis",
        "prices",
        "Two knots, and an axis along which nothing varies beside one that does.",
        "12",
        TWICE,
        Claim("OPTIMAL", (0, 1, 1, 2, 3, 3), 1.0, 0.9999),
        root(0.9999, prices([*TIED_PRICES, *TIED_PRICES], [axis(1, 0), axis(0, 1)]), [2, 0, 1, 2, 4, 3]),
    ),
    certificate(
        "prices-knot-left-out",
        "prices",
        "A knot of which one member has no price above 0 is none.",
        "12",
        TIED,
        Claim("FEASIBLE", (0, 1, 1), 0.5, 0.0),
        root(-0.501, prices([1.0, -0.5, 1.0]), [2, 0, 1]),
    ),
    certificate(
        "prices-knot-of-sixteen",
        "prices",
        "A knot of sixteen members, five pairs of which are apart: 32 choices.",
        "12",
        {"points": [0, 9] * 8 + [0], "k": 2, "cannot_link": [(i, i + 1) for i in range(0, 10, 2)]},
        Claim("OPTIMAL", [0, 1] * 8 + [0], 0.0, 0.0),
        root(-0.001, prices([1.0] * 8 + [1.125] * 8 + [0.0]), [16, *range(16)]),
    ),
    certificate(
        "prices-knot-decided",
        "prices",
        "A knot whose members a decision sets apart; the other child is a line.",
        "12",
        {"points": [0, 1, 2], "k": 2},
        Claim("FEASIBLE", (0, 1, 1), 0.5, 0.49999),
        [
            node(0, "branched", branch="0 1"),
            node(1, "single", 0.5, parent=0, decision="ML 0 1"),
            node(
                2,
                "prices",
                0.49999,
                parent=0,
                decision="CL 0 1",
                prices=prices(TIED_PRICES),
                search=integers([2, 0, 1], "d"),
            ),
        ],
    ),
]
