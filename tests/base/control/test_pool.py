"""Executors: in the calling process, in processes, and of the caller's own."""

import errno
import itertools
import math
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future, ThreadPoolExecutor
from dataclasses import replace
from os import getpid
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.control.pool import Pool, SerialExecutor, is_left, number_of_workers
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.events import Notice
from pcsos.evidence.result import Reason, Result
from pcsos.problem.options import Options
from pcsos.problem.params import BlockParams, Params, PriceParams, TreeParams
from tests.search.executors import Failing
from tests.slow import first_few

#: Seconds for which no test goes on.
LONG = 3600.0


def test_one_worker_is_the_calling_process() -> None:
    with Pool(1) as workers:
        assert not workers.parallel
        assert workers.submit(getpid).result() == getpid()
        assert not is_left(-math.inf)


def test_a_serial_executor_hands_errors_to_whoever_asks() -> None:
    future = SerialExecutor().submit(int, "x")
    assert future.done()
    with pytest.raises(ValueError, match="invalid literal"):
        future.result()


def test_several_workers_are_other_processes_that_hear_when_to_stop() -> None:
    with Pool(2) as workers:
        assert workers.parallel
        assert workers.submit(getpid).result() != getpid()
        assert not workers.submit(is_left, -math.inf).result()
        workers.stop()
        assert workers.submit(is_left, -math.inf).result()
    assert not is_left(-math.inf)


def test_worker_processes_leave_nodes_from_a_limit_on_until_the_run_has_to_end() -> None:
    def left() -> list[bool]:
        return [workers.submit(is_left, bound).result() for bound in (2.9, 3.0)]

    assert not is_left(math.inf)
    with Pool(2) as workers:
        assert left() == [False, False]
        workers.leave(3.0)
        assert left() == [False, True]
        workers.leave(4.0)
        assert left() == [False, False]
        assert not workers.submit(is_left, -math.inf).result()
        workers.stop()
        workers.leave(5.0)
        assert left() == [True, True]


@pytest.mark.parametrize("what", ["RawValue", "SimpleQueue"])  # shared memory, files
def test_where_processes_cannot_be_reached_one_sentence_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EFBIG, "File too large")

    monkeypatch.setattr("pcsos.base.control.pool.cores", lambda: 2)
    monkeypatch.setattr(multiprocessing.get_context("fork"), what, refuse)
    with (
        Pool(2) as workers,
        pytest.raises(pcsos.PcsosError, match="cannot be set up: File too large; use one worker"),
    ):
        workers.submit(getpid)


def test_no_more_processes_than_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pcsos.base.control.pool.cores", lambda: 2)
    said: list[str] = []
    numbers = [number_of_workers(Options(workers=number).num_workers, said.append) for number in (1, 2, 1500)]
    assert numbers == [1, 2, 2]
    assert said == ["workers is 1500, more than the 2 cores of this process; 2 will do"]
    with ThreadPoolExecutor(1) as executor:
        assert number_of_workers(Options(workers=1500).num_workers, said.append, executor) == 1500


