"""Leaves `single`, `bound` and `line`, and several of them at one problem."""

from typing import Any

from tests.conformance.certificate import Certificate, Claim, Evidence, branching, certificate, evidence
from tests.conformance.encoding import Cut, multipliers
from tests.conformance.honest.instances import FOUR, FOUR_LABELS, PAIRS, PAIRS_LABELS

ONE = {"points": [0, 1, 5], "k": 1}
FOURTEEN = Claim("OPTIMAL", [7, 7, 7], 14.0, 13.9999)
LINKED = {"points": [0, 1, 5, 6, 20, 21], "k": 3, "must_link": [(0, 4), (1, 5)], "weights": [1, 2, 0.5, 0.25, 3, 1.5]}
#: Six points, whose bound is tight up to rounding.
PLANE = {"points": [[1, 7], [5, 3], [0, 6], [3, 7], [3, 5], [1, 4]], "k": 2}
PLANE_BOX = [2, 1260, 0, 0, 0, 0, -4, 1337, 161, 6, 82, 3, 0, 0, 0, 0, 0, 0, 1, 0, 0]
PLANE_CUTS = [Cut(0, [2, 3], 103), Cut(4, [0, 1], 1), Cut(4, [1, 2], 1), Cut(4, [1, 3], 381), Cut(4, [1, 5], 172)]
PLANE_MULTIPLIERS = multipliers(6, PLANE_BOX, PLANE_CUTS, a=-7, b=-7)
PLANE_LABELS = (0, 1, 0, 0, 0, 0)
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


def leaf(label: str, instance: dict[str, Any], claim: Claim, *own: Evidence, gap: float = 1e-4) -> Certificate:
    """One leaf, or several of which the last one proves what is claimed."""
    return certificate(label, own[-1].kind, instance, claim, own, gap=gap)


def line(
    label: str, bound: float, penalty: float, instance: dict[str, Any] = PAIRS, claim: Claim | None = None
) -> Certificate:
    """A line, which proves 3/2 of three pairs at best."""
    own = claim or Claim("FEASIBLE", PAIRS_LABELS, 1.5, max(bound, 0.0))
    return leaf(label, instance, own, evidence(0, "line", bound, penalty=penalty), gap=1e-3)


def limited(**limits: float) -> dict[str, Any]:
    """The same points in two clusters within limits."""
    return PAIRS | {"k": 2, "conditions": {"limits": limits}}


THREES = Claim("OPTIMAL", (0, 0, 0, 1, 1, 1), 154.66666666666666, 154.66)
HALVES = Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.9999)

