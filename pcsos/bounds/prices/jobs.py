"""Jobs on a priced tree, done by threads of this process, or by workers of a caller's executor that keep the tree.

A job is a pure function of the priced tree: what comes of it depends neither on who does it nor on when. Its result has
the place in the order of results as first entry, and it may leave further jobs. Prices rise in a subprocess, which asks
the process that has the executor for what workers are to do.
"""

import itertools
import math
import threading
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from pcsos.base.control.pool import Pool
from pcsos.base.control.stop import Stop
from pcsos.base.control.threads import threads
from pcsos.base.events import Notify
from pcsos.bounds.prices.tree import Priced, priced_nodes

#: Super-points from which on boxes and climbs are jobs: at 300,000 a pricing on a cluster of Dask took as long as with
#: threads, at 128,000 a third longer.
MANY = 250_000
#: Jobs beyond those at work, for each worker: with the second there, none waits for the next one.
AHEAD = 1

#: What goes with prices, and what is computed from them; everything else in a priced tree is the tree.
WITH_PRICES = (
    "prices", "knot_first", "choice_first", "choices", "group_means", "group_weights", "group_prices", "group_first",
    "members",
)  # fmt: skip
COMPUTED = ("paid", "least", "most")
OF_TREE = tuple(name for name in Priced._fields if name not in WITH_PRICES + COMPUTED)

#: What a worker has not got.
NO_TREE, NO_PRICES = "tree", "prices"

Values = dict[str, Any]
Result = tuple[Any, ...]
#: What comes of a job, and further jobs.
Outcome = tuple[Result, Sequence[Any]]


class Job(Protocol):
    """What can be done anywhere."""

    def done(self, priced: Priced) -> Outcome:
        """Return a result, which begins with its place in the order of all, and jobs that are left; takes a moment."""


J = TypeVar("J", bound=Job)
#: Results, and the jobs that are left because the run has to end.
Answer = tuple[list[Result], list[J]]


class Name(NamedTuple):
    """Which tree, and which prices."""

    tree: tuple[str, int]
    prices: int


@dataclass(frozen=True, eq=False)
class Request:
    """Jobs for workers, with the parts of the tree and the prices where these are new."""

    name: Name
    tree: Values | None
    prices: Values | None
    jobs: Sequence[Any]

    @property
    def missing(self) -> str:
        """What no worker has got yet."""
        return NO_TREE if self.tree is not None else NO_PRICES if self.prices is not None else ""


#: Sends a request; the answer is None where there are no workers any more.
Send = Callable[[Request], Any]


class _Sender:
    """Sends requests, each tree and all prices once, as long as there are workers."""

    def __init__(self, send: Send) -> None:
        self._send, self.is_alone = send, False
        self._run, self._numbers = uuid.uuid4().hex, itertools.count()
        self._priced: Priced | None = None
        self._tree = self._prices = 0

    def done(self, priced: Priced, jobs: Sequence[J]) -> Answer[J] | None:
        """Return what comes of jobs, None if there is no worker to do them."""
        tree = prices = None
        if priced is not self._priced:
            if self._priced is None or priced.means is not self._priced.means:
                self._tree, tree = next(self._numbers), _parts(priced, OF_TREE)
            self._prices, prices = next(self._numbers), _parts(priced, WITH_PRICES)
            self._priced = priced
        answer: Answer[J] | None = self._send(Request(Name((self._run, self._tree), self._prices), tree, prices, jobs))
        self.is_alone = answer is None
        return answer


def _parts(priced: Priced, names: tuple[str, ...]) -> Values:
    return {name: getattr(priced, name) for name in names}


_sender: ContextVar[_Sender | None] = ContextVar("_sender", default=None)


@contextmanager
def use_workers(send: Send | None) -> Iterator[None]:
    """Let workers elsewhere, if there are any, do the jobs on large trees meanwhile."""
    before = _sender.set(None if send is None else _Sender(send))
    try:
        yield
    finally:
        _sender.reset(before)


def are_many(size: int) -> bool:
    """Tell whether so many super-points are worth jobs."""
    return size >= MANY


def are_for_workers(size: int) -> bool:
    """Tell whether somebody elsewhere does the jobs on so many."""
    sender = _sender.get()
    return are_many(size) and sender is not None and not sender.is_alone


def done(priced: Priced, jobs: Sequence[J], stop: Stop) -> Answer[J]:
    """Do jobs and what they leave; return the results in their order, and jobs that are left if the run has to end."""
    sender = _sender.get() if are_for_workers(len(priced.means)) else None
    answer = None if sender is None else sender.done(priced, jobs)
    results, left = answer or _done_here(priced, jobs, stop)
    return sorted(results, key=lambda result: result[0]), left


