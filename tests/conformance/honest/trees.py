"""Trees: what covers every partition, what is left open, and what claims there are."""

from tests.conformance.certificate import Claim, certificate, node, step
from tests.conformance.encoding import integers, multipliers
from tests.conformance.honest.problems import FOUR, FOUR_LABELS, HAND, HAND_LABELS

OPTIMAL = Claim("OPTIMAL", HAND_LABELS, 4.0, 4.0)
LABELS = integers(HAND_LABELS)

#: The tree of section 8.
NODES = [
    node(0, "branched", branch="0 1"),
    node(1, "branched", parent=0, decision="ML 0 1", branch="0 4"),
    node(2, "bound", 55.9, parent=0, decision="CL 0 1", multipliers=multipliers(3)),
    node(3, "infeasible", parent=1, decision="ML 0 4", witness='{"kind": "contradiction"}'),
    node(4, "single", 4.0, parent=1, decision="CL 0 4", labels=LABELS),
]
STEPS = [step(2, "forced", forced=[["ML", 1, 2, [0]]]), step(4, "forced", forced=[["ML", 2, 4, [0]]])]
#: Multipliers that prove nothing: N = -1000 on the diagonal loses 1000.
POOR_4 = multipliers(4, [-1000, 0, 0, 0, -1000, 0, 0, -1000, 0, -1000])
POOR_3 = multipliers(3, [-1000, 0, 0, -1000, 0, -1000])
LARGEST = (1 << 62) - 1


def feasible(lower_bound: float | None) -> Claim:
    return Claim("FEASIBLE", HAND_LABELS, 4.0, lower_bound)


CERTIFICATES = [
    certificate("hand", "tree", "The certificate of section 8.", "8", HAND, OPTIMAL, NODES, STEPS),
    certificate(
        "hand-numbers",
        "tree",
        "The same with other numbers of nodes, the largest one among them, in another order.",
        "3",
        HAND,
        OPTIMAL,
        [
            NODES[4] | {"node": LARGEST, "parent": 77},
            NODES[2] | {"node": 1000},
            NODES[1] | {"node": 77},
            NODES[3] | {"node": 5, "parent": 77},
            NODES[0],
        ],
        [STEPS[0] | {"node": 1000}, STEPS[1] | {"node": LARGEST, "position": 9}],
    ),
    certificate(
        "open-node",
        "open",
        "The root is left open, with a bound of multipliers: the cost inside {2, 3}.",
        "3, 5",
        HAND,
        feasible(1.999),
        [node(0, "open", 1.999, multipliers=multipliers(4))],
    ),
    certificate(
        "open-children",
        "open",
        "A branching without children counts with what its multipliers prove.",
        "3",
        HAND,
        feasible(1.999),
        [node(0, "branched", branch="0 1", multipliers=multipliers(4), penalty=0.5)],
    ),
    certificate(
        "open-child",
        "open",
        "One child is missing, and counts with what a fixed step above proves.",
        "3",
        HAND,
        feasible(1.999),
        [NODES[0], NODES[2]],
        [
            step(0, "fixed", decisions=integers([], shape=(3, 0)), multipliers=multipliers(4), lower_bound=1.999),
            STEPS[0],
        ],
    ),
    certificate(
        "open-child-above",
        "open",
        "A child is missing two levels below the multipliers that prove most.",
        "3",
        HAND,
        feasible(1.999),
        [NODES[0] | {"multipliers": multipliers(4)}, NODES[1] | {"multipliers": POOR_3}, NODES[2], NODES[3]],
        [STEPS[0]],
    ),
    certificate("no-nodes", "open", "Nothing is proved but that no cost is negative.", "3", HAND, feasible(0.0)),
    certificate("no-bound", "status", "FEASIBLE without a lower bound.", "1", HAND, feasible(None)),
    certificate(
        "unknown",
        "status",
        "UNKNOWN, with a bound.",
        "1",
        HAND,
        Claim("UNKNOWN", None, None, 1.999),
        [node(0, "open", 1.999, multipliers=multipliers(4))],
    ),
    certificate("unknown-nothing", "status", "UNKNOWN, with nothing at all.", "1", HAND, Claim("UNKNOWN")),
    certificate(
        "inherited-at-leaves",
        "tree",
        "Leaves whose own multipliers prove nothing state what is proved above them.",
        "5",
        HAND,
        feasible(1.999),
        [
            NODES[0] | {"multipliers": multipliers(4)},
            node(1, "bound", 1.999, parent=0, decision="ML 0 1", multipliers=POOR_3),
            node(2, "open", 1.999, parent=0, decision="CL 0 1", multipliers=POOR_4),
        ],
    ),
    certificate(
        "stated-below",
        "tree",
        "A leaf states less than it proves, and what is proved counts.",
        "3",
        HAND,
        OPTIMAL,
        [*NODES[:4], NODES[4] | {"closing_bound": 3.0}],
        STEPS,
        gap=0.0,
    ),
    certificate(
        "claimed-below",
        "status",
        "OPTIMAL with a lower bound far below what is proved: the gap is of what is proved.",
        "3",
        HAND,
        Claim("OPTIMAL", HAND_LABELS, 4.0, -5.0, 4.0),
        NODES,
        STEPS,
    ),
    certificate(
        "branch-within",
        "tree",
        "A branching on two points of one super-point: apart, there is a contradiction.",
        "3",
        HAND,
        OPTIMAL,
        [
            node(0, "branched", branch="3 2"),
            node(1, "infeasible", parent=0, decision="CL 2 3"),
            node(2, "branched", parent=0, decision="ML 3 2", branch="0 1"),
            *(own | {"node": own["node"] + 2, "parent": own["parent"] + 2} for own in NODES[1:]),
        ],
        [own | {"node": own["node"] + 2} for own in STEPS],
    ),
    certificate(
        "gap-is-wide",
        "status",
        "OPTIMAL within a gap of 0.6, of which 0.5 is used.",
        "3",
        FOUR,
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.499),
        [node(0, "line", 0.499, penalty=0.25)],
        gap=0.6,
    ),
    certificate(
        "gap-is-zero",
        "status",
        "A gap of 0, and all of it proved.",
        "3",
        FOUR,
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 1.0),
        [node(0, "line", 1.0, penalty=1.0)],
        gap=0.0,
    ),
]
