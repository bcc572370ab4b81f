"""Several workers: always busy, the same tree whatever takes how long, and nothing lost where one of them is."""

import math
import os
import random
import signal
import time
from contextlib import ExitStack
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from pcsos.base.control.pool import Pool
from pcsos.base.control.subprocess import Channel, Here
from pcsos.base.events import IncumbentFound, NodeClosed, Notice
from pcsos.evidence.result import Reason
from pcsos.problem.reduction import Reduced
from pcsos.search.branch_and_cut import Search
from pcsos.search.relaxation import bounder
from pcsos.search.relaxation.bounding import process, process_in_worker
from pcsos.search.task import Found, Outcome, Task
from tests.bounds.relaxation.samples import Sample, loose_sample
from tests.search.executors import OnDemand, Shuffled
from tests.search.test_branch_and_cut import FEW_ROUNDS_NO_FIXING, Notebook, check_finished, search_of
from tests.slow import first_few

SAMPLE = loose_sample(0)


def solved(sample: Sample, workers: Pool, **options: Any) -> tuple[list[Any], Search]:
    """Search with these workers; return everything that was written down and told, but for times, and the search."""
    told: list[Any] = []

    def notify(event: Any) -> None:
        if isinstance(event, NodeClosed | IncumbentFound):
            told.append(replace(event, seconds=0.0))

    notebook = Notebook()
    own = search_of(sample, workers, journal=notebook, notify=notify, tree=FEW_ROUNDS_NO_FIXING, **options)
    check_finished(sample, own, own.run())
    written = [(r.node, r.parent, r.decision, r.lower_bound, type(r.end)) for r in notebook.nodes]
    return [
        *written,
        *told,
        own.lower_bound,
        own.context.primal.objective,
        own.context.primal.partition.labels.tolist(),
    ], own


def delayed(*arguments: Any) -> tuple[Outcome, ...]:
    """Process a node after a time that no two runs have in common."""
    time.sleep(random.SystemRandom().uniform(0.0, 0.02))
    return process_in_worker(*arguments)


@pytest.mark.parametrize("seed", first_few(1, [0, 6]))
def test_what_takes_how_long_changes_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = loose_sample(seed)
    with Pool(2) as workers:
        expected, own = solved(sample, workers)
    assert own.nodes >= 9
    for delays in range(3):
        with Shuffled(delays) as executor:
            assert solved(sample, Pool(2, executor))[0] == expected
    monkeypatch.setattr(bounder, "process_in_worker", delayed)
    for _ in range(2):
        with Pool(2) as workers:
            assert solved(sample, workers)[0] == expected


