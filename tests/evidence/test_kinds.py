"""The kinds of closings and steps: each is listed, has its own name, and comes back from a row as it was stored."""

import numpy as np
import pytest

from pcsos.base.exceptions import FormatError
from pcsos.evidence import closings, steps
from pcsos.evidence.closings import (
    CLOSINGS,
    BoundClosing,
    Branching,
    InfeasibleClosing,
    LineClosing,
    OpenClosing,
    PriceClosing,
    SingleClosing,
)
from pcsos.evidence.multipliers import Cuts, Multipliers, quantise
from pcsos.evidence.node import Closing, Decision, NodeRecord, Step
from pcsos.evidence.run_file.rows import Records, node_row, step_row
from pcsos.evidence.steps import STEPS, EqualStep, FarStep, FixedStep, Forced, ForcedStep, SoftStep
from pcsos.verify.reading import columns
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.rows import Row

MULTIPLIERS = quantise(
    Multipliers(
        np.eye(4), Cuts(np.array([0], np.int32), np.array([0, 2]), np.array([1, 2], np.int32)), np.array([0.5])
    ),
    tolerance=1e-9,
)
DECISIONS = (Decision("ML", 0, 5), Decision("CL", 1, 7))
EXAMPLES_OF_CLOSINGS: list[Closing] = [
    Branching(DECISIONS[0]),
    Branching(DECISIONS[0], MULTIPLIERS, 0.7),
    BoundClosing(MULTIPLIERS, 1.5),
    InfeasibleClosing({"kind": "clique", "points": [1, 2]}, np.array([3, 4, 9])),
    SingleClosing(np.array([0, 1, 1, 0]), 2.0),
    LineClosing(0.1, 3.0),
    PriceClosing(np.array([0.1, 0.2, 1e300]), 4.0),
    PriceClosing(np.array([0.1, 0.2, 1e300]), 4.0, axes=np.array([[1 << 30, 0, 0], [0, -5, 1 << 29]])),
    OpenClosing(MULTIPLIERS, 2.5),
]
EXAMPLES_OF_STEPS: list[Step] = [
    ForcedStep((Forced(DECISIONS[0], (1, 2)), Forced(DECISIONS[1], ()))),
    FixedStep(MULTIPLIERS, DECISIONS, 0.5),
    SoftStep(MULTIPLIERS, DECISIONS, 0.25),
    FarStep(DECISIONS, 0.3),
    EqualStep(DECISIONS),
]


def rows_of(closing: Closing, *of_node: Step) -> tuple[Row, list[Row]]:
    record = NodeRecord(1, 0, DECISIONS[1], of_node, closing, 1.0, 0.5)
    return node_row(record, 3), [step_row(3, 1, position, step) for position, step in enumerate(of_node)]


def read(row: Row, of_node: list[Row]) -> NodeRecord:
    return Records(10, 2, Memory(1 << 24)).record(row, of_node)


def test_every_kind_is_in_its_list() -> None:
    for module, listed, name in ((closings, CLOSINGS, "how"), (steps, STEPS, "kind")):
        own = [kind for kind in vars(module).values() if getattr(kind, "__module__", "") == module.__name__]
        assert {kind for kind in own if hasattr(kind, name)} == set(listed)
        assert len(set(listed)) == len(listed) > 4


def test_the_file_format_knows_the_same_kinds() -> None:
    assert sorted(kind.how for kind in CLOSINGS) == sorted(columns.CLOSINGS)
    assert sorted(kind.kind for kind in STEPS) == sorted(columns.STEPS)
    assert len({kind.words for kind in CLOSINGS}) == len(CLOSINGS)


def test_there_is_an_example_of_each() -> None:
    assert {type(closing) for closing in EXAMPLES_OF_CLOSINGS} == set(CLOSINGS)
    assert {type(step) for step in EXAMPLES_OF_STEPS} == set(STEPS)


@pytest.mark.parametrize("closing", EXAMPLES_OF_CLOSINGS, ids=lambda closing: closing.how)
def test_a_closing_comes_back_as_it_was_stored(closing: Closing) -> None:
    rows = rows_of(closing)
    back = read(*rows)
    assert type(back.closing) is type(closing)
    assert rows_of(back.closing) == rows


@pytest.mark.parametrize("step", EXAMPLES_OF_STEPS, ids=lambda step: step.kind)
def test_a_step_comes_back_as_it_was_stored(step: Step) -> None:
    rows = rows_of(Branching(DECISIONS[0]), step)
    (back,) = read(*rows).steps
    assert type(back) is type(step)
    assert back.decisions == step.decisions == DECISIONS
    assert back.lower_bound == step.lower_bound
    assert rows_of(Branching(DECISIONS[0]), back) == rows


@pytest.mark.parametrize("closing", [c for c in EXAMPLES_OF_CLOSINGS if hasattr(c, "lower_bound")], ids=lambda c: c.how)
def test_a_closing_without_its_bound_is_refused(closing: Closing) -> None:
    row, _ = rows_of(closing)
    with pytest.raises(FormatError, match="the bound of a node: missing"):
        read(row | {"closing_bound": None}, [])


def test_a_kind_that_nobody_knows_is_refused() -> None:
    row, of_node = rows_of(EXAMPLES_OF_CLOSINGS[0], EXAMPLES_OF_STEPS[4])
    with pytest.raises(FormatError, match="'magic' is not a kind of closing or step"):
        read(row | {"closing": "magic"}, [])
    with pytest.raises(FormatError, match="'magic' is not a kind of closing or step"):
        read(row, [of_node[0] | {"kind": "magic"}])
