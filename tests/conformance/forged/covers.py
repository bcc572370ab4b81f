"""Covers that are none, and parts that prove less (section 10)."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import child, evidence, part
from tests.conformance.encoding import array, doubles, integers, multipliers
from tests.conformance.forgery import Change, Forgery, changed, exchanged, more, refused, remade, stated, without

ONES = [1.0] * 3


def of(label: str, *changes: Change, base: str = "cover") -> Forgery:
    return refused(f"cover-{label}", base, "cover", *changes)


def listed(label: str, numbers: Any, base: str = "cover", nth: int = 0) -> Forgery:
    return of(label, stated(0, "cover", nth, parts=numbers), base=base)


def anew(label: str, points: Sequence[int], weights: Sequence[float], number: int = 1, base: str = "cover") -> Forgery:
    return of(label, remade(part(number, 0, points, weights)), base=base)


def raw(label: str, content: bytes) -> Forgery:
    return of(label, changed("problems", "problem = 1", content=content))


def claimed(label: str, base: str, bound: float) -> Forgery:
    return of(f"claimed-{label}", changed("claim", lower_bound=bound), base=base)


HALVED = [0.5] * 6

FORGERIES = [
    listed("part-twice: A part is there twice. (10)", [1, 2, 1]),
    listed("part-unknown: A part that does not exist. (10)", [1, 2, 3]),
    listed("part-0: The whole is not a part of itself. (10)", [1, 2, 0]),
    listed("part-only-0: The whole is its only part. (10)", [0]),
    listed("part-negative: A part of -1. (10)", [1, 2, -1]),
    listed("part-missing: Three points are in no part. (10)", [1]),
    listed("empty: No parts are no cover. (10)", []),
    listed("no-array: Nothing is there. (1)", b""),
    listed("overlapping: A point has more weight in the parts than it has. (10)", [7, 1, 2], "cover-last", 1),
    listed("doubles: The parts of a cover are doubles. (2)", doubles([1.0, 2.0])),
    listed("in-rows: The parts of a cover are an array of two dimensions. (2)", [[1, 2]]),
    listed("of-a-part: A part of a part is none of the whole. (10)", [1, 3, 4], "cover-of-a-part"),
    of(
        "of-another: A cover of a child names parts of its sibling. (10)",
        stated(8, "cover", parts=[1, 4]),
        base="cover-below",
    ),
    of(
        "of-the-parent: A cover of a child names parts of its parent. (10)",
        more(evidence(4, "cover", parts=[1, 2])),
        base="cover-and-branching",
    ),
    of("itself: A part is its own part. (10)", more(evidence(2, "cover", parts=[2]))),
    of(
        "its-own-parent: A part is its own parent, and its part. (10)",
        remade(part(4, 4, [0, 1], [1.0] * 2)),
        more(evidence(4, "cover", parts=[4])),
        base="cover-of-a-part",
    ),
    of("sibling: A part has its sibling as a part. (10)", more(evidence(1, "cover", parts=[2]))),
    of("child: A part is a child. (10)", remade(child(2, 0, "CL 0 1"))),
    of(
        "child-of-a-branching: A cover names a child of a branching. (10)",
        stated(0, "cover", parts=[1, 2, 4]),
        base="cover-and-branching",
    ),
    of(
        "earlier: Without the last cover the one before counts, in which a part is twice. (10)",
        without("evidence", "position > 10 AND kind = 'cover'"),
        base="cover-last",
    ),
    of(
        "later: Of two covers the last one counts, though the first proves more. (10)",
        more(evidence(0, "cover", parts=[1, 3, 4])),
        more(part(3, 0, [3, 4], [1.0] * 2)),
        more(part(4, 0, [5], [1.0])),
    ),
    of("later-damaged: Of two covers the last one counts, and is none. (10)", more(evidence(0, "cover", parts=[1]))),
    of(
        "proved-twice: What two covers prove is not added up. (10)",
        *(more(own) for own in (part(3, 0, [0, 1, 2], ONES), part(4, 0, [3, 4, 5], ONES))),
        *(more(evidence(own, "line", 0.4999, penalty=0.5)) for own in (3, 4)),
        more(evidence(0, "cover", parts=[3, 4])),
        changed("claim", lower_bound=1.4999),
    ),
    anew("heavier: A point has more weight in a part than it has. (10)", [0, 1, 2], [1.0, 1.5, 1.0]),
    anew(
        "heavier-by-little: A point has more weight in a part than it has, by the last digit. (10)",
        [0, 1, 2],
        [1.0, 1.0, 1.0 + 2.0**-52],
    ),
    anew("lighter: 2^-39 of a point is in no part. (10)", [0, 1, 2], [1.0, 1.0 - 2.0**-39, 1.0]),
    anew(
        "lighter-by-half: Half of a point is in no part. (10)", [3, 4, 5], [0.5, 1.0, 1.0], 2, "cover-without-evidence"
    ),
    anew("point-missing: A point is in no part. (10)", [3, 4], [1.0, 1.0], 2, "cover-without-evidence"),
    anew(
        "shares-too-large: Thirds of a point that are rounded up. (10)",
        [2, 5],
        [0.33333333333333343, 1.0],
        3,
        "cover-shared",
    ),
    anew(
        "weight-0: A weight is 0, though the point has all of its own in another part. (10)",
        [0, 2, 5],
        [0.0, 0.3333333333333333, 1.0],
        3,
        "cover-shared",
    ),
    anew(
        "weight-negative: A weight is negative, and balances another one. (10)",
        [0, 2, 5],
        [-1.0, 0.3333333333333333, 1.0],
        3,
        "cover-shared",
    ),
    anew("weight-nan: A weight is no number. (10)", [0, 1, 2], [1.0, float("nan"), 1.0]),
    anew("weight-infinite: A weight is infinite. (10)", [0, 1, 2], [1.0, float("inf"), 1.0]),
    anew("weights-missing: Fewer weights than points. (10)", [0, 1, 2], [1.0, 1.0]),
    anew("weights-more: More weights than points. (10)", [0, 1, 2], [1.0] * 4),
    anew("falling: Points are not increasing. (10)", [0, 2, 1], ONES),
    anew("repeated: A point is twice in a part, with half of its weight. (10)", [0, 1, 2, 2], [1.0, 1.0, 0.5, 0.5]),
    anew("beyond: A part has a point that does not exist. (10)", [3, 4, 6], ONES, 2),
    anew("below: A part has point -1. (10)", [-1, 1, 2], ONES),
    anew("wrapped: A part has point 2^32, which is 0 in 32 bits. (10)", [1, 2, 1 << 32], ONES),
    anew("exchanged: A part has a point of another one, in the place of its own. (10)", [0, 1, 3], ONES),
    raw("without-points: A part without points. (1)", integers([]) + array("f", 8, [0], [])),
    raw("points-of-doubles: Points of a part are doubles. (1)", doubles([0.0, 1.0, 2.0]) + doubles(ONES)),
    raw(
        "points-in-rows: Points of a part are an array of two dimensions. (1)",
        integers([[0], [1], [2]]) + doubles(ONES),
    ),
    raw("weights-of-integers: Weights of a part are integers. (1)", integers([0, 1, 2]) + integers([1, 1, 1])),
    raw("without-weights: A part without an array of weights. (1)", integers([0, 1, 2])),
    raw("weights-first: Weights stand before points. (1)", doubles(ONES) + integers([0, 1, 2])),
    raw("content-empty: A part of no bytes. (1)", b""),
    # parts of parts
    of(
        "deep-beyond: Points of a part of a part are numbered as they are in it, where there are five. (10)",
        remade(part(3, 2, [3, 4, 5], ONES)),
        base="cover-of-a-part",
    ),
    of(
        "deep-of-the-whole: Points of a part of a part are numbered as they are in it: one is twice. (10)",
        remade(part(4, 2, [1, 2], [1.0] * 2)),
        base="cover-of-a-part",
    ),
    of(
        "deep-heavier: Parts of a part bring all of each point, of which the part has half. (10)",
        *(remade(part(own, 1, points, ONES)) for own, points in ((3, [0, 1, 2]), (4, [3, 4, 5]))),
        base="cover-of-half-a-part",
    ),
    of(
        "deep-lighter: Parts of a part bring a quarter of each point, of which the part has half. (10)",
        *(remade(part(own, 1, points, [0.25] * 3)) for own, points in ((3, [0, 1, 2]), (4, [3, 4, 5]))),
        *(stated(own, "line", bound=0.1) for own in (3, 4)),
        base="cover-of-half-a-part",
    ),
    of(
        "deep-as-the-whole: With half of the weights a leaf proves half. (11)",
        stated(3, "line", bound=0.4999, penalty=0.5),
        base="cover-of-half-a-part",
    ),
    # what a part knows
    of("leaf: A part proves 1/2. (11)", stated(2, "line", bound=0.501)),
    of(
        "leaf-lighter: With half of its weights a part proves half. (11)",
        *(remade(part(own, 0, range(6), [0.25] * 6)) for own in (3, 8)),
        more(part(9, 0, range(6), HALVED)),
        stated(0, "cover", parts=[3, 8, 9]),
        base="cover-optimal",
    ),
    of(
        "inherited: A part inherits nothing: what is proved of the whole is not proved of a part. (10)",
        stated(1, "line", bound=0.9999),
        changed("evidence", "problem = 0 AND kind = 'line'", position=1),
        base="cover-then-line",
    ),
    of(
        "child-of-another-pair: A child in a part decides another pair. (3)",
        remade(child(3, 2, "ML 0 2")),
        base="cover-links",
    ),
    of(
        "evidence-missing: Of a child in a part 0 is proved. (10)",
        without("evidence", "problem = 4"),
        base="cover-links",
    ),
    of(
        "points-of-the-whole: Points below a part are numbered as they are in it. (10)",
        remade(child(3, 2, "ML 3 4")),
        remade(child(4, 2, "CL 3 4")),
        base="cover-links",
    ),
    of(
        "link-of-the-whole: A must-link between two parts holds in neither: more than one partition is left. (10)",
        exchanged(1, "line", evidence(1, "single", 0.4)),
        base="cover-links",
    ),
    of(
        "line-beside: Beside a cover a line proves 4, and states 5. (11)",
        stated(0, "line", bound=5.0),
        base="cover-then-line",
    ),
    of(
        "deduced-behind: A pair that is forced behind the cover does not hold in its parts. (10)",
        changed("evidence", "kind = 'forced'", position=999),
        base="cover-deduced",
    ),
    of(
        "decided-below: What a child of the whole decides does not hold in parts of the whole. (10)",
        exchanged(1, "line", evidence(1, "single", 0.4)),
        stated(3, "open", bound=0.4),
        changed("evidence", "problem = 0 AND kind = 'cover'", position=999),
        base="cover-and-branching",
    ),
    of(
        "linked-elsewhere: The point that joins two of a part is another one, and they are not together. (10)",
        changed("instance", must_link=integers([[0, 3], [3, 4]])),
        changed("claim", labels=integers([0, 1, 1, 0, 0, 0]), objective=93.25),
        base="cover-linked-outside",
    ),
    of(
        "apart-elsewhere: The point that is apart from two of a part is joined with none of it. (4)",
        changed("instance", must_link=integers([[5, 3]])),
        base="cover-apart-outside",
    ),
    of(
        "few-points: The whole is not infeasible because a part with one super-point is said to be. (10)",
        changed("claim", status="INFEASIBLE"),
        base="cover-few-points",
    ),
    of(
        "few-points-class: Also of a part with one super-point the digest is text. (1)",
        changed("problems", "problem = 2", digest=b""),
        base="cover-few-points",
    ),
    of(
        "together-and-apart: Points that are together and apart are together in a part, which is not infeasible. (10)",
        changed("instance", must_link=integers([[1, 2]]), cannot_link=integers([[1, 2]])),
        changed("claim", status="INFEASIBLE"),
        exchanged(1, "line", evidence(1, "infeasible")),
    ),
    of(
        "set-aside-then-infeasible: Fixed pairs leave too few super-points, but what they set aside is left. (10)",
        more(evidence(2, "fixed", decisions=["ML 0 1", "ML 1 2"], multipliers=multipliers(3)), 1),
        exchanged(2, "line", evidence(2, "infeasible")),
        changed("claim", status="INFEASIBLE"),
    ),
    of(
        "infeasible: Infeasible parts need a clique that is in them. (4)",
        stated(1, "infeasible", search=[0, 1, 2]),
        base="cover-infeasible",
    ),
    of(
        "infeasible-outside: Point 4 is apart from nobody: no clique is in the part. (4)",
        stated(0, "cover", parts=[1]),
        remade(part(1, 0, [0, 1, 2, 3, 4], [1.0] * 5)),
        stated(1, "infeasible", search=[0, 1, 2, 4]),
        base="cover-infeasible",
    ),
    of(
        "limits-in-parts: Limits of the whole force nothing in a part. (13)",
        changed("instance", conditions='{"limits": {"size_max": 3}}'),
        more(evidence(1, "forced", decisions=["CL 0 1"], cliques=[[]]), 1),
    ),
    of(
        "soft-in-parts: A part knows of no soft pairs, so that nothing is paid for one. (13)",
        more(evidence(1, "soft", 50.0, decisions=["ML 0 1"], multipliers=multipliers(3)), 1),
        base="cover-limits",
    ),
    claimed("without-evidence: A part without evidence proves 0. (10)", "cover-without-evidence", 0.501),
    claimed(
        "few-points: A part with one super-point counts 0, whatever its evidence says. (10)", "cover-few-points", 0.501
    ),
    claimed("negative: A part proves 0 at least, not more. (10)", "cover-negative", 0.501),
    claimed("then-line: What parts and a line prove is not added up. (10)", "cover-then-line", 4.5),
    claimed("and-branching: What parts and a branching prove is not added up. (10)", "cover-and-branching", 1.001),
    claimed("links: The parts prove 1/2 and 2. (10)", "cover-links", 2.501),
    claimed("shared: A part with a third of a point proves 1/4 at this penalty. (10)", "cover-shared", 0.251),
    claimed("limits: Limits and soft pairs raise nothing in parts: 1 is proved. (10)", "cover-limits", 1.001),
    claimed("below: What parts of a child prove is not proved of others. (10)", "cover-below", 2.501),
    claimed("of-a-part: A part of a part proves 1/2. (10)", "cover-of-a-part", 0.501),
    claimed("of-half-a-part: The parts of a half prove 1/2, the other half 2. (10)", "cover-of-half-a-part", 2.501),
]
