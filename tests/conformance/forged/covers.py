"""Covers that are none, and parts that prove less (section 10)."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import child, evidence, part
from tests.conformance.encoding import array, doubles, integers, multipliers
from tests.conformance.forgery import Change, Forgery, changed, exchanged, more, refused, remade, stated, without

ONES = [1.0] * 3


def of(name: str, why: str, *changes: Change, base: str = "cover", section: str = "10") -> Forgery:
    return refused(f"cover-{name}", base, "cover", why, section, *changes)


def listed(name: str, why: str, numbers: Any, base: str = "cover", nth: int = 0, section: str = "10") -> Forgery:
    return of(name, why, stated(0, "cover", nth, parts=numbers), base=base, section=section)


def anew(
    name: str, why: str, points: Sequence[int], weights: Sequence[float], number: int = 1, base: str = "cover"
) -> Forgery:
    return of(name, why, remade(part(number, 0, points, weights)), base=base)


def raw(name: str, why: str, content: bytes) -> Forgery:
    return of(name, why, changed("problems", "problem = 1", content=content), section="1")


def claimed(name: str, why: str, base: str, bound: float) -> Forgery:
    return of(f"claimed-{name}", why, changed("claim", lower_bound=bound), base=base)


HALVED = [0.5] * 6

FORGERIES = [
    listed("part-twice", "A part is there twice.", [1, 2, 1]),
    listed("part-unknown", "A part that does not exist.", [1, 2, 3]),
    listed("part-0", "The whole is not a part of itself.", [1, 2, 0]),
    listed("part-only-0", "The whole is its only part.", [0]),
    listed("part-negative", "A part of -1.", [1, 2, -1]),
    listed("part-missing", "Three points are in no part.", [1]),
    listed("empty", "No parts are no cover.", []),
    listed("no-array", "Nothing is there.", b"", section="1"),
    listed("overlapping", "A point has more weight in the parts than it has.", [7, 1, 2], "cover-last", 1),
    listed("doubles", "The parts of a cover are doubles.", doubles([1.0, 2.0]), section="2"),
    listed("in-rows", "The parts of a cover are an array of two dimensions.", [[1, 2]], section="2"),
    listed("of-a-part", "A part of a part is none of the whole.", [1, 3, 4], "cover-of-a-part"),
    of(
        "of-another",
        "A cover of a child names parts of its sibling.",
        stated(8, "cover", parts=[1, 4]),
        base="cover-below",
    ),
    of(
        "of-the-parent",
        "A cover of a child names parts of its parent.",
        more(evidence(4, "cover", parts=[1, 2])),
        base="cover-and-branching",
    ),
    of("itself", "A part is its own part.", more(evidence(2, "cover", parts=[2]))),
    of(
        "its-own-parent",
        "A part is its own parent, and its part.",
        remade(part(4, 4, [0, 1], [1.0] * 2)),
        more(evidence(4, "cover", parts=[4])),
        base="cover-of-a-part",
    ),
    of("sibling", "A part has its sibling as a part.", more(evidence(1, "cover", parts=[2]))),
    of("child", "A part is a child.", remade(child(2, 0, "CL 0 1"))),
    of(
        "child-of-a-branching",
        "A cover names a child of a branching.",
        stated(0, "cover", parts=[1, 2, 4]),
        base="cover-and-branching",
    ),
    of(
        "earlier",
        "Without the last cover the one before counts, in which a part is twice.",
        without("evidence", "position > 10 AND kind = 'cover'"),
        base="cover-last",
    ),
    of(
        "later",
        "Of two covers the last one counts, though the first proves more.",
        more(evidence(0, "cover", parts=[1, 3, 4])),
        more(part(3, 0, [3, 4], [1.0] * 2)),
        more(part(4, 0, [5], [1.0])),
    ),
    of(
        "later-damaged",
        "Of two covers the last one counts, and is none.",
        more(evidence(0, "cover", parts=[1])),
    ),
    of(
        "proved-twice",
        "What two covers prove is not added up.",
        *(more(own) for own in (part(3, 0, [0, 1, 2], ONES), part(4, 0, [3, 4, 5], ONES))),
        *(more(evidence(own, "line", 0.4999, penalty=0.5)) for own in (3, 4)),
        more(evidence(0, "cover", parts=[3, 4])),
        changed("claim", lower_bound=1.4999),
    ),
    anew("heavier", "A point has more weight in a part than it has.", [0, 1, 2], [1.0, 1.5, 1.0]),
    anew(
        "heavier-by-little",
        "A point has more weight in a part than it has, by the last digit.",
        [0, 1, 2],
        [1.0, 1.0, 1.0 + 2.0**-52],
    ),
    anew("lighter", "2^-39 of a point is in no part.", [0, 1, 2], [1.0, 1.0 - 2.0**-39, 1.0]),
    anew("lighter-by-half", "Half of a point is in no part.", [3, 4, 5], [0.5, 1.0, 1.0], 2, "cover-without-evidence"),
    anew("point-missing", "A point is in no part.", [3, 4], [1.0, 1.0], 2, "cover-without-evidence"),
    anew(
        "shares-too-large",
        "Thirds of a point that are rounded up.",
        [2, 5],
        [0.33333333333333343, 1.0],
        3,
        "cover-shared",
    ),
    anew(
        "weight-0",
        "A weight is 0, though the point has all of its own in another part.",
        [0, 2, 5],
        [0.0, 0.3333333333333333, 1.0],
        3,
        "cover-shared",
    ),
    anew(
        "weight-negative",
        "A weight is negative, and balances another one.",
        [0, 2, 5],
        [-1.0, 0.3333333333333333, 1.0],
        3,
        "cover-shared",
    ),
    anew("weight-nan", "A weight is no number.", [0, 1, 2], [1.0, float("nan"), 1.0]),
    anew("weight-infinite", "A weight is infinite.", [0, 1, 2], [1.0, float("inf"), 1.0]),
    anew("weights-missing", "Fewer weights than points.", [0, 1, 2], [1.0, 1.0]),
    anew("weights-more", "More weights than points.", [0, 1, 2], [1.0] * 4),
    anew("falling", "Points are not increasing.", [0, 2, 1], ONES),
    anew("repeated", "A point is twice in a part, with half of its weight.", [0, 1, 2, 2], [1.0, 1.0, 0.5, 0.5]),
    anew("beyond", "A part has a point that does not exist.", [3, 4, 6], ONES, 2),
    anew("below", "A part has point -1.", [-1, 1, 2], ONES),
    anew("wrapped", "A part has point 2^32, which is 0 in 32 bits.", [1, 2, 1 << 32], ONES),
    anew("exchanged", "A part has a point of another one, in the place of its own.", [0, 1, 3], ONES),
    raw("without-points", "A part without points.", integers([]) + array("f", 8, [0], [])),
    raw("points-of-doubles", "Points of a part are doubles.", doubles([0.0, 1.0, 2.0]) + doubles(ONES)),
    raw(
        "points-in-rows", "Points of a part are an array of two dimensions.", integers([[0], [1], [2]]) + doubles(ONES)
    ),
    raw("weights-of-integers", "Weights of a part are integers.", integers([0, 1, 2]) + integers([1, 1, 1])),
    raw("without-weights", "A part without an array of weights.", integers([0, 1, 2])),
    raw("weights-first", "Weights stand before points.", doubles(ONES) + integers([0, 1, 2])),
    raw("content-empty", "A part of no bytes.", b""),
    # parts of parts
    of(
        "deep-beyond",
        "Points of a part of a part are numbered as they are in it, where there are five.",
        remade(part(3, 2, [3, 4, 5], ONES)),
        base="cover-of-a-part",
    ),
    of(
        "deep-of-the-whole",
        "Points of a part of a part are numbered as they are in it: one is twice, and one is missing.",
        remade(part(4, 2, [1, 2], [1.0] * 2)),
        base="cover-of-a-part",
    ),
    of(
        "deep-heavier",
        "Parts of a part bring all of each point, of which the part has half.",
        *(remade(part(own, 1, points, ONES)) for own, points in ((3, [0, 1, 2]), (4, [3, 4, 5]))),
        base="cover-of-half-a-part",
    ),
    of(
        "deep-lighter",
        "Parts of a part bring a quarter of each point, of which the part has half.",
        *(remade(part(own, 1, points, [0.25] * 3)) for own, points in ((3, [0, 1, 2]), (4, [3, 4, 5]))),
        *(stated(own, "line", bound=0.1) for own in (3, 4)),
        base="cover-of-half-a-part",
    ),
    of(
        "deep-as-the-whole",
        "What a leaf proves of a part of half the weights is half of what it proves of the whole.",
        stated(3, "line", bound=0.4999, penalty=0.5),
        base="cover-of-half-a-part",
        section="11",
    ),
    # what a part knows
    of("leaf", "A part proves 1/2.", stated(2, "line", bound=0.501), section="11"),
    of(
        "leaf-lighter",
        "With half of its weights a part proves half.",
        *(remade(part(own, 0, range(6), [0.25] * 6)) for own in (3, 8)),
        more(part(9, 0, range(6), HALVED)),
        stated(0, "cover", parts=[3, 8, 9]),
        base="cover-optimal",
        section="11",
    ),
    of(
        "inherited",
        "A part inherits nothing: what is proved of the whole is not proved of a part.",
        stated(1, "line", bound=0.9999),
        changed("evidence", "problem = 0 AND kind = 'line'", position=1),
        base="cover-then-line",
    ),
    of(
        "child-of-another-pair",
        "A child in a part decides another pair.",
        remade(child(3, 2, "ML 0 2")),
        base="cover-links",
        section="3",
    ),
    of(
        "evidence-missing",
        "Of a child in a part 0 is proved.",
        without("evidence", "problem = 4"),
        base="cover-links",
    ),
    of(
        "points-of-the-whole",
        "Points below a part are numbered as they are in it.",
        remade(child(3, 2, "ML 3 4")),
        remade(child(4, 2, "CL 3 4")),
        base="cover-links",
    ),
    of(
        "link-of-the-whole",
        "A must-link between two parts holds in neither: more than one partition is left.",
        exchanged(1, "line", evidence(1, "single", 0.4)),
        base="cover-links",
    ),
    of(
        "line-beside",
        "Beside a cover a line proves 4, and states 5.",
        stated(0, "line", bound=5.0),
        base="cover-then-line",
        section="11",
    ),
    of(
        "deduced-behind",
        "A pair that is forced behind the cover does not hold in its parts.",
        changed("evidence", "kind = 'forced'", position=999),
        base="cover-deduced",
    ),
    of(
        "decided-below",
        "What a child of the whole decides does not hold in parts of the whole.",
        exchanged(1, "line", evidence(1, "single", 0.4)),
        stated(3, "open", bound=0.4),
        changed("evidence", "problem = 0 AND kind = 'cover'", position=999),
        base="cover-and-branching",
    ),
    of(
        "linked-elsewhere",
        "The point that joins two of a part is another one, and they are not together.",
        changed("instance", must_link=integers([[0, 3], [3, 4]])),
        changed("claim", labels=integers([0, 1, 1, 0, 0, 0]), objective=93.25),
        base="cover-linked-outside",
    ),
    of(
        "apart-elsewhere",
        "The point that is apart from two of a part is joined with none of it.",
        changed("instance", must_link=integers([[5, 3]])),
        base="cover-apart-outside",
        section="4",
    ),
    of(
        "few-points",
        "The whole is not infeasible because a part with one super-point is said to be.",
        changed("claim", status="INFEASIBLE"),
        base="cover-few-points",
    ),
    of(
        "set-aside-then-infeasible",
        "Points of a part that are fixed together are fewer than clusters then, but what was set aside is left.",
        more(evidence(2, "fixed", decisions=["ML 0 1", "ML 1 2"], multipliers=multipliers(3)), 1),
        exchanged(2, "line", evidence(2, "infeasible")),
        changed("claim", status="INFEASIBLE"),
    ),
    of(
        "infeasible",
        "Infeasible parts need a clique that is in them.",
        stated(1, "infeasible", search=[0, 1, 2]),
        base="cover-infeasible",
        section="4",
    ),
    of(
        "infeasible-outside",
        "Point 4 is apart from nobody: no clique is in the part.",
        stated(0, "cover", parts=[1]),
        remade(part(1, 0, [0, 1, 2, 3, 4], [1.0] * 5)),
        stated(1, "infeasible", search=[0, 1, 2, 4]),
        base="cover-infeasible",
        section="4",
    ),
    of(
        "limits-in-parts",
        "Limits of the whole force nothing in a part.",
        changed("instance", conditions='{"limits": {"size_max": 3}}'),
        more(evidence(1, "forced", decisions=["CL 0 1"], cliques=[[]]), 1),
        section="13",
    ),
    of(
        "soft-in-parts",
        "A part knows of no soft pairs, so that nothing is paid for one.",
        more(evidence(1, "soft", 50.0, decisions=["ML 0 1"], multipliers=multipliers(3)), 1),
        base="cover-limits",
        section="13",
    ),
    claimed("without-evidence", "A part without evidence proves 0.", "cover-without-evidence", 0.501),
    claimed(
        "few-points", "A part with one super-point counts 0, whatever its evidence says.", "cover-few-points", 0.501
    ),
    claimed("negative", "A part proves 0 at least, not more.", "cover-negative", 0.501),
    claimed("then-line", "What parts and a line prove is not added up.", "cover-then-line", 4.5),
    claimed("and-branching", "What parts and a branching prove is not added up.", "cover-and-branching", 1.001),
    claimed("links", "The parts prove 1/2 and 2.", "cover-links", 2.501),
    claimed("shared", "A part with a third of a point proves 1/4 at this penalty.", "cover-shared", 0.251),
    claimed("limits", "Limits and soft pairs raise nothing in parts: 1 is proved.", "cover-limits", 1.001),
    claimed("below", "What parts of a child prove is not proved of others.", "cover-below", 2.501),
    claimed("of-a-part", "A part of a part proves 1/2.", "cover-of-a-part", 0.501),
    claimed("of-half-a-part", "The parts of a half prove 1/2, the other half 2.", "cover-of-half-a-part", 2.501),
]
