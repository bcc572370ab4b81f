"""Workers: processes that play scenarios, and that leave nothing running when the soak is ended."""

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from benchmarks.soak.scenario import Outcome, try_seed

#: What ends the soak.
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def workers_of(number: int) -> Iterator[ProcessPoolExecutor]:
    """Yield so many processes; where an exception ends the soak, they end themselves and all that they have started."""
    pool = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), initializer=heed_signals)
    try:
        yield pool
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def heed_signals() -> None:
    """Let a signal be an exception, so that everything is cleaned up; further signals do not disturb that.

    Those that are ignored, as ``nohup`` does with SIGHUP, stay so.
    """

    def leave(first: int, frame: object) -> None:
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)
        raise SystemExit(128 + first)

    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, leave)


def play_or_leave(seed: int, failures: Path) -> Outcome:
    """Play a scenario in a worker, which ends after a signal: the pool would give it the next seed."""
    try:
        return try_seed(seed, failures)
    except SystemExit:
        os._exit(1)


def outcome_of(seed: int, future: "Future[Outcome]") -> Outcome:
    """Return what became of a seed, also where its worker is gone."""
    try:
        return future.result()
    except Exception as error:
        return Outcome.of_failure(seed, error)
