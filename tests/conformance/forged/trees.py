"""Branchings that do not cover every partition, and evidence in a state where it does not hold (section 3)."""

from tests.conformance.certificate import branching, child, evidence, part
from tests.conformance.encoding import doubles, integers, multipliers
from tests.conformance.forgery import Change, Forgery, changed, exchanged, more, refused, remade, stated, without
from tests.conformance.honest.trees import POOR_3


def of(label: str, *changes: Change, base: str = "hand") -> Forgery:
    return refused(f"tree-{label}", base, "tree", *changes)


def children(label: str, *numbers: int, problem: int = 1, base: str = "hand") -> Forgery:
    return of(f"children-{label}", stated(problem, "branching", children=numbers), base=base)


def child_of(label: str, said: str, parent: int = 1) -> Forgery:
    return of(f"child-{label}", remade(child(4, parent, said)))


OF_4 = "problem = 4"

FORGERIES = [
    children("of-one: One child, which sets the points apart. (1)", 4),
    children("of-none: No children. (1)"),
    children("of-three: Three children. (1)", 3, 4, 4),
    children("twice: The child that sets the points apart is there twice. (3)", 4, 4),
    children("together-twice: The child that is infeasible is there twice. (3)", 3, 3),
    children("negative: A child of -4. (3)", 3, -4),
    children("unknown: A child that does not exist. (3)", 3, 77),
    children("largest: A child of 2^63 - 1. (3)", 3, (1 << 63) - 1),
    children("itself: A problem is a child of itself. (3)", 3, 1),
    children("parent: The parent is a child. (3)", 3, 0),
    children("whole: The whole is a child of itself. (3)", 0, 2, problem=0),
    children("of-another: Children of another problem. (3)", 3, 4, problem=0),
    children("one-of-another: A child of another problem, which is its sibling. (3)", 3, 2),
    of(
        "children-in-rows: The children are an array of two dimensions. (3)",
        stated(0, "branching", children=[[1], [2]]),
    ),
    of("children-of-doubles: The children are doubles. (2)", stated(0, "branching", children=doubles([1.0, 2.0]))),
    of("split-of-two: Two numbers that play no part. (1)", stated(0, "branching", split=[0.5, 0.5])),
    of("split-infinite: A number that plays no part is infinite. (2)", stated(0, "branching", split=[float("inf")])),
    of(
        "split-of-integers: A number that plays no part is an integer. (1)", stated(0, "branching", split=integers([1]))
    ),
    of("split-missing: The array that plays no part is missing. (1)", stated(0, "branching", split=b"")),
    child_of("together: Both children put the points together, none sets them apart. (3)", "ML 0 4"),
    of("both-apart: Both children set the points apart. (3)", remade(child(3, 1, "CL 0 4"))),
    child_of("of-another-pair: A child decides another pair than its sibling. (3)", "CL 0 2"),
    child_of("of-the-super-point: A child decides another point of the same super-point. (3)", "CL 1 4"),
    child_of(
        "of-another-parent: A child whose parent is another problem, which has the same decision. (3)", "CL 0 4", 0
    ),
    child_of("its-own-parent: A problem is its own parent. (3)", "CL 0 4", 4),
    child_of("of-its-sibling: The parent of a child is its sibling. (3)", "CL 0 4", 3),
    child_of("of-nobody: The parent of a child does not exist. (3)", "CL 0 4", 77),
    of("child-is-a-part: A child is a part. (3)", remade(part(4, 1, [0, 1, 2, 3, 4], [1.0] * 5))),
    of(
        "pair-of-one-point: A branching on a point and itself. (1)",
        remade(child(3, 1, "ML 4 4")),
        remade(child(4, 1, "CL 4 4")),
    ),
    of(
        "pair-beyond: A branching on a point that does not exist. (3)",
        remade(child(3, 1, "ML 0 5")),
        remade(child(4, 1, "CL 0 5")),
    ),
    of(
        "pair-negative: A branching on a point of -1. (3)",
        remade(child(3, 1, "ML 0 -1")),
        remade(child(4, 1, "CL 0 -1")),
    ),
    of("pair-of-three: A decision of three points. (1)", changed("problems", OF_4, content=integers([0, 4, 4]))),
    of("pair-of-one: A decision of one point. (1)", changed("problems", OF_4, content=integers([4]))),
    of("pair-of-doubles: A decision of doubles. (2)", changed("problems", OF_4, content=doubles([0.0, 4.0]))),
    of(
        "pair-in-rows: A decision is an array of two dimensions. (2)",
        changed("problems", OF_4, content=integers([[0, 4]])),
    ),
    of("pair-empty: A decision of no bytes. (2)", changed("problems", OF_4, content=b"")),
    of("child-missing: A child does not exist. (3)", without("problems", OF_4)),
    of("infeasible-child-missing: A child that is infeasible does not exist. (3)", without("problems", "problem = 3")),
    of("children-missing: Both children do not exist. (3)", without("problems", "parent = 1")),
    of("no-problems: There are no problems. (3)", without("problems", "problem > 0")),
    of("no-evidence: Nothing is proved without evidence. (3)", without("evidence", "problem >= 0")),
    of(
        "no-branching: Nothing is proved of the whole: nobody comes to its children. (3)",
        without("evidence", "problem = 0"),
    ),
    of("evidence-missing: Of a child 0 is proved. (3)", without("evidence", OF_4)),
    of(
        "infeasible-evidence-missing: Of a child that is infeasible 0 is proved: nobody knows that it is. (3)",
        without("evidence", "problem = 3"),
    ),
    of(
        "of-a-part: The tree is that of a part, to which nobody comes. (3)",
        changed("problems", "parent = 0", parent=9),
        changed("evidence", "problem = 0", problem=9),
        more(part(9, 0, [0, 1, 2, 3, 4], [1.0] * 5)),
    ),
    of(
        "opposite-children: Children exchange their decisions, and so their states. (3)",
        remade(child(1, 0, "CL 0 1")),
        remade(child(2, 0, "ML 0 1")),
    ),
    of(
        "child-of-two: A child of two branchings. (3)",
        more(child(9, 1, "ML 4 0")),
        more(evidence(1, "branching", children=[9, 4])),
    ),
    of("children-of-two: Two branchings have the same children. (3)", more(evidence(1, "branching", children=[3, 4]))),
    of("child-and-part: A cover names a child of a branching. (10)", more(evidence(1, "cover", parts=[4]))),
    of(
        "cover-of-children: A cover in the place of a branching: the sum of both children. (10)",
        exchanged(1, "branching", evidence(1, "cover", parts=[3, 4])),
    ),
    of(
        "branching-of-parts: A branching in the place of a cover. (3)",
        exchanged(0, "cover", evidence(0, "branching", children=[1, 2])),
        base="cover",
    ),
    of(
        "number-0: A problem has the number 0. (3)",
        changed("problems", "problem = 2", problem=0),
        stated(0, "branching", children=[1, 0]),
    ),
    # in which state evidence stands
    of(
        "deduced-at-parent: A forced pair stands at the parent, where its decision is not made. (4)",
        changed("evidence", "problem = 2 AND kind = 'forced'", problem=0, position=1),
    ),
    of(
        "deduced-at-sibling: A forced pair stands at the other child: here two partitions are left. (3)",
        changed("evidence", "problem = 4 AND kind = 'forced'", problem=3),
    ),
    of(
        "deduced-behind: A forced pair stands behind the leaf that needs it. (3)",
        changed("evidence", "problem = 4 AND kind = 'forced'", position=999),
    ),
    of(
        "deduced-behind-branching: The children of a branching know nothing of a pair that is forced behind it. (4)",
        changed("evidence", "problem = 0 AND kind = 'forced'", position=999),
        base="deduced-between",
    ),
    of(
        "deduced-before-fixed: A pair is forced before the one is fixed that it follows from. (4)",
        changed("evidence", "problem = 0 AND kind = 'forced'", position=1),
        base="deduced-between",
    ),
    of(
        "deduced-below: What is forced in a child does not hold behind the branching. (3)",
        more(evidence(0, "single", 4.0)),
    ),
    of(
        "decided-below: What a child decides does not hold behind the branching: there is no clique. (4)",
        more(evidence(0, "forced", decisions=["ML 1 2"], cliques=[[0]])),
    ),
    of(
        "decided-in-sibling: What one child decides does not hold in the other: there is no contradiction. (4)",
        exchanged(4, "single", evidence(4, "infeasible")),
    ),
    of(
        "decided-in-first-branching: The children of a second branching know nothing of those of the first. (2)",
        *(more(own) for own in (*branching(0, 8, 9, "1 3"), evidence(9, "bound", 4.0, multipliers=POOR_3))),
    ),
    of(
        "proved-behind: A child inherits nothing that is proved behind its branching. (3)",
        changed("evidence", "problem = 0 AND kind = 'open'", position=999),
        base="inherited-at-leaves",
    ),
    of(
        "proved-in-sibling: A child inherits nothing of its sibling, of which 4 is proved. (3)",
        stated(2, "bound", bound=4.0, multipliers=POOR_3),
    ),
    of(
        "proved-below: What is proved of a child is not proved of its parent. (3)",
        more(evidence(0, "open", 55.9, multipliers=multipliers(4))),
    ),
    of(
        "proved-behind-leaf: Multipliers stand behind the leaf that states what they prove. (3)",
        changed("evidence", "kind = 'line'", position=999),
        base="line-then-bound",
    ),
    of(
        "set-aside-before: What a fixed pair sets aside counts, whatever a branching behind it proves. (3)",
        more(evidence(0, "fixed", 1.999, decisions=["CL 0 4"], multipliers=multipliers(4)), 1),
    ),
    of(
        "set-aside-below: What a fixed pair sets aside in a child counts there. (3)",
        more(evidence(4, "fixed", 0.0, decisions=["CL 0 2"], multipliers=POOR_3), 1),
    ),
    of(
        "set-aside-then-infeasible: What was set aside is left of the whole, though nothing else is. (3)",
        changed("instance", cannot_link=integers([[0, 1], [1, 2]])),
        more(evidence(0, "fixed", 0.0, decisions=["CL 2 0"], multipliers=multipliers(3)), 1),
        base="odd-cycle",
    ),
    of(
        "second-branching-damaged: A second branching has to be one, even where the first proves all. (3)",
        more(evidence(0, "branching", children=[98, 99])),
    ),
    of(
        "second-branching-false: A leaf below a second branching has to hold, even where the first proves all. (3)",
        stated(8, "open", bound=4.001),
        base="two-branchings-first",
    ),
    of(
        "first-branching-only: The first of two branchings proves nothing. (3)",
        without("evidence", "problem = 0 AND position > 10"),
        base="two-branchings",
    ),
]
