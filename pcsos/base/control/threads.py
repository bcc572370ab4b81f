"""Threads: how many one step may use at a time, and how many cores there are for them.

As with BLAS that is a matter of where a step runs, not of what it computes.

Everything takes one thread unless it runs within :func:`use_threads`; what is shared out has to let go of the lock of
the interpreter.
"""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

T = TypeVar("T")

_pool: ContextVar[tuple[int, ThreadPoolExecutor] | None] = ContextVar("_pool", default=None)


def cores() -> int:
    """Return the number of cores that this process may use, which can be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def blas_threads(number: int = 1) -> Any:
    """Limit BLAS to so many threads, as a context manager; what is called at once is limited from now on.

    To look for the libraries takes milliseconds, so it is done again only when more modules are loaded.
    """
    return _libraries(len(sys.modules)).limit(limits=number)


@lru_cache(maxsize=1)
def _libraries(num_modules: int) -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def use_threads(number: int) -> Iterator[None]:
    """Let what the caller does meanwhile use so many threads, its own included."""
    if number == 1:
        yield
        return
    with ThreadPoolExecutor(number) as pool:
        before = _pool.set((number, pool))
        try:
            yield
        finally:
            _pool.reset(before)


def threads() -> tuple[int, ThreadPoolExecutor | None]:
    """Return how many threads the caller may use, and the executor that has them if they are more than one."""
    return _pool.get() or (1, None)


def in_shares(function: Callable[[slice], T], size: int, least: int) -> list[T]:
    """Call a function with slices of ``range(size)``, one per thread and at least so long; return what they give."""
    number, pool = threads()
    if pool is None or size < 2 * least:
        return [function(slice(0, size))]
    number = min(number, size // least)
    shares = [slice(a, b) for a, b in pairwise(size * share // number for share in range(number + 1))]
    others = [pool.submit(function, share) for share in shares[1:]]
    return [function(shares[0]), *(other.result() for other in others)]
