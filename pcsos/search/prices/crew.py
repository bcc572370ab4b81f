"""Crew: workers of a caller's own executor that do jobs on priced trees, which live with them."""

import warnings
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from typing import Any

from pcsos.base.control.pool import Pool, done_among
from pcsos.base.control.stop import Stop
from pcsos.base.events import Notify
from pcsos.bounds.prices.errands import Errand, Job, Result, done_elsewhere
from pcsos.bounds.prices.replica import NO_TREE, Name, Values

#: Jobs at work for each worker: with the second there, none waits for the next one.
AHEAD = 2

Outcome = tuple[Result, Sequence[Any]] | str


class Crew:
    """Runs errands, in the process that has the executor.

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

    def run(self, errand: Errand) -> tuple[list[Result], list[Job]] | None:
        """Return results and the jobs that are left because the run has to end; None where a worker has failed."""
        self._tree, self._prices = errand.tree or self._tree, errand.prices or self._prices
        at_work: dict[Future[Outcome], Job] = {}
        try:
            return self._done(errand, at_work)
        except BrokenExecutor as lost:
            self._pool.do_without(self._notify, lost)
        except Exception as error:  # whatever it is, the process that asks can do the same alone
            self._notify(f"a worker failed ({type(error).__name__}: {error}); prices are raised without workers")
        finally:
            for future in at_work:
                future.cancel()
        return None

    def _done(self, errand: Errand, at_work: dict[Future[Outcome], Job]) -> tuple[list[Result], list[Job]]:
        results, number, new = list[Result](), self._pool.number, errand.news
        waiting = deque((job, new if at < number else "") for at, job in enumerate(errand.jobs))
        while (at_work or waiting) and not self._stop.asked():
            while waiting and len(at_work) < AHEAD * number:
                job, missing = waiting.popleft()
                at_work[self._handed(errand.name, job, missing)] = job
            self._meanwhile()
            for future in done_among(at_work, 0.05):
                outcome, job = _outcome_of(future), at_work.pop(future)
                if isinstance(outcome, str):
                    waiting.appendleft((job, outcome))
                else:
                    results.append(outcome[0])
                    waiting.extendleft((more, "") for more in outcome[1])  # what is large should not come last
        return results, [*at_work.values(), *(job for job, _ in waiting)]

    def _handed(self, name: Name, job: Job, missing: str) -> Future[Outcome]:
        """Hand a job to a worker, with what it is likely to miss."""
        tree = self._tree if missing == NO_TREE else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # Dask's, about how large a tree is
            return self._pool.submit(done_elsewhere, name, job, tree, self._prices if missing else None)


def _outcome_of(future: Future[Outcome]) -> Outcome:
    """Return what a call has come to; one that was to end its worker has not come to anything."""
    error = None if future.cancelled() else future.exception()
    if isinstance(error, SystemExit | KeyboardInterrupt):
        raise BrokenExecutor(repr(error)) from error
    return future.result()
