"""Asking a run to end: politely, urgently, and in the end by force."""

import multiprocessing
import signal
import subprocess
import sys
import threading

import pytest

from pcsos.base.control import signals as module
from pcsos.base.control.signals import SIGNALS, STOPPING, Signals, acknowledged
from pcsos.base.control.stop import NEVER, OUT_OF_TIME, REQUESTED, Stop

EVERY = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


class TestStop:
    def test_once_asked_it_stays_so(self) -> None:
        answers = iter([False, True, False])
        stop = Stop(lambda: next(answers))
        assert [stop.asked() for _ in range(4)] == [False, True, True, True]

    def test_it_is_overdue_after_the_grace_and_not_before(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = 10.0
        monkeypatch.setattr("time.perf_counter", lambda: now)
        stop = Stop(lambda: True)
        assert not stop.overdue(2.0)
        now = 11.9
        assert not stop.overdue(2.0)
        now = 12.0
        assert stop.overdue(2.0)

    def test_what_is_urgent_is_overdue_at_once(self) -> None:
        assert Stop(lambda: True, urgent=lambda: True).overdue(60.0)
        assert not Stop(lambda: False, urgent=lambda: True).overdue(60.0)

    def test_the_time_limit_counts_from_when_it_is_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = 10.0
        monkeypatch.setattr("time.perf_counter", lambda: now)
        stop = Stop(time_limit=5.0)
        assert (stop.asked(), stop.reason, stop.seconds_left) == (False, "", 5.0)
        now = 15.0
        assert (stop.asked(), stop.reason, stop.seconds, stop.seconds_left) == (True, OUT_OF_TIME, 5.0, 0.0)

    def test_a_request_is_the_reason_although_the_time_is_over_too(self) -> None:
        stop = Stop(lambda: True, time_limit=0.0)
        assert (stop.asked(), stop.reason) == (True, REQUESTED)

    def test_one_within_another_ends_with_either(self) -> None:
        requests: list[bool] = []
        outer = Stop(lambda: bool(requests), urgent=lambda: True)
        assert outer.within(0.0).asked()
        inner = outer.within(None)
        assert not inner.asked()
        requests.append(True)
        assert inner.overdue(60.0)

    def test_nobody_stops_what_is_never_to_be_stopped(self) -> None:
        assert NEVER.is_idle
        assert not NEVER.asked()
        assert not Stop(lambda: False).is_idle
        assert not Stop(time_limit=60.0).is_idle
        assert not NEVER.within(60.0).is_idle


class TestSignals:
    @pytest.mark.parametrize("number", EVERY)
    def test_the_first_asks_and_the_second_is_urgent(self, number: int) -> None:
        before = signal.getsignal(number)
        with Signals(SIGNALS) as found:
            assert (found.asked(), found.urgent()) == (False, False)
            signal.raise_signal(number)
            assert (found.asked(), found.urgent()) == (True, False)
            signal.raise_signal(number)
            assert (found.asked(), found.urgent()) == (True, True)
            signal.raise_signal(number)  # at once: somebody is in a hurry, and must not lose the result
        assert signal.getsignal(number) is before

    def test_nothing_makes_the_user_wait_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "PATIENCE", 0.0)
        with Signals():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)

    @pytest.mark.parametrize(("number", "is_passed_on"), [(signal.SIGTERM, True), (signal.SIGINT, False)])
    def test_without_a_result_sigterm_does_what_it_would_have_done(self, number: int, is_passed_on: bool) -> None:
        heard: list[int] = []
        before = signal.signal(number, lambda number, frame: heard.append(number))
        try:
            with pytest.raises(KeyboardInterrupt):
                end_without_a_result(number)
            assert heard == [number] * is_passed_on
            with Signals(SIGNALS):  # with a result it is done with
                signal.raise_signal(number)
            assert heard == [number] * is_passed_on
        finally:
            signal.signal(number, before)

    def test_an_inner_one_counts_on(self) -> None:
        with Signals(SIGNALS) as outer:
            signal.raise_signal(signal.SIGINT)
            with Signals() as inner:
                assert inner.asked()
                signal.raise_signal(signal.SIGTERM)
            assert outer.urgent()

    def test_nohup_is_respected(self) -> None:
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            with Signals(SIGNALS) as found:
                signal.raise_signal(signal.SIGHUP)
                assert not found.asked()
        finally:
            signal.signal(signal.SIGHUP, before)

    def test_other_threads_catch_nothing(self) -> None:
        before = [signal.getsignal(number) for number in EVERY]
        seen: list[object] = []

        def enter() -> None:
            with Signals(SIGNALS):
                seen.extend(signal.getsignal(number) for number in EVERY)

        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
        assert seen == before

    def test_a_daemon_is_ended_by_sigterm(self) -> None:
        with multiprocessing.get_context("fork").Pool(1) as pool:
            assert pool.apply(handles_sigterm) is False

    @pytest.mark.slow
    @pytest.mark.parametrize("number", EVERY[1:])
    def test_a_script_is_ended_as_any_other(self, number: int) -> None:
        code = (
            "import os, pcsos\n"
            f"options = pcsos.Options(on_event=lambda event: os.kill(os.getpid(), {int(number)}))\n"
            "print(pcsos.solve([0.0, 1.0, 5.0, 6.0], 2, options=options))"
        )
        ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=120)
        assert (ended.returncode, ended.stdout) == (-number, "")

    def test_the_first_signal_is_acknowledged_once(self) -> None:
        said: list[str] = []
        with Signals() as found:
            asked = acknowledged(found, said.append)
            assert not asked()
            signal.raise_signal(signal.SIGINT)
            assert asked()
            assert asked()
        assert said == [STOPPING]


def end_without_a_result(number: int) -> None:
    with Signals(SIGNALS), Signals():
        signal.raise_signal(number)
        raise KeyboardInterrupt


def handles_sigterm() -> bool:
    with Signals():
        return signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
