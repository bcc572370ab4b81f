"""Branchings on the weights of clusters: what a bound says of its own cluster, and of all others (section 13)."""

from typing import Any

from tests.conformance.certificate import Certificate, Claim, branching, certificate, evidence, part, weighing
from tests.conformance.encoding import Cut, multipliers
from tests.conformance.honest.instances import FOUR, FOUR_LABELS, Proof

TWO = FOUR | {"must_link": [(0, 1), (2, 3)]}
BEST = Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.9999)
LINE = 0.9999
#: Points 0 and 1 together cost 1/2.
SIX = {"points": [0, 1, 2, 3, 10, 11], "k": 2, "must_link": [(0, 1)]}
NINE = {
    "points": [0, 1, 3, 10, 12, 13, 20, 21, 24],
    "k": 3,
    "weights": [0.5, 1.5, 1.25, 1, 0.1, 0.7, 2, 0.3, 1],
    "must_link": [(0, 1), (4, 5), (6, 7)],
    "cannot_link": [(0, 4), (0, 8), (4, 8), (2, 4)],
}
NINE_LABELS = (0, 0, 0, 1, 1, 1, 2, 2, 2)
#: The unit of N, by the number of super-points: two to the power of that.
UNIT = {5: -3, 6: -6}
#: About points 2 and 3, and about 3 and 4.
CUTS = [Cut(-5 - 2 * 7, [1, 2]), Cut(-5 - 2 * 13, [3])]


def weights(label: str, instance: dict[str, Any], claim: Claim, *proof: Proof) -> Certificate:
    return certificate(label, "weights", instance, claim, [own for rows in proof for own in rows])


def diagonal(s: int, number: int, *cuts: Cut) -> bytes:
    """N on the diagonal, which loses what ranges of weights leave of it."""
    box = [number if i == j else 0 for i in range(s) for j in range(i, s)]
    return multipliers(s, box, cuts, a=UNIT[s], b=UNIT[s])


def beyond(s: int, number: int) -> bytes:
    """N beside the diagonal."""
    return multipliers(s, [0 if i == j else number for i in range(s) for j in range(i, s)], a=UNIT[s])


def six(label: str, said: str, lower: float, upper: float, **more: Any) -> Certificate:
    """A branching whose children lose by N on the diagonal, of either sign."""
    claim = Claim("FEASIBLE", (0, 0, 0, 1, 1, 1), 40.0, min(lower, upper))
    return weights(
        label,
        SIX | more,
        claim,
        weighing(0, 1, 2, said),
        [evidence(1, "open", lower, multipliers=diagonal(5, 4))],
        [evidence(2, "open", upper, multipliers=diagonal(5, -1))],
    )


APART = {"cannot_link": [(0, 5)]}
LIMITS = {"limits": {"size_max": 4, "weight_min": 1.5}}
CERTIFICATES: list[Certificate] = [
    weights(
        "weights: A cluster weighs 2 in all that is left, so that it cannot weigh 2.5. (13)",
        TWO,
        BEST,
        weighing(0, 1, 2, "1 2.5"),
        [evidence(1, "single", 1.0), evidence(2, "infeasible")],
    ),
    weights(
        "weights-both: A cluster of just the weight belongs to both children. (13)",
        TWO,
        BEST,
        weighing(0, 1, 2, "3 2"),
        [evidence(1, "single", 1.0), evidence(2, "single", 1.0)],
    ),
    weights(
        "weights-line: Lines and what is apart by far know of no bounds. (13)",
        FOUR,
        BEST,
        weighing(0, 8, 7, "0 1e-300"),
        [evidence(8, "line", LINE, penalty=1.0), evidence(7, "far", 40.5, decisions=["CL 0 2", "CL 1 3"])],
        [evidence(7, "line", LINE, penalty=1.0)],
    ),
    weights(
        "weights-equal: Points at one place are joined above the branching. (4, 13)",
        FOUR | {"points": [0, 0, 10, 11]},
        Claim("OPTIMAL", FOUR_LABELS, 0.5, 0.49999),
        [evidence(0, "equal", decisions=["ML 0 1"]), *weighing(0, 1, 2, "0 1.5")],
        [evidence(1, "line", 0.49999, penalty=1.0), evidence(2, "line", 0.49999, penalty=1.0)],
    ),
    weights(
        "weights-cover: A part begins without bounds. (10, 13)",
        FOUR,
        BEST,
        weighing(0, 1, 2, "0 3"),
        [evidence(1, "cover", parts=[3]), part(3, 1, [0, 1, 2, 3], [1.0] * 4)],
        [evidence(3, "line", LINE, penalty=1.0), *weighing(2, 4, 5, "0 3.5")],
        [evidence(4, "line", LINE, penalty=1.0), evidence(5, "infeasible")],
    ),
    six("weights-alone: One point has a bound, and nothing is apart. (13)", "4 3.5", 0.1428, 0.2142),
    six(
        "weights-beside: The point with a bound is taken first, and no other is apart from it. (13)",
        "4 3.5",
        0.1678,
        0.2142,
        **APART,
    ),
    six(
        "weights-anchors: Two points are apart, so that a bound of one is one of all. (13)",
        "5 3.5",
        0.1428,
        0.4017,
        **APART,
    ),
    six("weights-joined: A bound of a point is one of its super-point. (13)", "1 3.5", 0.2857, 0.1785, **APART),
    six("weights-limits: Bounds beside limits. (13)", "5 3.25", 0.2788, 0.399, conditions=LIMITS, **APART),
    weights(
        "weights-deep: Three anchors whose clusters are bounded one after the other, in fractions. (13)",
        NINE,
        Claim("FEASIBLE", NINE_LABELS, 18.727311577311577, 0.6032),
        weighing(0, 1, 2, "8 3.4375"),
        [evidence(2, "open", 0.6652, multipliers=diagonal(6, 3)), *weighing(1, 3, 4, "0 3.3")],
        [evidence(4, "open", 0.6032, multipliers=beyond(6, -1)), *weighing(3, 5, 6, "4 1.7")],
        [evidence(5, "open", 0.6930, multipliers=diagonal(6, -3, Cut(-1, [0, 1, 3, 5], 1)))],
        [*weighing(6, 7, 9, "8 1.5"), evidence(7, "open", 0.7070, multipliers=diagonal(6, 3))],
        [evidence(9, "fixed", 0.6805, decisions=["ML 0 2", "CL 2 8"], multipliers=diagonal(6, 3, Cut(0, [1], 1)))],
        [*branching(9, 10, 11, "0 3"), evidence(11, "open", 4.1202, multipliers=beyond(5, -1))],
    ),
    weights(
        "weights-soft: Penalties are charged by the least weights, and cuts about pairs by the greatest ones. (13)",
        SIX | APART | {"conditions": {"soft": [[2, 3, 1, 0], [3, 4, 0, 2]]}},
        Claim("FEASIBLE", (0, 0, 0, 0, 1, 1), 5.5, 0.6340),
        weighing(0, 1, 2, "0 3.5"),
        [evidence(1, "open", 0.8730, multipliers=multipliers(5))],
        [evidence(2, "open", 0.6340, multipliers=multipliers(5, cuts=CUTS, b=-2))],
    ),
]
