"""The kinds of evidence: each is listed, has its own name, and comes back from its payload as it was stored."""

import math

import numpy as np
import pytest

from pcsos.base.exceptions import FormatError
from pcsos.evidence import kinds
from pcsos.evidence.codec import Payload
from pcsos.evidence.kinds import (
    KINDS,
    Bound,
    Branching,
    Clique,
    Cover,
    Equal,
    Far,
    Fixed,
    Forced,
    Infeasible,
    Line,
    Open,
    Prices,
    Single,
    Soft,
)
from pcsos.evidence.multipliers import Cuts, Multipliers, quantise
from pcsos.evidence.node import Decision, Evidence, NodeRecord, decisions_of, set_aside
from pcsos.verify.reading import columns
from tests.blobs import plenty

MULTIPLIERS = quantise(
    Multipliers(
        np.eye(4), Cuts(np.array([0], np.int32), np.array([0, 2]), np.array([1, 2], np.int32)), np.array([0.5])
    ),
    tolerance=1e-9,
)
DECISIONS = (Decision("ML", 0, 5), Decision("CL", 1, 7))
LEAVES: list[Evidence] = [
    Bound(MULTIPLIERS, 1.5),
    Open(MULTIPLIERS, 2.5),
    Infeasible(np.array([3, 4, 9])),
    Single(2.0),
    Line(0.1, 3.0),
    Prices(np.array([0.1, 0.2, 1e300]), 4.0),
    Prices(np.array([0.1, 0.2, 1e300]), 4.0, axes=np.array([[1 << 30, 0, 0], [0, -5, 1 << 29]])),
    Prices(np.ones(6), 4.0, ((0, 1), (5, 3, 2))),
]
DEDUCTIONS: list[Evidence] = [
    Forced((Clique(DECISIONS[0], (1, 2)), Clique(DECISIONS[1], ()))),
    Fixed(DECISIONS, MULTIPLIERS, 0.5),
    Soft(DECISIONS, MULTIPLIERS, 0.25),
    Far(DECISIONS, 0.3),
    Equal(DECISIONS),
]
OTHERS: list[Evidence] = [
    Branching(DECISIONS[0], None, (3, 4)),
    Branching(DECISIONS[0], 0.7, (3, 4)),
    Cover((1, 5, 2)),
]
EXAMPLES = [*LEAVES, *DEDUCTIONS, *OTHERS]


def read(kind: str, bound: float, data: bytes) -> Evidence:
    """Read a payload whole, where problems 3 and 4 are the two sides of the first decision, and 5 is another one."""
    changes = {3: DECISIONS[0], 4: DECISIONS[0].opposite, 5: DECISIONS[1]}
    payload = Payload(data, 10, plenty(), changes.__getitem__)
    found = KINDS[kind].read(bound, payload)
    payload.arrays.finished()
    return found


def test_every_kind_is_in_the_list_and_in_the_file_format() -> None:
    own = [kind for kind in vars(kinds).values() if getattr(kind, "__module__", "") == kinds.__name__]
    assert {kind for kind in own if hasattr(kind, "kind")} == set(KINDS.values())
    assert sorted(KINDS) == sorted(columns.EVIDENCE)
    assert all(kind.kind == name for name, kind in KINDS.items())
    assert len({kind.words for kind in KINDS.values()}) == len(KINDS)


def test_there_is_an_example_of_each() -> None:
    assert {type(each) for each in EXAMPLES} == set(KINDS.values())
    assert {each.kind for each in LEAVES} == set(columns.LEAVES)
    assert {each.kind for each in DEDUCTIONS} == set(columns.DEDUCTIONS)


@pytest.mark.parametrize("evidence", EXAMPLES, ids=lambda evidence: evidence.kind)
def test_evidence_comes_back_as_it_was_stored(evidence: Evidence) -> None:
    back = read(evidence.kind, evidence.bound, evidence.payload())
    assert type(back) is type(evidence)
    assert back.bound == evidence.bound
    assert back.payload() == evidence.payload()
    assert repr(vars(back)) == repr(vars(evidence))
    assert decisions_of([back]) == (DECISIONS if evidence in DEDUCTIONS else ())


@pytest.mark.parametrize("evidence", EXAMPLES, ids=lambda evidence: evidence.kind)
def test_a_payload_holds_no_less_and_no_more(evidence: Evidence) -> None:
    data = evidence.payload()
    with pytest.raises(FormatError, match="longer than what is in it"):
        read(evidence.kind, evidence.bound, data + b"x")
    if data:
        with pytest.raises(FormatError, match=r"missing|too short"):
            read(evidence.kind, evidence.bound, data[:-1])


@pytest.mark.parametrize(
    "listed", [[0], [1, 0], [-2, 0, 1], [3, 0, 1], [2**62, 0, 1], [2, 0, 1, 0], [2, 0], [2, 0, 6], [2, -1, 0]]
)
def test_knots_that_are_none_are_not_read(listed: list[int]) -> None:
    stored = Prices(np.ones(6), 0.5).payload()
    empty = kinds.encode_integers([])
    assert empty in stored
    with pytest.raises(FormatError, match="knots: not super-points behind their number"):
        read(Prices.kind, 0.5, stored.replace(empty, kinds.encode_integers(listed), 1))


@pytest.mark.parametrize("children", [(3, 5), (3, 3), (5, 4)])
def test_problems_that_are_no_opposites_are_not_read(children: tuple[int, int]) -> None:
    with pytest.raises(FormatError, match="are no two sides of a branching"):
        read(Branching.kind, 0.0, Branching(DECISIONS[0], 0.5, children).payload())


def test_what_a_node_states_is_its_best_leaf_as_far_as_what_was_set_aside_allows() -> None:
    forced, fixed, *_ = DEDUCTIONS
    assert set_aside([forced, fixed, Fixed(DECISIONS, MULTIPLIERS, 0.4)]) == 0.4
    assert set_aside([forced, Fixed((), MULTIPLIERS, 0.1)]) == math.inf
    assert decisions_of([forced, Line(0.1, 3.0), fixed]) == DECISIONS * 2
    record = NodeRecord(0, None, None, (Bound(MULTIPLIERS, 1.5), fixed, OTHERS[1]))
    assert record.end is OTHERS[1]
    assert record.lower_bound == 0.5
    assert NodeRecord(0, None, None, (Open(MULTIPLIERS, 2.0), Bound(MULTIPLIERS, 1.5))).lower_bound == 2.0
    assert NodeRecord(0, None, None, (OTHERS[0],)).lower_bound == 0.0
