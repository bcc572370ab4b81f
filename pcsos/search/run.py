"""Runs: from instance to result, in the order of the paper's Algorithm 3, and from labels to certificate."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import replace

from pcsos.base.control.pool import Pool, number_of_workers
from pcsos.base.control.signals import Signals, acknowledged
from pcsos.base.control.stop import Stop, ahead_of, no_request
from pcsos.base.control.threads import blas_threads
from pcsos.base.events import OnEvent, RunStarted, notices
from pcsos.base.exceptions import InfeasibleError
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.engines import of_root
from pcsos.bounds.relaxation.peng_wei import refuse_too_large
from pcsos.evidence.kinds import Open
from pcsos.evidence.result import Certification, Result
from pcsos.evidence.run_file import RunFile
from pcsos.presolve.far_apart import move_blocks, moved_as_before
from pcsos.presolve.presolve import Presolved, contracted, presolve_root
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import Partition
from pcsos.search.blocks.bounder import ByBlocks
from pcsos.search.blocks.ladder import first_number
from pcsos.search.branch_and_cut import Search
from pcsos.search.conclusion import certified, claimed, interrupted, solved
from pcsos.search.first_incumbents import (
    offer_any,
    offer_colouring,
    offer_first_incumbents,
    offer_from_centres,
    offer_improved,
    offer_rival,
)
from pcsos.search.journal import Journal, Writer
from pcsos.search.line import ByIntervals
from pcsos.search.outliers import ByOutliers, offer_leaving_out, refuse_too_many
from pcsos.search.prices.bounder import ByPrices
from pcsos.search.relaxation.bounder import ByRelaxation
from pcsos.search.role import Bounder, Context
from pcsos.search.task import Found
from pcsos.search.warm_up import warm_up


@contextlib.contextmanager
def session(
    instance: Instance,
    options: Options,
    journal: Journal | None,
    executor: Executor | None,
    on_event: OnEvent,
    should_stop: Callable[[], bool],
) -> Iterator[Context]:
    """Enter a run on an instance: signals are caught, the clock begins, and worker processes end with the run."""
    writer = Writer(journal, on_event)
    number = number_of_workers(options.num_workers, writer.notice, executor)
    with Signals() as signals, blas_threads(), Pool(number, executor) as pool:
        interrupted = acknowledged(signals, writer.notice)
        limit = ahead_of(options.time_limit)
        stop = Stop(lambda: interrupted() or should_stop(), urgent=signals.urgent, time_limit=limit)
        yield Context.of(instance, options, stop, pool, writer)


LINE, BLOCKS = ByIntervals(), ByBlocks()
#: Who is asked about a node, in this order; labels are certified on the whole after that, where it is not too large.
SOLVE: tuple[Bounder, ...] = (LINE, ByPrices(), BLOCKS, ByRelaxation())
CERTIFY: tuple[Bounder, ...] = (LINE, ByPrices(), ByBlocks(ends_crudely=True))


def run(
    instance: Instance,
    options: Options,
    *,
    initial: Partition | None = None,
    centres: Floats | None = None,
    run_file: RunFile | None = None,
    executor: Executor | None = None,
    on_event: OnEvent,
    should_stop: Callable[[], bool] = no_request,
) -> Result:
    """Solve an instance, or go on with the run in a run file; see :func:`pcsos.solving.solve`."""
    warm_up(notices(on_event), instance, options.params)
    with session(instance, options, run_file, executor, on_event, should_stop) as context:
        journal, primal = context.writer.journal, context.primal
        try:
            problem = presolve_root(instance, context.budget, is_feasible=journal.has_begun or initial is not None)
        except InfeasibleError as error:
            result = Result.refuted(instance, error, seconds=context.stop.seconds, seed=options.seed)
            return claimed(result, context.writer, error)
        if problem is None:
            return claimed(interrupted(context, initial, journal.stated_bound()), context.writer)
        search = Search(problem, (ByOutliers(), *SOLVE), context, journal.stated_bound(counts_tree=False))
        is_on_line = LINE.suits(search.root, problem, context)
        if instance.outliers:
            refuse_too_many(problem.size)
        elif not is_on_line and not BLOCKS.suits(search.root, problem, context):
            refuse_too_large(problem.size)
        _start(problem, context)
        root = next(journal.records(), None)
        _restore(problem, initial, context, is_spare=centres is not None or instance.is_line or instance.is_free)
        if is_on_line and root is None:
            search.step()
        is_settled = is_on_line and (instance.is_line or search.is_done)
        if not is_settled:
            _offer(problem, centres, context, is_begun=root is not None and not isinstance(root.end, Open))
        narrowed = context.narrowed()
        if root is not None:
            problem = moved_as_before(problem, root)
        elif not is_settled:
            problem = move_blocks(problem, primal.objective, narrowed.options.gap)
        search.begin(problem, narrowed)
        for record in journal.records():
            search.replay(record)
        return claimed(solved(search, search.run(), options.gap), context.writer)


def _restore(problem: Presolved, initial: Partition | None, context: Context, *, is_spare: bool) -> None:
    """Offer the partition of an earlier part of the run, and the one that is given, or else any, if there is need."""
    primal, earlier = context.primal, context.writer.journal.incumbent()
    if earlier is not None:
        primal.restore(earlier)
    if initial is not None:
        primal.offer(Found(initial.labels, initial.objective, "I"))
    if primal.partition is None and not is_spare:
        offer_any(problem, context)


def _offer(problem: Presolved, centres: Floats | None, context: Context, *, is_begun: bool) -> None:
    """Offer what heuristics find: near centres that are given, and where the root was not done yet, wherever."""
    if problem.instance.outliers:
        offer_leaving_out(problem, centres, context)
        return
    if centres is not None:
        offer_from_centres(problem, centres, context)
    if not is_begun:
        offer_first_incumbents(problem, context)
        offer_colouring(problem, context)


def run_certification(
    instance: Instance,
    given: Partition,
    options: Options,
    *,
    run_file: RunFile | None = None,
    executor: Executor | None = None,
    on_event: OnEvent,
    should_stop: Callable[[], bool] = no_request,
) -> Certification:
    """Bound the instance as closely as it takes for the given partition; see :func:`pcsos.solving.certify`."""
    blocks = replace(options.params.blocks, whole_up_to=0)  # they are tried first in any case
    options = replace(options, params=replace(options.params, blocks=blocks))
    with session(instance, options, run_file, executor, on_event, should_stop) as context:
        problem, bounders, journal = contracted(instance), CERTIFY, context.writer.journal
        earlier, known, num_parts = journal.incumbent(), journal.stated_bound(counts_tree=False), len(journal.cover())
        _start(problem, context)
        context.primal.restore(given, "G")
        narrowed = context.narrowed()
        if earlier is not None:
            context.primal.restore(earlier)
        if not instance.is_line:
            offer_improved(problem, given.labels, context)
            offer_rival(problem, context)

        if _is_bounded_whole(problem, options):
            problem = presolve_root(instance, context.budget, is_feasible=True) or problem
            bounders = (*CERTIFY, ByRelaxation(only_root=not instance.is_plain))
        search = Search(problem, bounders, narrowed, known, max(1, num_parts))
        for record in journal.records():
            search.replay(record)
        return claimed(certified(search, search.run(), given, options.gap), context.writer)


def _is_bounded_whole(problem: Presolved, options: Options) -> bool:
    """Tell whether labels are certified on the whole, too: it is not on a line, and no larger than blocks may be."""
    blocks, reduced = options.params.blocks, problem.reduced
    is_block = problem.size <= blocks.largest_size or first_number(reduced, blocks) == 1
    return not problem.instance.is_line and (is_block or of_root(options.engine, reduced) == "gpu")


def _start(problem: Presolved, context: Context) -> None:
    """Tell that a run begins."""
    n, d = problem.instance.points.shape
    size, num_pairs = problem.size, len(problem.problem.cannot_link)
    context.writer.notify(RunStarted(n, d, problem.instance.n_clusters, size, num_pairs))