@pytest.mark.parametrize("oldest_last", [True, False])
@pytest.mark.parametrize("number", [2, 3])
def test_no_worker_is_idle_while_there_are_nodes(
    number: int, oldest_last: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever a node is waited for the others have one, too: those at work are not waited for together."""

    def look(num_unfinished: int) -> tuple[int, int]:
        return num_unfinished, len(own._frontier)

    executor = OnDemand(look, oldest_last=oldest_last)
    monkeypatch.setattr("pcsos.base.control.pool.wait", executor.wait)
    own = search_of(SAMPLE, Pool(number, executor), tree=FEW_ROUNDS_NO_FIXING)
    check_finished(SAMPLE, own, own.run())
    assert len(executor.seen) >= 3
    assert all(num_unfinished >= min(number, num_open) for num_unfinished, num_open in executor.seen)
    assert max(num_unfinished for num_unfinished, _ in executor.seen) > number


@pytest.mark.parametrize("limit", range(1, 8))
@pytest.mark.parametrize("number", [2, 4])
def test_a_node_limit_counts_what_is_in_flight(limit: int, number: int) -> None:
    with Shuffled(limit, 0.005) as executor:
        notebook = Notebook()
        workers = Pool(number, executor)
        own = search_of(SAMPLE, workers, node_limit=limit, journal=notebook, tree=FEW_ROUNDS_NO_FIXING)
        assert own.run() is Reason.NODE_LIMIT
    assert own.nodes == len(notebook.nodes) == limit
    assert 0.0 < own.lower_bound < SAMPLE.truth.optimum


def without_finding(
    channel: Channel, root: Reduced, task: Task, objective: float, options: Any, num_threads: int = 1
) -> Outcome:
    """Process a node but keep what its heuristic finds, and close it only where that is possible at 1e-6."""
    return replace(process(Here(), root, task, objective, replace(options, gap=1e-6)), found=None)


def test_the_end_does_not_wait_for_nodes_that_are_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One child finds the optimum, which makes the other one needless while it is at work."""
    ended = Event()

    def one_works_on(channel: Channel, root: Reduced, task: Task, *_: Any) -> tuple[Outcome]:
        if task.node == 2:
            ended.wait(20.0)
        outcome = without_finding(channel, root, task, math.inf, own.context.options)
        return (replace(outcome, found=Found(SAMPLE.truth.best_labels, SAMPLE.truth.optimum, "S")),)

    monkeypatch.setattr(bounder, "process", without_finding)
    monkeypatch.setattr(bounder, "process_in_worker", one_works_on)
    with Shuffled(0) as executor, ExitStack() as stack:
        stack.callback(ended.set)
        own = search_of(SAMPLE, Pool(2, executor), gap=0.3, tree=FEW_ROUNDS_NO_FIXING)
        assert own.run() is Reason.GAP_REACHED
        assert not ended.is_set()
        assert own.nodes == 2
        assert own.lower_bound == own.root_lower_bound
        assert len(own._jobs) == 0


def test_nodes_that_are_not_needed_wait_with_the_bound_that_they_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """A better partition sends what is in flight back; the bounds of it count as before, whatever workers know."""
    with Shuffled(0) as executor:
        own = search_of(SAMPLE, Pool(3, executor), tree=FEW_ROUNDS_NO_FIXING)
        own.step()
        own.step()
        num_open, bound = len(own._frontier), own.lower_bound
        assert len(own._jobs) >= 1
        own.context = own.context.with_gap(0.5)
        own._drop_needless()
        assert (len(own._jobs), len(own._frontier), own.lower_bound) == (0, num_open, bound)
        assert own.run() is Reason.GAP_REACHED


def test_nodes_are_written_down_after_their_parents() -> None:
    notebook = Notebook()
    with Shuffled(3) as executor:
        own = search_of(SAMPLE, Pool(3, executor), journal=notebook, tree=FEW_ROUNDS_NO_FIXING)
        own.run()
    position = {record.node: at for at, record in enumerate(notebook.nodes)}
    assert len(position) == len(notebook.nodes) == own.nodes
    assert all(position[r.parent] < position[r.node] for r in notebook.nodes if r.parent is not None)


@pytest.mark.parametrize("after", [2, 4, 7])
def test_a_run_goes_on_without_a_worker_that_was_killed(after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounder, "process_in_worker", delayed)
    notebook = Notebook()
    messages: list[str] = []

    def notify(event: Any) -> None:
        if isinstance(event, NodeClosed) and own.nodes == after:
            os.kill(next(iter(workers._own._processes)), signal.SIGKILL)
        if isinstance(event, Notice):
            messages.append(event.message)

    with Pool(2) as workers:
        own = search_of(SAMPLE, workers, journal=notebook, notify=notify, tree=FEW_ROUNDS_NO_FIXING)
        check_finished(SAMPLE, own, own.run())
    assert messages == ["a worker process was killed; the run goes on without workers"]
    again = search_of(SAMPLE, tree=FEW_ROUNDS_NO_FIXING)
    for record in notebook.nodes:
        again.replay(record)
    assert (again.nodes, again.lower_bound) == (own.nodes, own.lower_bound)


def test_the_instance_goes_to_worker_processes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []

    def count(problem: Reduced) -> dict[str, Any]:
        sent.append(problem.size)
        return problem.__dict__

    monkeypatch.setattr(Reduced, "__getstate__", count)
    with Pool(2) as workers:
        assert solved(SAMPLE, workers)[1].nodes >= 9
    assert len(sent) <= 2


@pytest.mark.parametrize("asked", [2, 3, 5])
def test_what_is_in_flight_is_heard_when_the_run_has_to_end(asked: int) -> None:
    """Nodes that end are counted, others wait with what is proved of them; a second run goes on from there."""
    notebook, closed = Notebook(), []
    with Pool(2) as workers:
        own = search_of(
            SAMPLE, workers, interrupted=lambda: len(closed) >= asked, journal=notebook, tree=FEW_ROUNDS_NO_FIXING,
            notify=lambda event: closed.append(event) if isinstance(event, NodeClosed) else None,
        )  # fmt: skip
        assert own.run() is Reason.INTERRUPTED
    assert asked <= own.nodes <= asked + 3
    assert len(own._jobs) == 0
    second = search_of(SAMPLE, journal=notebook, tree=FEW_ROUNDS_NO_FIXING)
    for record in list(notebook.nodes):
        second.replay(record)
    assert (second.nodes, second.lower_bound) == (own.nodes, own.lower_bound)
    check_finished(SAMPLE, second, second.run())


def test_one_worker_beside_a_pool_of_the_callers_own_takes_the_way_of_one_worker() -> None:
    with Shuffled(0) as executor:
        assert solved(SAMPLE, Pool(1, executor))[0] == solved(SAMPLE, Pool(1))[0]
