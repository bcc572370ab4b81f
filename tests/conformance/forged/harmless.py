"""Changes on which no proof depends, or which say the same in another way: a checker accepts them."""

import struct
import zlib

from tests.conformance.certificate import Claim, branching, child, evidence, part
from tests.conformance.encoding import axes, integers, multipliers, pairs
from tests.conformance.forgery import Change, Forgery, accepted, added, changed, exchanged, more, remade, stated
from tests.conformance.honest.instances import HAND_LABELS

INFINITE = float("inf")


def of(label: str, *own: Change, base: str = "hand", claim: Claim | None = None) -> Forgery:
    return accepted(f"harmless-{label}", base, "harmless", *own, claim=claim)


def stored(kind: str, width: int, shape: list[int], words: list[int]) -> bytes:
    """An array whose stream is not compressed."""
    planes = b"".join(bytes(word >> 8 * plane & 255 for word in words) for plane in range(width))
    content = zlib.compress(planes, 0)
    header = struct.pack("<cBBI", kind.encode(), width, len(shape), len(content))
    return header + struct.pack(f"<{len(shape)}I", *shape) + content


def said(*own: float) -> list[int]:
    return [struct.unpack("<Q", struct.pack("<d", x))[0] for x in own]


def feasible(lower_bound: float | None, objective: float = 4.0) -> Claim:
    return Claim("FEASIBLE", HAND_LABELS, objective, lower_bound)


