"""One run, from instance to result: the composition root, in the order of the paper's Algorithm 3."""

import contextlib
import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pcsos import tolerances
from pcsos.colouring.conflict_regions import grow_regions
from pcsos.control.aside import LARGE, Line, interruptibly, run_aside, talk_aside
from pcsos.control.signals import Signals, acknowledged
from pcsos.control.stop import GRACE, Interrupted, ProgramLostError, Stop, interruptible, never
from pcsos.events import Event, Notice, RunStarted
from pcsos.exceptions import InfeasibleError, RunFileError
from pcsos.far_apart import separate_again, separate_blocks
from pcsos.heuristics.centres import kmeans_pp_centres
from pcsos.heuristics.descent import descend
from pcsos.heuristics.exercise import examples, exercise
from pcsos.heuristics.ipc_kmeans import ipc_kmeans
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.record import Budget, Solution
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.inference import infer, settle
from pcsos.instance import Instance
from pcsos.kernels import prepare
from pcsos.options import Options
from pcsos.proof import FarStep, InfeasibleClosing, NodeRecord
from pcsos.reduction import Reduced, reduce_instance
from pcsos.relaxation.admm import project_box_and_cuts
from pcsos.relaxation.memory import refuse_too_large
from pcsos.relaxation.peng_wei import formation_error
from pcsos.result import Reason, Result, Status
from pcsos.run_file import RunFile
from pcsos.tree.search import Search
from pcsos.tree.workers import Workers, stop_requested

#: Below this size (super-points times clusters) the memetic heuristic is over before a process could be started.
SMALL = 300

Labels = NDArray[np.intp]
T = TypeVar("T")


