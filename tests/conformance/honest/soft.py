"""Soft pairs: what is paid, steps `soft`, and bounds with penalties."""

from tests.conformance.certificate import Claim, certificate, node, step
from tests.conformance.encoding import decisions, multipliers
from tests.conformance.honest.problems import FOUR, FOUR_LABELS

JOINED = FOUR | {"must_link": [(0, 1), (2, 3)]}
#: {0, 1} pays 1, and the two clusters pay 1/2 for 0 and 2 in two rows, one of them turned around.
ROWS = [[0, 1, 5, 1], [0, 2, 0.25, 7], [2, 0, 0.25, 0.0], [1, 3, 0, 0]]
PAID = Claim("OPTIMAL", FOUR_LABELS, 2.5, 2.4999)
ONE = {"points": [0, 1, 5], "k": 1}
SIX = {"points": [0, 1, 2, 3, 10, 11], "k": 2}
#: What the parts of a node are that pays nothing for what is open: {0, 1, 2, 3}, {10, 11} costs 5.5.
APART = Claim("OPTIMAL", (0, 0, 0, 0, 1, 1), 5.5, 5.4999)

CERTIFICATES = [
    certificate(
        "soft-single",
        "soft",
        "The one partition that is left pays for what it breaks.",
        "13",
        JOINED | {"conditions": {"soft": ROWS}},
        PAID,
        [node(0, "single", 2.5)],
    ),
    certificate(
        "soft-decided",
        "soft",
        "Pairs that the state decides are paid in a bound.",
        "13",
        JOINED | {"cannot_link": [(0, 2)], "conditions": {"soft": ROWS}},
        PAID,
        [node(0, "bound", 2.4999, multipliers=multipliers(2))],
    ),
    certificate(
        "soft-open",
        "soft",
        "k = 1: of a penalty of 3 for points together two thirds are charged.",
        "13",
        ONE | {"conditions": {"soft": [[0, 2, 0, 3]]}},
        Claim("FEASIBLE", (0, 0, 0), 17.0, 15.9999),
        [node(0, "open", 15.9999, multipliers=multipliers(3))],
    ),
    certificate(
        "soft-open-limits",
        "soft",
        "The same under a limit: every cluster weighs 3, and all is charged.",
        "13",
        ONE | {"conditions": {"soft": [[0, 2, 0, 3]], "limits": {"size_min": 1}}},
        Claim("OPTIMAL", (0, 0, 0), 17.0, 16.9999),
        [node(0, "bound", 16.9999, multipliers=multipliers(3))],
    ),
    certificate(
        "soft-pay-nothing",
        "soft",
        "Penalties of 0 are none, and line closings know of none.",
        "13",
        SIX | {"conditions": {"soft": [[0, 1, 0, 0], [4, 5, 7, 0.0]], "limits": {}}},
        APART,
        [node(0, "line", 5.4999, penalty=10.0)],
    ),
    certificate(
        "soft-step-together",
        "soft",
        "A soft step puts 2 and 3 together: apart they pay 100 in three rows, one of the super-points.",
        "13",
        SIX | {"must_link": [(0, 2)], "conditions": {"soft": [[2, 3, 50, 1], [3, 0, 30.0, 0], [2, 3, 20, 0]]}},
        Claim("OPTIMAL", (0, 0, 0, 0, 1, 1), 6.5, 5.4999, 5.4999),
        [node(0, "line", 5.4999, penalty=10.0)],
        [step(0, "soft", decisions=decisions("ML 2 3"), multipliers=multipliers(5), lower_bound=101.0)],
        gap=0.5,
    ),
    certificate(
        "soft-step-apart",
        "soft",
        "A soft step sets 0 and 2 apart, and 1 and 3: together they pay 1000.",
        "13",
        FOUR | {"conditions": {"soft": [[0, 2, 0.5, 1000], [3, 1, 0, 2000]]}},
        Claim("OPTIMAL", FOUR_LABELS, 1.5, 1.4999),
        [
            node(0, "branched", branch="1 2"),
            node(1, "single", 91.0, parent=0, decision="ML 1 2"),
            node(2, "bound", 1.4999, parent=0, decision="CL 1 2", multipliers=multipliers(2)),
        ],
        [
            step(0, "soft", decisions=decisions("CL 0 2", "CL 1 3"), multipliers=multipliers(4), lower_bound=999.0),
            step(1, "forced", forced=[["ML", 0, 3, [1]]]),
            step(2, "forced", forced=[["ML", 0, 1, [2]], ["ML", 2, 3, [1]]]),
        ],
    ),
    certificate(
        "soft-step-at-once",
        "soft",
        "Pairs of one soft step are judged in the state before all of them.",
        "13",
        SIX | {"conditions": {"soft": [[0, 1, 50, 0], [1, 2, 60, 0], [0, 2, 70, 0]]}},
        APART,
        [node(0, "line", 5.4999, penalty=10.0)],
        [
            step(
                0,
                "soft",
                decisions=decisions("ML 0 1", "ML 1 2", "ML 2 0", "ML 0 1"),
                multipliers=multipliers(6),
                lower_bound=49.9,
            )
        ],
    ),
    certificate(
        "soft-step-paid",
        "soft",
        "The bound of a soft step pays for pairs that the state decides.",
        "13",
        SIX | {"must_link": [(0, 1)], "conditions": {"soft": [[1, 0, 0, 2], [2, 3, 4, 0]]}},
        Claim("OPTIMAL", (0, 0, 0, 0, 1, 1), 7.5, 5.4999),
        [node(0, "line", 5.4999, penalty=10.0)],
        [step(0, "soft", decisions=decisions("ML 2 3"), multipliers=multipliers(5), lower_bound=6.4999)],
        gap=0.5,
    ),
    certificate(
        "soft-step-inherited",
        "soft",
        "A soft step states what was proved before it, not what its multipliers do.",
        "13",
        {"points": [0, 1, 5], "k": 1, "conditions": {"soft": [[0, 1, 1, 0]]}},
        Claim("OPTIMAL", (0, 0, 0), 14.0, 13.9999),
        [node(0, "bound", 13.9999, multipliers=multipliers(2))],
        [
            step(0, "fixed", 0, decisions=decisions(), multipliers=multipliers(3), lower_bound=0.0),
            step(
                0,
                "soft",
                1,
                decisions=decisions("ML 1 0"),
                multipliers=multipliers(3, [0, 0, 0, 0, -1000, 0]),
                lower_bound=13.9999,
            ),
        ],
    ),
]
