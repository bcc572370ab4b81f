"""Covers that are none, and parts that prove less (section 10)."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import step
from tests.conformance.encoding import array, doubles, integers, multipliers
from tests.conformance.forgery import Forgery, added, changed, refused


def of(name: str, why: str, *own: str, base: str = "cover", section: str = "10") -> Forgery:
    return refused(f"cover-{name}", base, "cover", why, section, *own)


def listed(name: str, why: str, numbers: Sequence[int], base: str = "cover") -> Forgery:
    return of(name, why, changed("covers", parts=integers(numbers)), base=base)


def part(name: str, why: str, base: str = "cover", number: int = 1, **columns: Any) -> Forgery:
    return of(name, why, changed("parts", f"part = {number}", **columns), base=base)


def claimed(name: str, why: str, base: str, bound: float) -> Forgery:
    return of(f"claimed-{name}", why, changed("claim", lower_bound=bound), base=base)


FORGERIES = [
    listed("part-twice", "A part is there twice.", [1, 2, 1]),
    listed("part-unknown", "A part that does not exist.", [1, 2, 3]),
    listed("part-0", "Part 0 is the whole, not a part of it.", [1, 2, 0]),
    listed("part-negative", "A part of -1.", [1, 2, -1]),
    listed("part-missing", "Three points are in no part.", [1]),
    listed("empty", "No parts are no cover.", []),
    listed("overlapping", "A point has more weight in the parts than it has.", [7, 1, 2], "cover-last"),
    of("doubles", "The parts of a cover are doubles.", changed("covers", parts=doubles([1.0, 2.0]))),
    of("in-rows", "The parts of a cover are an array of two dimensions.", changed("covers", parts=integers([[1, 2]]))),
    of(
        "earlier",
        "Without its last row, the cover before counts, in which a part is twice.",
        "DELETE FROM covers WHERE position = 2",
        base="cover-last",
    ),
    part("heavier", "A point has more weight in a part than it has.", weights=doubles([1.0, 1.5, 1.0])),
    part(
        "heavier-by-little",
        "A point has more weight in a part than it has, by the last digit.",
        weights=doubles([1.0, 1.0, 1.0 + 2.0**-52]),
    ),
    part("lighter", "2^-39 of a point is in no part.", weights=doubles([1.0, 1.0 - 2.0**-39, 1.0])),
    part(
        "lighter-by-half", "Half of a point is in no part.", "cover-without-nodes", 2, weights=doubles([0.5, 1.0, 1.0])
    ),
    part(
        "point-missing",
        "A point is in no part.",
        "cover-without-nodes",
        2,
        points=integers([3, 4]),
        weights=doubles([1.0, 1.0]),
    ),
    part(
        "shares-too-large",
        "Thirds of a point that are rounded up.",
        "cover-shared",
        3,
        weights=doubles([0.33333333333333343, 1.0]),
    ),
    part(
        "weight-0",
        "A weight is 0, though the point has all of its own in another part.",
        "cover-shared",
        3,
        points=integers([0, 2, 5]),
        weights=doubles([0.0, 0.3333333333333333, 1.0]),
    ),
    part(
        "weight-negative",
        "A weight is negative, and balances another one.",
        "cover-shared",
        3,
        points=integers([0, 2, 5]),
        weights=doubles([-1.0, 0.3333333333333333, 1.0]),
    ),
    part("weight-nan", "A weight is no number.", weights=doubles([1.0, float("nan"), 1.0])),
    part("weights-missing", "Fewer weights than points.", weights=doubles([1.0, 1.0])),
    part("falling", "Points are not increasing.", points=integers([0, 2, 1])),
    part(
        "repeated",
        "A point is twice in a part, with half of its weight.",
        points=integers([0, 1, 2, 2]),
        weights=doubles([1.0, 1.0, 0.5, 0.5]),
    ),
    part("beyond", "A part has a point that does not exist.", number=2, points=integers([3, 4, 6])),
    part("below", "A part has point -1.", points=integers([-1, 1, 2])),
    part(
        "without-points",
        "A part without points.",
        "cover-shared",
        3,
        points=integers([]),
        weights=array("f", 8, [0], []),
    ),
    part("points-of-doubles", "Points of a part are doubles.", points=doubles([0.0, 1.0, 2.0])),
    part("exchanged", "A part has a point of another one, in the place of its own.", points=integers([0, 1, 3])),
    of(
        "number-0",
        "A part has the number 0.",
        changed("parts", "part = 2", part=0),
        changed("nodes", "part = 2", part=0),
        changed("covers", parts=integers([1, 0])),
    ),
    of("leaf", "A part proves 1/2.", changed("nodes", "part = 2", closing_bound=0.501), section="11"),
    of(
        "leaf-lighter",
        "With half of its weights a part proves half.",
        changed("parts", weights=doubles([0.25] * 6)),
        added(
            "parts",
            {"part": 9, "points": integers(range(6)), "weights": doubles([0.5] * 6), "lower_bound": 0.0, "digest": ""},
        ),
        changed("covers", parts=integers([3, 8, 9])),
        base="cover-optimal",
        section="11",
    ),
    of(
        "tree",
        "Nodes of a part hang on no node of it.",
        changed("nodes", "part = 2 AND node = 1", parent=7),
        base="cover-links",
    ),
    of(
        "tree-open",
        "A child in a part is missing, and the part counts 0.",
        "DELETE FROM nodes WHERE part = 2 AND node = 1",
        base="cover-links",
    ),
    of(
        "tree-of-the-whole-numbers",
        "Points in the tree of a part are numbered from 0, not as in the whole.",
        changed("nodes", "part = 2 AND node = 0", branch_i=3, branch_j=4),
        base="cover-links",
    ),
    of(
        "link-of-the-whole",
        "A must-link between two parts holds in neither: more than one partition is left.",
        changed("nodes", "part = 1", closing="single", closing_bound=0.4),
        base="cover-links",
    ),
    of(
        "tree-of-the-other",
        "The tree of the whole proves 4, and states 5.",
        changed("nodes", "part = 0", closing_bound=5.0),
        base="cover-and-tree",
        section="11",
    ),
    of(
        "tree-beside",
        "Beside a cover, a tree of the whole has to be one, too.",
        changed("nodes", "part = 0", closing="open", closing_bound=0.0),
        base="cover-above-tree",
        section="1",
    ),
    of(
        "few-points",
        "The whole is not infeasible because a part with one super-point is said to be.",
        changed("claim", status="INFEASIBLE"),
        base="cover-few-points",
    ),
    of(
        "infeasible",
        "Infeasible parts need a clique that is in them.",
        changed("nodes", search=integers([0, 1, 2])),
        base="cover-infeasible",
        section="4",
    ),
    of(
        "infeasible-outside",
        "Point 4 is apart from nobody: no clique is in the part.",
        changed("covers", parts=integers([1])),
        changed("parts", "part = 1", points=integers([0, 1, 2, 3, 4]), weights=doubles([1.0] * 5)),
        changed("nodes", search=integers([0, 1, 2, 4])),
        base="cover-infeasible",
        section="4",
    ),
    of(
        "limits-in-parts",
        "Limits of the whole force nothing in a part.",
        changed("instance", conditions='{"limits": {"size_max": 3}}'),
        changed("claim", objective=4.0),
        added("steps", step(0, "forced", part=1, forced=[["CL", 0, 1, []]])),
        section="13",
    ),
    of(
        "soft-in-parts",
        "A part knows of no soft pairs, so that nothing is paid for one.",
        changed("nodes", "part = 1", closing="open", closing_bound=0.0, multipliers=multipliers(2)),
        added(
            "steps",
            step(0, "soft", part=1, decisions=integers([[0], [0], [1]]), multipliers=multipliers(3), lower_bound=50.0),
        ),
        base="cover-limits",
        section="13",
    ),
    claimed("without-nodes", "A part without nodes counts 0.", "cover-without-nodes", 0.501),
    claimed("few-points", "A part with one super-point counts 0, whatever its nodes say.", "cover-few-points", 0.501),
    claimed("negative", "A part counts 0 at least, not more.", "cover-negative", 0.501),
    claimed("and-tree", "What parts and tree prove is not added up.", "cover-and-tree", 4.5),
    claimed("links", "The parts prove 1/2 and 2.", "cover-links", 2.501),
    claimed("shared", "A part with a third of a point proves 1/4 at this penalty.", "cover-shared", 0.251),
    claimed("limits", "Limits and soft pairs raise nothing in parts: 1 is proved.", "cover-limits", 1.001),
]