FORGERIES = [
    of(
        "digests: Digests are no part of the proof. (1)",
        changed("instance", digest="0" * 64),
        changed("problems", digest="other"),
        changed("evidence", digest="other"),
        changed("claim", digest=""),
    ),
    of("names: What points are called is not read, nor is it JSON. (1)", changed("instance", names="nobody")),
    of("version: Another version of the program. (1)", changed("instance", version="0.0.0-other")),
    of("details: The details are no JSON. (1)", changed("claim", details="}{")),
    of("seconds: Times are not read. (1)", changed("evidence", seconds=-1e300)),
    of(
        "bound-not-stated: Where no bound is stated it may be infinite. (1)",
        changed("evidence", "kind IN ('branching', 'infeasible')", bound=INFINITE),
        changed("evidence", "kind = 'forced'", bound=-INFINITE),
    ),
    of(
        "bound-of-cover: Nothing is stated of a cover. (1)",
        changed("evidence", "kind = 'cover'", bound=1e300),
        base="cover",
    ),
    of(
        "bound-of-equal: Nothing is stated of equal points. (1)",
        changed("evidence", "kind = 'equal'", bound=1e300),
        base="equal",
    ),
    of(
        "split: A number of a branching that plays no part. (1)",
        stated(0, "branching", split=[-1e300]),
        stated(1, "branching", split=[0.0]),
    ),
    of(
        "positions: Positions of evidence go up, from anywhere. (1)",
        "UPDATE evidence SET position = 7 * position + 1000",
    ),
    of(
        "positions-of-problems: Evidence of children stands before their branching. (3)",
        changed("evidence", "problem = 0", position=5000),
        changed("evidence", "problem = 3", position=0),
    ),
    of(
        "incumbents: Incumbents are not read: labels that are none, an objective that is none. (1)",
        added("incumbents", position=1, labels=b"", objective=-5.0, source="nobody", seconds=-1.0),
    ),
    of(
        "incumbents-of-another-class: Rows that need not be read may hold anything. (1)",
        added("incumbents", position=-1, labels="none", objective="low", source=b"x", seconds=float("inf")),
    ),
    of("events: Events are not read. (1)", added("events", position=1, name="x", time=0.0, data="no JSON")),
    of(
        "evidence-of-nobody: Evidence of problems that nobody comes to may hold anything, and so may they. (1)",
        added("evidence", problem=55, kind="known", bound=INFINITE, payload="none", seconds="much", digest=b""),
        added("problems", problem=56, parent=-1, change="XL", content="none", digest=b""),
        added("problems", problem=0, parent=0, change="ML", content=b"", digest=""),
    ),
    of(
        "parts-of-nobody: Parts that are in no cover are not looked at, nor is their evidence. (10)",
        more(part(5, 0, [], [])),
        more(evidence(5, "infeasible")),
    ),
    of(
        "children-of-nobody: A child that is in no branching is not looked at, though its parent is the whole. (3)",
        more(child(5, 0, "ML 0 9")),
        more(evidence(5, "single", 1e9)),
    ),
    of(
        "behind-infeasible: Behind what is infeasible anything may be stated. (3)",
        more(evidence(0, "bound", 1e300, multipliers=multipliers(3))),
        more(evidence(0, "line", 1e300, penalty=1.0)),
        more(evidence(0, "far", 1e300, decisions=["CL 0 1"])),
        base="odd-cycle",
    ),
    of(
        "earlier-cover: A cover that is not the last one names problems that do not exist. (3)",
        more(evidence(0, "cover", parts=[7, 7, -1]), 1),
        base="cover",
    ),
    of(
        "earlier-cover-damaged: Nothing is read of a cover that is not the last one. (3)",
        added("evidence", position=1, problem=0, kind="cover", bound="x", payload=b"x", seconds="much", digest=b""),
        base="cover",
    ),
    of(
        "part-of-few-points: Nothing is read of the evidence of a part of fewer super-points than clusters. (10)",
        added("evidence", position=999, problem=2, kind="known", bound="x", payload=0, seconds="much", digest=b""),
        base="cover-few-points",
    ),
    of(
        "search-damaged: Nothing is read of a search where none is needed. (4)",
        stated(0, "infeasible", search=b"x"),
        base="contradiction",
    ),
    of(
        "cover-that-proves-less: A cover of parts that prove nothing, behind what proves all. (3)",
        more(part(5, 0, [0, 1, 2, 3, 4], [1.0] * 5)),
        more(evidence(0, "cover", parts=[5])),
    ),
    of(
        "branching-that-proves-less: A second branching, whose children prove what they inherit. (3)",
        *(more(own) for own in branching(0, 5, 6, "1 3")),
    ),
    of(
        "deduced-behind-all: Pairs that are fixed and far behind what proves all set aside no less. (3)",
        more(evidence(0, "fixed", 4.0, decisions=["CL 1 2"], multipliers=multipliers(4))),
        more(evidence(0, "far", 4.0, decisions=["CL 1 2"])),
    ),
    of(
        "labels-renamed: Names of clusters are any integers. (7)",
        changed("claim", labels=integers([-7, -7, 1 << 40, 1 << 40, 1 << 40])),
    ),
    of(
        "labels-exchanged: The clusters have each other's names. (7)",
        changed("claim", labels=integers([1, 1, 0, 0, 0])),
    ),
    of(
        "pairs-reversed: Pairs in another order, turned around and repeated. (3)",
        changed("instance", must_link=pairs([(3, 2), (2, 3)], "i"), cannot_link=pairs([(4, 1), (2, 0)])),
    ),
    of(
        "must-link-itself: A must-link of a point with itself says nothing. (3)",
        changed("instance", must_link=pairs([(1, 1), (2, 3)])),
    ),
    of(
        "implied-cannot-link: A cannot-link between the same super-points as another one. (3)",
        changed("instance", cannot_link=pairs([(0, 2), (0, 3), (1, 4)])),
    ),
    of(
        "children-turned: The child that sets the points apart comes first. (3)",
        stated(0, "branching", children=[2, 1]),
        stated(1, "branching", children=[4, 3]),
    ),
    of("pair-turned: The points of a child in another order. (3)", remade(child(3, 1, "ML 4 0"))),
    of(
        "branching-on-another-point: A branching on another point of the same super-point. (3)",
        remade(child(3, 1, "ML 1 4")),
        remade(child(4, 1, "CL 1 4")),
    ),
    of(
        "renumbered: A problem has another number. (3)",
        changed("problems", "problem = 4", problem=1000),
        changed("evidence", "problem = 4", problem=1000),
        stated(1, "branching", children=[3, 1000]),
    ),
    of(
        "points-stored: A stream that is not compressed. (2)",
        changed("instance", points=stored("f", 8, [5, 1], said(0.0, 2.0, 10.0, 12.0, 11.0))),
    ),
    of(
        "labels-wide: Numbers are wider than they need be. (2)",
        changed("claim", labels=stored("d", 8, [5], [0, 0, 2, 0, 0])),
    ),
    of(
        "whole-numbers: SQLite makes reals of whole numbers in columns that are declared REAL. (1)",
        "UPDATE evidence SET bound = 4 WHERE problem = 4",
        "UPDATE claim SET objective = 4, lower_bound = 4",
    ),
    of(
        "numbers-in-text: SQLite makes numbers of text in columns that are declared INTEGER or REAL. (1)",
        "UPDATE instance SET n_clusters = '2'",
        "UPDATE evidence SET bound = '4.0', problem = '4' WHERE problem = 4",
    ),
    of("negative-zero: The lower bound is -0. (1)", "UPDATE claim SET lower_bound = -0.0", base="no-evidence"),
    of(
        "objective-within-tolerance: The objective is off by 2^-42 of it. (7)",
        "UPDATE claim SET objective = 4.0000000000009",
    ),
    of(
        "claimed-less: Less is claimed than is proved. (3)",
        changed("claim", lower_bound=-1e300),
        claim=Claim("OPTIMAL", HAND_LABELS, 4.0, 4.0),
    ),
    of("stated-less: A leaf states less than it proves. (3)", stated(2, "bound", bound=-1e300)),
    of(
        "only-feasible: The claim is less than what is proved: FEASIBLE, and no bound. (1)",
        changed("claim", status="FEASIBLE", lower_bound=None),
        claim=feasible(None),
    ),
    of(
        "unknown: The claim is UNKNOWN, and its labels are not looked at. (1)",
        changed("claim", status="UNKNOWN", labels=b"x", objective=-7.0),
        claim=Claim("UNKNOWN", None, None, 4.0),
    ),
    of(
        "infeasible-with-labels: With INFEASIBLE labels, objective and lower bound are not looked at. (1)",
        changed("claim", labels=integers([9]), objective=-1.0, lower_bound=-5.0),
        base="odd-cycle",
        claim=Claim("INFEASIBLE"),
    ),
    of(
        "search-of-contradiction: A search where none is needed is not looked at. (4)",
        stated(0, "infeasible", search=[7, -1, 7]),
        base="contradiction",
    ),
    of(
        "contradiction-by-prices: What is checked in a state that contradicts itself proves nothing false. (4)",
        more(evidence(3, "prices", 70.0, prices=[0.0, 0.0])),
    ),
    of(
        "contradiction-then-far: Far pairs in a state that contradicts itself. (4)",
        more(evidence(3, "far", 70.0, decisions=["CL 0 3"]), 1),
    ),
    of(
        "contradiction-branched: A branching of a state that contradicts itself. (4)",
        exchanged(3, "infeasible", evidence(3, "branching", children=[5, 6])),
        *(more(own) for own in branching(3, 5, 6, "2 3")[1:]),
        *(more(evidence(own, "infeasible")) for own in (5, 6)),
    ),
    of(
        "forced-at-parent: A forced pair stands at the parent, where it holds as well. (4)",
        more(evidence(1, "forced", decisions=["ML 2 4"], cliques=[[1]]), 1),
    ),
    of(
        "pair-twice: A pair is forced that is together already. (4)",
        more(evidence(4, "forced", decisions=["ML 4 2", "ML 2 4"], cliques=[[0], [1]])),
    ),
    of(
        "bound-beside-single: Multipliers that prove nothing beside what proves all. (3)",
        more(evidence(4, "open", 4.0, multipliers=multipliers(2, [9, -9, 9]))),
    ),
    of(
        "fixed-apart-already: A fixed pair that is apart already. (3)",
        stated(0, "fixed", decisions=["CL 0 1", "CL 0 2"]),
        base="fixed",
    ),
    of(
        "options: Unknown options, blanks, and a gap with an exponent. (1)",
        changed("instance", options=' {"params": {"gap": [true, null, "\\u00e9"]},\n"gap" : 1.0e-4 } '),
    ),
    of(
        "options-nested: Fifteen lists within one another. (1)",
        changed("instance", options='{"gap": 0.0001, "x": ' + "[" * 15 + "]" * 15 + "}"),
    ),
    of(
        "conditions-blank: Conditions with members that say nothing. (13)",
        changed("instance", conditions='{"limits": {}, "soft": []}'),
    ),
    of(
        "soft-in-one-row: Rows of the same pair are one, with a whole number for a real. (13)",
        changed("instance", conditions='{"soft": [[0, 1, 0, 1.0], [1, 0, 5.0, 0], [0, 2, 0.5, 7]]}'),
        base="soft-single",
    ),
    of(
        "sizes-in-order: Sizes in another order, and a real that is whole. (13)",
        changed("instance", conditions='{"limits": {"sizes": [2, 4], "weight_min": 0}}'),
        base="limits-sizes",
    ),
    of(
        "loads-in-halves: Loads and their limit in other units, and a load that says nothing. (13)",
        changed(
            "instance",
            conditions='{"limits": {"loads": [[0.5, 0], [0.5, 0], [0.5, 0], [0.5, 0], [0.5, 0], [0.5, 0]], '
            '"load_min": null, "load_max": [2, null]}}',
        ),
        base="limits-load-max",
    ),
    of(
        "groups-renamed: Groups have other names, one of which is empty. (13)",
        changed(
            "instance",
            conditions='{"limits": {"groups": ["", "\\u2202", "", "\\u2202", "", "\\u2202"], '
            '"group_min": [["\\u2202", 1], ["", 1]]}}',
        ),
        base="limits-group-min",
    ),
    of(
        "weight-between-integers: A limit as a whole number beyond 2^53. (1)",
        changed("instance", conditions='{"limits": {"weight_max": 9007199254740993}}'),
    ),
    of(
        "knots-of-differences: Knots in another order, as differences. (12)",
        stated(0, "prices", knots=integers([2, 1, 0], "d")),
        base="prices-knot",
    ),
    of(
        "axes-zero: An axis of width 0 where no search is needed. (12)",
        stated(0, "prices", axes=[[0]]),
        base="prices-one-place",
    ),
    *(
        of(
            f"axes-none-of-{d}: Where there are no axes, they are of any number of features. (1)",
            stated(0, "prices", axes=axes((), d)),
            base="prices-plane",
        )
        for d in (1, 3, (1 << 32) - 1)
    ),
    of(
        "cover-in-another-order: The parts of a cover in another order, as differences. (10)",
        stated(0, "cover", parts=integers([2, 1], "d")),
        base="cover",
    ),
    of(
        "cover-rounded: 2^-41 of a point is in no part. (10)",
        remade(part(2, 0, [3, 4, 5], [1.0, 1.0 - 2.0**-41, 1.0])),
        base="cover",
    ),
    of(
        "branching-beside-cover: A branching beside a cover, whose children inherit what it proves. (10)",
        *(more(own) for own in branching(0, 3, 4, "0 1")),
        base="cover",
    ),
    of("vacuum: SQLite writes its pages anew. (1)", "PRAGMA page_size = 1024", "VACUUM"),
]
