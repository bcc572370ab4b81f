"""Deductions: pairs that hold for all partitions, or for all but dear ones, and in which state they are judged."""

import re

from tests.conformance.certificate import Certificate, Claim, branching, certificate, evidence
from tests.conformance.encoding import Cut, multipliers
from tests.conformance.honest.instances import FOUR, FOUR_LABELS, HAND, Instance, Proof
from tests.conformance.honest.leaves import PLANE, PLANE_LABELS, PLANE_MULTIPLIERS
from tests.conformance.honest.trees import LOW, OPTIMAL, POOR_4, TREE, feasible

ONE = Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.9999)
CROSSED = FOUR | {"cannot_link": [(0, 2), (0, 3), (1, 3)]}
SINGLE = evidence(0, "single", 1.0)
FAR = evidence(0, "far", 40.5, decisions=["CL 0 2", "CL 0 3", "CL 1 2", "CL 3 1"])
JOINED = evidence(0, "forced", decisions=["ML 0 1", "ML 3 2"], cliques=[[2], [0]])
SQUARES = {"points": [[0, 0], [0, 0], [5, 1], [5, 1], [5, 1]], "k": 2, "weights": [1, 2, 1, 0.5, 3]}
ZERO = evidence(0, "single", 0.0)


def deduced(label: str, instance: Instance, claim: Claim, *proof: Proof, gap: float = 1e-4) -> Certificate:
    """A certificate whose kind is the first word of its name."""
    kind = re.split("[-:]", label)[0]
    return certificate(label, kind, instance, claim, [own for rows in proof for own in rows], gap=gap)


