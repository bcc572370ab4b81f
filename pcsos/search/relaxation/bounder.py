"""The bounder by the semidefinite relaxation, which branches where its cuts do not do (Paper, Section 3)."""

import math
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import ClassVar

from pcsos.base import tolerances
from pcsos.base.control.subprocess import LARGE, Here, try_job
from pcsos.base.events import CutRound
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.presolve.presolve import Presolved
from pcsos.search.relaxation.bounding import Round, process, process_in_worker
from pcsos.search.role import Bounder, Context
from pcsos.search.task import Found, Outcome, PartitionStart, Task


@dataclass(frozen=True)
class ByRelaxation(Bounder):
    """Bounds whatever fits into memory, to any gap that double precision allows.

    Parameters
    ----------
    fits : bool
        Whether that is known beforehand.
    """

    is_asked_once: ClassVar[bool] = False
    fits: bool = False

    def suits(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell whether a relaxation fits into memory."""
        return self.fits or not shortage(problem.size)

    def bound(self, task: Task, problem: Presolved, context: Context) -> Iterator[Outcome]:
        """Process a node beside the workers, showing its rounds; the root is bounded like this.

        A large one is processed in a process of its own, because a single step of it can take minutes. If that is left,
        the node stays open with the bound of its last round.
        """
        primal, options, reduced = context.primal, context.options, problem.reduced
        joined = primal.joined
        if task.is_root and joined.best is not None:
            penalty = options.params.admm.informed_penalty
            task = replace(task, inheritance=PartitionStart(joined.best.labels, penalty))
        known = task.lower_bound

        def on_message(message: Round | Found) -> float | None:
            nonlocal known
            if isinstance(message, Found):
                primal.offer(message)
                return None
            known, objective = max(known, message.bound), _best_objective(message.bound, context)
            figures = (message.size, message.bound, message.num_cuts, message.num_fixed)
            context.writer.notify(CutRound(task.node, *figures, context.stop.seconds))
            primal.peek()
            return objective

        arguments = (reduced, task, joined.objective, options, context.num_threads)
        is_long, meanwhile = reduced.size > LARGE, primal.peek
        outcome = try_job(
            process, *arguments, stop=context.end, is_long=is_long, on_message=on_message, meanwhile=meanwhile
        )
        if outcome is None and not context.end.asked():
            context.writer.notice("the process of a node was killed; the node is processed once more")
            outcome = process(Here(context.end, on_message), *arguments)
        yield Outcome(known) if outcome is None else outcome

    def begin(self, task: Task, problem: Presolved, context: Context, until: float) -> Future[Iterable[Outcome]] | None:
        """Let a worker process a node."""
        arguments = (problem.reduced, task, context.primal.joined.objective, context.options)
        return context.pool.begin(process_in_worker, *arguments, until=until, bound=task.lower_bound)


def _best_objective(bound: float, context: Context) -> float:
    """Return the best objective that nodes may know of, for which a heuristic is waited for where it is needed."""
    objective, needed = context.primal.joined.objective, context.options.params.tree.heuristic_needed_gap
    if math.isinf(objective) or tolerances.relative_gap(objective, bound) < needed:
        context.primal.join()
    return context.primal.joined.objective
