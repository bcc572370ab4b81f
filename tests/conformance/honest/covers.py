"""Covers: parts that share out the points."""

from dataclasses import replace
from typing import Any

from tests.conformance.certificate import Certificate, Claim, Problem, branching, certificate, evidence, part
from tests.conformance.encoding import multipliers
from tests.conformance.honest.instances import CORNERS, Proof

#: Two triples on a line: {0, 1, 2}, {3, 4, 5} costs 4, each triple alone 1/2 in two clusters.
TRIPLES: dict[str, Any] = {"points": [0, 1, 2, 10, 11, 12], "k": 2}
LABELS = (0, 0, 0, 1, 1, 1)
COVER, FIRST, SECOND = (
    evidence(0, "cover", parts=[1, 2]),
    part(1, 0, [0, 1, 2], [1.0] * 3),
    part(2, 0, [3, 4, 5], [1.0] * 3),
)
PARTS: Proof = [COVER, FIRST, SECOND]
LEFT, RIGHT = evidence(1, "line", 0.4999, penalty=0.5), evidence(2, "line", 0.4999, penalty=0.5)
WHOLE = evidence(0, "line", 3.9999, penalty=3.0)
FEASIBLE, OPTIMAL = Claim("FEASIBLE", LABELS, 4.0, 0.9999), Claim("OPTIMAL", LABELS, 4.0, 3.9999)
HALF = Claim("FEASIBLE", LABELS, 4.0, 0.4999)
ALL = ([0, 1, 2, 3, 4, 5], [0.5] * 6)
CLIQUE = {"points": [0, 1, 2, 3, 10], "k": 3, "cannot_link": [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]}
THIRD = 1.0 / 3.0


def cover(label: str, claim: Claim, *proof: Proof, instance: dict[str, Any] = TRIPLES) -> Certificate:
    return certificate(label, "cover", instance, claim, [own for rows in proof for own in rows])


def of_parent(parent: int, *parts: Problem) -> list[Problem]:
    return [replace(own, parent=parent) for own in parts]


