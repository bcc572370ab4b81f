"""Jobs in a queue: heard in the order in which they were begun, dropped without being waited for, never lost."""

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor, wait
from contextlib import ExitStack
from threading import Event

import pytest

from pcsos.base.control.pool import JobQueue, Pool, is_left
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.control.subprocess import Channel
from pcsos.base.events import Notify
from tests.search.executors import Shuffled

#: A number and a bound.
Job = tuple[int, float]


def job_of(number: int, bound: float = 1.0) -> Job:
    return number, bound


def queue_of(pool: Pool, stop: Stop = NEVER, notify: Notify = print) -> JobQueue[Job, float]:
    return JobQueue(pool, stop, notify, here)


def here(job: Job) -> float:
    """Do a job in the calling process; the result tells which it was, and where."""
    return -float(job[0])


def begin(own: JobQueue[Job, float], work: Callable[..., float], *jobs: Job) -> None:
    for job in jobs:
        own.add(job, job[1], own.pool.begin(work, job, bound=job[1]))


def answer(channel: Channel, job: Job) -> float:
    return 10.0 + job[0]


def die_with_the_third(channel: Channel, job: Job) -> float:
    if job[0] == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer(channel, job)


def sleep_for_ever(*_: object) -> float:
    while os.getpid():
        time.sleep(1.0)
    raise AssertionError


def work_until_it_is_left(channel: Channel, job: Job) -> float:
    while not channel.stop.asked():
        time.sleep(0.001)
    return answer(channel, job)


@pytest.mark.parametrize("seed", range(3))
def test_results_come_in_the_order_in_which_jobs_were_begun(seed: int) -> None:
    with Shuffled(seed) as executor:
        own = queue_of(Pool(3, executor))
        begin(own, answer, *(job_of(number) for number in range(6)))
        heard = [own.next() for _ in range(6)]
    assert [job[0] for job, _ in heard] == list(range(6))
    assert [result for _, result in heard] == [10.0 + number for number in range(6)]
    assert len(own) == 0


@pytest.mark.parametrize(("number", "room"), [(1, 1), (2, 4), (5, 10)])
def test_there_is_room_for_what_workers_do_and_for_what_they_do_next(number: int, room: int) -> None:
    own = queue_of(Pool(number))
    for job in range(room):
        assert not own.is_full
        own.add(job_of(job), 1.0)
    assert own.is_full
    assert [own.next()[1] for _ in range(room)] == [-float(job) for job in range(room)]


def test_jobs_that_are_dropped_are_not_waited_for() -> None:
    ended = Event()

    def patient(channel: Channel, job: Job) -> float:
        if job[1] >= 3.0:
            ended.wait(20.0)
        return answer(channel, job)

    with ThreadPoolExecutor(3) as executor, ExitStack() as stack:
        stack.callback(ended.set)
        own = queue_of(Pool(3, executor))
        begin(own, patient, job_of(1, 3.0), job_of(2, 2.0), job_of(3, 4.0), job_of(4, 2.5))
        assert own.drop(5.0) == []
        assert [number for number, _ in own.drop(3.0)] == [1, 3]
        assert [own.next()[0][0] for _ in range(2)] == [2, 4]
        assert len(own) == 0


def test_workers_leave_what_is_dropped_and_go_on_with_the_next() -> None:
    with Pool(2) as pool:
        first = queue_of(pool)
        begin(first, work_until_it_is_left, *(job_of(number, 3.0) for number in range(4)))
        first.drop(3.0)
        assert not wait(pool._futures, timeout=60.0).not_done
        second = queue_of(pool)  # of another search, which knows no limit yet
        begin(second, answer, job_of(7, 8.0))
        assert second.next() == ((7, 8.0), 17.0)
        assert not pool.submit(is_left, 1e9).result()


def test_a_worker_that_is_killed_leaves_its_job_and_later_ones_to_the_calling_process() -> None:
    told: list[str] = []
    with Pool(2) as pool:
        own = queue_of(pool, NEVER, told.append)
        begin(own, die_with_the_third, job_of(1), job_of(2))
        before = [own.next() for _ in range(2)]
        begin(own, die_with_the_third, job_of(3), job_of(4), job_of(5))
        after = [own.next()]
        after += [own.next() for _ in range(2)]
    assert [(job[0], result) for job, result in before] == [(1, 11.0), (2, 12.0)]
    assert [job[0] for job, _ in after] == [3, 4, 5]
    assert after[0][1] == -3.0
    assert own.pool.number == 1
    assert told == ["a worker process was killed; the run goes on without workers"]


def test_a_pool_that_is_broken_already_when_a_job_is_begun_loses_nothing() -> None:
    told: list[str] = []
    with Pool(2) as pool:
        with pytest.raises(BrokenExecutor):
            pool.begin(die_with_the_third, job_of(3)).result()
        own = queue_of(pool, NEVER, told.append)
        begin(own, answer, job_of(1), job_of(2))
        assert [own.next(), own.next()] == [(job_of(1), -1.0), (job_of(2), -2.0)]
    assert len(told) == 1


def test_overdue_workers_are_killed_and_their_jobs_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pcsos.base.control.pool.GRACE", 0.1)
    told: list[str] = []
    with Pool(2) as pool:
        own = queue_of(pool, Stop(lambda: True), told.append)
        begin(own, sleep_for_ever, *(job_of(number, 1.5 + number) for number in range(3)))
        assert [own.next()[1] for _ in range(3)] == [None] * 3
        assert not wait(pool._futures, timeout=60.0).not_done
    assert not told
