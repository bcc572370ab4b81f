"""Evidence `prices`."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import Certificate, Claim, branching, certificate, evidence
from tests.conformance.encoding import axis, integers
from tests.conformance.honest.instances import CORNERS, FOUR_LABELS, PAIRS, PAIRS_LABELS

#: Section 12: {0}, {1, 2} costs 1/2.
TIED = {"points": [0, 1, 2], "k": 2, "cannot_link": [(0, 1)]}
TIED_PRICES = [1.0, 1.0, 0.5]
TWICE = {"points": [[0, 0], [1, 0], [2, 0], [0, 9], [1, 9], [2, 9]], "k": 4, "cannot_link": [(0, 1), (3, 4)]}


HALF, CORNER = Claim("OPTIMAL", (0, 1, 1), 0.5, 0.49999), Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.9999)
FULL_CLAIM = Claim("OPTIMAL", (0, 0, 1, 1), 32.5, 32.4999)
LOW, PAIRED = Claim("FEASIBLE", (0, 1, 1), 0.5, 0.0), Claim("FEASIBLE", PAIRS_LABELS, 1.5, 0.0)


#: Two clusters of two points: {0, 1} and {2, 10}. No two points, and no single one, earn more than 63.5.
FULL = {"points": [0, 1, 2, 10], "k": 2}
FULL_PRICES = [32.0, 32.0, 32.0, 63.5]


def full(
    label: str, prices: Sequence[float], claim: Claim, bound: float, more: dict[str, Any], **limits: Any
) -> Certificate:
    instance = FULL | more | {"conditions": {"limits": limits}}
    return priced(label, instance, claim, bound, prices)


def priced(
    label: str,
    instance: dict[str, Any],
    claim: Claim,
    bound: float,
    prices: Sequence[float],
    **values: Any,
) -> Certificate:
    own = evidence(0, "prices", bound, prices=prices, **values)
    return certificate(label, "prices", instance, claim, [own])


CERTIFICATES = [
    priced(
        "prices: The example of section 12, a pair a cluster. (12)",
        PAIRS,
        Claim("OPTIMAL", PAIRS_LABELS, 1.5, 1.49999),
        1.49999,
        [1.0] * 6,
    ),
    priced(
        "prices-one-place: Prices that all together are no more than F: no search is needed. (12)",
        PAIRS,
        PAIRED,
        -12.0,
        [1.0] * 6,
    ),
    priced(
        "prices-negative: A price below 0 and one of 0. (12)", PAIRS, PAIRED, -0.751, [1.0, 1.0, 1.0, 1.0, -0.25, 0.0]
    ),
    priced(
        "prices-none-positive: No price above 0: nobody earns anything. (12)",
        PAIRS,
        PAIRED,
        -1.0,
        [-0.5, 0.0, 0.0, -0.5, 0.0, 0.0],
    ),
    priced(
        "prices-super-points: Super-points and weights: c_0 counts. (12)",
        PAIRS | {"must_link": [(0, 1), (4, 5)], "weights": [1, 1, 1, 1, 2, 2]},
        Claim("OPTIMAL", PAIRS_LABELS, 2.0, 1.99995),
        1.99995,
        [1.5, 1.0, 1.0, 1.5],
    ),
    priced("prices-plane: Two features. (12)", CORNERS, CORNER, 0.9999, [1.0] * 4),
    priced(
        "prices-axes: Both features as axes. (12)", CORNERS, CORNER, 0.9999, [1.0] * 4, axes=[axis(1, 0), axis(0, 1)]
    ),
    priced(
        "prices-axes-turned: Axes that are turned, and a little shorter; stored as differences. (12)",
        CORNERS,
        CORNER,
        0.9999,
        [1.0] * 4,
        axes=integers([axis(0.6, 0.79999), axis(-0.79999, 0.6)], "d"),
    ),
    priced(
        "prices-axis-zero: An axis that is 0: the pairs are at one place, and 0 is proved. (12)",
        CORNERS,
        Claim("FEASIBLE", FOUR_LABELS, 1.0, 0.0),
        -0.001,
        [1.0] * 4,
        axes=[axis(1, 0), axis(0, 0)],
    ),
    priced(
        "prices-axis: One axis of two: the points of a pair are at one place. (12)",
        CORNERS,
        Claim("FEASIBLE", FOUR_LABELS, 1.0, 0.0),
        -0.001,
        [1.0] * 4,
        axes=[axis(1, 0)],
    ),
    priced(
        "prices-knot: The example of section 12 with a knot. (12)", TIED, HALF, 0.49999, TIED_PRICES, knots=[2, 0, 1]
    ),
    priced(
        "prices-knot-and-limit: The same under a limit: where a knot is listed, no tolls are charged. (12)",
        TIED | {"conditions": {"limits": {"size_max": 2}}},
        HALF,
        0.49999,
        TIED_PRICES,
        knots=[2, 0, 1],
    ),
    priced("prices-no-knot: The same without the knot proves less than nothing. (12)", TIED, LOW, -0.501, TIED_PRICES),
    priced(
        "prices-knot-of-three: A knot of all three, one of which is apart from nobody. (12)",
        TIED,
        HALF,
        0.49999,
        TIED_PRICES,
        knots=[3, 2, 1, 0],
    ),
    priced(
        "prices-knot-axis: Two knots, and an axis along which nothing varies beside one that does. (12)",
        TWICE,
        Claim("OPTIMAL", (0, 1, 1, 2, 3, 3), 1.0, 0.9999),
        0.9999,
        [*TIED_PRICES, *TIED_PRICES],
        knots=[2, 0, 1, 2, 4, 3],
        axes=[axis(1, 0), axis(0, 1)],
    ),
    priced(
        "prices-knot-left-out: A knot of which one member has no price above 0 is none. (12)",
        TIED,
        LOW,
        -0.501,
        [1.0, -0.5, 1.0],
        knots=[2, 0, 1],
    ),
    priced(
        "prices-knot-of-sixteen: A knot of sixteen members, five pairs of which are apart: 32 choices. (12)",
        {"points": [0, 9] * 8 + [0], "k": 2, "cannot_link": [(i, i + 1) for i in range(0, 10, 2)]},
        Claim("OPTIMAL", [0, 1] * 8 + [0], 0.0, 0.0),
        -0.001,
        [1.0] * 8 + [1.125] * 8 + [0.0],
        knots=[16, *range(16)],
    ),
    certificate(
        "prices-knot-decided: A knot whose members a decision sets apart. (12)",
        "prices",
        {"points": [0, 1, 2], "k": 2},
        Claim("FEASIBLE", (0, 1, 1), 0.5, 0.49999),
        [
            *branching(0, 1, 2, "0 1"),
            evidence(1, "single", 0.5),
            evidence(2, "prices", 0.49999, prices=TIED_PRICES, knots=integers([2, 0, 1], "d")),
        ],
    ),
    full(
        "prices-size-max: No cluster has more than two points, so that none earns more. (12, 13)",
        FULL_PRICES,
        FULL_CLAIM,
        32.4999,
        {},
        size_max=2,
    ),
    full(
        "prices-size-min: With two points at least in one cluster, the other has two at most. (12, 13)",
        FULL_PRICES,
        FULL_CLAIM,
        32.4999,
        {},
        size_min=2,
    ),
    full(
        "prices-weight-max: Each point weighs 3, and costs and pays three times as much. (12, 13)",
        [3.0 * price for price in FULL_PRICES],
        Claim("OPTIMAL", (0, 0, 1, 1), 97.5, 97.499),
        97.499,
        {"weights": [3, 3, 3, 3]},
        weight_max=6,
    ),
]
