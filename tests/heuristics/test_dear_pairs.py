"""Dear pairs: what is estimated is near the truth where clusters are clear, and the pairs named are those that hurt."""

import numpy as np
import pytest

import pcsos
from pcsos.heuristics.dear_pairs import NAMED, dear_pairs
from pcsos.problem.instance import Instance

POINTS = np.concatenate([np.random.default_rng(0).normal(4.0 * at, 0.3, size=(10, 2)) for at in range(3)])
TRUE = {"must_link": [(0, 1), (10, 12)], "cannot_link": [(0, 10), (11, 29)]}


def test_true_pairs_cost_nothing() -> None:
    share, dearest = dear_pairs(Instance(POINTS, 3, **TRUE), 5.0)
    assert share == pytest.approx(0.0, abs=1e-9)
    assert (len(dearest.must_link), len(dearest.cannot_link)) == (0, 0)


def test_false_pairs_are_named_and_their_cost_is_that_of_the_optima() -> None:
    must, cannot = [*TRUE["must_link"], (5, 25)], [*TRUE["cannot_link"], (13, 14)]
    share, dearest = dear_pairs(Instance(POINTS, 3, must, cannot), 5.0)
    assert dearest.must_link.tolist() == [[5, 25]]
    assert dearest.cannot_link.tolist() == [[13, 14]]
    dear, free = (pcsos.solve(Instance(POINTS, 3, *pairs)).objective for pairs in ((must, cannot), ((), ())))
    assert share == pytest.approx(dear / free - 1.0, rel=1e-3)


def test_few_are_named_those_that_cost_most() -> None:
    cannot = [(i, i + 1) for i in range(0, 8, 2)] + [(i, i + 1) for i in range(20, 28, 2)]
    _, dearest = dear_pairs(Instance(POINTS, 3, [(5, 15)], cannot), 5.0)
    assert len(dearest.must_link) + len(dearest.cannot_link) == NAMED
    assert len(dearest.must_link) == 1
