"""Leaves that prove less than they state (sections 3, 5, 6 and 11)."""

from typing import Any

from tests.conformance.certificate import evidence
from tests.conformance.encoding import doubles, integers, multipliers
from tests.conformance.forgery import Forgery, exchanged, more, refused, stated
from tests.conformance.honest.leaves import PLANE_BOX

INFINITE = float("inf")


def leaf(label: str, base: str, kind: str, problem: int = 0, **values: Any) -> Forgery:
    return refused(f"leaf-{label}", base, "leaves", stated(problem, kind, **values))


def instead(label: str, base: str, kind: str, problem: int, other: str, **values: Any) -> Forgery:
    change = exchanged(problem, kind, evidence(problem, other, **values))
    return refused(f"leaf-{label}", base, "leaves", change)


def beside(label: str, problem: int, kind: str, **values: Any) -> Forgery:
    return refused(f"leaf-{label}", "hand", "leaves", more(evidence(problem, kind, **values)))


FORGERIES = [
    leaf("bound: Multipliers prove 56. (5)", "hand", "bound", 2, bound=56.001),
    leaf("bound-far-off: Multipliers prove 56. (5)", "hand", "bound", 2, bound=1e300),
    leaf("bound-infinite: A bound states infinity. (1)", "hand", "bound", 2, bound=INFINITE),
    leaf("bound-minus-infinite: A bound states minus infinity. (1)", "hand", "bound", 2, bound=-INFINITE),
    leaf("bound-empty: A bound needs multipliers. (1)", "hand", "bound", 2, multipliers=b""),
    leaf("bound-weights: 31.90908 is proved. (5)", "bound-weights", "bound", bound=31.92),
    leaf(
        "bound-stars: Without its cuts 12.85 is proved. (5)",
        "bound-stars",
        "bound",
        multipliers=multipliers(6, PLANE_BOX, a=-7),
    ),
    leaf(
        "bound-other-unit: In the double unit N proves less. (5)",
        "bound-stars",
        "bound",
        multipliers=multipliers(6, PLANE_BOX, a=-6),
    ),
    leaf("bound-one-cluster: One cluster costs 14. (6)", "bound-one-cluster", "bound", bound=14.001),
    leaf(
        "bound-s-is-k: Whatever N is, the one partition costs 1. (6)",
        "bound-s-is-k",
        "bound",
        bound=1.001,
        multipliers=multipliers(2, [1 << 62, 0, 1 << 62], a=-10),
    ),
    leaf("open: 2 is proved of what is open. (5)", "open", "open", bound=2.001),
    leaf("open-infinite: What is open states infinity. (1)", "open", "open", bound=INFINITE),
    leaf("open-empty: What is open needs multipliers. (1)", "open", "open", multipliers=b""),
    leaf("inherited: What is inherited is 2. (3)", "inherited-at-leaves", "bound", 1, bound=2.001),
    leaf("inherited-open: What is inherited is 2. (3)", "inherited-at-leaves", "open", 2, bound=2.001),
    leaf(
        "nothing-inherited: Nothing is proved of the parent, nor of the leaf. (3)",
        "inherited-at-leaves",
        "open",
        bound=0.0,
        multipliers=multipliers(4, [-1000, 0, 0, 0, -1000, 0, 0, -1000, 0, -1000]),
    ),
    leaf("earlier: The line before it proves 1, and no more is stated. (3)", "line-then-bound", "bound", bound=1.001),
    leaf("earlier-line: A line states more than it proves. (3)", "line-then-bound", "line", penalty=0.25),
    leaf("stated-prices: Prices prove what they state, no more. (3)", "prices-then-open", "open", bound=1.499995),
    leaf("single: The one partition that is left costs 4. (3)", "hand", "single", 4, bound=4.000001),
    leaf("single-infinite: A single partition states infinity. (1)", "hand", "single", 4, bound=INFINITE),
    leaf("single-behind: A single partition has a payload. (1)", "hand", "single", 4, behind=integers([0, 0, 1, 1, 1])),
    leaf("single-one-cluster: One cluster costs 14. (3)", "single-one-cluster", "single", bound=14.001),
    leaf(
        "single-soft: The one partition that is left costs 2.5 with its penalties. (13)",
        "soft-single",
        "single",
        bound=2.501,
    ),
    instead("single-of-more: More than one partition is left. (3)", "hand", "bound", 2, "single", bound=4.0),
    instead(
        "single-of-nothing: The state contradicts itself: no partition is left. (4)", "hand", "infeasible", 3, "single"
    ),
    instead(
        "bound-of-nothing: Multipliers of a state that contradicts itself. (4)",
        "hand",
        "infeasible",
        3,
        "bound",
        multipliers=multipliers(2),
    ),
    instead("single-of-too-few: One super-point, where k = 2. (3)", "too-few-points", "infeasible", 0, "single"),
    instead(
        "bound-of-too-few: Multipliers of fewer super-points than clusters. (4)",
        "too-few-points",
        "infeasible",
        0,
        "bound",
        multipliers=multipliers(1),
    ),
    instead("infeasible-instead-of-bound: There is no search that says so. (4)", "hand", "bound", 2, "infeasible"),
    beside(
        "bound-beside-infeasible: Beside what is infeasible stand multipliers of a contradiction. (4)",
        3,
        "bound",
        multipliers=multipliers(2),
    ),
    beside(
        "bound-beside-single: Multipliers of another size, where none are needed. (1)",
        4,
        "bound",
        multipliers=multipliers(5),
    ),
    beside(
        "open-beside-branching: Multipliers of another size beside a branching. (1)",
        0,
        "open",
        multipliers=multipliers(5),
    ),
    beside(
        "infeasible-beside-bound: A search that refutes nothing, where 56 is proved. (4)",
        2,
        "infeasible",
        search=[0, 1],
    ),
    beside("single-beside-branching: More than one partition is left where a branching proves all. (3)", 0, "single"),
    leaf("line: The line proves 1.5. (11)", "line", "line", bound=1.5001),
    leaf("line-limits: The line proves 154 2/3. (11)", "line-limits", "line", bound=154.67),
    leaf("line-limits-linked: Pieces at their mean cost 154 2/3. (11)", "line-limits-linked", "line", bound=154.67),
    leaf("line-limits-cut: A super-point may be cut: 168 1/6. (11)", "line-limits-cut", "line", bound=168.17),
    leaf("line-limits-pieces: 231.5 is proved. (11)", "line-limits-pieces", "line", bound=231.51),
    leaf("line-limits-weights: Limits are left out here. (11)", "line-limits-weights", "line", bound=26.67),
    leaf("line-penalty: With a penalty of 1/5 the line proves 3/5. (11)", "line-penalty-low", "line", penalty=0.2),
    leaf("line-penalty-high: With a penalty of 26 two clusters are charged less. (11)", "line", "line", penalty=26.0),
    leaf(
        "line-penalty-negative: With a negative penalty points by themselves are charged least. (11)",
        "line",
        "line",
        penalty=-1.0,
    ),
    leaf("line-penalty-infinite: A penalty is finite. (2)", "line", "line", penalty=INFINITE),
    leaf("line-penalty-nan: A penalty is a number. (2)", "line", "line", penalty=float("nan")),
    leaf("line-penalty-integer: A penalty is no integer. (2)", "line", "line", penalty=integers([1])),
    leaf("line-penalty-none: A line needs a penalty. (1)", "line", "line", penalty=doubles([])),
    leaf("line-penalty-empty: A line needs a penalty. (1)", "line", "line", penalty=b""),
    leaf("line-penalty-of-two: Two penalties. (1)", "line", "line", penalty=doubles([1.0, 1.0])),
    leaf(
        "line-penalty-in-rows: A penalty in an array of two dimensions. (2)", "line", "line", penalty=doubles([[1.0]])
    ),
    leaf("line-infinite: A line states infinity. (1)", "line", "line", bound=INFINITE),
    leaf("line-linked: 643.0238 is proved. (11)", "line-linked", "line", bound=643.03),
    leaf("line-apart: The cannot-link is left out: 1.5 is proved. (11)", "line-apart", "line", bound=1.5001),
    instead(
        "line-plane: A line where two features vary. (11)",
        "prices-plane",
        "prices",
        0,
        "line",
        bound=0.9999,
        penalty=1.0,
    ),
]