@pytest.mark.parametrize("command", ["solve", "certify", "path"])
def test_every_run_that_starts_processes_says_that_they_are_fewer(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pcsos.base.control.pool.cores", lambda: 1)
    events: list[object] = []
    second: dict[str, object] = {"solve": 2, "certify": [0, 0, 1, 1, 1], "path": [2, 3]}
    options = pcsos.Options(on_event=events.append)
    getattr(pcsos, command)([0.0, 2.0, 3.0, 9.0, 11.0], second[command], workers=1500, options=options)
    notices = [event.message for event in events if isinstance(event, Notice)]
    assert [words for words in notices if "1500" in words] == [
        "workers is 1500, more than the 1 core of this process; 1 will do"
    ]


class Counted:
    """A value that knows how often it was pickled."""

    num_pickled = 0

    def __init__(self, content: int) -> None:
        self.content = content

    def __getstate__(self) -> dict[str, int]:
        Counted.num_pickled += 1
        return self.__dict__


def content_of(value: Counted, factor: int) -> tuple[int, int]:
    return factor * value.content, getpid()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_what_is_shared_goes_to_each_worker_process_once(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    context = multiprocessing.get_context(method)
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: context)
    monkeypatch.setattr(Counted, "num_pickled", 0)
    value, other = Counted(7), Counted(8)
    with Pool(2) as workers:
        workers.share(value)
        assert {workers.submit(content_of, value, 2).result()[0] for _ in range(6)} == {14}
        assert Counted.num_pickled <= 2
        before = Counted.num_pickled
        workers.share(other)  # too late: it goes with each call
        assert {workers.submit(content_of, other, 2).result()[0] for _ in range(3)} == {16}
        assert workers.submit(content_of, value, 3).result()[0] == 21
        assert Counted.num_pickled == before + 3


def test_what_is_shared_is_the_value_itself_in_this_process_and_for_other_executors() -> None:
    value = Counted(7)
    for workers in (Pool(1), Pool(2, ThreadPoolExecutor(1))):
        workers.share(value)
        assert workers.submit(content_of, value, 2).result() == (14, getpid())


@pytest.mark.slow
@pytest.mark.parametrize("position", [0, 1])
def test_a_run_ends_after_a_worker_process_was_killed_while_it_waited(position: int) -> None:
    """One of them holds the lock of the queue of calls then, which the other one waits for."""
    with Pool(2) as workers:
        workers.submit(getpid).result()
        time.sleep(0.2)
        processes = list(workers._own._processes.values())
        os.kill(processes[position].pid, signal.SIGKILL)
        time.sleep(0.2)
    assert not any(process.is_alive() for process in processes)


def test_a_call_to_broken_workers_fails_by_itself() -> None:
    with Pool(2) as workers:
        with pytest.raises(BrokenExecutor):
            workers.submit(os._exit, 1).result()
        assert isinstance(workers.submit(getpid).exception(), BrokenExecutor)


def test_what_workers_still_do_at_the_end_is_not_waited_for() -> None:
    with Pool(2) as workers:
        futures = [workers.submit(time.sleep, 3600.0) for _ in range(5)]
    assert all(future.done() for future in futures)


def test_an_executor_of_the_callers_own_is_used_and_left_running() -> None:
    with ThreadPoolExecutor(1) as own:
        with Pool(1, own) as workers:
            assert workers.parallel
            assert workers.submit(getpid).result() == getpid()
            workers.stop()
        assert own.submit(sum, [1, 2]).result() == 3


def halves(number: int) -> tuple[int, list[int]]:
    """Return a number, and two jobs of half its size that it leaves."""
    return number, [number // 2] * 2 if number > 1 else []


@pytest.mark.parametrize("number", [1, 3])
def test_jobs_may_leave_others_and_all_are_done(number: int) -> None:
    jobs, results = deque([8, 4]), []
    with ThreadPoolExecutor(number) as executor, Pool(number, executor if number > 1 else None) as pool:
        each = pool.each(jobs, lambda job: pool.submit(halves, job), NEVER, print, ahead=1)
        for job, (result, more) in each:
            assert job == result
            results.append(job)
            jobs.extendleft(more)
    assert sorted(results) == sorted([8, *2 * [4], *4 * [2], *8 * [1], 4, *2 * [2], *4 * [1]])
    assert not jobs


def test_jobs_that_are_refused_are_left() -> None:
    jobs, pool = deque(range(6)), Pool(1)
    each = pool.each(jobs, lambda job: pool.submit(abs, job) if job % 2 else None, NEVER, print)
    assert [job for job, _ in each] == [1, 3, 5]
    assert list(jobs) == [0, 2, 4]


@pytest.mark.slow
def test_jobs_are_not_waited_for_beyond_the_grace() -> None:
    jobs = deque([LONG, 0.0, LONG])
    with Pool(3) as pool:
        done = list(pool.each(jobs, lambda job: pool.submit(time.sleep, job), Stop(lambda: True), print, grace=1.0))
    assert [job for job, _ in done] == [0.0]
    assert list(jobs) == [LONG, LONG]


@pytest.mark.parametrize("lost_at", [0, 2])
def test_nothing_is_handed_out_once_a_worker_is_lost_and_all_that_is_open_is_left(lost_at: int) -> None:
    jobs, told, num_handed = deque(range(5)), list[BaseException](), itertools.count()
    with Failing("done", lost_at, RuntimeError("lost")) as executor:
        pool = Pool(2, executor)

        def begin(job: int) -> Future[int]:
            next(num_handed)
            return pool.submit(abs, job)

        done = [job for job, _ in pool.each(jobs, begin, NEVER, told.append)]
    assert sorted([*done, *jobs]) == list(range(5))
    assert len(done) <= lost_at
    assert [str(error) for error in told] == ["lost"]
    assert next(num_handed) <= lost_at + 2


def statuses_in_a_daemon(workers: int | None) -> list[str]:
    """Solve with these workers, and where that is refused say why."""
    try:
        result = pcsos.solve([[0.0], [1.0], [5.0], [6.0]], 2, cannot_link=[(0, 1)], workers=workers)
    except pcsos.InputError as error:
        return [str(error)]
    return [str(result.status)]


def test_a_daemon_solves_alone_and_says_that_it_may_not_have_workers() -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(statuses_in_a_daemon, [None, 1]) == [["OPTIMAL"], ["OPTIMAL"]]
        assert "leave workers out or give 1" in pool.map(statuses_in_a_daemon, [2])[0][0]


POINTS = np.random.default_rng(0).normal(size=(24, 4))
PARTS = np.random.default_rng(0).normal(size=(120, 5)) + 4.0 * np.eye(5)[np.arange(120) % 3]
FEW_ROUNDS = Params(tree=TreeParams(root_rounds=1, node_rounds=1))
BLOCKS = Params(prices=PriceParams(features_up_to=0), blocks=BlockParams(whole_up_to=10, least_size=20, largest_size=2))
PLAIN = pcsos.Options(workers=2)


def in_nodes(options: pcsos.Options = PLAIN) -> Result:
    return pcsos.solve(POINTS, 6, options=replace(options, params=FEW_ROUNDS, node_limit=12))


def in_blocks(options: pcsos.Options = PLAIN) -> Result:
    return pcsos.certify(PARTS, np.arange(120) % 3, options=replace(options, params=BLOCKS, gap=1e-3))


RUNS: dict[str, Callable[..., Result]] = {"nodes": in_nodes, "blocks": in_blocks}


@pytest.fixture(scope="module", params=list(RUNS))
def run(request: pytest.FixtureRequest) -> tuple[Callable[..., Result], Result]:
    """A run with workers, and its result with those of its own."""
    return RUNS[request.param], RUNS[request.param]()


@pytest.mark.parametrize(
    ("how", "after", "error"),
    first_few(
        4,
        [
            ("submit", 0, OSError(errno.ENOSPC, "no space")),
            ("done", 2, BrokenExecutor("gone")),
            ("done", 2, SystemExit(3)),
            ("left without a word", 2, CancelledError()),
            ("submit", 2, BrokenExecutor("gone")),
            ("done", 0, RuntimeError("lost")),
            ("left", 2, CancelledError()),
        ],
    ),
)
def test_a_run_goes_on_without_an_executor_that_fails(
    run: tuple[Callable[..., Result], Result], how: str, after: int, error: BaseException
) -> None:
    told: list[object] = []
    solve, expected = run
    with Failing(how, after, error) as executor:
        found = solve(options=pcsos.Options(workers=2, executor=executor, on_event=told.append))
    assert executor.num_calls > after
    assert (found.status, found.objective) == (expected.status, expected.objective)
    assert found.lower_bound is not None
    assert found.lower_bound >= 0.99 * (expected.lower_bound or math.inf)
    notices = [event.message for event in told if isinstance(event, Notice)]
    assert notices == [f"the executor failed ({error!r}); the run goes on without workers"]


@pytest.mark.slow
@pytest.mark.parametrize("few", [0, 1])
def test_a_run_goes_on_where_no_worker_process_can_be_started(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    forks, fork, told = iter(range(few)), os.fork, []

    def refuse() -> int:
        if next(forks, None) is None:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return fork()

    monkeypatch.setattr(os, "fork", refuse)
    found = RUNS["nodes"](options=pcsos.Options(workers=2, on_event=told.append))
    monkeypatch.undo()
    expected = RUNS["nodes"](options=pcsos.Options(workers=1))
    assert (found.status, found.objective, found.lower_bound) == (
        expected.status, expected.objective, expected.lower_bound,
    )  # fmt: skip
    assert "worker processes cannot be started (Resource temporarily unavailable); the run goes on without workers" in [
        event.message for event in told if isinstance(event, Notice)
    ]


class Stubborn(Future[Any]):
    """A call that never ends, and cannot be left either."""

    def cancel(self) -> bool:
        raise RuntimeError("it cannot be left")


@pytest.mark.slow
def test_calls_that_cannot_be_left_do_not_keep_a_run() -> None:
    class Never(ThreadPoolExecutor):
        def submit(self, *_: Any, **__: Any) -> Any:
            return Stubborn()

    with Never(1) as executor:
        assert RUNS["nodes"](pcsos.Options(workers=2, executor=executor, time_limit=0.5)).reason is Reason.TIME_LIMIT
