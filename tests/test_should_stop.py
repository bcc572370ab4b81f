"""Ending a run from Python: whatever is going on, it ends soon, and what it has is kept."""

import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos import heuristics
from pcsos.base.control.signals import STOPPING
from pcsos.base.control.stop import GRACE
from pcsos.base.events import BlockBounded, CutRound, Event, Notice
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Reason, Status
from pcsos.problem.params import BlockParams, Params, PriceParams
from pcsos.verify import verify

POINTS = np.random.default_rng(4).standard_normal((60, 8))
#: Ten times the seconds that the grace, and what follows, take on a machine that has nothing else to do.
SOON = 10.0 * (GRACE + 1.0)


class Ender:
    """Ends a run at an event, and knows how long that took."""

    def __init__(self, kind: type[Event], number: int = 1) -> None:
        self.events: list[Event] = []
        self.wants_end = threading.Event()
        self._kind, self._number, self._heard = kind, number, count(1)

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, self._kind) and next(self._heard) == self._number:
            self.end()

    def end(self) -> None:
        self.asked_at = time.monotonic()
        self.wants_end.set()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.asked_at


class LateEnder(Ender):
    """Does so from another thread, in the middle of what comes after the event."""

    def end(self) -> None:
        threading.Timer(0.3, super().end).start()


def test_a_listener_ends_a_run_that_can_be_gone_on_with(tmp_path: Path) -> None:
    path, ender = tmp_path / "run", Ender(CutRound, 4)
    result = pcsos.solve(
        POINTS, 6, workers=1, run_file=path, options=pcsos.Options(on_event=ender, should_stop=ender.wants_end.is_set)
    )
    assert (result.status, result.reason) == (Status.FEASIBLE, Reason.INTERRUPTED)
    assert 0.0 < result.lower_bound <= verify(path).lower_bound
    assert Notice(STOPPING) not in ender.events  # that is about Ctrl-C
    ender = Ender(CutRound, 2)
    again = pcsos.resume(path, workers=1, options=pcsos.Options(on_event=ender, should_stop=ender.wants_end.is_set))
    assert again.reason is Reason.INTERRUPTED
    assert again.lower_bound >= result.lower_bound


@pytest.mark.slow
def test_another_thread_ends_a_root_that_is_processed_apart() -> None:
    points = np.random.default_rng(0).standard_normal((520, 20))
    ender = LateEnder(CutRound)
    result = pcsos.solve(
        points, 5, workers=1, options=pcsos.Options(on_event=ender, should_stop=ender.wants_end.is_set)
    )
    assert result.reason is Reason.INTERRUPTED
    assert result.labels is not None
    assert result.lower_bound > 0.0
    assert ender.seconds < SOON


def test_a_run_in_another_thread_is_ended_from_the_main_one() -> None:
    wants_end, has_begun, results = threading.Event(), threading.Event(), []

    def solve() -> None:
        results.append(
            pcsos.solve(
                POINTS,
                6,
                workers=1,
                options=pcsos.Options(on_event=lambda _: has_begun.set(), should_stop=wants_end.is_set),
            )
        )

    thread = threading.Thread(target=solve)
    thread.start()
    has_begun.wait()
    wants_end.set()
    thread.join()
    assert results[0].reason is Reason.INTERRUPTED


@pytest.mark.parametrize("workers", [1, 2])
def test_blocks_that_are_bounded_are_kept(workers: int) -> None:
    points = np.random.default_rng(1).standard_normal((400, 5)) + 20.0 * np.repeat(np.eye(4, 5), 100, axis=0)
    params = Params(blocks=BlockParams(least_size=25, largest_size=50), prices=PriceParams(features_up_to=0))
    ender = Ender(BlockBounded, 3)
    result = pcsos.certify(
        points,
        np.repeat(range(4), 100),
        gap=1e-6,
        workers=workers,
        options=pcsos.Options(params=params, on_event=ender, should_stop=ender.wants_end.is_set),
    )
    assert (result.status, result.reason) == (Status.FEASIBLE, Reason.INTERRUPTED)
    assert result.lower_bound > 0.0
    assert ender.seconds < SOON


@pytest.mark.parametrize("n", [60, 520], ids=["here", "aside"])
def test_a_heuristic_keeps_its_partition(n: int) -> None:
    wants_end = threading.Event()
    instance = pcsos.Instance(np.random.default_rng(2).standard_normal((n, 2)), 12)
    partition, record = heuristics.run(
        instance,
        max_stall=10**6,
        max_generations=10**6,
        on_improvement=lambda found: wants_end.set(),
        should_stop=wants_end.is_set,
    )
    assert partition is not None
    assert record.message == "stopped on request"


def test_a_run_that_is_ended_before_it_begins_returns() -> None:
    result = pcsos.solve(POINTS, 6, workers=1, options=pcsos.Options(should_stop=lambda: True))
    assert (result.nodes, result.reason) == (0, Reason.INTERRUPTED)


ASKING: list[Callable[..., object]] = [
    lambda instance, asked: pcsos.solve(instance, options=pcsos.Options(should_stop=asked)),
    lambda instance, asked: pcsos.certify(instance, [0, 1, 1], options=pcsos.Options(should_stop=asked)),
    lambda instance, asked: heuristics.run(instance, should_stop=asked),
]


@pytest.mark.parametrize("start", ASKING)
def test_what_cannot_be_asked_is_refused(start: Callable[..., object]) -> None:
    with pytest.raises(InputError, match="should_stop is of type Event; give a function"):
        start(pcsos.Instance([0.0, 4.0, 5.0], 2), threading.Event())
