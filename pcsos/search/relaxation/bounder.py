"""The bounder by the semidefinite relaxation, which branches where its cuts do not do (Paper, Section 3)."""

import math
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

import numpy as np

from pcsos.base import tolerances
from pcsos.base.control.stop import GRACE
from pcsos.base.control.subprocess import LARGE, Here, try_job
from pcsos.base.control.threads import blas_threads
from pcsos.base.events import CutRound
from pcsos.bounds.relaxation.engines import below_root, of_root
from pcsos.bounds.relaxation.gpu import device
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.presolve.presolve import Presolved
from pcsos.problem.options import Options
from pcsos.problem.reduction import Reduced
from pcsos.search.relaxation.bounding import Round, process, process_in_worker
from pcsos.search.role import Bounder, Context
from pcsos.search.task import Found, Outcome, PartitionStart, Task

#: Size of the matrix product that tells how long a factor of a larger one takes.
SAMPLE = 1000
#: So many times as long, and seconds for a million entries, are kept for writing multipliers down and proving them; at
#: most this share of the time that is left.
KEPT, A_MILLION, MOST_KEPT = 2.0, 0.2, 0.5
#: What is kept on the processor relative to that: the round in which the end comes has to be over before.
ROUND = 4.0


@dataclass(frozen=True)
class ByRelaxation(Bounder):
    """Bounds whatever fits into memory, to any gap that double precision allows."""

    is_asked_once: ClassVar[bool] = False
    fits: bool = False  #: whether that is known beforehand
    only_root: bool = False  #: whether nothing below the root is bounded

    def is_worth_asking(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell whether a relaxation fits into memory."""
        return (task.is_root or not self.only_root) and (self.fits or not shortage(problem.size))

    def bound(self, task: Task, problem: Presolved, context: Context) -> Iterator[Outcome]:
        """Process a node beside the workers, showing its rounds; the root is bounded like this.

        A large one is processed in a process of its own, because a single step of it can take minutes. If that is left,
        the node stays open with the bound of its last round, if nothing has to be written down. Where a large one has
        to be, and on a device, where nothing is proved before the end, time is kept for that.
        """
        primal, reduced = context.primal, problem.reduced
        joined, options = primal.joined, _with_engine(task, reduced, context)
        if task.is_root and joined.best is not None:
            penalty = options.params.admm.informed_penalty
            task = replace(task, inheritance=PartitionStart(joined.best.labels, penalty))
        known = task.lower_bound

        def on_message(message: Round | Found) -> float | None:
            nonlocal known
            if isinstance(message, Found):
                primal.offer(message)
                return None
            known = max(known, message.bound) if message.is_proved else known
            objective = _best_objective(message.bound, context)
            figures = (message.size, message.bound, message.num_cuts, message.num_fixed)
            context.writer.notify(CutRound(task.node, *figures, context.stop.seconds, message.is_proved))
            primal.peek()
            return objective

        stop, seconds, written, is_on_device = context.end, 0.0, options, options.engine == "gpu"
        if is_on_device or (context.writer.journal.keeps and reduced.size > options.params.tree.largest_left_open):
            left, own = context.stop.seconds_left, seconds_to_prove(reduced.size, context.num_threads)
            seconds = min(own if is_on_device else ROUND * own, MOST_KEPT * left)
            stop, written = context.end.within(left - seconds), _left_open(options, reduced.size)
        arguments = (reduced, task, joined.objective, written, context.num_threads)
        try:
            outcome = try_job(
                process, *arguments, stop=stop, is_long=reduced.size > LARGE or is_on_device,
                grace=GRACE + seconds, on_message=on_message, meanwhile=primal.peek,
            )  # fmt: skip
        except (MemoryError, RuntimeError) as error:
            if not is_on_device:
                raise
            context.writer.notice(f"the device gave up ({error}); the root is bounded on the processor")
            yield from self.bound(task, problem, replace(context, options=replace(options, engine="admm")))
            return
        if seconds and stop.asked():
            context.stop.end()
        if outcome is None and not context.end.asked():
            context.writer.notice("the process of a node was killed; the node is processed once more")
            outcome = process(Here(context.end, on_message), *arguments)
        yield Outcome(known) if outcome is None else outcome

    def begin(self, task: Task, problem: Presolved, context: Context, until: float) -> Future[Iterable[Outcome]] | None:
        """Let a worker process a node."""
        options = replace(context.options, engine=below_root(context.options.engine))
        arguments = (problem.reduced, task, context.primal.joined.objective, options)
        return context.pool.begin(process_in_worker, *arguments, until=until, bound=task.lower_bound)


def _with_engine(task: Task, reduced: Reduced, context: Context) -> Options:
    """Return the options with the engine of a node, and say where a device bounds the root."""
    options = context.options
    engine = of_root(options.engine, reduced) if task.is_root else below_root(options.engine)
    if engine == "gpu":
        context.writer.notice(device.announcement(reduced.size))
    return replace(options, engine=engine)


def _left_open(options: Options, size: int) -> Options:
    """Return the options by which a node of so many super-points is written down when it is left."""
    tree = replace(options.params.tree, largest_left_open=size)
    return replace(options, params=replace(options.params, tree=tree))


@cache
def seconds_to_prove(size: int, num_threads: int) -> float:
    """Return how long it may take to prove a bound of so many super-points, from a product of smaller matrices."""
    sample = np.ones((SAMPLE, SAMPLE))
    with blas_threads(num_threads):
        for _ in range(2):  # what is loaded at first does not count
            begun = time.perf_counter()
            sample @ sample
    return KEPT * (time.perf_counter() - begun) * (size / SAMPLE) ** 3 + A_MILLION * size**2 / 1e6


def _best_objective(bound: float, context: Context) -> float:
    """Return the best objective that nodes may know of, for which a heuristic is waited for where it is needed."""
    objective, needed = context.primal.joined.objective, context.options.params.tree.heuristic_needed_gap
    if math.isinf(objective) or tolerances.relative_gap(objective, bound) < needed:
        context.primal.join()
    return context.primal.joined.objective