def run(
    instance: Instance,
    options: Options,
    *,
    run_file: RunFile | None = None,
    executor: Executor | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Result:
    """Solve an instance, or go on with the run in a run file; see :func:`pcsos.solve.solve`."""
    tell = _silence if on_event is None else on_event
    warm_up(None if on_event is None else lambda sentence: tell(Notice(sentence)))

    def notify(event: Event) -> None:
        if run_file is not None:
            with contextlib.suppress(RunFileError):  # the next node or incumbent meets the same, and says so
                run_file.add_event(event)
        tell(event)

    with Signals() as signals:
        return _run(instance, options, run_file, executor, notify, signals)


def warm_up(notify: Callable[[str], object] | None = None) -> None:
    """Compile the kernels unless that is done; ``notify`` is told about it, or else the log."""
    prepare(descend, grow_regions, project_box_and_cuts, exercise=_exercise, aside=interruptibly, notify=notify)


def _silence(event: Event) -> None:
    """Tell nobody."""


def _exercise() -> None:
    """Solve small problems."""
    exercise()
    for instance in examples():
        _run(instance, Options(workers=1, node_limit=3), None, None, _silence, Signals())


def _run(
    instance: Instance,
    options: Options,
    run_file: RunFile | None,
    executor: Executor | None,
    notify: Callable[[Event], None],
    signals: Signals,
) -> Result:
    with threadpool_limits(1), Workers(options.num_workers, executor) as workers:
        interrupted = acknowledged(signals, lambda sentence: notify(Notice(sentence)))
        budget = Budget(options.time_limit, interrupted)
        stop = Stop(budget.exhausted, signals.urgent)
        try:
            with interruptible(stop):
                call = _aside if instance.n_points > LARGE else _here
                reduced, problem = call(_prepared, instance, options.ilp, _has_begun(run_file))
        except InfeasibleError as error:
            return _infeasible(instance, options, error, budget.seconds, run_file, notify)
        except Interrupted:
            reason = Reason.INTERRUPTED if interrupted() else Reason.TIME_LIMIT
            return _before_the_search(instance, options, reason, budget.seconds, run_file, notify)
        refuse_too_large(problem.size)
        n, d = instance.points.shape
        notify(RunStarted(n, d, instance.n_clusters, problem.size, len(problem.cannot_link)))
        search = Search(
            instance, reduced, options, workers, begun=budget.begun, interrupted=interrupted, urgent=signals.urgent,
            notify=notify, journal=run_file,
        )  # fmt: skip
        if run_file is not None:
            _replay(search, run_file)
        if search.nodes == 0:
            _first_incumbents(search, problem, options, workers, budget, stop)
        if search.is_fresh:
            _separate(search, instance, reduced, options)
        reason = search.run()
        result = _result(instance, options, search, reason, problem.size)
    if run_file is not None and not search.failure:
        _claim(result, run_file, notify)
    return result


def refuse_unfounded(claim: Result, run_file: RunFile) -> None:
    """Raise a :class:`RunFileError` if the nodes of a finished run do not lead to its claim, taken at their word.

    The tree must be whole, and its stated bounds must be at least what is claimed; ``verify`` proves them.
    """
    try:
        reduced = reduce_instance(run_file.instance)
    except InfeasibleError:
        proved = math.inf
    else:
        options = run_file.options
        search = Search(
            run_file.instance, reduced, options, Workers(1), begun=0.0, interrupted=never, notify=_silence
        )  # fmt: skip
        _replay(search, run_file)
        proved = search.lower_bound
    claimed = math.inf if claim.status is Status.INFEASIBLE else claim.lower_bound
    if claimed is not None and proved < claimed:
        raise RunFileError(
            f"{run_file.path} claims a lower bound of {claimed:.10g}, but its nodes state only {proved:.10g}; "
            "start the run anew"
        )


def _has_begun(run_file: RunFile | None) -> bool:
    """Tell whether an earlier part of the run got as far as the search, so that it is known not to be futile."""
    return run_file is not None and (run_file.incumbent() is not None or next(run_file.records(), None) is not None)


def _replay(search: Search, run_file: RunFile) -> None:
    """Take over what an earlier part of the run has found and proved."""
    incumbent = run_file.incumbent()
    if incumbent is not None:
        search.restore(incumbent)
    for record in run_file.records():
        if record.steps and isinstance(record.steps[0], FarStep) and record.parent is None:
            search.separate(separate_again(search.instance, search.reduced, record.steps[0]), record.steps[0])
        search.replay(record)


def _separate(search: Search, instance: Instance, reduced: Reduced, options: Options) -> None:
    """Move far blocks of points together where the rounding of their distances would hide what clusters cost."""
    hidden = formation_error(reduced, reduced.total) > tolerances.ROUNDING_SHARE * options.gap * search.objective
    if not hidden or search.objective <= 0.0 or math.isinf(search.objective):
        return
    found = separate_blocks(instance, reduced, tolerances.cutoff(search.objective, options.gap))
    if found is not None:
        search.separate(found.problem, found.step)


def _first_incumbents(
    search: Search, problem: Reduced, options: Options, workers: Workers, budget: Budget, stop: Stop
) -> None:
    """Offer a quick partition, and run S-MDEClust beside the root, or before it where that is quicker."""
    is_large = problem.size > LARGE
    with budget.limited(stop):
        first = (_aside if is_large else _here)(quick_labels, problem, options)
        if first is not None:
            search.offer(first, "K")
    if problem.n_clusters in (1, problem.size):
        return
    limit = math.inf if options.time_limit is None else 0.5 * options.time_limit
    arguments = (problem, options.seed, options.ilp, limit)
    if workers.parallel and problem.size * problem.n_clusters > SMALL:
        search.expect(workers.submit(memetic_labels, *arguments))
    elif not is_large:
        found = memetic_labels(*arguments, should_stop=budget.exhausted)
        if found is not None:
            search.offer(*found)
    else:
        _offer_while_they_come(search, arguments, stop)


def _offer_while_they_come(search: Search, arguments: tuple[Reduced, int, str, float], stop: Stop) -> None:
    """Run S-MDEClust in a process of its own, and offer what it finds as soon as it does."""
    with contextlib.suppress(Interrupted, ProgramLostError):
        talk_aside(_memetic_aside, *arguments, stop=stop, grace=GRACE, hear=lambda labels: search.offer(labels, "M"))


def _memetic_aside(line: Line, problem: Reduced, seed: int, ilp: str, seconds: float) -> None:
    memetic_labels(problem, seed, ilp, seconds, line.stopped, lambda found: line.tell(problem.lift(found.labels)))


def _prepared(instance: Instance, ilp: str, is_feasible: bool) -> tuple[Reduced, Reduced]:
    """Return the contracted instance, and the same with forced pairs, proved to be feasible where that is not known."""
    reduced = reduce_instance(instance)
    return reduced, (infer(reduced) if is_feasible else settle(reduced, ilp=ilp))[0]


def _here(function: Callable[..., T], *arguments: Any) -> T:
    return function(*arguments)


def _aside(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function that may take long where it can be left."""
    return run_aside(function, *arguments, grace=GRACE)


def _claim(result: Result, run_file: RunFile, notify: Callable[[Event], None]) -> None:
    """Write the result to the run file."""
    with _told(notify):
        run_file.set_claim(result)


def quick_labels(problem: Reduced, options: Options, starts: int = 3) -> Labels | None:
    """Return labels of the original points from a few runs of IPC-k-means with local search; None if all failed."""
    rng = np.random.default_rng([options.seed, 1])
    best = None
    for _ in range(starts):
        try:
            found, _ = ipc_kmeans(problem, kmeans_pp_centres(problem, rng), ilp=options.ilp, exact=False)
        except (Interrupted, ProgramLostError):
            break
        if found is None:
            continue
        found = improve(problem, found.labels)[0]
        if best is None or found.objective < best.objective:
            best = found
    return None if best is None else problem.lift(best.labels)


def memetic_labels(
    problem: Reduced,
    seed: int,
    ilp: str,
    seconds: float,
    should_stop: Callable[[], bool] = stop_requested,
    on_improvement: Callable[[Solution], None] | None = None,
) -> tuple[Labels, str] | None:
    """Return labels of the original points by S-MDEClust, and its letter; runs in a worker process."""
    limit = seconds if math.isfinite(seconds) else None
    best, _ = s_mdeclust(
        problem, seed=seed, ilp=ilp, time_limit=limit, should_stop=should_stop, on_improvement=on_improvement
    )
    return None if best is None else (problem.lift(best.labels), "M")


def _result(instance: Instance, options: Options, search: Search, reason: Reason, size: int) -> Result:
    if reason is Reason.GAP_REACHED:
        status = Status.OPTIMAL
    elif reason is Reason.INFEASIBLE:
        status = Status.INFEASIBLE
    else:
        status = Status.UNKNOWN if search.partition is None else Status.FEASIBLE
    bound = min(search.lower_bound, search.objective)
    return Result.of(
        instance,
        status,
        reason,
        search.partition,
        lower_bound=bound if math.isfinite(bound) else None,
        n_super_points=size,
        seconds=search.seconds,
        seed=options.seed,
        nodes=search.nodes,
        root_lower_bound=search.root_lower_bound,
        root_seconds=search.root_seconds,
        message=search.failure or (_why_stalled(search, options) if reason is Reason.STALLED else ""),
    )


def _why_stalled(search: Search, options: Options) -> str:
    """Say in a sentence why every node is closed and the gap asked for is not reached."""
    return (
        f"every node is closed, but double precision leaves a gap of {search.gap:.2g} instead of {options.gap:g}: the "
        f"sum of squares of all points is {search.reduced.total:.3g}, that of the clusters {search.objective:.3g}; ask "
        "for a larger gap, or remove or rescale points that are far from all others"
    )


def _infeasible(
    instance: Instance,
    options: Options,
    error: InfeasibleError,
    seconds: float,
    run_file: RunFile | None,
    notify: Callable[[Event], None],
) -> Result:
    """Return the result of an instance that no search is needed for, and record its proof as that of the root."""
    result = Result.of(
        instance, Status.INFEASIBLE, Reason.INFEASIBLE, seconds=seconds, seed=options.seed, message=str(error)
    )
    if run_file is not None:
        with _told(notify):
            if next(run_file.records(), None) is None:
                steps = () if error.step is None else (error.step,)
                run_file.add_node(
                    NodeRecord(0, None, None, steps, InfeasibleClosing(error.witness, error.search), math.inf)
                )
            run_file.set_claim(result)
    return result


def _before_the_search(
    instance: Instance,
    options: Options,
    reason: Reason,
    seconds: float,
    run_file: RunFile | None,
    notify: Callable[[Event], None],
) -> Result:
    """Return the result of a run that ends before it is known whether there is a partition at all."""
    result = Result.of(instance, Status.UNKNOWN, reason, seconds=seconds, seed=options.seed)
    if run_file is not None:
        _claim(result, run_file, notify)
    return result


@contextlib.contextmanager
def _told(notify: Callable[[Event], None]) -> Iterator[None]:
    """Tell the outside if the result cannot be written to the run file."""
    try:
        yield
    except RunFileError as error:
        notify(Notice(f"the result could not be written to the run file: {error}"))
