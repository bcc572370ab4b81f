"""Closings `single`, `bound` and `line`."""

from tests.conformance.certificate import Claim, certificate, node
from tests.conformance.encoding import Cut, multipliers
from tests.conformance.honest.problems import FOUR, FOUR_LABELS, PAIRS, PAIRS_LABELS

ONE = {"points": [0, 1, 5], "k": 1}
FOURTEEN = Claim("OPTIMAL", [7, 7, 7], 14.0, 13.9999)
LINKED = {"points": [0, 1, 5, 6, 20, 21], "k": 3, "must_link": [(0, 4), (1, 5)], "weights": [1, 2, 0.5, 0.25, 3, 1.5]}
#: Six points, whose bound is tight up to rounding.
PLANE = {"points": [[1, 7], [5, 3], [0, 6], [3, 7], [3, 5], [1, 4]], "k": 2}
PLANE_BOX = [2, 1260, 0, 0, 0, 0, -4, 1337, 161, 6, 82, 3, 0, 0, 0, 0, 0, 0, 1, 0, 0]
PLANE_CUTS = [Cut(0, [2, 3], 103), Cut(4, [0, 1], 1), Cut(4, [1, 2], 1), Cut(4, [1, 3], 381), Cut(4, [1, 5], 172)]
HEAVY = {"points": [[0, 6], [3, 5], [2, 1], [5, 1], [1, 5], [5, 7]], "k": 2, "weights": [1, 2, 1, 0.5, 1, 3]}
HEAVY_BOX = [0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 2370, 0, 0, 300, 0, 184, -4]
HEAVY_CUTS = [
    Cut(1, [0, 5], 1236),
    Cut(1, [2, 5], 450),
    Cut(1, [3, 5], 92),
    Cut(1, [4, 5], 1011),
    Cut(2, [1, 3], 83),
    Cut(2, [3, 4], 40),
    Cut(4, [0, 2], 93),
    Cut(4, [0, 3], 27),
    Cut(1, [0, 3, 5], 224),
]

CERTIFICATES = [
    certificate(
        "single",
        "single",
        "Must-links leave as many super-points as clusters.",
        "3",
        FOUR | {"must_link": [(1, 0), (2, 3), (2, 2)]},
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 1.0),
        [node(0, "single", 1.0)],
        gap=0.0,
    ),
    certificate("single-one-cluster", "single", "k = 1.", "3", ONE, FOURTEEN, [node(0, "single", 14.0)]),
    certificate(
        "single-each-point",
        "single",
        "k = n, which costs nothing.",
        "7",
        {"points": [3, 1, 2], "k": 3},
        Claim("OPTIMAL", [5, -1, 3], 0.0, 0.0),
        [node(0, "single", 0.0)],
        gap=0.0,
    ),
    certificate(
        "bound-one-cluster",
        "bound",
        "k = 1: r = 0, and N on the diagonal costs nothing.",
        "6",
        ONE,
        FOURTEEN,
        [node(0, "bound", 13.9999, multipliers=multipliers(3, [1000, 0, 0, 1000, 0, 1000]))],
    ),
    certificate(
        "bound-s-is-k",
        "bound",
        "As many super-points as clusters: Y is the identity, and N on the diagonal costs nothing.",
        "6",
        FOUR | {"must_link": [(0, 1), (2, 3)]},
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.9999),
        [node(0, "bound", 0.9999, multipliers=multipliers(2, [1 << 20, 0, 1 << 20], a=-10))],
    ),
    certificate(
        "bound-stars",
        "bound",
        "N and stars of two members.",
        "5",
        PLANE,
        Claim("OPTIMAL", [0, 1, 0, 0, 0, 0], 14.0, 13.99998),
        [node(0, "bound", 13.99998, multipliers=multipliers(6, PLANE_BOX, PLANE_CUTS, a=-7, b=-7))],
    ),
    certificate(
        "bound-weights",
        "bound",
        "Weights, N, and stars of two and three members.",
        "5",
        HEAVY,
        Claim("OPTIMAL", [0, 0, 0, 0, 0, 1], 31.909090909090907, 31.909),
        [node(0, "bound", 31.909, multipliers=multipliers(6, HEAVY_BOX, HEAVY_CUTS, a=-7, b=-7))],
    ),
    certificate(
        "line",
        "line",
        "The example of section 11.",
        "11",
        PAIRS,
        Claim("OPTIMAL", PAIRS_LABELS, 1.5, 1.4999999),
        [node(0, "line", 1.4999999, penalty=1.0)],
    ),
    certificate(
        "line-penalty-low",
        "line",
        "The same with a penalty of 1/4, which proves 3/4.",
        "11",
        PAIRS,
        Claim("FEASIBLE", PAIRS_LABELS, 1.5, 0.7499999),
        [node(0, "line", 0.7499999, penalty=0.25)],
    ),
    certificate(
        "line-penalty-negative",
        "line",
        "A negative penalty: every point by itself is paid 1, and 3 - 6 is proved.",
        "11",
        PAIRS,
        Claim("FEASIBLE", PAIRS_LABELS, 1.5, 0.0),
        [node(0, "line", -3.0, penalty=-1.0)],
    ),
    certificate(
        "line-linked",
        "line",
        "Weights, and super-points that are no intervals of points.",
        "11",
        LINKED,
        Claim("OPTIMAL", [0, 1, 2, 2, 0, 1], 643.0238095238095, 643.02),
        [node(0, "line", 643.02, penalty=5.0)],
    ),
    certificate(
        "line-apart",
        "line",
        "A cannot-link is left out, which costs 13 more.",
        "11",
        PAIRS | {"cannot_link": [(0, 1)]},
        Claim("FEASIBLE", [0, 1, 1, 1, 2, 2], 14.5, 1.4999999),
        [node(0, "line", 1.4999999, penalty=1.0)],
    ),
    certificate(
        "line-none-varies",
        "line",
        "Two features, of which none varies.",
        "11",
        {"points": [[1, 2], [1, 2], [1, 2]], "k": 2},
        Claim("OPTIMAL", [0, 0, 1], 0.0, 0.0),
        [node(0, "line", 0.0, penalty=0.0)],
        gap=0.0,
    ),
    certificate(
        "line-second-varies",
        "line",
        "Two features, of which only the second varies; decimal fractions.",
        "11",
        {"points": [[1, 0.1], [1, 0.2], [1, 0.7], [1, 0.9]], "k": 2},
        Claim("OPTIMAL", FOUR_LABELS, 0.025, 0.02499),
        [node(0, "line", 0.02499, penalty=0.05)],
        gap=1e-3,
    ),
]
