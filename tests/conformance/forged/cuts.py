"""Multipliers and cuts that are none, and what cuts do not prove (sections 2, 5 and 13)."""

import struct
from collections.abc import Sequence

from tests.conformance.encoding import Cut, about, array, doubles, integers, multipliers, run
from tests.conformance.forgery import Forgery, changed, refused, stated

EMPTY = multipliers(4)[12:]


def of(label: str, blob: bytes, base: str = "cuts-none") -> Forgery:
    return refused(f"cuts-{label}", base, "cuts", changed("evidence", payload=blob))


def cut(label: str, centre: int, members: Sequence[int], base: str = "cuts-none", mu: int = 1) -> Forgery:
    return of(label, multipliers(4, cuts=[Cut(centre, members, mu)]), base)


def pair(label: str, i: int, j: int, kind: int, *members: int) -> Forgery:
    return cut(f"about-{label}", about(4, i, j, kind), members, "cuts-variation")


def head(a: int = 0, b: int = 0, r: int = 0) -> bytes:
    return struct.pack("<iiI", a, b, r)


def table(rows: Sequence[Sequence[int]], mu: Sequence[int]) -> bytes:
    return multipliers(4, runs=[integers(rows) + integers(mu)])


def claimed(label: str, base: str, bound: float) -> Forgery:
    return refused(f"cuts-{label}", base, "cuts", changed("evidence", bound=bound))


