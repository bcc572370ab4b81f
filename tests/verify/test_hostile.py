"""Thousands of hostile multipliers: no bound above the exact optimum. The benchmark ``hostile`` takes many more."""

from collections import Counter
from fractions import Fraction

import pytest
from flint import arb

from tests.judgement import Judgement
from tests.slow import shares
from tests.verify import hostile_multipliers
from tests.verify.hostile_multipliers import is_above, judge


@pytest.fixture(scope="module", params=shares(24, 120))
def judgements(request: pytest.FixtureRequest) -> list[Judgement]:
    return [judge(seed) for seed in request.param]


@pytest.mark.parametrize("kind", ["s = k", "many, s = k", "isolated", "s > k"])
def test_no_bound_is_above_the_optimum(judgements: list[Judgement], kind: str) -> None:
    judged = [j for j in judgements if j.about == kind]
    wrong = [j.sentence for j in judged if j.wrong]
    assert judged
    assert not wrong, "\n".join([f"in {len(wrong)} of {len(judged)} states", *wrong[:5]])


def test_there_are_thousands_of_bounds_and_many_that_leave_nothing_to_lose(judgements: list[Judgement]) -> None:
    counts = sum((Counter(j.counts) for j in judgements), Counter())
    assert counts["bounds"] > 0.8 * hostile_multipliers.TRIALS * len(judgements)
    assert counts["bounds of pairs"] > counts["bounds"]
    assert counts["bounds within 1e-9"] > 0.05 * counts["bounds"]


def test_a_bound_that_is_too_high_is_noticed() -> None:
    third = arb(1) / 3
    assert is_above(third.upper(), Fraction(1, 3))
    assert not is_above(third.lower(), Fraction(1, 3))
    assert is_above(arb("inf"), Fraction(1))
    assert not is_above(arb("nan"), Fraction(1))
    assert not is_above(arb("-inf"), Fraction(1))
