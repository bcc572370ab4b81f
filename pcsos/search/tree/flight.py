"""Tasks in flight: nodes that workers process at the same time, heard in the order in which they were taken up."""

import math
from collections import deque
from concurrent.futures import Future

from pcsos.base.control.stop import Stop
from pcsos.base.control.workers import Workers, is_left
from pcsos.base.events import Notify
from pcsos.problem.options import Options
from pcsos.problem.reduction import Reduced
from pcsos.search.tree.bounding import Watch, process
from pcsos.search.tree.task import Outcome, Task

#: Tasks that are taken up beyond those that are at work, for each worker.
AHEAD = 1


class Flight:
    """Tasks in flight, the oldest first.

    Their outcomes are heard in the order in which they were begun, whichever is ready first. So what is begun when
    depends on outcomes alone and not on timing; the tasks ahead keep workers busy while the oldest is waited for.

    Parameters
    ----------
    workers : Workers
        Who processes them.
    stop : Stop
        Whether the run has to end.
    notify : callable
        Called with a sentence when the workers are lost.
    """

    def __init__(self, workers: Workers, stop: Stop, notify: Notify) -> None:
        self.workers = workers
        self._stop = stop
        self._notify = notify
        self._line: deque[tuple[Task, Future[Outcome] | None]] = deque()
        self._limit = math.inf

    def __len__(self) -> int:
        return len(self._line)

    @property
    def is_full(self) -> bool:
        """Whether there is enough to do for all workers."""
        number = self.workers.number
        return len(self) >= (1 if number == 1 else (1 + AHEAD) * number)

    def begin_here(self, task: Task) -> None:
        """Begin a task that is left to the calling process, when its turn comes."""
        self._line.append((task, None))

    def begin(self, task: Task, root: Reduced, objective: float, options: Options, seconds: float) -> None:
        """Hand a task to the workers, with what :func:`process_in_worker` needs beside it."""
        self.workers.leave(self._limit)
        self._line.append((task, self.workers.submit(process_in_worker, root, task, objective, options, seconds)))

    def next(self) -> tuple[Task, Outcome | None]:
        """Return the oldest task with its outcome, when that is there; None for one that is left to this process."""
        task, future = self._line.popleft()
        if future is None:
            return task, None
        outcome = self.workers.result_of(future, self._stop, self._notify)
        if outcome is None and self._stop.asked():
            outcome = Outcome.left_open(task, task.lower_bound)
        return task, outcome

    def drop(self, limit: float) -> list[Task]:
        """Give up the tasks whose bound is at least the limit, and return them; their outcomes are dropped."""
        self._limit = limit
        self.workers.leave(limit)
        dropped = [(task, future) for task, future in self._line if task.lower_bound >= limit]
        self._line = deque((task, future) for task, future in self._line if task.lower_bound < limit)
        for _, future in dropped:
            if future is not None:
                future.cancel()
        return [task for task, _ in dropped]


def process_in_worker(root: Reduced, task: Task, objective: float, options: Options, seconds: float) -> Outcome:
    """Process a node in a worker process: a pure function of its arguments, but for being asked to stop."""
    stop = Stop(lambda: is_left(task.lower_bound), time_limit=seconds)
    if stop.asked():
        return Outcome.left_open(task, task.lower_bound)
    return process(root, task, objective, options, Watch(stop))