def _done_here(priced: Priced, jobs: Sequence[J], stop: Stop) -> Answer[J]:
    """Do jobs by the threads of this process."""
    pool, waiting, results = Pool(*threads()), deque(jobs), list[Result]()

    def begin(job: J) -> Future[Outcome] | None:
        return None if stop.asked() else pool.submit(job.done, priced)

    def fail(error: BaseException) -> None:
        raise error

    for _, (result, more) in pool.each(waiting, begin, stop, fail, ahead=AHEAD, grace=math.inf):
        results.append(result)
        waiting.extendleft(more)  # what is large should not come last
    return results, list(waiting)


class PriceWorkers:
    """Does what is requested by workers of a caller's own executor, in the process that has it.

    Parameters
    ----------
    pool : Pool
        The workers of the run.
    stop : Stop
        Whether the run has to end.
    notify : callable
        Called when a worker has failed; from then on there is none.
    meanwhile : callable
        Called many times a second while they are at work.
    """

    def __init__(self, pool: Pool, stop: Stop, notify: Notify, meanwhile: Callable[[], None]) -> None:
        self._pool, self._stop, self._notify, self._meanwhile = pool, stop, notify, meanwhile
        self._tree: Values | None = None
        self._prices: Values | None = None
        self._is_lost = False

    def run(self, request: Request) -> Answer[Any] | None:
        """Return what comes of jobs; None where a worker has failed, and the process that asks is to do them alone."""
        self._tree, self._prices = request.tree or self._tree, request.prices or self._prices
        number, missing = self._pool.number, request.missing
        waiting = deque((job, missing if at < number else "") for at, job in enumerate(request.jobs))
        results = list[Result]()

        def begin(entry: tuple[Any, str]) -> Future[Outcome | str] | None:
            return None if self._stop.asked() else self._begun(request.name, *entry)

        each = self._pool.each(
            waiting, begin, self._stop, self._lose, ahead=AHEAD, grace=0.0, meanwhile=self._meanwhile
        )
        for (job, _), outcome in each:
            if isinstance(outcome, str):
                waiting.appendleft((job, outcome))
            else:
                results.append(outcome[0])
                waiting.extendleft((more, "") for more in outcome[1])
        return None if self._is_lost else (results, [job for job, _ in waiting])

    def _begun(self, name: Name, job: Job, missing: str) -> Future[Outcome | str]:
        """Hand a job to a worker, with what it is likely to miss."""
        tree = self._tree if missing == NO_TREE else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # Dask's, about how large a tree is
            return self._pool.submit(done_elsewhere, name, job, tree, self._prices if missing else None)

    def _lose(self, error: BaseException) -> None:
        self._is_lost = True
        if isinstance(error, Exception) and not isinstance(error, BrokenExecutor):
            self._notify(f"a worker failed ({type(error).__name__}: {error}); prices are raised without workers")
        else:
            self._pool.do_without(self._notify, error)


class Kept:
    """The tree and its prices that a worker was given last; its threads share them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tree: tuple[object, Values] = (None, {})
        self._priced: tuple[Name, Priced] | None = None

    def priced(self, name: Name, tree: Values | None, prices: Values | None) -> Priced | str:
        """Return the priced tree of a name, kept until another is given, or what is missing."""
        with self._lock:
            if self._priced is not None and self._priced[0] == name:
                return self._priced[1]
            if self._tree[0] != name.tree:
                if tree is None:
                    return NO_TREE
                self._tree, self._priced = (name.tree, _own(tree)), None
            if prices is None:
                return NO_PRICES
            given: Values = self._tree[1] | _own(prices)
            sums = priced_nodes(*(given[field] for field in ("prices", "weights", "first", "last", "halves")))
            given |= zip(COMPUTED, sums, strict=True)
            priced = Priced(**given)
            self._priced = (name, priced)
            return priced


def _own(values: Values) -> Values:
    """Return arrays as kernels know them: whoever sends them may have made them read-only."""
    return {
        name: np.require(value, requirements=["C", "A", "W"]) if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


_kept = Kept()


def done_elsewhere(name: Name, job: Job, tree: Values | None, prices: Values | None) -> Outcome | str:
    """Do a job in a worker; return what is missing if something is."""
    priced = _kept.priced(name, tree, prices)
    return priced if isinstance(priced, str) else job.done(priced)
