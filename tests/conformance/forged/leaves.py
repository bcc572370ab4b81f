"""Leaves that prove less than they state (sections 3, 5, 6 and 11)."""

from typing import Any

from tests.conformance.certificate import evidence
from tests.conformance.encoding import doubles, integers, multipliers
from tests.conformance.forgery import Forgery, exchanged, more, refused, stated
from tests.conformance.honest.leaves import PLANE_BOX

INFINITE = float("inf")


def leaf(name: str, base: str, why: str, section: str, kind: str, problem: int = 0, **values: Any) -> Forgery:
    return refused(f"leaf-{name}", base, "leaves", why, section, stated(problem, kind, **values))


def instead(
    name: str, base: str, why: str, section: str, kind: str, problem: int, other: str, **values: Any
) -> Forgery:
    change = exchanged(problem, kind, evidence(problem, other, **values))
    return refused(f"leaf-{name}", base, "leaves", why, section, change)


def beside(name: str, why: str, section: str, problem: int, kind: str, **values: Any) -> Forgery:
    return refused(f"leaf-{name}", "hand", "leaves", why, section, more(evidence(problem, kind, **values)))


FORGERIES = [
    leaf("bound", "hand", "Multipliers prove 56.", "5", "bound", 2, bound=56.001),
    leaf("bound-far-off", "hand", "Multipliers prove 56.", "5", "bound", 2, bound=1e300),
    leaf("bound-infinite", "hand", "A bound states infinity.", "1", "bound", 2, bound=INFINITE),
    leaf("bound-minus-infinite", "hand", "A bound states minus infinity.", "1", "bound", 2, bound=-INFINITE),
    leaf("bound-empty", "hand", "A bound needs multipliers.", "1", "bound", 2, multipliers=b""),
    leaf("bound-weights", "bound-weights", "31.90908 is proved.", "5", "bound", bound=31.92),
    leaf(
        "bound-stars",
        "bound-stars",
        "Without its cuts 12.85 is proved.",
        "5",
        "bound",
        multipliers=multipliers(6, PLANE_BOX, a=-7),
    ),
    leaf(
        "bound-other-unit",
        "bound-stars",
        "In the double unit N proves less.",
        "5",
        "bound",
        multipliers=multipliers(6, PLANE_BOX, a=-6),
    ),
    leaf("bound-one-cluster", "bound-one-cluster", "One cluster costs 14.", "6", "bound", bound=14.001),
    leaf(
        "bound-s-is-k",
        "bound-s-is-k",
        "Whatever N is, the one partition costs 1.",
        "6",
        "bound",
        bound=1.001,
        multipliers=multipliers(2, [1 << 62, 0, 1 << 62], a=-10),
    ),
    leaf("open", "open", "2 is proved of what is open.", "5", "open", bound=2.001),
    leaf("open-infinite", "open", "What is open states infinity.", "1", "open", bound=INFINITE),
    leaf("open-empty", "open", "What is open needs multipliers.", "1", "open", multipliers=b""),
    leaf("inherited", "inherited-at-leaves", "What is inherited is 2.", "3", "bound", 1, bound=2.001),
    leaf("inherited-open", "inherited-at-leaves", "What is inherited is 2.", "3", "open", 2, bound=2.001),
    leaf(
        "nothing-inherited",
        "inherited-at-leaves",
        "Nothing is proved of the parent, nor of the leaf.",
        "3",
        "open",
        bound=0.0,
        multipliers=multipliers(4, [-1000, 0, 0, 0, -1000, 0, 0, -1000, 0, -1000]),
    ),
    leaf(
        "earlier", "line-then-bound", "The line before it proves 1, and no more is stated.", "3", "bound", bound=1.001
    ),
    leaf(
        "earlier-line",
        "line-then-bound",
        "A line states more than it proves.",
        "3",
        "line",
        penalty=0.25,
    ),
    leaf("stated-prices", "prices-then-open", "Prices prove what they state, no more.", "3", "open", bound=1.499995),
    leaf("single", "hand", "The one partition that is left costs 4.", "3", "single", 4, bound=4.000001),
    leaf("single-infinite", "hand", "A single partition states infinity.", "1", "single", 4, bound=INFINITE),
    leaf(
        "single-behind", "hand", "A single partition has a payload.", "1", "single", 4, behind=integers([0, 0, 1, 1, 1])
    ),
    leaf("single-one-cluster", "single-one-cluster", "One cluster costs 14.", "3", "single", bound=14.001),
    leaf(
        "single-soft",
        "soft-single",
        "The one partition that is left costs 2.5 with its penalties.",
        "13",
        "single",
        bound=2.501,
    ),
    instead("single-of-more", "hand", "More than one partition is left.", "3", "bound", 2, "single", bound=4.0),
    instead(
        "single-of-nothing",
        "hand",
        "The state contradicts itself: no partition is left.",
        "4",
        "infeasible",
        3,
        "single",
    ),
    instead(
        "bound-of-nothing",
        "hand",
        "Multipliers of a state that contradicts itself.",
        "4",
        "infeasible",
        3,
        "bound",
        multipliers=multipliers(2),
    ),
    instead("single-of-too-few", "too-few-points", "One super-point, where k = 2.", "3", "infeasible", 0, "single"),
    instead(
        "bound-of-too-few",
        "too-few-points",
        "Multipliers of fewer super-points than clusters.",
        "4",
        "infeasible",
        0,
        "bound",
        multipliers=multipliers(1),
    ),
    instead("infeasible-instead-of-bound", "hand", "There is no search that says so.", "4", "bound", 2, "infeasible"),
    beside(
        "bound-beside-infeasible",
        "Beside what is infeasible stand multipliers of a contradiction.",
        "4",
        3,
        "bound",
        multipliers=multipliers(2),
    ),
    beside(
        "bound-beside-single",
        "Multipliers of another size, where none are needed.",
        "1",
        4,
        "bound",
        multipliers=multipliers(5),
    ),
    beside(
        "open-beside-branching",
        "Multipliers of another size beside a branching.",
        "1",
        0,
        "open",
        multipliers=multipliers(5),
    ),
    beside(
        "infeasible-beside-bound",
        "A search that refutes nothing, where 56 is proved.",
        "4",
        2,
        "infeasible",
        search=[0, 1],
    ),
    beside(
        "single-beside-branching", "More than one partition is left where a branching proves all.", "3", 0, "single"
    ),
    leaf("line", "line", "The line proves 1.5.", "11", "line", bound=1.5001),
    leaf("line-penalty", "line-penalty-low", "With a penalty of 1/5 the line proves 3/5.", "11", "line", penalty=0.2),
    leaf(
        "line-penalty-high", "line", "With a penalty of 26 two clusters are charged less.", "11", "line", penalty=26.0
    ),
    leaf(
        "line-penalty-negative",
        "line",
        "With a negative penalty points by themselves are charged least.",
        "11",
        "line",
        penalty=-1.0,
    ),
    leaf("line-penalty-infinite", "line", "A penalty is finite.", "2", "line", penalty=INFINITE),
    leaf("line-penalty-nan", "line", "A penalty is a number.", "2", "line", penalty=float("nan")),
    leaf("line-penalty-integer", "line", "A penalty is no integer.", "2", "line", penalty=integers([1])),
    leaf("line-penalty-none", "line", "A line needs a penalty.", "1", "line", penalty=doubles([])),
    leaf("line-penalty-empty", "line", "A line needs a penalty.", "1", "line", penalty=b""),
    leaf("line-penalty-of-two", "line", "Two penalties.", "1", "line", penalty=doubles([1.0, 1.0])),
    leaf(
        "line-penalty-in-rows",
        "line",
        "A penalty in an array of two dimensions.",
        "2",
        "line",
        penalty=doubles([[1.0]]),
    ),
    leaf("line-infinite", "line", "A line states infinity.", "1", "line", bound=INFINITE),
    leaf("line-linked", "line-linked", "643.0238 is proved.", "11", "line", bound=643.03),
    leaf("line-apart", "line-apart", "The cannot-link is left out: 1.5 is proved.", "11", "line", bound=1.5001),
    instead(
        "line-plane",
        "prices-plane",
        "A line where two features vary.",
        "11",
        "prices",
        0,
        "line",
        bound=0.9999,
        penalty=1.0,
    ),
]
