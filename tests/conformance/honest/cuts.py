"""Cuts of each kind. With one cluster Y is known, and most of them are tight: no multiplier changes the bound."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import Certificate, Claim, certificate, evidence
from tests.conformance.encoding import Cut, about, integers, multipliers

ONE = {"points": [0, 1, 5, 2], "k": 1}
SIZED = {"points": [[6, 7], [0, 7], [4, 4], [5, 2], [8, 0], [2, 3]], "k": 2, "conditions": {"limits": {"size_min": 3}}}
SIZED_BOX = [98, -2, 3, 0, 14, -3, -2241, 14, 1, 3137, -10, 3100, -1, -11, 8, 46, -827, 0, -2705, 9, 744]
SIZED_CUTS = [
    Cut(-2, [1], 36),
    Cut(-2, [3, 4], 13),
    Cut(0, [1, 2], 14),
    Cut(1, [0, 5], 460),
    Cut(2, [0, 3], 28),
    Cut(2, [0, 4], 41),
    Cut(5, [1, 3], 198),
    Cut(5, [1, 4], 217),
    Cut(-1, [0, 1, 4], 338),
    Cut(-1, [1, 2, 3], 470),
    Cut(-1, [1, 2, 4], 483),
    Cut(-1, [2, 4, 5], 15),
]
LISTED = {
    "points": [[1, 1], [7, 4], [5, 5], [6, 0], [4, 1], [3, 8]],
    "k": 3,
    "conditions": {"limits": {"sizes": [1, 2, 3]}},
}
LISTED_BOX = [10, 1550, 974, 0, 0, 1830, 0, -1, 4, 10, 293, 0, 515, 739, 1, 10, 0, 3196, 6, 2125, -9]
LISTED_CUTS = [Cut(2, [1, 5], 577), Cut(4, [0, 3], 287), Cut(-1, [0, 1, 3, 5], 119)]
SOFT = [[0, 1, 5, 0], [2, 3, 4, 0], [4, 5, 0, 6], [0, 2, 0, 3]]
PENALISED = {"points": [[7, 2], [0, 2], [3, 7], [4, 0], [3, 5], [7, 6]], "k": 2, "conditions": {"soft": SOFT}}
PENALISED_BOX = [0, 0, 166, 0, 38, 0, 0, 0, 0, 0, 490, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
PENALISED_CUTS = [
    Cut(-63, [4], 384),
    Cut(-35, [2, 3], 512),
    Cut(-6, [0, 5], 512),
    Cut(0, [1, 5], 240),
    Cut(0, [3, 5], 1314),
    Cut(1, [0, 2], 34),
    Cut(1, [0, 4], 38),
    Cut(1, [2, 3], 2),
    Cut(1, [3, 4], 641),
    Cut(2, [1, 4], 1),
    Cut(2, [1, 5], 86),
    Cut(2, [3, 4], 3),
    Cut(2, [4, 5], 1192),
    Cut(3, [0, 1], 1243),
    Cut(3, [0, 2], 62),
    Cut(3, [0, 4], 21),
    Cut(3, [1, 5], 318),
    Cut(4, [0, 2], 46),
    Cut(4, [1, 2], 566),
    Cut(4, [1, 5], 131),
    Cut(4, [2, 3], 75),
    Cut(4, [2, 5], 2),
    Cut(5, [0, 2], 582),
    Cut(5, [0, 4], 3),
    Cut(-6, [0, 3, 5], 128),
    Cut(2, [1, 4, 5], 11),
]


def tight(
    label: str, cuts: Sequence[Cut] = (), *, bound: float = 13.9999, objective: float = 14.0, **more: Any
) -> Certificate:
    """Four points in one cluster, which cost 14."""
    given = more.pop("given", {})
    claim = Claim("FEASIBLE" if bound < objective * 0.999 else "OPTIMAL", (0, 0, 0, 0), objective, bound)
    kind = "open" if claim.status == "FEASIBLE" else "bound"
    own = evidence(0, kind, bound, multipliers=multipliers(4, cuts=cuts, **more))
    return certificate(label, "cuts", ONE | given, claim, [own])


def soft(apart: float, together: float) -> dict[str, Any]:
    return {"conditions": {"soft": [[0, 3, apart, together]]}}


#: A table without cuts, and their multipliers.
EMPTY = integers([], shape=(2, 0)) + integers([])
LIMITED = {"conditions": {"limits": {"size_max": 4}}}

CERTIFICATES = [
    tight("cuts-none: r = 0: no cuts. (5)"),
    tight("cuts-empty: r = 1, with no cut in it. (5)", runs=[EMPTY]),
    tight("cuts-pair: Stars with one member. (5)", [Cut(0, [1], 1000), Cut(2, [3], 7)]),
    tight(
        "cuts-star: Stars with two members, in any order. (5)",
        [Cut(0, [2, 1], 1000), Cut(3, [1, 2], 7), Cut(3, [2, 1], 7)],
    ),
    tight(
        "cuts-star-of-three: A star with three members, of which 1 / E is left: 1 of a multiplier of 4. (5)",
        [Cut(0, [1, 2, 3], 4)],
        bound=12.9999,
    ),
    tight("cuts-clique: Clique cuts, of two members where k = 1. (5)", [Cut(-1, [0, 3], 1000), Cut(-1, [2, 1], 7)]),
    tight(
        "cuts-set: Set cuts, under a limit. (13)",
        [Cut(-2, [3], 1000), Cut(-2, [1, 0], 7), Cut(-2, [0, 1, 2, 3], 9)],
        given=LIMITED,
    ),
    tight(
        "cuts-set-without-limits: A set cut without limits, of which no more is asked than a least crossing of 0. (13)",
        [Cut(-2, [3], 4)],
        bound=10.9999,
    ),
    tight(
        "cuts-set-sizes: A set cut where sizes are listed. (13)",
        [Cut(-2, [3, 2], 1000)],
        given={"conditions": {"limits": {"sizes": [4]}}},
    ),
    tight(
        "cuts-variation: h = 0: a cut about a pair, with one end and others. (13)",
        [Cut(about(4, 0, 3, 0), [0], 3), Cut(about(4, 0, 3, 0), [2, 1, 3], 4)],
        given=soft(8, 0),
    ),
    tight("cuts-weight-apart: h = 1 with both ends. (13)", [Cut(about(4, 0, 3, 1), [0, 3], 8)], given=soft(8, 0)),
    tight(
        "cuts-weight-together: h = 1 with one end: all of the penalty is charged, not half of it. (13)",
        [Cut(about(4, 0, 3, 1), [3], 4)],
        given=soft(0, 4),
        objective=18.0,
        bound=17.9999,
    ),
    tight(
        "cuts-overdrawn: A cut about a pair with more than its penalty: 1 of 9 is taken back. (13)",
        [Cut(about(4, 0, 3, 1), [0, 3], 9)],
        given=soft(8, 0),
        bound=12.9999,
    ),
    tight(
        "cuts-no-penalty: A cut about a pair without a penalty: all of its multiplier is taken back. (13)",
        [Cut(about(4, 1, 2, 0), [1], 2)],
        given=soft(8, 0),
        bound=11.9999,
    ),
    tight(
        "cuts-units: Units of 2^-2000 and 2^-60, and multipliers of 2^60 in all. (5)",
        [Cut(0, [1], 1 << 59), Cut(0, [1], 1 << 59)],
        a=-2000,
        b=-60,
    ),
    tight(
        "cuts-units-large: Units of 2^2000, of which there are none. (5)",
        [Cut(0, [1], 0), Cut(-1, [0, 1], 0)],
        a=2000,
        b=2000,
    ),
    certificate(
        "cuts-sizes: Sets, stars and cliques of a run with size_min. (13)",
        "cuts",
        SIZED,
        Claim("OPTIMAL", (0, 0, 1, 1, 1, 0), 46.0, 45.9999),
        [evidence(0, "bound", 45.9999, multipliers=multipliers(6, SIZED_BOX, SIZED_CUTS, a=-7, b=-7))],
    ),
    certificate(
        "cuts-listed-sizes: Stars and a clique of a run with sizes. (13)",
        "cuts",
        LISTED,
        Claim("OPTIMAL", (0, 1, 1, 0, 0, 2), 15.833333333333334, 15.8332),
        [evidence(0, "bound", 15.8332, multipliers=multipliers(6, LISTED_BOX, LISTED_CUTS, a=-7, b=-7))],
    ),
    certificate(
        "cuts-soft: Cuts about pairs of each kind beside stars, of a run with soft pairs. (13)",
        "cuts",
        PENALISED,
        Claim("FEASIBLE", (0, 0, 1, 0, 1, 1), 50.0, 48.998),
        [evidence(0, "open", 48.998, multipliers=multipliers(6, PENALISED_BOX, PENALISED_CUTS, a=-7, b=-7))],
    ),
]