FORGERIES = [
    of("empty: Multipliers of no bytes. (2)", b""),
    of("cut-off: Multipliers end early. (2)", multipliers(4)[:-1]),
    of("head-cut-off: Multipliers end within their exponents. (2)", head()[:11]),
    of("n-too-small: N is that of three super-points, where there are four. (2)", multipliers(3)),
    of("n-too-large: N is that of five super-points, where there are four. (2)", multipliers(5)),
    of("n-no-triangle: N has eleven entries, which are no triangle. (2)", head() + integers([0] * 11)),
    of("exponent-a: The exponent of N is 2001. (2)", head(a=2001) + EMPTY),
    of("exponent-a-low: The exponent of N is -2001. (2)", head(a=-2001) + EMPTY),
    of("exponent-b: The exponent of the multipliers is 2001. (2)", head(b=2001) + EMPTY),
    of("exponent-b-low: The exponent of the multipliers is -2001, though there are none. (2)", head(b=-2001) + EMPTY),
    of("run-missing: A table is announced that is not there. (2)", head(r=1) + EMPTY),
    of(
        "runs-announced: 2^32 - 1 tables are announced, one is there. (2)",
        head(r=(1 << 32) - 1) + EMPTY + run([0], [[1]], [1]),
    ),
    of("run-unannounced: A table is there that is not announced. (2)", head() + EMPTY + run([0], [[1]], [1])),
    of("mu-missing: A table has no multipliers. (2)", head(r=1) + EMPTY + integers([[0], [1]])),
    of("mu-too-many: There are two multipliers for one cut. (2)", table([[0], [1]], [1, 1])),
    of("mu-too-few: There is one multiplier for two cuts. (2)", table([[0, 1], [1, 2]], [1])),
    of("mu-negative: A multiplier is negative. (2)", table([[0], [1]], [-1])),
    of("mu-too-large: The multipliers are 2^60 + 1 together. (2)", table([[0, 0], [1, 1]], [1 << 60, 1])),
    of(
        "mu-wrapped: The multipliers are 2^64 together, which is 0 in 64 bits. (2)",
        table([[0] * 4, [1] * 4], [1 << 62] * 4),
    ),
    of("mu-of-doubles: Multipliers are doubles. (2)", multipliers(4, runs=[integers([[0], [1]]) + doubles([1.0])])),
    of(
        "mu-in-rows: Multipliers are an array of two dimensions. (2)",
        multipliers(4, runs=[integers([[0], [1]]) + integers([[1]])]),
    ),
    of(
        "table-in-a-row: A table is an array of one dimension. (2)",
        multipliers(4, runs=[integers([0, 1]) + integers([1])]),
    ),
    of("without-members: Cuts without members. (2)", table([[0]], [1])),
    of(
        "too-many-members: Cuts of five members, where there are four super-points. (2)",
        table([[0], [1], [2], [3], [1], [2]], [1]),
    ),
    of("no-rows: A table without rows. (2)", multipliers(4, runs=[array("i", 0, [0, 1], []) + integers([1])])),
    cut("centre-beyond: A centre that does not exist. (2)", 4, [1]),
    cut("centre-minus-3: A centre of -3, which stands for nothing. (2)", -3, [1, 2]),
    cut("centre-far-off: A centre of -2^40. (2)", -(1 << 40), [1, 2]),
    cut("member-beyond: A member that does not exist. (2)", 0, [4]),
    cut("member-negative: A member of -1. (2)", 0, [-1]),
    cut("member-twice: A member is there twice. (2)", 0, [1, 1]),
    cut("member-is-centre: The centre is a member. (2)", 0, [0]),
    cut("clique-too-small: A clique cut of one member, where k + 1 = 2. (5)", -1, [1]),
    cut("clique-too-large: A clique cut of three members, where k + 1 = 2. (5)", -1, [1, 2, 3]),
    cut("clique-twice: A member of a clique cut is there twice. (2)", -1, [1, 1]),
    cut("set-twice: A member of a set cut is there twice. (2)", -2, [1, 1], "cuts-set"),
    refused(
        "cuts-set-of-weights: A set cut, but a point has a weight. (13)",
        "cuts-set",
        "cuts",
        "UPDATE instance SET weights = " + "X'" + doubles([1.0, 1.0, 1.0, 2.0]).hex() + "'",
        changed("claim", objective=14.0),
    ),
    pair("turned: A cut about a pair i < j with i = 3 and j = 0. (13)", 3, 0, 0, 3),
    pair("itself: A cut about a pair with i = j. (13)", 1, 1, 0, 1),
    pair("beyond: A cut about a pair with i = 4, where there are four super-points. (13)", 4, 0, 0, 0),
    pair("both-ends: A variation cut holds both ends. (13)", 0, 3, 0, 0, 3),
    pair("no-end: A variation cut holds neither end. (13)", 0, 3, 0, 1, 2),
    pair("weight-without-end: A weight cut of one member that is no end. (13)", 0, 3, 1, 1),
    pair("weight-one-end: A weight cut of two members, of which one is no end. (13)", 0, 3, 1, 0, 1),
    pair("weight-three: A weight cut of three members. (13)", 0, 3, 1, 0, 3, 1),
    pair("member-twice: A variation cut holds a member twice. (13)", 0, 3, 0, 0, 1, 1),
    claimed("star-claimed: A star proves nothing beyond 14, whatever its multiplier. (5)", "cuts-star", 14.01),
    claimed("pair-claimed: A star with one member proves nothing beyond 14. (5)", "cuts-pair", 14.01),
    claimed(
        "star-of-three-claimed: 1 / E of a multiplier of 4 is lost: 13 is proved. (5)", "cuts-star-of-three", 13.01
    ),
    claimed("clique-claimed: The right-hand side is 1 / M = 1/4, and 14 is proved. (5)", "cuts-clique", 14.01),
    claimed("set-claimed: The least crossing of one point of four is 3/4, and 14 is proved. (13)", "cuts-set", 14.01),
    refused(
        "cuts-set-least: A point may be a cluster of its own: its crossing is 0 to 2/3, and nothing is proved. (13)",
        "cuts-listed-sizes",
        "cuts",
        stated(0, "bound", bound=3.0, multipliers=multipliers(6, cuts=[Cut(-2, [0], 10)])),
    ),
    claimed(
        "set-sizes-claimed: The least crossing of two points of four is 1, and 14 is proved. (13)",
        "cuts-set-sizes",
        14.01,
    ),
    claimed("variation-claimed: The right-hand side is 0, and 14 is proved. (13)", "cuts-variation", 14.01),
    claimed(
        "weight-apart-claimed: The right-hand side is 1, of which M / E = 1 is taken: 14 is proved. (13)",
        "cuts-weight-apart",
        14.01,
    ),
    claimed("weight-together-claimed: The whole penalty is charged, no more: 18. (13)", "cuts-weight-together", 18.01),
    claimed("overdrawn-claimed: A cut takes 9 of a penalty of 8: 13 is proved. (13)", "cuts-overdrawn", 13.01),
    claimed(
        "no-penalty-claimed: A cut takes 2 where there is no penalty: 12 is proved. (13)", "cuts-no-penalty", 12.01
    ),
    claimed("soft-open-claimed: Without a limit 2 of 3 are charged: 16 is proved. (13)", "soft-open", 16.01),
    claimed("soft-decided-claimed: What is decided pays 1.5. (13)", "soft-decided", 2.501),
    claimed("sizes-claimed: 45.99999 is proved. (13)", "cuts-sizes", 46.01),
    claimed("listed-sizes-claimed: 15.8333 is proved. (13)", "cuts-listed-sizes", 15.84),
    claimed("soft-claimed: 48.9987 is proved. (13)", "cuts-soft", 49.0),
    refused(
        "cuts-sizes-without-limits: Without limits the least crossings of sets are smaller. (13)",
        "cuts-sizes",
        "cuts",
        changed("instance", conditions="{}"),
    ),
    refused(
        "cuts-overdrawn-by-less: Of a penalty of 3 a cut of 4 takes back 1. (13)",
        "cuts-weight-together",
        "cuts",
        changed("instance", conditions='{"soft": [[0, 3, 0, 3]]}'),
        changed("claim", objective=17.0, lower_bound=16.9),
        changed("evidence", bound=16.9),
    ),
]
