"""The primal side of a run: the best partition known, and one that is looked for beside the bounds."""

from concurrent.futures import Future

from pcsos.base.control.pool import Pool
from pcsos.base.control.stop import Stop
from pcsos.base.events import IncumbentFound
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Incumbent, Partition, canonical_labels, violation
from pcsos.search.journal import Writer
from pcsos.search.task import Found


class Primal:
    """Partitions of one instance: whatever is offered is judged by its points; if better, it is written down.

    Parameters
    ----------
    instance : Instance
        What is partitioned, with all of its conditions.
    writer : Writer
        Where better partitions are stored and announced.
    pool : Pool
        Where a heuristic may run beside the bounds.
    clock, end : Stop
        The clock of the run, and whether the heuristic has to end.

    Attributes
    ----------
    joined : Incumbent
        The best partition that nodes know of: what is found beside them counts from set points on.
    """

    def __init__(self, instance: Instance, writer: Writer, pool: Pool, clock: Stop, end: Stop) -> None:
        self.instance = instance
        self._writer, self._pool, self._clock, self._end = writer, pool, clock, end
        self._incumbent: Incumbent[Partition] = Incumbent()
        self.joined: Incumbent[Partition] = Incumbent()
        self._heuristic: Future[Found | None] | None = None
        self._is_shown = False

    @property
    def partition(self) -> Partition | None:
        """The best partition known."""
        return self._incumbent.best

    @property
    def objective(self) -> float:
        """What it costs, infinity without one."""
        return self._incumbent.objective

    def offer(self, found: Found | None) -> None:
        """Take over a partition of the original points, if any was found, and it is better than the incumbent.

        One that misses a limit of clusters is left alone: what reduced problems know of weights is rounded.
        """
        if found is None:
            return
        labels = canonical_labels(found.labels, outliers=self.instance.outliers > 0)
        if self.instance.limits is not None and violation(self.instance, labels):
            return
        partition = Partition.of(self.instance, found.labels)
        self.joined.offer(partition)
        self._show(partition, found.source)

    def restore(self, partition: Partition, source: str = "") -> None:
        """Take over a partition that is written down already, by default of an earlier part of the run."""
        self.joined.offer(partition)
        if self._incumbent.offer(partition):
            self._writer.notify(IncumbentFound(partition.objective, source, self._clock.seconds))

    def expect(self, heuristic: Future[Found | None]) -> None:
        """Wait for this heuristic when its partition is needed, at the latest when the root is done."""
        self._heuristic = heuristic

    def join(self) -> None:
        """Wait for the heuristic beside the bounds, and take over what it has found."""
        if self._heuristic is None:
            return
        future, self._heuristic = self._heuristic, None
        self.offer(self._pool.result_of(future, self._end, self._writer.notice))

    def peek(self) -> None:
        """Show what the heuristic has found as soon as it has; nodes hear of it when they join it, at a set point."""
        future = self._heuristic
        if self._is_shown or future is None or not future.done():
            return
        self._is_shown = True
        if future.cancelled() or future.exception() is not None:
            return
        found = future.result()
        if found is not None:
            self._show(Partition.of(self.instance, found.labels), found.source)

    def _show(self, partition: Partition, source: str) -> None:
        """Make a partition the incumbent if it is better; nodes know of it once it is offered."""
        if not self._incumbent.offer(partition):
            return
        seconds = self._clock.seconds
        with self._writer.guarded() as journal:
            journal.add_incumbent(partition.labels, partition.objective, source, seconds)
        self._writer.notify(IncumbentFound(partition.objective, source, seconds))
