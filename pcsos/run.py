"""Run: from instance to result, the composition root, in the order of the paper's Algorithm 3."""

import contextlib
import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

from pcsos import tolerances
from pcsos.colouring.budget import Budget
from pcsos.control.aside import interruptibly
from pcsos.control.signals import Signals, acknowledged
from pcsos.control.stop import Interrupted, Stop, ahead_of, nobody
from pcsos.control.threads import one_blas_thread
from pcsos.decomposition.climb import Climb
from pcsos.decomposition.ladder import first_number
from pcsos.decomposition.pricing import bound_by_prices, suits
from pcsos.events import Event, Notice, RunStarted
from pcsos.exceptions import InfeasibleError, RunFileError
from pcsos.far_apart import separate_blocks
from pcsos.heuristics.exercise import exercises_for
from pcsos.instance import Instance
from pcsos.kernels import prepare
from pcsos.line import is_line
from pcsos.options import Options
from pcsos.params import Params
from pcsos.partition import Partition
from pcsos.presolve import presolve_root
from pcsos.prices.exercise import PRICES
from pcsos.proof import InfeasibleClosing, NodeRecord
from pcsos.reduction import Reduced
from pcsos.relaxation.exercise import relaxation_exercises
from pcsos.relaxation.memory import refuse_too_large, shortage
from pcsos.relaxation.peng_wei import formation_error
from pcsos.result import Reason, Result, Status
from pcsos.run_file import RunFile
from pcsos.tree.first_incumbents import offer_first_incumbents
from pcsos.tree.journal import Journal, NullJournal, teller
from pcsos.tree.replay import replay
from pcsos.tree.search import Search, reason_of
from pcsos.tree.task import Found
from pcsos.tree.workers import Workers, number_of_workers

Notify = Callable[[Event], None]


def run(
    instance: Instance,
    options: Options,
    *,
    initial: Partition | None = None,
    run_file: RunFile | None = None,
    executor: Executor | None = None,
    on_event: Notify,
    should_stop: Callable[[], bool] = nobody,
) -> Result:
    """Solve an instance, or go on with the run in a run file; see :func:`pcsos.solve.solve`."""
    journal: Journal = NullJournal() if run_file is None else run_file
    warm_up(lambda sentence: on_event(Notice(sentence)), instance, options.params)

    with Signals() as signals:
        tell = teller(journal, on_event)
        return _run(instance, options, journal, executor, tell, signals, initial=initial, should_stop=should_stop)


def _run(
    instance: Instance,
    options: Options,
    journal: Journal,
    executor: Executor | None,
    notify: Notify,
    signals: Signals,
    *,
    initial: Partition | None = None,
    should_stop: Callable[[], bool] = nobody,
) -> Result:
    def say(sentence: str) -> None:
        notify(Notice(sentence))

    with one_blas_thread(), Workers(number_of_workers(options, say, executor), executor) as workers:
        interrupted = acknowledged(signals, say)
        limit = ahead_of(options.time_limit)
        stop = Stop(lambda: interrupted() or should_stop(), urgent=signals.urgent, time_limit=limit)
        budget = Budget(stop, options.ilp, options.params.colouring)
        try:
            presolved = presolve_root(instance, budget, is_feasible=journal.has_begun or initial is not None)
        except InfeasibleError as error:
            result = _without_search(
                instance, options, Reason.INFEASIBLE, stop, message=str(error), conflict=error.conflict
            )
            return _claimed(result, journal, notify, error)
        except Interrupted:
            if initial is not None:
                with contextlib.suppress(RunFileError):  # what is claimed meets the same, and says so
                    journal.add_incumbent(initial.labels, initial.objective, "I", stop.seconds)
            result = _without_search(instance, options, reason_of(stop), stop, partition=initial)
            return _claimed(result, journal, notify)
        problem = presolved.problem
        at_once = is_line(instance) and options.node_limit != 0  # by the root, whatever the size
        by_blocks = not at_once and problem.size > options.params.blocks.whole_up_to
        if not (at_once or by_blocks):
            refuse_too_large(problem.size)
        n, d = instance.points.shape
        notify(RunStarted(n, d, instance.n_clusters, problem.size, len(problem.cannot_link)))
        search = Search(instance, presolved, options, workers, stop=stop, notify=notify, journal=journal)
        replay(search, journal)
        if initial is not None:
            search.offer(Found(initial.labels, initial.objective, "I"))
        if search.nodes == 0 and not at_once:
            offer_first_incumbents(search, problem, options, workers, stop)
        _narrow(search)
        if search.is_fresh and not at_once:
            _separate(search)
        if search.is_fresh and not at_once:
            _price(search, not by_blocks, stop, notify, journal)
        if search.is_fresh and by_blocks:
            _climb(search, presolved.reduced, stop, notify, journal)
        if search.is_fresh and at_once:
            search.step()  # there is always time for a first partition
        if search.is_done or at_once or not shortage(problem.size):
            reason = search.run()
        else:
            reason = reason_of(stop) if stop.asked() else Reason.STALLED
        result = _result(search, reason, problem.size, options.gap)
    return result if search.failure else _claimed(result, journal, notify)


def _narrow(search: Search) -> None:
    """Ask for a smaller gap of the points where what is proved of them is lowered in the end."""
    error = search.instance.cost_error
    if error == 0.0:
        return
    search.join_heuristic()
    if search.partition is not None:
        gap = tolerances.narrowed(search.options.gap, error, search.objective)
        search.options = replace(search.options, gap=gap)


