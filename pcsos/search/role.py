"""The role of a bounder, and what surrounds it.

A bounder proves lower bounds of a node: of the whole instance, or of a state of it. :mod:`pcsos.search.branch_and_cut`
asks the first one that suits, and another one where that leaves the node open. A bounder writes nothing down: it yields
what it has proved, which is on disk before it goes on. What takes long runs in processes of its own, whose messages are
heard in callbacks: they raise what is shown, and offer partitions on the way.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from pcsos.base import tolerances
from pcsos.base.control.pool import Pool
from pcsos.base.control.stop import OUT_OF_TIME, Stop
from pcsos.evidence.result import Reason
from pcsos.presolve.presolve import Presolved
from pcsos.problem.instance import Instance
from pcsos.problem.options import Budget, Options
from pcsos.search.journal import Writer
from pcsos.search.primal import Primal
from pcsos.search.task import Outcome, Task


@dataclass(frozen=True, eq=False)
class Context:
    """What surrounds a problem while it is bounded."""

    options: Options  #: the gap asked for, limits, seed, engine and parameters
    primal: Primal  #: the best partition known, and where better ones are offered
    pool: Pool  #: who may do something at the same time
    stop: Stop  #: the clock of the run, and whether it has to end
    end: Stop  #: the same also where the run file cannot be written; whoever asks it lets the workers know
    writer: Writer  #: where proofs are stored, and every event is announced
    num_threads: int = 1  #: threads that may be used in this process

    @classmethod
    def of(
        cls,
        instance: Instance,
        options: Options,
        stop: Stop,
        pool: Pool | None = None,
        writer: Writer | None = None,
    ) -> Self:
        """Return the surroundings of an instance of which no partition is known."""
        pool, writer = pool or Pool(1), writer or Writer()

        def must_end() -> bool:
            must = bool(writer.failure) or stop.asked()
            if must:
                pool.stop()
            return must

        end = Stop(must_end, urgent=stop.urgent)
        return cls(options, Primal(instance, writer, pool, stop, end), pool, stop, end, writer)

    @property
    def budget(self) -> Budget:
        """What may be spent on colouring."""
        return Budget.of(self.stop, self.options)

    def with_gap(self, gap: float) -> Self:
        """Return the same with another gap to ask for."""
        return replace(self, options=replace(self.options, gap=gap))

    def narrowed(self) -> Self:
        """Ask for a smaller gap of the points where what is proved of them is lowered in the end, and that is felt."""
        instance, gap = self.primal.instance, self.options.gap
        if tolerances.is_absorbed(instance.cost_error(self.primal.objective), gap, self.primal.objective):
            return self
        self.primal.join()
        objective = self.primal.objective
        error = instance.cost_error(objective)
        return self if math.isinf(objective) else self.with_gap(tolerances.narrowed(gap, error, objective))

    @property
    def cutoff(self) -> float:
        """The bound from which on nothing more needs to be proved."""
        return tolerances.cutoff(self.primal.objective, self.options.gap)


class Bounder(ABC):
    """What proves lower bounds of nodes.

    Attributes
    ----------
    is_asked_once : bool
        Whether it is asked about a node once, even where the run has to end: it knows how little to do then. Others are
        asked until the node is closed or branched on, as long as there are time and nodes.
    leaves_out : bool
        Whether it is for instances of which points may be left out: whatever is not, proves what is wrong of those.
    """

    is_asked_once: ClassVar[bool] = True
    leaves_out: ClassVar[bool] = False

    def suits(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell whether it may be asked about a node, and is worth asking, which takes no time to speak of."""
        return self.leaves_out == (problem.instance.outliers > 0) and self.is_worth_asking(task, problem, context)

    @abstractmethod
    def is_worth_asking(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell whether it is worth asking about a node of an instance that it is for."""

    @abstractmethod
    def bound(self, task: Task, problem: Presolved, context: Context) -> Iterator[Outcome]:
        """Yield what is proved of a node, better and better; better partitions are offered."""

    def begin(self, task: Task, problem: Presolved, context: Context, until: float) -> Future[Iterable[Outcome]] | None:
        """Let a worker do the same until that time (in seconds since the epoch); None where it is done here."""
        return None


def reason_of(stop: Stop) -> Reason:
    """Return why a run that was stopped has ended."""
    return Reason.TIME_LIMIT if stop.reason == OUT_OF_TIME else Reason.INTERRUPTED
