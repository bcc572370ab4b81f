"""Progress of prices: told every two seconds, with the round that is at work and what is proved by then."""

import sys
import time
from collections.abc import Callable

import pytest

import pcsos
from pcsos.base.control.stop import Stop
from pcsos.base.events import BoundImproved, Event, PricesRaised
from pcsos.search.journal import Writer
from pcsos.search.prices import bounder
from pcsos.search.prices.bounder import RaisingProgress
from tests.clouds import clouds


class Clock(Stop):
    """A clock that is set by hand."""

    now = 0.0

    @property
    def seconds(self) -> float:
        return self.now


def test_it_is_told_every_two_seconds() -> None:
    told, clock = list[Event](), Clock()
    progress = RaisingProgress(9000, lambda: clock.now / 10.0, Writer(on_event=told.append), clock)
    for tenth in range(71):
        clock.now = tenth / 10.0
        if tenth in (5, 30, 35, 50):
            progress.begin_round(2000 if tenth < 50 else 9000)
        progress.tell()
    assert told == [
        PricesRaised(2000, 1, 0.2, 2.0), PricesRaised(2000, 3, 0.4, 4.0), PricesRaised(9000, 1, 0.6, 6.0),
    ]  # fmt: skip


def certified(is_enough: Callable[[list[Event]], bool] = lambda _: False) -> tuple[list[Event], pcsos.Result]:
    """Certify clusters that overlap, until what is heard is enough; return that, and the result."""
    points, labels = clouds(0, 600, 3, 2, 2.0)
    heard: list[Event] = []
    result = pcsos.certify(
        points,
        labels,
        gap=1e-2,
        workers=1,
        options=pcsos.Options(on_event=heard.append, should_stop=lambda: is_enough(heard)),
    )
    return heard, result


def test_every_round_can_be_heard_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounder, "EVERY", 0.0)
    heard, result = certified()
    told = [event for event in heard if isinstance(event, PricesRaised)]
    assert not any(isinstance(event, BoundImproved) for event in heard[: heard.index(told[0])])
    assert {event.size for event in told} == {600}
    rounds = [event.round for event in told]
    assert set(range(1, max(rounds) + 1)) <= set(rounds)
    bounds = [event.lower_bound for event in told]
    assert bounds == sorted(bounds)
    assert 0.0 < bounds[-1] <= result.lower_bound


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="what is replaced here is not replaced in a new interpreter")
def test_it_is_told_during_a_round_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounder, "EVERY", 0.05)
    monkeypatch.setattr(bounder, "raise_prices", lambda *_, on_round, **__: (on_round(600), time.sleep(3600.0)))
    heard, _ = certified(lambda heard: sum(isinstance(event, PricesRaised) for event in heard) == 3)
    assert {(event.round, event.lower_bound) for event in heard if isinstance(event, PricesRaised)} == {(1, 0.0)}
