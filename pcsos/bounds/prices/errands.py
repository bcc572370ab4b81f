"""Errands: jobs on a priced tree, done by threads of this process, or by workers elsewhere that keep the tree.

A job is a pure function of the priced tree: what comes of it depends neither on who does it nor on when. Its result has
the place in the order of results as first entry, and it may leave further jobs.
"""

import itertools
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from pcsos.base.control.stop import Stop
from pcsos.base.control.threads import as_they_come
from pcsos.bounds.prices.replica import NO_PRICES, NO_TREE, OF_TREE, WITH_PRICES, Name, Replica, Values, parts
from pcsos.bounds.prices.tree import Priced

#: Super-points from which on boxes and climbs are jobs: at 300,000 a pricing on a cluster of Dask took as long as with
#: threads, at 128,000 a third longer.
MANY = 250_000

Result = tuple[Any, ...]


class Job(Protocol):
    """What can be done anywhere."""

    def done(self, priced: Priced) -> tuple[Result, Sequence[Any]]:
        """Return a result, which begins with its place in the order of all, and jobs that are left; takes a moment."""


J = TypeVar("J", bound=Job)


@dataclass(frozen=True, eq=False)
class Errand:
    """Jobs for workers elsewhere, with the tree and the prices where they are new.

    Parameters
    ----------
    name : Name
        The tree and the prices.
    tree, prices : dict or None
        What the priced tree consists of.
    jobs : sequence of Job
        What there is to do.
    """

    name: Name
    tree: Values | None
    prices: Values | None
    jobs: Sequence[Job]

    @property
    def news(self) -> str:
        """What no worker has got yet."""
        return NO_TREE if self.tree is not None else NO_PRICES if self.prices is not None else ""


#: Sends an errand; the answer is results and jobs that are left because the run has to end, or None without workers.
Send = Callable[[Errand], Any]


class _Sender:
    """Sends errands, each tree and all prices once, as long as there are workers."""

    def __init__(self, send: Send) -> None:
        self._send, self.is_alone = send, False
        self._run, self._numbers = uuid.uuid4().hex, itertools.count()
        self._priced: Priced | None = None
        self._tree = self._prices = 0

    def done(self, priced: Priced, jobs: Sequence[J]) -> tuple[list[Result], list[J]] | None:
        """Return what comes of jobs, None if there is no worker to do them."""
        tree = prices = None
        if priced is not self._priced:
            if self._priced is None or priced.means is not self._priced.means:
                self._tree, tree = next(self._numbers), parts(priced, OF_TREE)
            self._prices, prices = next(self._numbers), parts(priced, WITH_PRICES)
            self._priced = priced
        answer: tuple[list[Result], list[J]] | None
        answer = self._send(Errand(Name((self._run, self._tree), self._prices), tree, prices, jobs))
        self.is_alone = answer is None
        return answer


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


def done(priced: Priced, jobs: Sequence[J], stop: Stop) -> tuple[list[Result], list[J]]:
    """Do jobs and what they leave; return the results in their order, and jobs that are left if the run has to end."""
    sender = _sender.get() if are_for_workers(len(priced.means)) else None
    answer = None if sender is None else sender.done(priced, jobs)
    results, left = answer or as_they_come(lambda job: job.done(priced), jobs, stop)
    return sorted(results, key=lambda result: result[0]), left


_replica = Replica()


def done_elsewhere(
    name: Name, job: Job, tree: Values | None, prices: Values | None
) -> tuple[Result, Sequence[Any]] | str:
    """Do a job in a worker; return what is missing if something is."""
    priced = _replica.priced(name, tree, prices)
    return priced if isinstance(priced, str) else job.done(priced)
