"""Steps of each kind, and in which state their pairs are judged."""

from tests.conformance.certificate import Claim, certificate, node, step
from tests.conformance.encoding import Cut, decisions, multipliers
from tests.conformance.honest.closings import PLANE, PLANE_BOX, PLANE_CUTS
from tests.conformance.honest.problems import FOUR, FOUR_LABELS, HAND, HAND_LABELS
from tests.conformance.honest.trees import NODES, POOR_4, STEPS

ONE, FOUR_CLAIM = Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.9999), Claim("FEASIBLE", FOUR_LABELS, 1.0, 0.0)
CROSSED = FOUR | {"cannot_link": [(0, 2), (0, 3), (1, 3)]}
FAR = decisions("CL 0 2", "CL 0 3", "CL 1 2", "CL 3 1")
SQUARES = {"points": [[0, 0], [0, 0], [5, 1], [5, 1], [5, 1]], "k": 2, "weights": [1, 2, 1, 0.5, 3]}
#: Points of which each pair is at one place, so that what is stated of steps is the cost inside super-points: 2.
LOW = Claim("FEASIBLE", HAND_LABELS, 4.0, 1.999)


CERTIFICATES = [
    certificate(
        "forced-together",
        "forced",
        "k = 3: a clique of two points leaves one cluster for two others.",
        "4",
        {"points": [0, 10, 20, 21], "k": 3, "cannot_link": [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]},
        Claim("OPTIMAL", [0, 1, 2, 2], 0.5, 0.5),
        [node(0, "single", 0.5)],
        [step(0, "forced", forced=[["ML", 2, 3, [0, 1]]])],
    ),
    certificate(
        "forced-apart",
        "forced",
        "A clique of k points, each apart from one of two, sets these apart.",
        "4",
        {"points": [0, 10, 11, 1], "k": 2, "cannot_link": [(0, 1), (0, 2), (1, 3)]},
        Claim("OPTIMAL", [0, 1, 1, 0], 1.0, 1.0),
        [node(0, "single", 1.0)],
        [step(0, "forced", forced=[["CL", 2, 3, [0, 1]], ["ML", 0, 3, [2]], ["ML", 1, 2, [3]]])],
    ),
    certificate(
        "forced-one-by-one",
        "forced",
        "Each pair is judged in the state left by the ones before it, in two steps.",
        "4",
        CROSSED,
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 1.0),
        [node(0, "single", 1.0)],
        [step(0, "forced", 3, forced=[["ML", 0, 1, [3]]]), step(0, "forced", 7, forced=[["ML", 2, 3, [1]]])],
    ),
    certificate(
        "forced-nothing",
        "forced",
        "A step without pairs.",
        "4",
        HAND,
        Claim("OPTIMAL", HAND_LABELS, 4.0, 4.0),
        NODES,
        [*STEPS, step(0, "forced", forced="[]")],
    ),
    certificate(
        "forced-after-contradiction",
        "forced",
        "Nothing belongs to a state that contradicts itself, so any clique will do.",
        "4",
        HAND,
        Claim("OPTIMAL", HAND_LABELS, 4.0, 4.0),
        NODES,
        [*STEPS, step(3, "forced", forced=[["ML", 0, 2, []], ["CL", 1, 3, [0, 0, 4]]])],
    ),
    certificate(
        "fixed",
        "fixed",
        "A pair is fixed by multipliers: together it costs no less than 2.",
        "5",
        HAND,
        LOW,
        [node(0, "open", 1.999, multipliers=multipliers(4))],
        [step(0, "fixed", decisions=decisions("CL 0 1"), multipliers=multipliers(4), lower_bound=1.999)],
    ),
    certificate(
        "fixed-apart",
        "fixed",
        "s = k, where N = 100 between the two costs nothing: together they would cost 200 more.",
        "5",
        FOUR | {"must_link": [(0, 1), (2, 3)]},
        ONE,
        [node(0, "single", 1.0)],
        [step(0, "fixed", decisions=decisions("CL 1 2"), multipliers=multipliers(2, [0, 100, 0]), lower_bound=200.999)],
    ),
    certificate(
        "fixed-together",
        "fixed",
        "k = 1, where N = -10 and pair cuts cost nothing: apart, two points would cost 15 more.",
        "5",
        {"points": [0, 2], "k": 1},
        Claim("OPTIMAL", (0, 0), 2.0, 2.0),
        [node(0, "single", 2.0)],
        [
            step(
                0,
                "fixed",
                decisions=decisions("ML 0 1"),
                multipliers=multipliers(2, [0, -10, 0], [Cut(0, [1], 4), Cut(1, [0], 6)]),
                lower_bound=16.999,
            )
        ],
    ),
    certificate(
        "fixed-nothing",
        "fixed",
        "A step without pairs proves the bound of its multipliers for all below.",
        "5",
        HAND,
        LOW,
        [NODES[0]],
        [step(0, "fixed", decisions=decisions(), multipliers=multipliers(4), lower_bound=1e300)],
    ),
    certificate(
        "fixed-at-once",
        "fixed",
        "Pairs of one step are judged in the state before all of them: the last two say nothing new.",
        "5",
        HAND | {"cannot_link": [(1, 4)]},
        LOW,
        [node(0, "open", 1.999, multipliers=multipliers(2))],
        [
            step(
                0,
                "fixed",
                decisions=decisions("ML 0 1", "ML 2 4", "ML 1 0", "ML 3 4"),
                multipliers=multipliers(4),
                lower_bound=1.999,
            )
        ],
    ),
    certificate(
        "fixed-inherited",
        "fixed",
        "A step whose own multipliers prove nothing states what an earlier one proves.",
        "5",
        HAND,
        LOW,
        [node(0, "open", 1.999, multipliers=POOR_4)],
        [
            step(0, "fixed", 0, decisions=decisions(), multipliers=multipliers(4), lower_bound=1.999),
            step(0, "fixed", 1, decisions=decisions("CL 0 1"), multipliers=POOR_4, lower_bound=1.999),
        ],
    ),
    certificate(
        "far",
        "far",
        "Points of the two pairs are far apart, and then each pair is forced together.",
        "3, 5",
        FOUR,
        ONE,
        [node(0, "single", 1.0)],
        [
            step(0, "far", 0, decisions=FAR, lower_bound=40.5),
            step(0, "forced", 1, forced=[["ML", 0, 1, [2]], ["ML", 3, 2, [0]]]),
        ],
    ),
    certificate(
        "far-origins",
        "far",
        "After far pairs each block has an origin of its own: with the right N at pairs apart, 1 is proved.",
        "5",
        FOUR,
        ONE,
        [node(0, "bound", 0.9999, multipliers=multipliers(4, [0, 0, -2, 0, 0, 0, -2, 0, 0, 0], a=-2))],
        [step(0, "far", decisions=FAR, lower_bound=40.5)],
    ),
    certificate(
        "far-origins-below",
        "far",
        "The same in a node below the step.",
        "5",
        FOUR,
        ONE,
        [
            node(0, "branched", branch="0 1"),
            node(
                1,
                "bound",
                0.9999,
                parent=0,
                decision="ML 0 1",
                multipliers=multipliers(3, [0, -362, -362, 0, 0, 0], a=-10),
            ),
            node(2, "infeasible", parent=0, decision="CL 0 1"),
        ],
        [
            step(0, "far", decisions=FAR, lower_bound=40.5),
            step(2, "forced", forced=[["ML", 0, 1, [2]]]),
        ],
    ),
    certificate(
        "far-at-once",
        "far",
        "The same pair twice in one step.",
        "4",
        FOUR,
        ONE,
        [node(0, "single", 1.0)],
        [
            step(0, "far", 0, decisions=decisions("CL 0 2", "CL 2 0", "CL 1 3", "CL 0 3", "CL 1 2"), lower_bound=40.5),
            step(0, "forced", 1, forced=[["ML", 0, 1, [2]], ["ML", 3, 2, [0]]]),
        ],
    ),
    certificate(
        "far-inherited",
        "far",
        "A far step states what was proved before it: its pair alone costs 2.",
        "5",
        PLANE,
        Claim("OPTIMAL", [0, 1, 0, 0, 0, 0], 14.0, 13.99998),
        [node(0, "open", 13.99998, multipliers=multipliers(6))],
        [
            step(
                0,
                "fixed",
                0,
                decisions=decisions(),
                multipliers=multipliers(6, PLANE_BOX, PLANE_CUTS, a=-7, b=-7),
                lower_bound=0.0,
            ),
            step(0, "far", 1, decisions=decisions("CL 3 4"), lower_bound=13.99998),
        ],
    ),
    certificate(
        "equal",
        "equal",
        "Points at one place are joined, with weights, one pair after the other.",
        "4",
        SQUARES,
        Claim("OPTIMAL", [0, 0, 1, 1, 1], 0.0, 0.0),
        [node(0, "single", 0.0)],
        [step(0, "equal", decisions=decisions("ML 0 1", "ML 2 3", "ML 4 3"))],
        gap=0.0,
    ),
    certificate(
        "equal-zeros",
        "equal",
        "0 and -0 are the same coordinate.",
        "4",
        {"points": [0.0, -0.0, 5.0], "k": 2},
        Claim("OPTIMAL", [0, 0, 1], 0.0, 0.0),
        [node(0, "single", 0.0)],
        [step(0, "equal", decisions=decisions("ML 1 0"))],
        gap=0.0,
    ),
]
