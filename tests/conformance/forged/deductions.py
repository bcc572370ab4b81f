"""Deductions that do not hold (sections 3, 4, 5 and 13)."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import evidence
from tests.conformance.encoding import Cut, decisions, doubles, integers, multipliers
from tests.conformance.forgery import Change, Forgery, changed, exchanged, more, refused, stated, without
from tests.conformance.honest.trees import POOR_4

INFINITE = float("inf")


def forced(label: str, said: str, clique: Sequence[int], base: str = "hand") -> Forgery:
    """One pair with a clique, at problem 2 of the tree by hand."""
    own = stated(2 if base == "hand" else 0, "forced", decisions=[said], cliques=[clique])
    return refused(f"forced-{label}", base, "forced", own)


def listed(label: str, **values: Any) -> Forgery:
    return refused(f"forced-{label}", "hand", "forced", stated(2, "forced", **values))


def made(label: str, base: str, *changes: Change) -> Forgery:
    """A forgery whose kind is the first word of its name."""
    return refused(label, base, label.split("-", maxsplit=1)[0], *changes)


def of(label: str, base: str, nth: int = 0, **values: Any) -> Forgery:
    return made(label, base, stated(0, label.split("-", maxsplit=1)[0], nth, **values))


def pairs(label: str, base: str, *said: str) -> Forgery:
    return of(label, base, decisions=said)


TOGETHER = "forced-together"

FORGERIES = [
    forced("clique-too-small: ML needs a clique of k - 1 = 2 points. (4)", "ML 2 3", [0], TOGETHER),
    forced("clique-too-large: ML needs a clique of k - 1 = 2 points. (4)", "ML 2 3", [0, 1, 1], TOGETHER),
    forced("clique-of-one-point: A point is twice in the clique. (4)", "ML 2 3", [0, 0], TOGETHER),
    forced("no-clique: ML needs a clique of k - 1 = 1 point. (4)", "ML 1 2", []),
    forced("not-apart: The clique is not apart from one of the two. (4)", "ML 1 2", [4]),
    forced("apart-clique-too-small: CL needs a clique of k = 2 points. (4)", "CL 2 3", [0], "forced-apart"),
    forced("apart-not-apart: The clique is no clique: its points are not apart. (4)", "CL 2 3", [0, 2], "forced-apart"),
    forced("apart-empty-without-limits: CL without a clique needs limits. (13)", "CL 2 3", [], "forced-apart"),
    forced("itself: A pair of a point and itself. (2)", "ML 1 1", [0]),
    forced("beyond: A point that does not exist. (2)", "ML 1 5", [0]),
    forced("negative: A point is -1. (2)", "ML 1 -1", [0]),
    forced("clique-beyond: A point of the clique does not exist. (4)", "ML 1 2", [5]),
    forced("clique-below: A point of the clique is -1. (4)", "ML 1 2", [-1]),
    made(
        "forced-apart-not-covered: A point of the clique is apart from neither of the two. (4)",
        "forced-apart",
        changed("instance", cannot_link=integers([[0, 1], [0, 2]])),
    ),
    made(
        "forced-in-another-order: The second pair comes first, where it is not forced yet. (1)",
        "forced-one-by-one",
        changed("evidence", "position = 10", position=25),
    ),
    of(
        "forced-in-another-order-within: A pair stands before the one that it follows from. (4)",
        "forced-apart",
        decisions=["ML 1 2", "CL 2 3", "ML 0 3"],
        cliques=[[3], [0, 1], [2]],
    ),
    listed("empty: Forced pairs are missing: nothing is there. (1)", decisions=b"", cliques=b""),
    listed("cliques-missing: Cliques are missing: no array is there. (1)", cliques=b""),
    listed("cliques-none: A clique is missing: the array is empty. (3)", cliques=[]),
    listed("cliques-more: Two cliques for one pair. (3)", cliques=[[0], [0]]),
    listed("cliques-cut-off: A clique ends early. (3)", cliques=integers([2, 0])),
    listed("cliques-goes-on: A number follows the last clique. (3)", cliques=integers([1, 0, 0])),
    listed(
        "cliques-negative: A clique of -1 points, and one of its points is taken back. (3)", cliques=integers([-1, 0])
    ),
    listed("cliques-huge: A clique of 2^62 points. (3)", cliques=integers([1 << 62, 0])),
    listed("cliques-without-pairs: A clique for no pair. (3)", decisions=[]),
    listed("cliques-in-rows: Cliques are an array of two dimensions. (2)", cliques=integers([[1], [0]])),
    listed("cliques-of-doubles: Cliques are doubles. (2)", cliques=doubles([1.0, 0.0])),
    listed("kind: A pair of kind 2. (2)", decisions=integers([[2], [1], [2]])),
    made(
        "forced-beyond-nothing: Even where nothing belongs to the state, points are in range. (4)",
        "forced-after-contradiction",
        stated(3, "forced", decisions=["ML 0 7"], cliques=[[]]),
    ),
    made(
        "forced-of-later-branching: Below the first branching a pair is not forced yet. (3)",
        "forced-between-branchings",
        more(evidence(1, "single", 1.0)),
    ),
    of("fixed-bound: Together the two cost 2 at least, no more is proved. (5)", "fixed", bound=2.001),
    of("fixed-bound-together: Together the two would cost 201. (5)", "fixed-apart", bound=201.001),
    of("fixed-bound-apart: Apart the two would cost 17. (5)", "fixed-together", bound=17.001),
    of("fixed-bound-infinite: Without pairs infinity is stated. (1)", "fixed-nothing", bound=INFINITE),
    of("fixed-inherited: What was proved before is 2. (5)", "fixed-inherited", 1, bound=2.001),
    of("fixed-not-inherited: Nothing is proved before, nor by it. (5)", "fixed-inherited", multipliers=POOR_4),
    of("fixed-behind-line: The line before it proves 1. (3)", "fixed-behind-line", bound=1.001),
    made(
        "fixed-before-line: The line that proves what is stated stands behind it. (3)",
        "fixed-behind-line",
        changed("evidence", "kind = 'line'", position=35),
    ),
    of(
        "fixed-other-size: Multipliers of three super-points, where there are four. (2)",
        "fixed",
        multipliers=multipliers(3),
    ),
    of("fixed-without-multipliers: Fixed pairs need multipliers. (1)", "fixed", multipliers=b""),
    of("fixed-without-decisions: There are no pairs, and no array of none. (1)", "fixed", decisions=b""),
    of("fixed-empty: Nothing is there. (1)", "fixed", decisions=b"", multipliers=b""),
    pairs("fixed-opposite: Set apart the two cost 1, no more is proved. (5)", "fixed-apart", "ML 1 2"),
    made(
        "fixed-last-pair: The first of two pairs would cost 0.5 together, the last one 200.5. (5)",
        "fixed-apart",
        changed("claim", status="UNKNOWN"),
        changed("instance", n_clusters=3, must_link=integers([[0, 1]])),
        stated(
            0, "fixed", bound=200.4, decisions=["CL 1 2", "CL 2 3"], multipliers=multipliers(3, [0, 0, 0, 0, 100, 0])
        ),
    ),
    of(
        "fixed-apart-by-n-above-zero: Apart the two gain nothing by N > 0, but 5 by cuts. (5)",
        "fixed-together",
        bound=5.0,
        multipliers=multipliers(2, [0, 10, 0], [Cut(0, [1], 4), Cut(1, [0], 6)]),
    ),
    pairs("fixed-linked: The two points are in one super-point. (3)", "fixed", "CL 2 3"),
    pairs("fixed-itself: A point and itself. (2)", "fixed", "CL 1 1"),
    pairs("fixed-beyond: A point that does not exist. (2)", "fixed", "CL 0 5"),
    of("fixed-kind: A pair of kind 2. (2)", "fixed", decisions=integers([[2], [0], [1]])),
    of("fixed-negative: A point is -1. (2)", "fixed", decisions=integers([[1], [-1], [1]])),
    made(
        "fixed-one-by-one: By itself the second pair is linked already. (3)",
        "fixed-at-once",
        stated(0, "fixed", decisions=["ML 0 1", "ML 2 4"]),
        more(evidence(0, "fixed", 1.999, decisions=["ML 1 0"], multipliers=multipliers(2)), 15),
    ),
    of("far-bound: The nearest of the pairs would cost 40.5. (3)", "far", bound=40.51),
    made(
        "far-bound-linked: The pairs would cost 100, and 1 is paid within the super-points. (3)",
        "far",
        changed("instance", must_link=integers([[0, 1], [2, 3]])),
        stated(0, "far", bound=101.001),
    ),
    made(
        "far-set-aside-before: What is set aside before costs 0, whatever the far pairs cost. (3)",
        "far",
        more(evidence(0, "fixed", 0.0, decisions=["ML 0 1"], multipliers=POOR_4), 1),
    ),
    of("far-bound-infinite: Far pairs state infinity. (1)", "far", bound=INFINITE),
    of("far-inherited: What was proved before is 13.9999887. (5)", "far-inherited", bound=14.01),
    made(
        "far-not-inherited: Less is proved before, and the pair by itself costs 2. (3)",
        "far-inherited",
        stated(0, "fixed", multipliers=multipliers(6)),
    ),
    pairs("far-together: A far pair is put together. (3)", "far", "ML 0 2"),
    pairs("far-nothing: No far pairs. (3)", "far"),
    pairs("far-itself: A pair of a point and itself. (2)", "far-inherited", "CL 3 3"),
    of("far-behind: Far pairs have multipliers behind them. (1)", "far", behind=multipliers(4)),
    made(
        "far-one-super-point: The pair is in one super-point. (3)",
        "far",
        changed("instance", must_link=integers([[0, 2]])),
        changed("claim", labels=integers([0, 1, 0, 0]), objective=74.0, lower_bound=0.0),
    ),
    made(
        "far-origins: Without far pairs nothing is apart, and N costs something. (5)",
        "far-origins",
        without("evidence", "kind = 'far'"),
    ),
    made(
        "far-origins-fixed: Fixed pairs leave the origin where it is. (5)",
        "far-origins",
        exchanged(
            0,
            "far",
            evidence(
                0, "fixed", decisions=decisions(["CL 0 2", "CL 0 3", "CL 1 2", "CL 3 1"]), multipliers=multipliers(4)
            ),
        ),
    ),
    made(
        "far-origins-behind: Below a branching that stands before the far pairs the origin is where it is. (5)",
        "far-origins-below",
        changed("evidence", "kind = 'far'", position=999),
    ),
    of("soft-bound-together: Apart the two pay 100 and cost 2. (13)", "soft-together", bound=102.001),
    of("soft-bound-apart: Together the first pair pays 1000, the least of both. (13)", "soft-apart", bound=1000.001),
    of("soft-bound-infinite: Soft pairs state infinity. (1)", "soft-together", bound=INFINITE),
    of("soft-paid: Apart the two pay 4, beside 2 for others and a cost of 1/2. (13)", "soft-paid", bound=6.501),
    of("soft-inherited: What was proved before is 14. (3)", "soft-inherited", bound=14.001),
    made(
        "soft-not-inherited: Multipliers of soft pairs prove nothing. (3)",
        "soft-inherited",
        stated(0, "fixed", multipliers=multipliers(3, [0, 0, 0, 0, -1000, 0])),
    ),
    of("soft-without-multipliers: Soft pairs need multipliers. (1)", "soft-together", multipliers=b""),
    pairs("soft-opposite: To set the two apart only 1 is paid. (13)", "soft-together", "CL 2 3"),
    pairs("soft-no-penalty: Nothing is paid for this pair. (13)", "soft-at-once", "ML 0 5"),
    pairs("soft-linked: The two are decided already. (13)", "soft-together", "ML 0 2"),
    made(
        "soft-apart-already: The two are apart already. (13)",
        "soft-together",
        changed("instance", cannot_link=integers([[2, 3]])),
        changed("claim", labels=integers([0, 0, 0, 1, 1, 1]), objective=140.0, lower_bound=0.0),
    ),
    made(
        "soft-multipliers-not-inherited: Multipliers of soft pairs are not inherited. (3)",
        "open-children",
        exchanged(0, "open", evidence(0, "soft", decisions=[], multipliers=multipliers(4))),
    ),
    made(
        "soft-in-a-sibling: A soft pair is decided in the other child, and here it is open. (3)",
        "soft-below",
        more(evidence(1, "bound", 0.0, multipliers=multipliers(3))),
    ),
    made(
        "soft-set-aside-below: What is set aside in a child counts there: with nothing to pay it costs nothing. (13)",
        "soft-below",
        stated(2, "soft", decisions=["CL 1 2"]),
    ),
    pairs("equal-elsewhere: The points are not at one place. (4)", "equal", "ML 0 1", "ML 1 2"),
    pairs("equal-apart: Equal points are set apart. (1)", "equal", "CL 0 1"),
    of("equal-empty: Equal points need their pairs. (1)", "equal", decisions=b""),
    of("equal-behind: Equal points have cliques behind them. (1)", "equal", behind=integers([0, 0, 0])),
    made(
        "equal-too-many: One super-point is left, where k = 2. (4)",
        "equal",
        changed("instance", points=doubles([[0.0, 0.0]] * 5)),
        stated(0, "equal", decisions=["ML 0 1", "ML 2 3", "ML 3 4", "ML 1 2"]),
    ),
    made(
        "equal-too-few: Two super-points are left, where k = 3. (4)",
        "equal-zeros",
        changed("instance", n_clusters=3),
        changed("claim", labels=integers([0, 1, 2])),
    ),
    made(
        "equal-cannot-link: A point that is joined has a cannot-link. (4)",
        "equal",
        changed("instance", cannot_link=integers([[0, 2]])),
    ),
    made(
        "equal-nearly: The points differ in the last digit. (4)",
        "equal-zeros",
        changed("instance", points=doubles([[0.0], [5e-324], [5.0]])),
    ),
    made(
        "equal-linked-elsewhere: A super-point has a point at another place. (4)",
        "equal",
        changed("instance", must_link=integers([[0, 2]])),
        changed(
            "claim", status="FEASIBLE", labels=integers([0, 1, 0, 0, 0]), objective=21.272727272727273, lower_bound=0.0
        ),
    ),
    made(
        "equal-limits: Under a limit equal points are not joined. (13)",
        "limits-all-null",
        changed("instance", conditions='{"limits": {"size_min": 1}}'),
    ),
    made(
        "equal-soft: With soft pairs equal points are not joined. (13)",
        "equal",
        changed("instance", conditions='{"soft": [[0, 2, 0, 5]]}'),
    ),
    made(
        "equal-soft-for-nothing: Nor are they with soft pairs without a penalty. (13)",
        "equal",
        changed("instance", conditions='{"soft": [[0, 2, 0, 0]]}'),
    ),
    made(
        "equal-far: Points that far pairs set apart are not joined. (4)",
        "equal",
        exchanged(0, "equal", evidence(0, "far", 0.0, decisions=["CL 0 1"])),
        more(evidence(0, "equal", decisions=["ML 2 3", "ML 0 1"]), 15),
    ),
]