CERTIFICATES = [
    deduced(
        "forced-together: k = 3: a clique of two points leaves one cluster for two others. (4)",
        {"points": [0, 10, 20, 21], "k": 3, "cannot_link": [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]},
        Claim("OPTIMAL", [0, 1, 2, 2], 0.5, 0.5),
        [evidence(0, "forced", decisions=["ML 2 3"], cliques=[[0, 1]]), evidence(0, "single", 0.5)],
    ),
    deduced(
        "forced-apart: A clique of k points, each apart from one of two, sets these apart. (4)",
        {"points": [0, 10, 11, 1], "k": 2, "cannot_link": [(0, 1), (0, 2), (1, 3)]},
        Claim("OPTIMAL", [0, 1, 1, 0], 1.0, 1.0),
        [evidence(0, "forced", decisions=["CL 2 3", "ML 0 3", "ML 1 2"], cliques=[[0, 1], [2], [3]]), SINGLE],
    ),
    deduced(
        "forced-one-by-one: Each pair is judged in the state left by the ones before it. (4)",
        CROSSED,
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 1.0),
        [evidence(0, "forced", decisions=["ML 0 1"], cliques=[[3]])],
        [evidence(0, "forced", decisions=["ML 2 3"], cliques=[[1]]), SINGLE],
    ),
    deduced(
        "forced-nothing: No pairs. (4)",
        HAND,
        OPTIMAL,
        [evidence(0, "forced", decisions=[], cliques=[]), *TREE],
    ),
    deduced(
        "forced-after-contradiction: Nothing belongs to a state that contradicts itself, so any clique will do. (4)",
        HAND,
        OPTIMAL,
        [*TREE, evidence(3, "forced", decisions=["ML 0 2", "CL 1 3"], cliques=[[], [0, 0, 4]])],
    ),
    deduced(
        "forced-between-branchings: A pair that is forced between two branchings holds in the second. (4)",
        CROSSED,
        ONE,
        [*branching(0, 1, 2, "0 1"), evidence(1, "open", 0.4999, multipliers=multipliers(3))],
        [evidence(2, "infeasible", search=[0, 1, 3])],
        [evidence(0, "forced", decisions=["ML 0 1"], cliques=[[3]]), *branching(0, 3, 4, "2 3")],
        [evidence(3, "single", 1.0), evidence(4, "infeasible", search=[0, 2, 3])],
    ),
    deduced(
        "fixed: A pair is fixed by multipliers: together it costs no less than 2. (5)",
        HAND,
        feasible(1.999),
        [evidence(0, "fixed", 1.999, decisions=["CL 0 1"], multipliers=multipliers(4)), LOW],
    ),
    deduced(
        "fixed-apart: s = k, where N = 100 between the two costs nothing: together they would cost 200 more. (5)",
        FOUR | {"must_link": [(0, 1), (2, 3)]},
        ONE,
        [evidence(0, "fixed", 200.999, decisions=["CL 1 2"], multipliers=multipliers(2, [0, 100, 0])), SINGLE],
    ),
    deduced(
        "fixed-together: k = 1, where N = -10 and pair cuts cost nothing: apart, two points would cost 15 more. (5)",
        {"points": [0, 2], "k": 1},
        Claim("OPTIMAL", (0, 0), 2.0, 2.0),
        [
            evidence(
                0,
                "fixed",
                16.999,
                decisions=["ML 0 1"],
                multipliers=multipliers(2, [0, -10, 0], [Cut(0, [1], 4), Cut(1, [0], 6)]),
            ),
            evidence(0, "single", 2.0),
        ],
    ),
    deduced(
        "fixed-nothing: Without pairs any bound may be stated, and multipliers prove theirs for all below. (5)",
        HAND,
        feasible(1.999),
        [evidence(0, "fixed", 1e300, decisions=[], multipliers=multipliers(4)), *branching(0, 1, 2, "0 1")],
    ),
    deduced(
        "fixed-at-once: All pairs are judged in the state before the first of them: the last two say nothing new. (5)",
        HAND,
        feasible(1.999),
        [
            evidence(0, "fixed", 1.999, decisions=["ML 0 1", "ML 2 4", "ML 1 0", "ML 3 4"], multipliers=multipliers(4)),
            evidence(0, "open", 1.999, multipliers=multipliers(2)),
        ],
    ),
    deduced(
        "fixed-inherited: Where its own multipliers prove nothing, what is set aside costs what was proved before. (5)",
        HAND,
        feasible(1.999),
        [evidence(0, "fixed", 1.999, decisions=[], multipliers=multipliers(4))],
        [evidence(0, "fixed", 1.999, decisions=["CL 0 1"], multipliers=POOR_4)],
        [evidence(0, "open", 1.999, multipliers=POOR_4)],
    ),
    deduced(
        "fixed-behind-line: What a line proved before is what is set aside costs at least. (5)",
        FOUR,
        ONE,
        [evidence(0, "line", 0.9999, penalty=1.0), FAR],
        [evidence(0, "fixed", 0.9999, decisions=["ML 0 1"], multipliers=multipliers(4))],
        [evidence(0, "forced", decisions=["ML 3 2"], cliques=[[0]]), SINGLE],
    ),
    deduced(
        "far: Points of the two pairs are far apart, and then each pair is forced together. (3, 5)",
        FOUR,
        ONE,
        [FAR, JOINED, SINGLE],
    ),
    deduced(
        "far-origins: Behind far pairs each block has an origin of its own, and N proves 1. (5)",
        FOUR,
        ONE,
        [FAR, evidence(0, "bound", 0.9999, multipliers=multipliers(4, [0, 0, -2, 0, 0, 0, -2, 0, 0, 0], a=-2))],
    ),
    deduced(
        "far-origins-below: The same in a problem below. (5)",
        FOUR,
        ONE,
        [FAR, *branching(0, 1, 2, "0 1")],
        [evidence(1, "bound", 0.9999, multipliers=multipliers(3, [0, -362, -362, 0, 0, 0], a=-10))],
        [evidence(2, "forced", decisions=["ML 0 1"], cliques=[[2]]), evidence(2, "infeasible")],
    ),
    deduced(
        "far-at-once: A pair that is there twice. (4)",
        FOUR,
        ONE,
        [evidence(0, "far", 40.5, decisions=["CL 0 2", "CL 2 0", "CL 1 3", "CL 0 3", "CL 1 2"]), JOINED, SINGLE],
    ),
    deduced(
        "far-inherited: What is set aside costs what was proved before: the pair alone costs 2. (5)",
        PLANE,
        Claim("OPTIMAL", PLANE_LABELS, 14.0, 13.99998),
        [evidence(0, "fixed", 0.0, decisions=[], multipliers=PLANE_MULTIPLIERS)],
        [evidence(0, "far", 13.99998, decisions=["CL 3 4"]), evidence(0, "open", 13.99998, multipliers=multipliers(6))],
    ),
    deduced(
        "equal: Points at one place are joined, with weights, one pair after the other. (4)",
        SQUARES,
        Claim("OPTIMAL", [0, 0, 1, 1, 1], 0.0, 0.0),
        [evidence(0, "equal", decisions=["ML 0 1", "ML 2 3", "ML 4 3"]), ZERO],
        gap=0.0,
    ),
    deduced(
        "equal-zeros: 0 and -0 are the same coordinate. (4)",
        {"points": [0.0, -0.0, 5.0], "k": 2},
        Claim("OPTIMAL", [0, 0, 1], 0.0, 0.0),
        [evidence(0, "equal", decisions=["ML 1 0"]), ZERO],
        gap=0.0,
    ),
]