CERTIFICATES = [
    leaf(
        "single: Must-links leave as many super-points as clusters. (3)",
        FOUR | {"must_link": [(1, 0), (2, 3), (2, 2)]},
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 1.0),
        evidence(0, "single", 1.0),
        gap=0.0,
    ),
    leaf("single-one-cluster: k = 1. (3)", ONE, FOURTEEN, evidence(0, "single", 14.0)),
    leaf(
        "single-each-point: k = n, which costs nothing. (7)",
        {"points": [3, 1, 2], "k": 3},
        Claim("OPTIMAL", [5, -1, 3], 0.0, 0.0),
        evidence(0, "single", 0.0),
        gap=0.0,
    ),
    leaf(
        "bound-one-cluster: k = 1: r = 0, and N on the diagonal costs nothing. (6)",
        ONE,
        FOURTEEN,
        evidence(0, "bound", 13.9999, multipliers=multipliers(3, [1000, 0, 0, 1000, 0, 1000])),
    ),
    leaf(
        "bound-s-is-k: As many super-points as clusters: Y is the identity, and N on the diagonal costs nothing. (6)",
        FOUR | {"must_link": [(0, 1), (2, 3)]},
        HALVES,
        evidence(0, "bound", 0.9999, multipliers=multipliers(2, [1 << 20, 0, 1 << 20], a=-10)),
    ),
    leaf(
        "bound-stars: N and stars of two members. (5)",
        PLANE,
        Claim("OPTIMAL", PLANE_LABELS, 14.0, 13.99998),
        evidence(0, "bound", 13.99998, multipliers=PLANE_MULTIPLIERS),
    ),
    leaf(
        "bound-weights: Weights, N, and stars of two and three members. (5)",
        HEAVY,
        Claim("OPTIMAL", [0, 0, 0, 0, 0, 1], 31.909090909090907, 31.909),
        evidence(0, "bound", 31.909, multipliers=multipliers(6, HEAVY_BOX, HEAVY_CUTS, a=-7, b=-7)),
    ),
    line("line: The example of section 11. (11)", 1.4999999, 1.0, claim=Claim("OPTIMAL", PAIRS_LABELS, 1.5, 1.4999999)),
    line("line-penalty-low: The same with a penalty of 1/4, which proves 3/4. (11)", 0.7499999, 0.25),
    line(
        "line-penalty-negative: A negative penalty pays each point by itself 1, and 3 - 6 is less than 0. (11)",
        0.0,
        -1.0,
    ),
    line(
        "line-linked: Weights, and super-points that are no intervals of points. (11)",
        643.02,
        5.0,
        LINKED,
        Claim("OPTIMAL", [0, 1, 2, 2, 0, 1], 643.0238095238095, 643.02),
    ),
    line(
        "line-apart: A cannot-link is left out, which costs 13 more. (11)",
        1.4999999,
        1.0,
        PAIRS | {"cannot_link": [(0, 1)]},
        Claim("FEASIBLE", [0, 1, 1, 1, 2, 2], 14.5, 1.4999999),
    ),
    line(
        "line-none-varies: Two features, of which none varies. (11)",
        0.0,
        0.0,
        {"points": [[1, 2], [1, 2], [1, 2]], "k": 2},
        Claim("OPTIMAL", [0, 0, 1], 0.0, 0.0),
    ),
    line(
        "line-second-varies: Two features, of which only the second varies; decimal fractions. (11)",
        0.02499,
        0.05,
        {"points": [[1, 0.1], [1, 0.2], [1, 0.7], [1, 0.9]], "k": 2},
        Claim("OPTIMAL", FOUR_LABELS, 0.025, 0.02499),
    ),
    line("line-limits: All intervals have three points. (11)", 154.66, 0.0, limited(size_min=3), THREES),
    line(
        "line-limits-weight: All points weigh 2, and clusters 6 at most. (11)",
        309.33,
        -1.0,
        limited(weight_max=6.0) | {"weights": [2] * 6},
        Claim("OPTIMAL", THREES.labels, 309.3333333333333, 309.33),
    ),
    line(
        "line-limits-tight: Three or four of 13 points each: no two intervals have five points together. (11)",
        10.9999,
        1e7,
        {"points": list(range(13)), "k": 4, "conditions": {"limits": {"size_min": 3, "size_max": 4}}},
        Claim("OPTIMAL", (0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3), 11.0, 10.9999),
    ),
    line(
        "line-limits-linked: Super-points weigh differently, and are cut into pieces that weigh the same. (11)",
        154.66,
        0.0,
        limited(size_min=3) | {"must_link": [(0, 1)]},
        THREES,
    ),
    line(
        "line-limits-cut: The pieces of a super-point are in two intervals, which costs too little. (11)",
        168.16,
        0.0,
        limited(size_min=3) | {"must_link": [(2, 3)]},
        Claim("FEASIBLE", (0, 1, 0, 0, 1, 1), 274.6666666666667, 168.16),
    ),
    line(
        "line-limits-pieces: Pieces weigh 2, as all super-points do; none is cut. (11)",
        231.49,
        0.0,
        limited(weight_max=4.0) | {"weights": [1, 1, 2, 2, 1, 1], "must_link": [(0, 1), (4, 5)]},
        Claim("OPTIMAL", THREES.labels, 231.5, 231.49),
    ),
    line(
        "line-limits-weights: There would be more pieces than points, so limits are left out. (11)",
        26.666,
        26.0,
        limited(size_min=3) | {"weights": [1, 1, 1, 1, 1, 2]},
        Claim("FEASIBLE", THREES.labels, 176.0, 26.666),
    ),
    leaf(
        "line-then-bound: Multipliers that prove less than the line before them state what it proves. (3)",
        FOUR,
        HALVES,
        evidence(0, "line", 0.9999, penalty=1.0),
        evidence(0, "bound", 0.9999, multipliers=multipliers(4)),
    ),
    leaf(
        "prices-then-open: Prices of which multipliers state just what they do, and other prices that prove less. (3)",
        PAIRS,
        Claim("OPTIMAL", PAIRS_LABELS, 1.5, 1.49999),
        evidence(0, "prices", 1.49999, prices=[1.0] * 6),
        evidence(0, "prices", -12.0, prices=[1.0] * 6),
        evidence(0, "open", 1.49999, multipliers=multipliers(6)),
    ),
    certificate(
        "leaves-of-several-kinds: Lines, multipliers and prices at one problem, and below one another. (3)",
        "line",
        PAIRS,
        Claim("OPTIMAL", PAIRS_LABELS, 1.5, 1.4999999),
        [
            evidence(0, "line", 0.7499999, penalty=0.25),
            *branching(0, 1, 2, "0 1"),
            evidence(1, "prices", 1.4, prices=[1.0, 0.75, 0.75, 0.75, 0.75]),
            evidence(1, "line", 1.4999999, penalty=1.0),
            evidence(2, "bound", 0.7499999, multipliers=multipliers(6)),
            evidence(2, "line", 1.4999999, penalty=1.0),
            evidence(2, "open", 1.4999999, multipliers=multipliers(6)),
        ],
    ),
]
