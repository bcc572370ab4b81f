"""Trees: what covers every partition, what is left open, and what claims there are."""

from tests.conformance.certificate import Certificate, Claim, branching, certificate, child, evidence, part
from tests.conformance.encoding import multipliers
from tests.conformance.honest.instances import FOUR, FOUR_LABELS, HAND, HAND_LABELS, Proof

OPTIMAL = Claim("OPTIMAL", HAND_LABELS, 4.0, 4.0)

#: The tree of section 8: of problem 2, of the two below problem 1, and as a whole.
APART = [
    evidence(2, "forced", decisions=["ML 1 2"], cliques=[[0]]),
    evidence(2, "bound", 55.9, multipliers=multipliers(3)),
]
BELOW = [
    evidence(3, "infeasible"),
    evidence(4, "forced", decisions=["ML 2 4"], cliques=[[0]]),
    evidence(4, "single", 4.0),
]
TOGETHER = [*branching(1, 3, 4, "0 4"), *BELOW]
TREE = [*branching(0, 1, 2, "0 1"), *TOGETHER, *APART]
#: Multipliers that prove nothing: N = -1000 on the diagonal loses 1000.
POOR_4 = multipliers(4, [-1000, 0, 0, 0, -1000, 0, 0, -1000, 0, -1000])
POOR_3 = multipliers(3, [-1000, 0, 0, -1000, 0, -1000])
#: What is proved at once of the whole: the cost inside {2, 3}, which is 2.
LOW = evidence(0, "open", 1.999, multipliers=multipliers(4))
LARGEST = (1 << 62) - 1


def feasible(lower_bound: float | None) -> Claim:
    return Claim("FEASIBLE", HAND_LABELS, 4.0, lower_bound)


def of_hand(label: str, kind: str, claim: Claim, *proof: Proof) -> Certificate:
    return certificate(label, kind, HAND, claim, [own for rows in proof for own in rows])


