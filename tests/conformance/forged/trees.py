"""Trees that do not cover every partition, and leaves that prove less than they state (section 3)."""

from typing import Any

from tests.conformance.certificate import node
from tests.conformance.encoding import multipliers
from tests.conformance.forgery import Forgery, added, changed, refused

INFINITE = float("inf")
FILLED = {"seconds": 0.0, "digest": ""}


def of(name: str, why: str, *own: str, base: str = "hand", section: str = "3") -> Forgery:
    return refused(f"tree-{name}", base, "tree", why, section, *own)


def leaf(name: str, base: str, why: str, section: str = "3", number: int = 0, **columns: Any) -> Forgery:
    return refused(
        f"leaf-{name}", base, "leaves", why, section, changed("nodes", f"node = {number} AND part = 0", **columns)
    )


def more(number: int, closing: str, bound: float | None = None, **columns: Any) -> str:
    return added("nodes", node(number, closing, bound, **columns) | FILLED)


FORGERIES = [
    of("no-root", "The root is missing, and nodes hang on it.", "DELETE FROM nodes WHERE node = 0"),
    of("two-roots", "Two nodes have no parent.", more(9, "single", 4.0)),
    of(
        "other-root",
        "The root is node 9.",
        changed("nodes", "node = 0", node=9),
        changed("nodes", "parent = 0", parent=9),
    ),
    of("root-with-decision", "The root has a decision.", changed("nodes", "node = 0", kind="CL", i=0, j=1)),
    of("orphan", "The parent of a node does not exist.", changed("nodes", "node = 3", parent=77)),
    of(
        "cycle",
        "Two nodes are each other's parents.",
        more(8, "branched", parent=9, decision="ML 0 1", branch="0 1"),
        more(9, "branched", parent=8, decision="ML 0 1", branch="0 1"),
    ),
    of("own-parent", "A node is its own parent.", more(9, "single", 4.0, parent=9, decision="ML 0 1")),
    of("child-of-leaf", "A leaf has a child.", more(9, "single", 4.0, parent=4, decision="ML 0 1")),
    of(
        "child-of-open",
        "An open node has a child.",
        more(9, "single", 4.0, parent=0, decision="ML 0 1"),
        base="open-node",
    ),
    of(
        "child-twice",
        "Two children put the points together, none sets them apart.",
        changed("nodes", "node = 4", kind="ML"),
    ),
    of("three-children", "A third child of a branching.", more(9, "single", 4.0, parent=1, decision="CL 4 0")),
    of(
        "child-of-another-pair",
        "A child decides another pair than its parent branches on.",
        changed("nodes", "node = 4", j=2),
    ),
    of("child-without-decision", "A child has no decision.", changed("nodes", "node = 4", kind=None, i=None, j=None)),
    of(
        "child-of-half-a-decision",
        "A child has a decision without a second point.",
        changed("nodes", "node = 4", j=None),
    ),
    of("branch-on-one-point", "A branching on a point and itself.", changed("nodes", "node = 0", branch_i=1)),
    of("branch-on-nothing", "A branching without points.", changed("nodes", "node = 0", branch_i=None, branch_j=None)),
    of("branch-beyond", "A branching on a point that does not exist.", changed("nodes", "node = 0", branch_j=5)),
    of("branch-elsewhere", "A branching on another pair than its children.", changed("nodes", "node = 0", branch_j=3)),
    of(
        "child-missing",
        "A child is missing, for which 0 is proved.",
        "DELETE FROM steps WHERE node = 4",
        "DELETE FROM nodes WHERE node = 4",
    ),
    of(
        "children-missing",
        "Both children are missing, for which 0 is proved.",
        "DELETE FROM steps WHERE node = 4",
        "DELETE FROM nodes WHERE parent = 1",
    ),
    of(
        "infeasible-child-missing",
        "A child that is infeasible is missing: nobody knows that it is.",
        "DELETE FROM nodes WHERE node = 3",
    ),
    of("no-nodes", "Nothing is proved without nodes.", "DELETE FROM steps", "DELETE FROM nodes"),
    of(
        "nodes-of-a-part",
        "The nodes are those of a part, not of the whole.",
        changed("nodes", part=1),
        changed("steps", part=1),
    ),
    of(
        "opposite-child",
        "Children exchange their decisions, and so their states.",
        changed("nodes", "node = 1", kind="CL"),
        changed("nodes", "node = 2", kind="ML"),
    ),
    of(
        "step-of-parent",
        "A step stands at the parent, where its decision is not made yet.",
        changed("steps", "node = 2", node=0),
        section="4",
    ),
    of(
        "step-of-sibling",
        "A step stands at the other child, so that here more than one partition is left.",
        changed("steps", "node = 4", node=3),
        section="4",
    ),
    leaf("bound", "hand", "Multipliers prove 56.", "5", 2, closing_bound=56.001),
    leaf("bound-far-off", "hand", "Multipliers prove 56.", "5", 2, closing_bound=1e300),
    leaf("bound-without-multipliers", "hand", "A bound needs multipliers.", "1", 2, multipliers=None),
    leaf("bound-null", "hand", "A bound states no number.", "1", 2, closing_bound=None),
    leaf("bound-infinite", "hand", "A bound states infinity.", "1", 2, closing_bound=INFINITE),
    leaf("bound-minus-infinite", "hand", "A bound states minus infinity.", "1", 2, closing_bound=-INFINITE),
    leaf("bound-weights", "bound-weights", "31.90908 is proved.", "5", closing_bound=31.92),
    leaf(
        "bound-stars",
        "bound-stars",
        "Without its cuts 12.85 is proved.",
        "5",
        multipliers=multipliers(6, [2, 1260, 0, 0, 0, 0, -4, 1337, 161, 6, 82, 3, 0, 0, 0, 0, 0, 0, 1, 0, 0], a=-7),
    ),
    leaf(
        "bound-other-unit",
        "bound-stars",
        "In the double unit N proves less.",
        "5",
        multipliers=multipliers(6, [2, 1260, 0, 0, 0, 0, -4, 1337, 161, 6, 82, 3, 0, 0, 0, 0, 0, 0, 1, 0, 0], a=-6),
    ),
    leaf("bound-one-cluster", "bound-one-cluster", "One cluster costs 14.", "6", closing_bound=14.001),
    leaf(
        "bound-s-is-k",
        "bound-s-is-k",
        "Whatever N is, the one partition costs 1.",
        "6",
        closing_bound=1.001,
        multipliers=multipliers(2, [1 << 62, 0, 1 << 62], a=-10),
    ),
    leaf("open", "open-node", "2 is proved of the open root.", "5", closing_bound=2.001),
    leaf("open-null", "open-node", "An open node states no number.", "1", closing_bound=None),
    leaf("open-without-multipliers", "open-node", "An open node needs multipliers.", "1", multipliers=None),
    leaf("inherited", "inherited-at-leaves", "What is inherited is 2.", "3", 1, closing_bound=2.001),
    leaf("inherited-open", "inherited-at-leaves", "What is inherited is 2.", "3", 2, closing_bound=2.001),
    leaf(
        "nothing-inherited",
        "inherited-at-leaves",
        "Nothing is proved of the parent, nor of the leaf.",
        "3",
        0,
        multipliers=None,
    ),
    leaf("single", "hand", "The one partition that is left costs 4.", "3", 4, closing_bound=4.000001),
    leaf("single-null", "hand", "A closing states no number.", "1", 4, closing_bound=None),
    leaf("single-of-more", "hand", "More than one partition is left.", "3", 2, closing="single", closing_bound=4.0),
    leaf("single-one-cluster", "single-one-cluster", "One cluster costs 14.", "3", closing_bound=14.001),
    leaf(
        "single-soft",
        "soft-single",
        "The one partition that is left costs 2.5 with its penalties.",
        "13",
        closing_bound=2.501,
    ),
    leaf(
        "single-of-nothing",
        "hand",
        "The state contradicts itself: no partition is left.",
        "4",
        3,
        closing="single",
        closing_bound=4.0,
    ),
    leaf(
        "bound-of-nothing",
        "hand",
        "Multipliers of a state that contradicts itself.",
        "4",
        3,
        closing="bound",
        closing_bound=4.0,
        multipliers=multipliers(2),
    ),
    leaf(
        "infeasible-with-multipliers",
        "hand",
        "Multipliers of a state that contradicts itself, at a closing that needs none.",
        "4",
        3,
        multipliers=multipliers(2),
    ),
    leaf(
        "single-with-false-multipliers",
        "hand",
        "Multipliers of another size, at a closing that needs none.",
        "1",
        4,
        multipliers=multipliers(5),
    ),
    leaf(
        "branched-with-false-multipliers",
        "hand",
        "Multipliers of another size, at a branching.",
        "1",
        0,
        multipliers=multipliers(5),
    ),
    leaf("infeasible-instead-of-bound", "hand", "There is no search that says so.", "4", 2, closing="infeasible"),
    leaf("line", "line", "The line proves 1.5.", "11", closing_bound=1.5001),
    leaf("line-penalty", "line-penalty-low", "With a penalty of 1/5 the line proves 3/5.", "11", penalty=0.2),
    leaf("line-penalty-high", "line", "With a penalty of 26 two clusters are charged less.", "11", penalty=26.0),
    leaf(
        "line-penalty-negative",
        "line",
        "With a negative penalty points by themselves are charged least.",
        "11",
        penalty=-1.0,
    ),
    leaf("line-penalty-null", "line", "A line needs a penalty.", "1", penalty=None),
    leaf("line-penalty-infinite", "line", "A penalty is finite.", "1", penalty=INFINITE),
    leaf("line-null", "line", "A line states no number.", "1", closing_bound=None),
    leaf("line-linked", "line-linked", "643.0238 is proved.", "11", closing_bound=643.03),
    leaf("line-apart", "line-apart", "The cannot-link is left out: 1.5 is proved.", "11", closing_bound=1.5001),
    leaf(
        "line-plane",
        "prices-plane",
        "A line where two features vary.",
        "11",
        closing="line",
        closing_bound=0.9999,
        penalty=1.0,
    ),
]
