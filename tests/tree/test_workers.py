"""Executors: in the calling process, in processes, and of the caller's own."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from os import getpid

import pytest

import pcsos
from pcsos.tree.workers import SerialExecutor, Workers, stop_requested


def test_one_worker_is_the_calling_process() -> None:
    with Workers(1) as workers:
        assert not workers.parallel
        assert workers.submit(getpid).result() == getpid()
        assert not stop_requested()


def test_a_serial_executor_hands_errors_to_whoever_asks() -> None:
    future = SerialExecutor().submit(int, "x")
    assert future.done()
    with pytest.raises(ValueError, match="invalid literal"):
        future.result()


def test_several_workers_are_other_processes_that_hear_when_to_stop() -> None:
    with Workers(2) as workers:
        assert workers.parallel
        assert workers.submit(getpid).result() != getpid()
        assert not workers.submit(stop_requested).result()
        workers.stop()
        assert workers.submit(stop_requested).result()
    assert not stop_requested()


def test_an_executor_of_the_callers_own_is_used_and_left_running() -> None:
    with ThreadPoolExecutor(1) as own:
        with Workers(1, own) as workers:
            assert workers.parallel
            assert workers.submit(getpid).result() == getpid()
            workers.stop()
        assert own.submit(sum, [1, 2]).result() == 3


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