CERTIFICATES = [
    cover("cover: Two parts of the whole. (10)", FEASIBLE, [*PARTS, LEFT, RIGHT]),
    cover(
        "cover-then-line: Two parts, and a line that proves more. (10)",
        OPTIMAL,
        [evidence(0, "cover", parts=[2, 1]), FIRST, SECOND, LEFT, RIGHT, WHOLE],
    ),
    cover(
        "cover-and-branching: Two parts that prove more than a branching of the whole. (10)",
        FEASIBLE,
        [*PARTS, LEFT, RIGHT, *branching(0, 3, 4, "0 1"), evidence(3, "open", 0.9999, multipliers=multipliers(5))],
    ),
    cover(
        "cover-optimal: Halves of all points in two parts: each part proves half of the whole. (10)",
        OPTIMAL,
        [evidence(0, "cover", parts=[8, 3]), part(3, 0, *ALL), part(8, 0, *ALL)],
        [evidence(own, "line", 1.99996, penalty=1.5) for own in (3, 8)],
    ),
    cover(
        "cover-shared: A point has a third of its weight in each of three parts, but for a rounding. (10)",
        Claim("FEASIBLE", LABELS, 4.0, 0.2499),
        [evidence(0, "cover", parts=[1, 2, 3]), part(1, 0, [0, 1, 2], [1.0, 1.0, THIRD])],
        [part(2, 0, [2, 3, 4], [THIRD, 1.0, 1.0]), part(3, 0, [2, 5], [0.3333333333333333, 1.0])],
        [evidence(1, "line", 0.2499, penalty=0.25)],
    ),
    cover("cover-without-evidence: A part without evidence proves 0. (10)", HALF, [*PARTS, LEFT]),
    cover(
        "cover-few-points: Parts of fewer super-points than clusters count 0, whatever their evidence says. (10)",
        HALF,
        [*PARTS, LEFT, evidence(2, "infeasible"), evidence(2, "bound", 1e9, multipliers=b"")],
        [evidence(2, "branching", children=[2, 77])],
        instance=TRIPLES | {"must_link": [(3, 4), (4, 5)]},
    ),
    cover(
        "cover-negative: A part whose prices prove less than 0 proves 0. (10)",
        HALF,
        [*PARTS, LEFT, evidence(2, "prices", -7.0, prices=[-1.0] * 3)],
    ),
    cover(
        "cover-last: The last cover counts; what only the one before names is not looked at. (10)",
        FEASIBLE,
        [evidence(0, "cover", parts=[7, 7]), part(7, 0, [4, 5], [9.0, 1.0]), evidence(7, "infeasible")],
        [*PARTS, LEFT, RIGHT],
    ),
    cover(
        "cover-better: A cover, and behind it one that proves more, with a part that is in both. (10)",
        FEASIBLE,
        [evidence(0, "cover", parts=[1, 3, 4]), part(3, 0, [3, 4], [1.0] * 2), part(4, 0, [5], [1.0])],
        [*PARTS, LEFT, RIGHT],
    ),
    cover(
        "cover-infeasible: A part that holds no partition: nor does the whole. (10)",
        Claim("INFEASIBLE"),
        [evidence(0, "cover", parts=[1, 2]), part(1, 0, [0, 1, 2, 3], [0.5] * 4)],
        [part(2, 0, [0, 1, 2, 3, 4], [0.5, 0.5, 0.5, 0.5, 1.0]), evidence(1, "infeasible", search=[0, 1, 2, 3])],
        instance=CLIQUE,
    ),
    cover(
        "cover-links: A must-link within a part counts there, one between parts nowhere. (10)",
        Claim("FEASIBLE", (0, 1, 0, 1, 1, 1), 79.0, 2.4999),
        [*PARTS, LEFT, *branching(2, 3, 4, "0 1"), evidence(3, "infeasible"), evidence(4, "single", 2.0)],
        instance=TRIPLES | {"must_link": [(3, 5), (1, 3)], "cannot_link": [(2, 4)]},
    ),
    cover(
        "cover-limits: Parts know of no limits and of no soft pairs. (13)",
        FEASIBLE,
        [*PARTS, LEFT, RIGHT],
        instance=TRIPLES | {"conditions": {"limits": {"size_max": 3}, "soft": [[0, 1, 100, 0]]}},
    ),
    cover(
        "cover-equal: Points are joined within a part, although the whole has limits. (13)",
        Claim("FEASIBLE", LABELS, 2.6666666666666665, 0.4999),
        [*PARTS, evidence(1, "equal", decisions=["ML 0 1"]), evidence(1, "single", 0.0), RIGHT],
        instance=TRIPLES | {"points": [0, 0, 1, 10, 11, 12], "conditions": {"limits": {"size_max": 3}}},
    ),
    cover(
        "cover-one-cluster: k = 1, in the plane. (10)",
        Claim("FEASIBLE", (0, 0, 0, 0), 82.0, 0.9999),
        [COVER, part(1, 0, [0, 1], [1.0] * 2), part(2, 0, [2, 3], [1.0] * 2)],
        [evidence(own, "single", 0.5) for own in (1, 2)],
        instance=CORNERS | {"k": 1},
    ),
    cover(
        "cover-below: Covers of both children of a branching: parts know what the child does. (10)",
        Claim("FEASIBLE", (0, 1, 0, 1, 1, 1), 79.0, 2.4999),
        [*branching(0, 7, 8, "0 2"), evidence(7, "cover", parts=[1, 2]), *of_parent(7, FIRST, SECOND)],
        [evidence(1, "single", 2.0), RIGHT, evidence(8, "cover", parts=[3, 4]), part(3, 8, [0, 1, 2], [1.0] * 3)],
        [part(4, 8, [3, 4, 5], [1.0] * 3), evidence(3, "infeasible", search=[2, 0, 1])],
        instance=TRIPLES | {"cannot_link": [(0, 1), (1, 2)]},
    ),
    cover(
        "cover-deduced: A pair that is forced before the cover holds in its parts. (10)",
        Claim("FEASIBLE", (0, 1, 1, 0, 0, 0), 93.25, 0.9999),
        [evidence(0, "forced", decisions=["ML 1 2"], cliques=[[0]]), *PARTS, evidence(1, "single", 0.5), RIGHT],
        instance=TRIPLES | {"cannot_link": [(0, 1), (0, 2)]},
    ),
    cover(
        "cover-linked-outside: Points of a part are together because of a point that is not in it. (10)",
        Claim("FEASIBLE", (0, 0, 0, 0, 1, 1), 63.25, 0.9999),
        [*PARTS, evidence(1, "single", 0.5), RIGHT],
        instance=TRIPLES | {"must_link": [(0, 3), (3, 1)]},
    ),
    cover(
        "cover-apart-outside: Points of a part are apart because of a point that is not in it. (10)",
        Claim("FEASIBLE", (0, 1, 1, 0, 0, 0), 93.25, 0.9999),
        [*PARTS, evidence(1, "forced", decisions=["ML 1 2"], cliques=[[0]]), evidence(1, "single", 0.5), RIGHT],
        instance=TRIPLES | {"must_link": [(0, 3)], "cannot_link": [(3, 1), (3, 2)]},
    ),
    cover(
        "cover-of-a-part: A part has parts, whose points are numbered as they are in it. (10)",
        HALF,
        [COVER, part(1, 0, [0], [1.0]), part(2, 0, [1, 2, 3, 4, 5], [1.0] * 5), evidence(2, "cover", parts=[3, 4])],
        [part(3, 2, [2, 3, 4], [1.0] * 3), part(4, 2, [0, 1], [1.0] * 2), evidence(3, "line", 0.4999, penalty=0.5)],
    ),
    cover(
        "cover-of-half-a-part: Parts of a part share out the weights that its points have there. (10)",
        Claim("FEASIBLE", LABELS, 4.0, 2.4998),
        [COVER, part(1, 0, *ALL), part(2, 0, *ALL), evidence(2, "line", 1.99996, penalty=1.5)],
        [*branching(1, 5, 6, "0 5"), evidence(6, "open", 0.0, multipliers=multipliers(6))],
        [evidence(1, "cover", parts=[3, 4]), part(3, 1, [0, 1, 2], [0.5] * 3), part(4, 1, [3, 4, 5], [0.5] * 3)],
        [evidence(own, "line", 0.24999, penalty=0.25) for own in (3, 4)],
    ),
    cover(
        "cover-deep: Parts of parts, five hundred deep. (10)",
        HALF,
        [evidence(own, "cover", parts=[own + 1]) for own in range(500)],
        [part(own + 1, own, range(6), [1.0] * 6) for own in range(500)],
        [evidence(500, "line", 0.4999, penalty=1.0)],
    ),
]