CERTIFICATES = [
    of_hand("hand: The certificate of section 8. (8)", "tree", OPTIMAL, TREE),
    of_hand(
        "hand-numbers: The same with other numbers of problems, the largest one among them, in another order. (3)",
        "tree",
        OPTIMAL,
        [evidence(LARGEST, "forced", decisions=["ML 2 4"], cliques=[[0]]), evidence(LARGEST, "single", 4.0)],
        [evidence(1000, row.kind, row.bound, **row.values) for row in APART],
        [child(5, 77, "ML 0 4"), child(LARGEST, 77, "CL 4 0")],
        [evidence(77, "branching", children=[LARGEST, 5]), evidence(5, "infeasible")],
        [child(1000, 0, "CL 0 1"), child(77, 0, "ML 1 0"), evidence(0, "branching", children=[1000, 77])],
    ),
    of_hand("open: A run that had not done with the whole. (3, 5)", "open", feasible(1.999), [LOW]),
    of_hand(
        "open-children: Children without evidence count with what is proved before the branching. (3)",
        "open",
        feasible(1.999),
        [LOW, *branching(0, 1, 2, "0 1")],
    ),
    of_hand(
        "open-child: A child without evidence counts with what multipliers above prove that fix nothing. (3)",
        "open",
        feasible(1.999),
        [evidence(0, "fixed", 1.999, decisions=[], multipliers=multipliers(4)), *branching(0, 1, 2, "0 1"), *APART],
    ),
    of_hand(
        "open-child-above: There is no evidence of a problem two levels below the multipliers that prove most. (3)",
        "open",
        feasible(1.999),
        [LOW, *branching(0, 1, 2, "0 1"), evidence(1, "open", 0.0, multipliers=POOR_3)],
        [*branching(1, 3, 4, "0 4"), BELOW[0], *APART],
    ),
    of_hand("no-evidence: Nothing is proved but that no cost is negative. (3)", "open", feasible(0.0)),
    of_hand("no-bound: FEASIBLE without a lower bound. (1)", "status", feasible(None)),
    of_hand("unknown: UNKNOWN, with a bound. (1)", "status", Claim("UNKNOWN", None, None, 1.999), [LOW]),
    of_hand("unknown-nothing: UNKNOWN, with nothing at all. (1)", "status", Claim("UNKNOWN")),
    of_hand(
        "inherited-at-leaves: Leaves whose own multipliers prove nothing state what is proved above them. (5)",
        "tree",
        feasible(1.999),
        [LOW, *branching(0, 1, 2, "0 1"), evidence(1, "bound", 1.999, multipliers=POOR_3)],
        [evidence(2, "open", 1.999, multipliers=POOR_4)],
    ),
    of_hand(
        "stated-below: A leaf states less than it proves, and what is proved counts. (3)",
        "tree",
        OPTIMAL,
        TREE[:-3],
        [evidence(4, "single", 3.0), *APART],
    ),
    of_hand(
        "claimed-below: OPTIMAL with a lower bound far below what is proved: the gap is of what is proved. (3)",
        "status",
        Claim("OPTIMAL", HAND_LABELS, 4.0, -5.0, 4.0),
        TREE,
    ),
    of_hand(
        "branch-within: A branching on two points of one super-point: apart, there is a contradiction. (3)",
        "tree",
        OPTIMAL,
        [*branching(0, 6, 5, "3 2"), evidence(5, "infeasible"), *branching(6, 1, 2, "0 1"), *TOGETHER, *APART],
    ),
    of_hand(
        "two-branchings: Two branchings of the whole, of which the second one proves more. (3)",
        "tree",
        OPTIMAL,
        [*branching(0, 8, 9, "1 3"), evidence(8, "open", 1.999, multipliers=multipliers(3)), *TREE],
    ),
    of_hand(
        "two-branchings-first: What the first of two branchings proves is inherited in the second. (3)",
        "tree",
        OPTIMAL,
        [*TREE, *branching(0, 8, 9, "1 3"), evidence(8, "open", 4.0, multipliers=POOR_3)],
    ),
    of_hand(
        "deduced-between: Deductions stand between leaves, and before a branching. (3)",
        "tree",
        feasible(1.999),
        [LOW, evidence(0, "fixed", 1.999, decisions=["CL 0 1"], multipliers=multipliers(4))],
        [evidence(0, "open", 1.999, multipliers=POOR_4), evidence(0, "forced", decisions=["ML 1 2"], cliques=[[0]])],
        [*branching(0, 1, 2, "0 4"), evidence(1, "single", 116.5), evidence(2, "infeasible", search=[0, 1, 4])],
    ),
    of_hand(
        "split: A branching with a number that plays no part, and one without it. (1)",
        "tree",
        OPTIMAL,
        [evidence(0, "branching", children=[1, 2], split=[0.5]), *TREE[1:]],
    ),
    of_hand(
        "of-nobody: Nobody comes to some problems, which are false, damaged or in a circle. (3)",
        "tree",
        OPTIMAL,
        [*TREE, child(21, 22, "ML 0 0"), child(22, 21, "CL 7 9"), evidence(21, "branching", children=[22, 21])],
        [evidence(33, "single", 99.0), child(34, 0, "CL 0 1"), evidence(34, "bound", 1e9, multipliers=b"")],
        [part(35, 0, [1, 7, 3], [-1.0]), evidence(35, "cover", parts=[35, 35]), part(36, 35, [], [])],
    ),
    of_hand(
        "deep: Children of children, five hundred deep. (3)",
        "tree",
        feasible(1.999),
        [LOW, *(row for own in range(0, 1000, 2) for row in branching(own, own + 2, own + 1, "3 2"))],
    ),
    certificate(
        "gap-is-wide: OPTIMAL within a gap of 0.6, of which 0.5 is used. (3)",
        "status",
        FOUR,
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.499),
        [evidence(0, "line", 0.499, penalty=0.25)],
        gap=0.6,
    ),
    certificate(
        "gap-is-zero: A gap of 0, and all of it proved. (3)",
        "status",
        FOUR,
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 1.0),
        [evidence(0, "line", 1.0, penalty=1.0)],
        gap=0.0,
    ),
]
