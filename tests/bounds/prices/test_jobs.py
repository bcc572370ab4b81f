"""Prices on a caller's own executor: the same bound as with threads, whatever happens to the workers."""

import itertools
import multiprocessing
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.base.control.pool import Pool
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.events import Notice
from pcsos.bounds.prices import jobs, pricing
from pcsos.bounds.prices.jobs import AHEAD, Kept, PriceWorkers, done_elsewhere, use_workers
from pcsos.bounds.prices.pricing import greatest_profit
from tests.bounds.prices.test_pricing import bits, plane

#: Super-points that count as many here.
MANY = 100


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MANY", MANY)
    monkeypatch.setattr(jobs, "_kept", Kept())


@pytest.fixture
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
        pool.submit(os.getpid).result()  # processes start here, before a run catches signals
        yield pool


class Watched(Executor):
    """Hands calls of prices on, and notes what goes with them; ``on_call`` is told their number before."""

    def __init__(self, executor: Executor, on_call: Callable[[int], object] = lambda number: None) -> None:
        self.executor, self.on_call = executor, on_call
        self.trees: list[int] = []
        self.prices: list[int] = []
        self.num_calls = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if fn is done_elsewhere:
            name, _, tree, prices = args
            self.num_calls += 1
            self.trees += [name.tree[1]] * (tree is not None)
            self.prices += [name.prices] * (prices is not None)
            self.on_call(self.num_calls)
        return self.executor.submit(fn, *args, **kwargs)


def certify(**options: Any) -> pcsos.Certification:
    """Certify overlapping clusters of more points than prices are raised for in the calling process."""
    labels = np.arange(1200) % 5
    points = 3.0 * np.random.default_rng(0).normal(size=(5, 2))[labels] + np.random.default_rng(1).normal(
        size=(1200, 2)
    )
    return pcsos.certify(points, labels, gap=2e-2, workers=2, **options)


def test_an_executor_proves_what_threads_prove(pool: ProcessPoolExecutor) -> None:
    executor, here = Watched(pool), certify()
    there = certify(options=pcsos.Options(executor=executor))
    assert (there.lower_bound, there.n_blocks) == (here.lower_bound, 1)
    assert 0.75 * here.objective < here.lower_bound < here.objective
    # A worker that is late to its first job may be handed the tree for each job that it takes meanwhile.
    assert 10 * len(executor.trees) < executor.num_calls
    assert len(set(executor.prices)) > 2
    assert max(len(executor.prices), 200) < executor.num_calls


def test_prices_of_few_stay_where_they_are(pool: ProcessPoolExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MANY", 1201)
    executor = Watched(pool)
    assert certify(options=pcsos.Options(executor=executor)).lower_bound == certify().lower_bound
    assert executor.num_calls == 0


def test_a_worker_that_is_killed_loses_nothing(pool: ProcessPoolExecutor) -> None:
    def kill(number: int) -> None:
        if number == 40:
            pool.submit(os._exit, 1)

    events: list[object] = []
    executor = Watched(pool, kill)
    assert (
        certify(options=pcsos.Options(executor=executor, on_event=events.append)).lower_bound == certify().lower_bound
    )
    notices = [event.message for event in events if isinstance(event, Notice)]
    assert any(
        re.fullmatch(r"the executor failed \(Broken.*\); the run goes on without workers", own) for own in notices
    )
    assert 40 <= executor.num_calls < 150


def test_a_worker_that_fails_loses_nothing() -> None:
    def fail(number: int) -> None:
        if number == 40:
            raise MemoryError("too little")

    events: list[object] = []
    with ThreadPoolExecutor(2) as threads:
        result = certify(options=pcsos.Options(executor=Watched(threads, fail), on_event=events.append))
    assert result.lower_bound == certify().lower_bound
    assert "a worker failed (MemoryError: too little); prices are raised without workers" in [
        event.message for event in events if isinstance(event, Notice)
    ]


def test_a_worker_that_takes_the_place_of_another_is_given_all_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pricing, "WORK", 100)
    monkeypatch.setattr(jobs, "MANY", 40)
    priced = plane(5)
    options = {"known": 0.0, "tolerance": 1e-2, "floor": 0.0, "keep": 9, "most_boxes": 10**6, "rounded": 40}

    def forget(number: int) -> None:
        if number in (10, 25):
            monkeypatch.setattr(jobs, "_kept", Kept())

    with ThreadPoolExecutor(1) as thread:
        executor = Watched(thread, forget)
        with use_workers(PriceWorkers(Pool(1, executor), NEVER, print, lambda: None).run):
            there = greatest_profit(priced, **options)  # type: ignore[arg-type]
    assert bits(there) == bits(greatest_profit(priced, **options))  # type: ignore[arg-type]
    assert executor.trees == [0] * len(executor.prices)
    assert 3 <= len(executor.prices) <= 1 + 2 * (1 + AHEAD)
    assert executor.num_calls > 32


def test_what_workers_do_is_not_waited_for_once_the_run_has_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Never(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            return Future()

    monkeypatch.setattr(jobs, "MANY", 40)
    asked = itertools.count()
    stop = Stop(lambda: next(asked) > 5)
    with use_workers(PriceWorkers(Pool(2, Never()), stop, print, lambda: None).run):
        found = greatest_profit(
            plane(5), known=0.5, tolerance=1e-4, floor=0.0, keep=9, most_boxes=10**6, rounded=40,
            stop=stop,
        )  # fmt: skip
    assert (found.least, found.most) == (0.5, np.inf)


@pytest.mark.slow
def test_a_cluster_of_dask_proves_what_threads_prove() -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = Watched(client.get_executor())
        assert certify(options=pcsos.Options(executor=executor)).lower_bound == certify().lower_bound
    assert executor.num_calls > 200