def _separate(search: Search) -> None:
    """Move far blocks of points together where the rounding of their distances would hide what clusters cost."""
    reduced, objective, gap = search.reduced, search.objective, search.options.gap
    hidden = formation_error(reduced, reduced.total) > tolerances.ROUNDING_SHARE * gap * objective
    if not hidden or not reduced.is_plain or objective <= 0.0 or math.isinf(objective):
        return
    found = separate_blocks(search.instance, reduced, tolerances.cutoff(objective, gap))
    if found is not None:
        search.separate(found.problem, found.step)


def _price(search: Search, only_enough: bool, stop: Stop, notify: Notify, journal: Journal) -> None:
    """Bound the instance by prices, if it has few features."""
    if not suits(search.instance, search.options.params.prices) or search.is_done:
        return
    search.join_heuristic()
    if search.partition is None or stop.asked():
        return
    try:
        bound = bound_by_prices(
            search.instance, search.partition, search.options, stop, journal, notify,
            lambda labels: search.offer(Found(labels, math.inf, "P")), search.workers.number, only_enough=only_enough,
        )  # fmt: skip
        search.raise_bound(bound)
    except RunFileError as error:
        search.fail(error)


def _climb(search: Search, reduced: Reduced, stop: Stop, notify: Notify, journal: Journal) -> None:
    """Bound the instance by its blocks, as far as that goes, before it is bounded as a whole."""
    search.join_heuristic()
    if search.partition is None or search.is_done or stop.asked():
        return
    blocks = search.options.params.blocks
    if first_number(reduced, blocks) == 1:
        return  # too many clusters for blocks: the tree bounds the whole
    smaller = replace(blocks, largest_size=max(2, min(blocks.largest_size, reduced.size // 2)))
    options = replace(search.options, params=replace(search.options.params, blocks=smaller))
    climb = Climb(
        search.instance, reduced, search.partition, options, search.workers, stop, journal, notify, lambda labels: None
    )  # fmt: skip
    try:
        climb.run()
    except RunFileError as error:
        search.fail(error)
        return
    search.raise_bound(climb.lower_bound)


def _without_search(
    instance: Instance,
    options: Options,
    reason: Reason,
    stop: Stop,
    partition: Partition | None = None,
    **rest: Any,
) -> Result:
    """Return the result of a run that ends before there is anything to search."""
    status = Status.UNKNOWN if partition is None else Status.FEASIBLE
    if reason is Reason.INFEASIBLE:
        status = Status.INFEASIBLE
    return Result.of(instance, status, reason, partition, seconds=stop.seconds, seed=options.seed, **rest)


def _result(search: Search, reason: Reason, size: int, gap: float) -> Result:
    """Return the result of a search that has ended: what it has proved of the points, said of the instance."""
    instance = search.instance
    bound = min(instance.proved(search.lower_bound), search.objective)
    if reason is Reason.GAP_REACHED and not tolerances.reaches(instance.gap(search.objective, bound), gap):
        reason = Reason.STALLED
    if reason is Reason.GAP_REACHED:
        status = Status.OPTIMAL
    elif reason is Reason.INFEASIBLE:
        status = Status.INFEASIBLE
    else:
        status = Status.UNKNOWN if search.partition is None else Status.FEASIBLE
    root = search.root_lower_bound
    return Result.of(
        instance,
        status,
        reason,
        search.partition,
        lower_bound=bound if math.isfinite(bound) else None,
        n_super_points=size,
        seconds=search.seconds,
        seed=search.options.seed,
        nodes=search.nodes,
        root_lower_bound=None if root is None else instance.proved(root),
        root_seconds=search.root_seconds,
        message=search.failure or (_why_stalled(search, gap) if reason is Reason.STALLED else ""),
    )


def _why_stalled(search: Search, gap: float) -> str:
    """Say in a sentence why the gap asked for is not reached."""
    error = search.instance.cost_error
    if search.is_done and error > tolerances.ROUNDING_SHARE * gap * search.objective:
        return (
            f"every node is closed, but the rounding of the Gram matrix leaves {error:.3g} of costs undecided, and the "
            f"clusters cost {search.objective:.3g}; ask for a larger gap, or give inner products about the mean"
        )
    if not search.is_done and (lacking := shortage(search.reduced.size)):
        return f"blocks prove no more, and bounding {lacking}; certify larger blocks (params=), or ask for a larger gap"
    return (
        f"every node is closed, but double precision leaves a gap of {search.gap:.2g} instead of "
        f"{gap:g}: the sum of squares of all points is {search.reduced.total:.3g}, that of the clusters "
        f"{search.objective:.3g}; ask for a larger gap, or remove or rescale points that are far from all others"
    )


def _claimed(result: Result, journal: Journal, notify: Notify, infeasible: InfeasibleError | None = None) -> Result:
    """Return the result, written to the journal together with the proof of a presolve that no search is needed for."""
    try:
        if infeasible is not None and not journal.has_begun:
            steps = () if infeasible.step is None else (infeasible.step,)
            closing = InfeasibleClosing(infeasible.witness, infeasible.search)
            journal.add_node(NodeRecord(0, None, None, steps, closing, math.inf))
        journal.set_claim(result)
    except RunFileError as error:
        notify(Notice(f"the result could not be written to the run file: {error}"))
    return result


def warm_up(
    notify: Callable[[str], object] | None = None, instance: Instance | None = None, params: Params | None = None
) -> None:
    """Compile the kernels (that an instance needs) unless that is done; who is to be notified is told, or the log."""
    has_limits = instance is None or instance.limits is not None
    exercises = [*exercises_for(instance), *relaxation_exercises(has_limits=has_limits)]
    if instance is None or suits(instance, (params or Params()).prices):
        exercises.append(PRICES)
    prepare(exercises, aside=interruptibly, notify=notify)
