"""Points that are left out (section 15)."""

from typing import Any

from tests.conformance.certificate import Certificate, Claim, branching, certificate, evidence
from tests.conformance.honest.infeasible import NONE
from tests.conformance.honest.instances import FOUR, FOUR_LABELS


def leaving_out(z: int | None, points: list[float], k: int, **pairs: Any) -> dict[str, Any]:
    """An instance of points on a line of which z may be left out."""
    return {"points": points, "k": k, "conditions": {"limits": {"outliers": z}}} | pairs


THREE = leaving_out(1, [0, 1, 10], 1)
HALF = Claim("OPTIMAL", [4, 4, -1], 0.5, 0.49999)
APART = [(0, 2), (2, 4), (4, 0)]

CERTIFICATES: list[Certificate] = [
    certificate(
        "outliers: The point that pays most is left out; 1/2 is proved. (15)",
        "prices",
        THREE,
        HALF,
        [evidence(0, "prices", 0.49999, prices=[0.5, 0.5, 0.5])],
    ),
    certificate(
        "outliers-pair: Two points that are linked are left out together, with what they cost inside. (15)",
        "prices",
        leaving_out(2, [0, 1, 2, 10, 12], 1, must_link=[(3, 4)]),
        Claim("OPTIMAL", [0, 0, 0, -1, -1], 2.0, 1.9999),
        [evidence(0, "prices", 1.9999, prices=[2.0, 1.0, 2.0, 2.0])],
    ),
    certificate(
        "outliers-alone: All super-points are apart; the one that costs most inside is left out. (15)",
        "single",
        leaving_out(2, [0, 1, 10, 12, 30, 33], 2, must_link=[(0, 1), (2, 3), (4, 5)], cannot_link=APART),
        Claim("OPTIMAL", [0, 0, 5, 5, -1, -1], 2.5, 2.5),
        [evidence(0, "single", 2.5)],
    ),
    certificate(
        "outliers-few: Three points that are linked are too many to be left out. (15)",
        "single",
        leaving_out(
            2, [0, 2, 4, 10, 12, 30], 2, must_link=[(0, 1), (1, 2), (3, 4)], cannot_link=[(0, 3), (3, 5), (0, 5)]
        ),
        Claim("OPTIMAL", [0, 0, 0, -1, -1, 1], 8.0, 8.0),
        [evidence(0, "single", 8.0)],
    ),
    certificate(
        "outliers-as-many: There are as many super-points as clusters: none is left out. (15)",
        "single",
        leaving_out(1, [0, 1, 10], 2, must_link=[(0, 1)]),
        Claim("OPTIMAL", [0, 0, 1], 0.5, 0.5),
        [evidence(0, "single", 0.5)],
    ),
    certificate(
        "outliers-branching: A super-point of two is not left out, as it is of no must-link. (15)",
        "branching",
        THREE,
        HALF,
        [
            *branching(0, 1, 2, "0 1"),
            evidence(1, "prices", 0.5, prices=[0.0, 0.0]),
            evidence(2, "prices", 0.99, prices=[1.0, 1.0, 1.0], knots=[2, 0, 1]),
        ],
    ),
    certificate(
        "outliers-infeasible: Two of three that are apart had to be left out. (15)",
        "infeasible",
        leaving_out(1, [0, 1, 2], 1, cannot_link=[(0, 1), (1, 2), (0, 2)]),
        NONE,
        [evidence(0, "infeasible")],
    ),
    certificate(
        "outliers-contradiction: Pairs contradict one another, also where both points could be left out. (15)",
        "infeasible",
        leaving_out(2, [0, 1, 2], 1, must_link=[(0, 1)], cannot_link=[(0, 1)]),
        NONE,
        [evidence(0, "infeasible")],
    ),
    certificate(
        "outliers-none: No point may be left out, and -1 is a cluster like others. (15)",
        "conditions",
        FOUR | leaving_out(0, FOUR["points"], 2, must_link=[(0, 1), (2, 3)]),
        Claim("OPTIMAL", [-1 if own else 0 for own in FOUR_LABELS], 1.0, 1.0),
        [evidence(0, "single", 1.0)],
    ),
    certificate(
        "outliers-null: Nothing is said of outliers. (15)",
        "conditions",
        FOUR | leaving_out(None, FOUR["points"], 2, must_link=[(0, 1), (2, 3)]),
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 1.0),
        [evidence(0, "single", 1.0)],
    ),
]
