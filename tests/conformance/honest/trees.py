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


def of_hand(name: str, kind: str, shows: str, claim: Claim, *proof: Proof, section: str = "3") -> Certificate:
    return certificate(name, kind, shows, section, HAND, claim, [own for rows in proof for own in rows])


CERTIFICATES = [
    of_hand("hand", "tree", "The certificate of section 8.", OPTIMAL, TREE, section="8"),
    of_hand(
        "hand-numbers",
        "tree",
        "The same with other numbers of problems, the largest one among them, in another order.",
        OPTIMAL,
        [evidence(LARGEST, "forced", decisions=["ML 2 4"], cliques=[[0]]), evidence(LARGEST, "single", 4.0)],
        [evidence(1000, row.kind, row.bound, **row.values) for row in APART],
        [child(5, 77, "ML 0 4"), child(LARGEST, 77, "CL 4 0")],
        [evidence(77, "branching", children=[LARGEST, 5]), evidence(5, "infeasible")],
        [child(1000, 0, "CL 0 1"), child(77, 0, "ML 1 0"), evidence(0, "branching", children=[1000, 77])],
    ),
    of_hand("open", "open", "A run that had not done with the whole.", feasible(1.999), [LOW], section="3, 5"),
    of_hand(
        "open-children",
        "open",
        "Children without evidence count with what is proved before the branching.",
        feasible(1.999),
        [LOW, *branching(0, 1, 2, "0 1")],
    ),
    of_hand(
        "open-child",
        "open",
        "A child without evidence counts with what multipliers above prove that fix nothing.",
        feasible(1.999),
        [evidence(0, "fixed", 1.999, decisions=[], multipliers=multipliers(4)), *branching(0, 1, 2, "0 1"), *APART],
    ),
    of_hand(
        "open-child-above",
        "open",
        "There is no evidence of a problem two levels below the multipliers that prove most.",
        feasible(1.999),
        [LOW, *branching(0, 1, 2, "0 1"), evidence(1, "open", 0.0, multipliers=POOR_3)],
        [*branching(1, 3, 4, "0 4"), BELOW[0], *APART],
    ),
    of_hand("no-evidence", "open", "Nothing is proved but that no cost is negative.", feasible(0.0)),
    of_hand("no-bound", "status", "FEASIBLE without a lower bound.", feasible(None), section="1"),
    of_hand("unknown", "status", "UNKNOWN, with a bound.", Claim("UNKNOWN", None, None, 1.999), [LOW], section="1"),
    of_hand("unknown-nothing", "status", "UNKNOWN, with nothing at all.", Claim("UNKNOWN"), section="1"),
    of_hand(
        "inherited-at-leaves",
        "tree",
        "Leaves whose own multipliers prove nothing state what is proved above them.",
        feasible(1.999),
        [LOW, *branching(0, 1, 2, "0 1"), evidence(1, "bound", 1.999, multipliers=POOR_3)],
        [evidence(2, "open", 1.999, multipliers=POOR_4)],
        section="5",
    ),
    of_hand(
        "stated-below",
        "tree",
        "A leaf states less than it proves, and what is proved counts.",
        OPTIMAL,
        TREE[:-3],
        [evidence(4, "single", 3.0), *APART],
    ),
    of_hand(
        "claimed-below",
        "status",
        "OPTIMAL with a lower bound far below what is proved: the gap is of what is proved.",
        Claim("OPTIMAL", HAND_LABELS, 4.0, -5.0, 4.0),
        TREE,
    ),
    of_hand(
        "branch-within",
        "tree",
        "A branching on two points of one super-point: apart, there is a contradiction.",
        OPTIMAL,
        [*branching(0, 6, 5, "3 2"), evidence(5, "infeasible"), *branching(6, 1, 2, "0 1"), *TOGETHER, *APART],
    ),
    of_hand(
        "two-branchings",
        "tree",
        "Two branchings of the whole, of which the second one proves more.",
        OPTIMAL,
        [*branching(0, 8, 9, "1 3"), evidence(8, "open", 1.999, multipliers=multipliers(3)), *TREE],
    ),
    of_hand(
        "two-branchings-first",
        "tree",
        "Two branchings, of which the first one proves all, and what it proves is inherited in the second.",
        OPTIMAL,
        [*TREE, *branching(0, 8, 9, "1 3"), evidence(8, "open", 4.0, multipliers=POOR_3)],
    ),
    of_hand(
        "deduced-between",
        "tree",
        "A leaf, a pair that it fixes, a leaf that states what the first one proves, a forced pair and a branching.",
        feasible(1.999),
        [LOW, evidence(0, "fixed", 1.999, decisions=["CL 0 1"], multipliers=multipliers(4))],
        [evidence(0, "open", 1.999, multipliers=POOR_4), evidence(0, "forced", decisions=["ML 1 2"], cliques=[[0]])],
        [*branching(0, 1, 2, "0 4"), evidence(1, "single", 116.5), evidence(2, "infeasible", search=[0, 1, 4])],
    ),
    of_hand(
        "split",
        "tree",
        "A branching with a number that plays no part, and one without it.",
        OPTIMAL,
        [evidence(0, "branching", children=[1, 2], split=[0.5]), *TREE[1:]],
        section="1",
    ),
    of_hand(
        "of-nobody",
        "tree",
        "Problems, evidence and parts that nobody comes to are not looked at, false ones, cycles and damaged ones.",
        OPTIMAL,
        [*TREE, child(21, 22, "ML 0 0"), child(22, 21, "CL 7 9"), evidence(21, "branching", children=[22, 21])],
        [evidence(33, "single", 99.0), child(34, 0, "CL 0 1"), evidence(34, "bound", 1e9, multipliers=b"")],
        [part(35, 0, [1, 7, 3], [-1.0]), evidence(35, "cover", parts=[35, 35]), part(36, 35, [], [])],
    ),
    certificate(
        "gap-is-wide",
        "status",
        "OPTIMAL within a gap of 0.6, of which 0.5 is used.",
        "3",
        FOUR,
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 0.499),
        [evidence(0, "line", 0.499, penalty=0.25)],
        gap=0.6,
    ),
    certificate(
        "gap-is-zero",
        "status",
        "A gap of 0, and all of it proved.",
        "3",
        FOUR,
        Claim("OPTIMAL", FOUR_LABELS, 1.0, 1.0),
        [evidence(0, "line", 1.0, penalty=1.0)],
        gap=0.0,
    ),
]
