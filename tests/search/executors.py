"""Executors that decide when a call is done: some time, or when somebody waits for it."""

import random
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any


class Shuffled(Executor):
    """Each call waits for some time before and after, so that they end in any order."""

    def __init__(self, seed: int, most_seconds: float = 0.02) -> None:
        self._random = random.Random(seed)
        self._seconds = most_seconds
        self._threads = ThreadPoolExecutor(8)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        before, after = (self._random.uniform(0.0, self._seconds) for _ in range(2))

        def slowly() -> Any:
            time.sleep(before)
            result = fn(*args, **kwargs)
            time.sleep(after)
            return result

        return self._threads.submit(slowly)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._threads.shutdown(wait, cancel_futures=cancel_futures)


class OnDemand(Executor):
    """Calls are done when one of them is waited for: that one alone, or all others before it, the youngest first.

    ``wait`` takes the place of the function of that name; ``seen`` holds what ``look`` returned each time, told how
    many calls were unfinished.
    """

    def __init__(self, look: Callable[[int], Any], *, oldest_last: bool) -> None:
        self.seen: list[Any] = []
        self._look, self._oldest_last = look, oldest_last
        self._unfinished: dict[Future[Any], Callable[[], Any]] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._unfinished[future] = lambda: fn(*args, **kwargs)
        return future

    def wait(self, futures: Iterable[Future[Any]], timeout: float) -> None:
        (oldest,) = futures
        self.seen.append(self._look(len(self._unfinished)))
        others = [other for other in reversed(self._unfinished) if other is not oldest and self._oldest_last]
        for future in (*others, oldest):
            call = self._unfinished.pop(future)
            if future.set_running_or_notify_cancel():
                future.set_result(call())


class Failing(Executor):
    """Does some calls in a thread of its own; all later ones fail: ``how`` says when.

    They fail when they are handed in, done, or left; the last with or without word to whoever waits for them.
    """

    def __init__(self, how: str, after: int, error: Exception) -> None:
        self.num_calls = 0
        self._how, self._after, self._error = how, after, error
        self._thread = ThreadPoolExecutor(1)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.num_calls += 1
        if self.num_calls <= self._after:
            return self._thread.submit(fn, *args, **kwargs)
        future: Future[Any] = Future()
        match self._how:
            case "submit":
                raise self._error
            case "done":
                future.set_exception(self._error)
            case "left":
                future.cancel()
                future.set_running_or_notify_cancel()
            case "left without a word":
                future.cancel()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._thread.shutdown(wait, cancel_futures=cancel_futures)
