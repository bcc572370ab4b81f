"""Changes on which no proof depends, or which say the same in another way: a checker accepts them."""

import struct
import zlib

from tests.conformance.certificate import Claim, node, step
from tests.conformance.encoding import array, decisions, doubles, integers, multipliers, pairs, prices
from tests.conformance.forgery import Forgery, accepted, added, changed
from tests.conformance.honest.problems import HAND_LABELS

FILLED = {"seconds": 0.0, "digest": ""}


def of(name: str, why: str, section: str, *own: str, base: str = "hand", claim: Claim | None = None) -> Forgery:
    return accepted(f"harmless-{name}", base, "harmless", why, section, *own, claim=claim)


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
        "digests",
        "Digests are no part of the proof.",
        "1",
        changed("instance", digest="0" * 64),
        changed("nodes", digest="other"),
        changed("claim", digest=""),
    ),
    of("names", "What points are called is not read, nor is it JSON.", "1", changed("instance", names="nobody")),
    of("version", "Another version of the program.", "1", changed("instance", version="0.0.0-other")),
    of("details", "The details are no JSON.", "1", changed("claim", details="}{")),
    of(
        "witness",
        "A witness is for people, and says something else.",
        "4",
        changed("nodes", "node = 3", witness='{"kind": "clique", "points": [7]}'),
    ),
    of("seconds", "Times are not read.", "1", changed("nodes", seconds=-1e300)),
    of(
        "bound-of-nodes",
        "What is noted of nodes plays no part, and may be infinite.",
        "1",
        changed("nodes", lower_bound=float("inf")),
    ),
    of(
        "bound-of-parts",
        "What is noted of parts plays no part.",
        "1",
        changed("parts", lower_bound=1e300),
        base="cover",
    ),
    of(
        "labels-of-single",
        "The labels of a closing `single` are not read.",
        "1",
        changed("nodes", "node = 4", labels=b"anything"),
    ),
    of(
        "unused-columns",
        "Columns that a closing does not use may hold anything of their class.",
        "1",
        changed(
            "nodes",
            "node = 2",
            prices=b"",
            search=b"x",
            labels=b"",
            branch_i=99,
            branch_j=99,
            penalty=float("-inf"),
            witness="",
        ),
    ),
    of(
        "unused-columns-of-steps",
        "Columns that a step does not use may hold anything of their class.",
        "1",
        changed("steps", decisions=b"", multipliers=b"x", lower_bound=9e99),
    ),
    of("order-of-rows", "Rows may stand in any order.", "1", "UPDATE nodes SET position = 100 - position"),
    of(
        "positions-of-steps",
        "Positions of steps go up, from anywhere.",
        "1",
        "UPDATE steps SET position = 7 * position + 1000",
        base="forced-one-by-one",
    ),
    of(
        "incumbents",
        "Incumbents are not read: labels that are none, an objective that is none.",
        "1",
        added("incumbents", {"position": 1, "labels": b"", "objective": -5.0, "source": "nobody", "seconds": -1.0}),
    ),
    of(
        "incumbents-of-another-class",
        "Rows that need not be read may hold anything.",
        "1",
        added(
            "incumbents",
            {"position": -1, "labels": "none", "objective": "low", "source": b"x", "seconds": float("inf")},
        ),
    ),
    of(
        "events",
        "Events are not read.",
        "1",
        added("events", {"position": 1, "name": "x", "time": 0.0, "data": "no JSON"}),
    ),
    of(
        "steps-of-nobody",
        "Steps of nodes that do not exist need not be read.",
        "1",
        added("steps", step(55, "known")),
        added("steps", step(0, "fixed", part=3, lower_bound=1e9)),
    ),
    of(
        "parts-of-nobody",
        "Parts that are in no cover are not looked at, nor are their nodes.",
        "10",
        added("parts", {"part": 5, "points": b"", "weights": b"", "lower_bound": 0.0, "digest": ""}),
        added("nodes", node(3, "infeasible", part=5) | FILLED),
    ),
    of(
        "labels-renamed",
        "Names of clusters are any integers.",
        "7",
        changed("claim", labels=integers([-7, -7, 1 << 40, 1 << 40, 1 << 40])),
    ),
    of(
        "labels-exchanged",
        "The clusters have each other's names.",
        "7",
        changed("claim", labels=integers([1, 1, 0, 0, 0])),
    ),
    of(
        "pairs-reversed",
        "Pairs in another order, turned around and repeated.",
        "3",
        changed("instance", must_link=pairs([(3, 2), (2, 3)], "i"), cannot_link=pairs([(4, 1), (2, 0)])),
    ),
    of(
        "must-link-itself",
        "A must-link of a point with itself says nothing.",
        "3",
        changed("instance", must_link=pairs([(1, 1), (2, 3)])),
    ),
    of(
        "implied-cannot-link",
        "A cannot-link between the same super-points as another one.",
        "3",
        changed("instance", cannot_link=pairs([(0, 2), (0, 3), (1, 4)])),
    ),
    of(
        "branch-turned",
        "The points of a branching and of its children in another order.",
        "3",
        changed("nodes", "node = 1", branch_i=4, branch_j=0),
        changed("nodes", "node = 3", i=4, j=0),
    ),
    of(
        "branch-on-another-point",
        "A branching on another point of the same super-point, and so its children.",
        "3",
        changed("nodes", "node = 1", branch_i=1),
        changed("nodes", "parent = 1", i=1),
    ),
    of(
        "nodes-renumbered",
        "Nodes have other numbers.",
        "3",
        changed("nodes", "node = 4", node=1000),
        changed("steps", "node = 4", node=1000),
    ),
    of(
        "points-stored",
        "A stream that is not compressed.",
        "2",
        changed("instance", points=stored("f", 8, [5, 1], said(0.0, 2.0, 10.0, 12.0, 11.0))),
    ),
    of(
        "labels-wide",
        "Numbers are wider than they need be.",
        "2",
        changed("claim", labels=stored("d", 8, [5], [0, 0, 2, 0, 0])),
    ),
    of(
        "whole-numbers",
        "SQLite makes reals of whole numbers in columns that are declared REAL.",
        "1",
        "UPDATE nodes SET closing_bound = 4 WHERE node = 4",
        "UPDATE claim SET objective = 4, lower_bound = 4",
    ),
    of(
        "numbers-in-text",
        "SQLite makes numbers of text in columns that are declared INTEGER or REAL.",
        "1",
        "UPDATE instance SET n_clusters = '2'",
        "UPDATE nodes SET closing_bound = '4.0', branch_i = NULL WHERE node = 4",
    ),
    of("negative-zero", "The lower bound is -0.", "1", "UPDATE claim SET lower_bound = -0.0", base="no-nodes"),
    of(
        "objective-within-tolerance",
        "The objective is off by 2^-42 of it.",
        "7",
        "UPDATE claim SET objective = 4.0000000000009",
    ),
    of(
        "claimed-less",
        "Less is claimed than is proved.",
        "3",
        changed("claim", lower_bound=-1e300),
        claim=Claim("OPTIMAL", HAND_LABELS, 4.0, 4.0),
    ),
    of("stated-less", "A leaf states less than it proves.", "3", changed("nodes", "node = 2", closing_bound=-1e300)),
    of(
        "only-feasible",
        "The claim is less than what is proved: FEASIBLE, and no bound.",
        "1",
        changed("claim", status="FEASIBLE", lower_bound=None),
        claim=feasible(None),
    ),
    of(
        "unknown",
        "The claim is UNKNOWN, and its labels are not looked at.",
        "1",
        changed("claim", status="UNKNOWN", labels=b"x", objective=-7.0),
        claim=Claim("UNKNOWN", None, None, 4.0),
    ),
    of(
        "infeasible-with-labels",
        "With INFEASIBLE labels, objective and lower bound are not looked at.",
        "1",
        changed("claim", labels=integers([9]), objective=-1.0, lower_bound=-5.0),
        base="odd-cycle",
        claim=Claim("INFEASIBLE"),
    ),
    of(
        "search-of-contradiction",
        "A search where none is needed is not looked at.",
        "4",
        changed("nodes", search=b"x"),
        base="contradiction",
    ),
    of(
        "contradiction-by-prices",
        "What is checked in a state that contradicts itself proves nothing false.",
        "4",
        changed("nodes", "node = 3", closing="prices", closing_bound=70.0, prices=prices([0.0, 0.0])),
    ),
    of(
        "contradiction-then-far",
        "Far pairs in a state that contradicts itself.",
        "4",
        added("steps", step(3, "far", decisions=decisions("CL 0 3"), lower_bound=70.0)),
    ),
    of(
        "branched-contradiction",
        "A branching of a state that contradicts itself.",
        "4",
        changed("nodes", "node = 3", closing="branched", branch_i=2, branch_j=3),
        added("nodes", node(5, "infeasible", parent=3, decision="ML 2 3") | FILLED),
        added("nodes", node(6, "infeasible", parent=3, decision="CL 2 3") | FILLED),
    ),
    of(
        "step-at-parent",
        "A forced pair stands at the parent, where it holds as well.",
        "4",
        changed("steps", "node = 4", node=1),
    ),
    of(
        "pair-twice",
        "A pair is forced that is together already.",
        "4",
        added("steps", step(4, "forced", 1, forced=[["ML", 4, 2, [0]], ["ML", 2, 4, [1]]])),
    ),
    of(
        "multipliers-at-single",
        "Multipliers at a closing that does not need them are checked, and hold.",
        "1",
        changed("nodes", "node = 4", multipliers=multipliers(2, [9, -9, 9])),
    ),
    of(
        "fixed-apart-already",
        "A fixed pair that is apart already.",
        "3",
        changed("steps", decisions=decisions("CL 0 1", "CL 0 2")),
        base="fixed",
    ),
    of(
        "options",
        "Unknown options, blanks, and a gap with an exponent.",
        "1",
        changed("instance", options=' {"params": {"gap": [true, null, "\\u00e9"]},\n"gap" : 1.0e-4 } '),
    ),
    of(
        "conditions-blank",
        "Conditions with members that say nothing.",
        "13",
        changed("instance", conditions='{"limits": {}, "soft": []}'),
    ),
    of(
        "soft-in-one-row",
        "Rows of the same pair are one, with a whole number for a real.",
        "13",
        changed("instance", conditions='{"soft": [[0, 1, 0, 1.0], [1, 0, 5.0, 0], [0, 2, 0.5, 7]]}'),
        base="soft-single",
    ),
    of(
        "sizes-in-order",
        "Sizes in another order, and a real that is whole.",
        "13",
        changed("instance", conditions='{"limits": {"sizes": [2, 4], "weight_min": 0}}'),
        base="limits-sizes",
    ),
    of(
        "groups-renamed",
        "Groups have other names, one of which is empty.",
        "13",
        changed(
            "instance",
            conditions='{"limits": {"groups": ["", "\\u2202", "", "\\u2202", "", "\\u2202"], '
            '"group_min": [["\\u2202", 1], ["", 1]]}}',
        ),
        base="limits-group-min",
    ),
    of(
        "weight-between-integers",
        "A limit as a whole number beyond 2^53.",
        "1",
        changed("instance", conditions='{"limits": {"weight_max": 9007199254740993}}'),
    ),
    of(
        "knots-of-differences",
        "Knots in another order, as differences.",
        "12",
        changed("nodes", search=integers([2, 1, 0], "d")),
        base="prices-knot",
    ),
    of(
        "axes-zero",
        "Axes of width 0 behind prices that need none of them.",
        "12",
        changed("nodes", prices=prices([1.0] * 6) + array("i", 0, [1, 1], [])),
        base="prices-one-place",
    ),
    of(
        "cover-in-another-order",
        "The parts of a cover in another order, as differences.",
        "10",
        changed("covers", parts=integers([2, 1], "d")),
        base="cover",
    ),
    of(
        "cover-rounded",
        "2^-41 of a point is in no part.",
        "10",
        changed("parts", "part = 2", weights=doubles([1.0, 1.0 - 2.0**-41, 1.0])),
        base="cover",
    ),
    of(
        "tree-beside-cover",
        "A tree beside a cover whose open root proves nothing.",
        "10",
        added("nodes", node(0, "branched", branch="0 1") | FILLED),
        base="cover",
    ),
    of("vacuum", "SQLite writes its pages anew.", "1", "PRAGMA page_size = 1024", "VACUUM"),
]
