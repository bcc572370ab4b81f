"""Time budget: prices give way where they no longer rise, unless there is nothing to give way to."""

import math

import pytest

from pcsos.bounds.prices import time_budget
from pcsos.bounds.prices.time_budget import BoxBudget, TimeBudget


class Clock:
    """A clock that is set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(time_budget.time, "perf_counter", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_without_a_limit_prices_never_give_way(clock: Clock) -> None:
    own = TimeBudget(100_000, math.inf, 0.8)
    own.hear(0.5)
    clock.now = 1e9
    assert own.alone_below == 0.0
    assert not own.is_over()


def test_boxes_that_lead_too_little_far_are_wasted() -> None:
    own = BoxBudget(300, 6)
    own.used = 15_000
    assert not own.is_spent(0.5)
    own.used += 1
    assert own.is_spent(0.5)
    assert not own.is_spent(0.01), "what is close is brought to an end"
    own = BoxBudget(30, 2)
    own.used = 5_000
    assert not own.is_spent(0.5), "so few boxes take no time"


def test_boxes_that_halve_what_is_missing_have_as_many_again() -> None:
    own = BoxBudget(300, 6)

    def is_spent(used: int, missing: float) -> bool:
        own.used = used
        own.hear(missing)
        return own.is_spent(missing)

    assert not is_spent(7_000, 0.5)
    assert not is_spent(15_001, 0.25), "half of it is closed"
    assert not is_spent(30_002, 0.2)
    assert is_spent(30_003, 0.2), "that is too slow"
    assert not is_spent(30_003, 0.12)


def test_prices_that_rise_have_their_share(clock: Clock) -> None:
    own = TimeBudget(500, 100.0, 0.8)
    for now in range(0, 80, 5):
        clock.now = float(now)
        own.hear(0.8 ** (now + 1))
        assert not own.is_over()
    clock.now = 81.0
    assert own.is_over()


def test_prices_that_stand_still_give_way_after_half_of_it(clock: Clock) -> None:
    own = TimeBudget(500, 100.0, 0.8)
    clock.now = 10.0
    own.hear(0.1)
    clock.now = 39.0
    own.hear(0.095)
    assert not own.is_over()
    clock.now = 41.0
    assert own.is_over()


def test_before_a_bound_is_told_only_the_share_counts(clock: Clock) -> None:
    own = TimeBudget(500, 100.0, 0.8)
    clock.now = 79.0
    assert not own.is_over()
    clock.now = 81.0
    assert own.is_over()


@pytest.mark.parametrize(
    ("size", "missing", "is_over"), [(5000, 0.004, False), (5000, 0.006, True), (500, 0.004, True)]
)
def test_they_go_on_where_little_is_missing_and_a_relaxation_takes_too_long(
    size: int, missing: float, is_over: bool, clock: Clock
) -> None:
    own = TimeBudget(size, 100.0, 0.8)
    own.hear(missing)
    clock.now = 99.0
    assert own.is_over() == is_over
