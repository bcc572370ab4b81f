"""Threads: how many one step may use at a time; as with BLAS a matter of where it runs, not of what it computes.

Everything takes one thread unless it runs within :func:`use_threads`; what is shared out has to let go of the lock of
the interpreter.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

from pcsos.base.control.stop import Stop

S = TypeVar("S")
T = TypeVar("T")

_pool: ContextVar[tuple[int, ThreadPoolExecutor] | None] = ContextVar("_pool", default=None)


def one_blas_thread() -> Any:
    """Limit BLAS to one thread, as a context manager; what is called at once is limited from now on.

    To look for the libraries takes milliseconds, so it is done again only when more modules are loaded.
    """
    return _libraries(len(sys.modules)).limit(limits=1)


@lru_cache(maxsize=1)
def _libraries(num_modules: int) -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def use_threads(number: int) -> Iterator[None]:
    """Let what the caller does meanwhile use so many threads, its own included."""
    if number == 1:
        yield
        return
    with ThreadPoolExecutor(number - 1) as pool:
        before = _pool.set((number, pool))
        try:
            yield
        finally:
            _pool.reset(before)


def in_shares(function: Callable[[slice], T], size: int, least: int) -> list[T]:
    """Call a function with slices of ``range(size)``, one per thread and at least so long; return what they give."""
    given = _pool.get()
    if given is None or size < 2 * least:
        return [function(slice(0, size))]
    number, pool = given
    number = min(number, size // least)
    shares = [slice(a, b) for a, b in pairwise(size * share // number for share in range(number + 1))]
    others = [pool.submit(function, share) for share in shares[1:]]
    return [function(shares[0]), *(other.result() for other in others)]


def as_they_come(
    function: Callable[[S], tuple[T, Sequence[S]]], items: Iterable[S], stop: Stop
) -> tuple[list[T], list[S]]:
    """Call a function with items, each on the next thread that has nothing to do; it returns a result and more items.

    Returns
    -------
    (list, list)
        What it gives, in any order, and the items that are left because the run has to end.
    """
    number, pool = _pool.get() or (1, None)
    results, waiting = list[T](), deque(items)
    at_work: set[Future[tuple[T, Sequence[S]]]] = set()
    while at_work or (waiting and not stop.asked()):
        while pool is not None and waiting and len(at_work) < 2 * (number - 1) and not stop.asked():
            at_work.add(pool.submit(function, waiting.popleft()))  # the one after the next is there in time
        outcomes = []
        if waiting and not stop.asked():
            outcomes.append(function(waiting.popleft()))
        else:
            wait(at_work, return_when=FIRST_COMPLETED)
        finished = {future for future in at_work if future.done()}
        at_work -= finished
        for result, more in (*outcomes, *(future.result() for future in finished)):
            results.append(result)
            waiting.extendleft(more)  # what is large should not come last
    return results, list(waiting)
