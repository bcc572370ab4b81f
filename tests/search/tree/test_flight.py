"""Tasks in flight: heard in the order in which they were begun, dropped without being waited for, never lost."""

import math
import os
import signal
import time
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor, wait
from contextlib import ExitStack
from threading import Event
from typing import Any

import pytest

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.control.workers import Workers, is_left
from pcsos.base.events import Notice
from pcsos.problem.options import Options
from pcsos.search.tree import flight
from pcsos.search.tree.flight import Flight
from pcsos.search.tree.task import Outcome, State, Task
from tests.bounds.relaxation.samples import loose_sample
from tests.search.tree.executors import Shuffled

REDUCED = loose_sample(0).reduced


def task_of(node: int, bound: float = 1.0) -> Task:
    return Task(node, 0, None, State(), bound)


def begin(own: Flight, *tasks: Task) -> None:
    for task in tasks:
        own.begin(task, REDUCED, math.inf, Options(), math.inf)


def answer(root: object, task: Task, *_: object) -> Outcome:
    """Process no node; the bound of the outcome tells which it was."""
    return Outcome.left_open(task, 10.0 + task.node)


def die_with_the_third(root: object, task: Task, *_: object) -> Outcome:
    if task.node == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer(root, task)


def sleep_for_ever(*_: object) -> Outcome:
    while os.getpid():
        time.sleep(1.0)
    raise AssertionError


def work_until_it_is_left(root: object, task: Task, *_: object) -> Outcome:
    while not is_left(task.lower_bound):
        time.sleep(0.001)
    return answer(root, task)


@pytest.mark.parametrize("seed", range(3))
def test_outcomes_come_in_the_order_in_which_tasks_were_begun(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flight, "process_in_worker", answer)
    with Shuffled(seed) as executor:
        own = Flight(Workers(3, executor), NEVER, print)
        begin(own, *(task_of(node) for node in range(6)))
        heard = [own.next() for _ in range(6)]
    assert [task.node for task, _ in heard] == list(range(6))
    assert [outcome.lower_bound for _, outcome in heard if outcome is not None] == [10.0 + node for node in range(6)]
    assert len(own) == 0


@pytest.mark.parametrize(("number", "room"), [(1, 1), (2, 4), (5, 10)])
def test_there_is_room_for_what_workers_do_and_for_what_they_do_next(number: int, room: int) -> None:
    own = Flight(Workers(number), NEVER, print)
    for node in range(room):
        assert not own.is_full
        own.begin_here(task_of(node))
    assert own.is_full


def test_tasks_that_are_dropped_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Event()

    def patient(root: object, task: Task, *_: object) -> Outcome:
        if task.lower_bound >= 3.0:
            ended.wait(20.0)
        return answer(root, task)

    monkeypatch.setattr(flight, "process_in_worker", patient)
    with ThreadPoolExecutor(3) as executor, ExitStack() as stack:
        stack.callback(ended.set)
        own = Flight(Workers(3, executor), NEVER, print)
        begin(own, task_of(1, 3.0), task_of(2, 2.0), task_of(3, 4.0), task_of(4, 2.5))
        assert own.drop(5.0) == []
        assert [task.node for task in own.drop(3.0)] == [1, 3]
        assert [own.next()[0].node for _ in range(2)] == [2, 4]
        assert len(own) == 0


def test_workers_leave_what_is_dropped_and_go_on_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flight, "process_in_worker", work_until_it_is_left)
    with Workers(2) as workers:
        first = Flight(workers, NEVER, print)
        begin(first, *(task_of(node, 3.0) for node in range(4)))
        first.drop(3.0)
        assert not wait(workers._futures, timeout=60.0).not_done
        monkeypatch.setattr(flight, "process_in_worker", answer)
        second = Flight(workers, NEVER, print)  # of another search, which knows no limit yet
        begin(second, task_of(7, 8.0))
        task, outcome = second.next()
        assert (task.node, outcome.lower_bound) == (7, 17.0)
        assert not workers.submit(is_left, 1e9).result()


def test_a_worker_that_is_killed_leaves_its_task_and_later_ones_to_the_calling_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(flight, "process_in_worker", die_with_the_third)
    told: list[Any] = []
    with Workers(2) as workers:
        own = Flight(workers, NEVER, lambda sentence: told.append(Notice(sentence)))
        begin(own, task_of(1), task_of(2))
        before = [own.next() for _ in range(2)]
        begin(own, task_of(3), task_of(4), task_of(5))
        after = [own.next()]
        after += [own.next() for _ in range(2)]
    assert [(task.node, outcome.lower_bound) for task, outcome in before] == [(1, 11.0), (2, 12.0)]
    assert [task.node for task, _ in after] == [3, 4, 5]
    assert after[0][1] is None
    assert own.workers.number == 1
    assert [type(event) for event in told] == [Notice]


def test_a_pool_that_is_broken_already_when_a_task_is_begun_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flight, "process_in_worker", die_with_the_third)
    told: list[Any] = []
    with Workers(2) as workers:
        with pytest.raises(BrokenExecutor):
            workers.submit(die_with_the_third, REDUCED, task_of(3)).result()
        own = Flight(workers, NEVER, lambda sentence: told.append(Notice(sentence)))
        begin(own, task_of(1), task_of(2))
        assert [(task.node, outcome) for task, outcome in (own.next(), own.next())] == [(1, None), (2, None)]
    assert [type(event) for event in told] == [Notice]


def test_overdue_workers_are_killed_and_their_tasks_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pcsos.base.control.workers.GRACE", 0.1)
    monkeypatch.setattr(flight, "process_in_worker", sleep_for_ever)
    told: list[Any] = []
    with Workers(2) as workers:
        own = Flight(workers, Stop(lambda: True), told.append)
        begin(own, *(task_of(node, 1.5 + node) for node in range(3)))
        outcomes = [own.next()[1] for _ in range(3)]
        assert not wait(workers._futures, timeout=60.0).not_done
    assert [(outcome.record, outcome.lower_bound) for outcome in outcomes] == [(None, 1.5), (None, 2.5), (None, 3.5)]
    assert not told


def test_a_task_whose_time_is_up_before_it_begins_stays_open() -> None:
    outcome = flight.process_in_worker(REDUCED, task_of(1, 2.0), math.inf, Options(), 0.0)
    assert (outcome.record, outcome.lower_bound) == (None, 2.0)
