"""Branchings on weights that do not cover every partition, and what bounds of weights do not prove (section 13)."""

from tests.conformance.certificate import child, evidence
from tests.conformance.encoding import doubles, integers
from tests.conformance.forgery import Change, Forgery, changed, exchanged, refused, remade, stated


def of(label: str, *changes: Change, base: str = "weights") -> Forgery:
    return refused(f"weights-{label}", base, "weights", *changes)


def heavier(label: str, said: str) -> Forgery:
    """The other child than that of ``lighter 1 2.5``."""
    return of(label, remade(child(2, 0, said)))


def both(label: str, said: str) -> Forgery:
    """Children of another bound than ``1 2.5``."""
    return of(label, remade(child(1, 0, f"lighter {said}")), remade(child(2, 0, f"heavier {said}")))


def content(label: str, own: bytes) -> Forgery:
    return of(label, changed("problems", "parent = 0", content=own))


def beyond(base: str, problem: int, bound: float, kind: str = "open") -> Forgery:
    return of(
        f"beyond-{base[8:]}-{problem}: More is claimed of problem {problem}. (13)",
        stated(problem, kind, bound=bound),
        base=base,
    )


POINT, WEIGHT = integers([1]), doubles([2.5])

FORGERIES = [
    heavier("gap: Clusters of weights between the two are in neither child. (3)", "heavier 1 2.5000000000000004"),
    heavier("overlap: Children that cover all, but do not have the same weight. (3)", "heavier 1 2"),
    heavier("other-point: The other child bounds the cluster of another point. (3)", "heavier 2 2.5"),
    heavier("super-point: The other child bounds that of another point of the super-point. (3)", "heavier 0 2.5"),
    heavier("lighter-twice: Both children have clusters that weigh less. (3)", "lighter 1 2.5"),
    heavier("apart: The other child sets points apart. (3)", "CL 1 2"),
    of("heavier-twice: Both children have clusters that weigh more. (3)", remade(child(1, 0, "heavier 1 2.5"))),
    of("children-twice: One child twice. (3)", stated(0, "branching", children=[1, 1])),
    both("zero: A weight of 0. (1)", "1 0"),
    both("negative: A weight that is negative. (1)", "1 -2.5"),
    both("nan: A weight that is no number. (2)", "1 nan"),
    both("infinite: A weight that is infinite. (2)", "1 inf"),
    both("point-beyond: A point that does not exist. (3)", "4 2.5"),
    both("point-negative: A point of -1. (3)", "-1 2.5"),
    content("points: Two points. (1)", integers([1, 2]) + WEIGHT),
    content("no-weight: No weight. (1)", POINT),
    content("weights: Two weights. (1)", POINT + doubles([2.5, 2.5])),
    content("integer: A weight that is an integer. (2)", POINT + integers([2])),
    content("double: A point that is a double. (2)", doubles([1.0]) + WEIGHT),
    content("behind: Something behind the weight. (2)", POINT + WEIGHT + POINT),
    content("empty: No bytes. (2)", b""),
    of("kind-unknown: A change that is none. (1)", changed("problems", "problem = 2", change="heavy")),
    of("capital: A change in capital letters. (1)", changed("problems", "problem = 2", change="HEAVIER")),
    both("equal-heavier: A cluster that weighs just 2 is left. (13)", "1 2"),
    both("equal-heavier-below: A cluster that weighs 2 is left. (13)", "1 1.9999999999999998"),
    of(
        "equal-lighter: A cluster that weighs just 2 is left. (13)",
        exchanged(1, "single", evidence(1, "infeasible")),
        base="weights-both",
    ),
    of(
        "exchanged: What refutes one child is said of the other. (13)",
        exchanged(1, "single", evidence(1, "infeasible")),
        exchanged(2, "infeasible", evidence(2, "single", 1.0)),
    ),
    of(
        "joined: Points at one place are joined, of which the cluster of one has a bound. (13)",
        changed("evidence", "kind = 'equal'", problem=1),
        base="weights-equal",
    ),
    of(
        "part: A part is refuted by a bound of the problem that it is of. (10, 13)",
        exchanged(3, "line", evidence(3, "infeasible")),
        changed("problems", "parent = 0", content=integers([0]) + doubles([0.5])),
        base="weights-cover",
    ),
    of(
        "sibling: What bounds one child is no bound of the other. (3)",
        remade(child(4, 2, "heavier 0 3.5")),
        remade(child(5, 2, "lighter 0 3.5")),
        base="weights-cover",
    ),
    of(
        "outliers: A cluster of a point that may be left out is bounded. (15)",
        remade(child(1, 0, "lighter 0 2")),
        remade(child(2, 0, "heavier 0 2")),
        exchanged(1, "prices", evidence(1, "prices", 0.49999, prices=[0.5, 0.5, 0.5])),
        exchanged(2, "prices", evidence(2, "prices", 0.49999, prices=[0.5, 0.5, 0.5])),
        base="outliers-branching",
    ),
    beyond("weights-alone", 1, 0.1438),
    beyond("weights-alone", 2, 0.2152),
    beyond("weights-beside", 1, 0.1688),
    beyond("weights-beside", 2, 0.2152),
    beyond("weights-anchors", 1, 0.1438),
    beyond("weights-anchors", 2, 0.4027),
    beyond("weights-joined", 1, 0.2867),
    beyond("weights-joined", 2, 0.1795),
    beyond("weights-limits", 1, 0.2798),
    beyond("weights-limits", 2, 0.4000),
    beyond("weights-deep", 2, 0.6662),
    beyond("weights-deep", 4, 0.6042),
    beyond("weights-deep", 5, 0.6940),
    beyond("weights-deep", 7, 0.7080),
    beyond("weights-deep", 9, 0.6815, "fixed"),
    beyond("weights-deep", 11, 4.1212),
    beyond("weights-soft", 1, 0.8740),
    beyond("weights-soft", 2, 0.6350),
]
