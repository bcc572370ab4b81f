"""Registry: one entrance to all heuristics; instance and seed in, a checked partition and a record out."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pcsos.base.control.stop import OUT_OF_TIME, REQUESTED, Stop, ahead_of, asker, no_request
from pcsos.base.control.subprocess import LARGE, Channel, interruptibly, try_job
from pcsos.base.control.threads import blas_threads
from pcsos.base.events import IncumbentFound, Notify, RunStarted, notices
from pcsos.base.exceptions import InputError
from pcsos.base.numerics.kernels import WarmUp, prepare
from pcsos.base.tolerances import is_improvement
from pcsos.evidence.result import Reason, Result, Status
from pcsos.heuristics.baselines import cop_kmeans, post_processing
from pcsos.heuristics.centres import centres_of_points, located_centres
from pcsos.heuristics.differential_evolution.hybrid import DIFFERENTIAL_EVOLUTION, hybrid_de
from pcsos.heuristics.ipc_kmeans import multi_start
from pcsos.heuristics.outliers import k_means_minus_minus
from pcsos.heuristics.record import Record, Returned, Solution, Work, record_of
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.heuristics.sampled import SAMPLED_FROM, finished, is_worth_sketching, sampled, sketch, suit_samples
from pcsos.heuristics.sdp_start import sdp_start
from pcsos.heuristics.warm_ups import warm_ups_for
from pcsos.presolve.presolve import presolve
from pcsos.problem.instance import Instance
from pcsos.problem.options import Budget, Options
from pcsos.problem.params import EvolutionParams, MemeticParams
from pcsos.problem.partition import Incumbent, Partition, beginning
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import one_of, whole_number
from pcsos.report.progress import listener


class HeuristicResult(NamedTuple):
    """What a heuristic found.

    Attributes
    ----------
    partition : Partition or None
        The best feasible partition of the original points, or None; the record then says why.
    record : Record
        Objective, time and work.
    """

    partition: Partition | None
    record: Record

    def result(self, instance: Instance, seed: int, *, was_interrupted: bool) -> Result:
        """Return it as the result of a run on an instance, which proves nothing."""
        partition, record = self
        return Result(
            instance,
            Status.UNKNOWN if partition is None else Status.FEASIBLE,
            Reason.of_heuristic(record.message, was_interrupted=was_interrupted),
            partition,
            n_super_points=record.n_super_points,
            seconds=record.seconds,
            seed=seed,
            message="" if record.message in (OUT_OF_TIME, REQUESTED) else record.message,
        )


@dataclass(frozen=True)
class Method:
    """An entry of the registry."""

    #: looks for good partitions of the super-points of a :class:`~pcsos.problem.reduction.Reduced` and proves nothing;
    #: it takes seed, budget, ``on_improvement`` (called with every new best solution) and its options by name, and runs
    #: until nothing is left to do, or the budget says stop; a baseline takes the instance first
    heuristic: Callable[..., Returned]
    options: frozenset[str]  #: names of the options that it takes
    is_baseline: bool = False  #: whether it works on the points of the instance
    source: str = ""  #: its letter among the :data:`pcsos.base.events.SOURCES`, if the exact solver uses it too
    warm_ups: tuple[WarmUp, ...] = ()  #: what compiles the kernels that only it needs
    is_plain: bool = False  #: whether it knows neither limits of clusters nor soft pairs
    leaves_out: bool = False  #: whether it knows of points that may be left out


def _with_params(
    heuristic: Callable[..., Returned], kind: type[MemeticParams | EvolutionParams], reduced: Reduced, **options: Any
) -> Returned:
    """Run a heuristic, its parameters given one by one."""
    own = {field.name: options.pop(field.name) for field in fields(kind) if field.name in options}
    return heuristic(reduced, params=kind(**own), **options)


STARTS = frozenset({"num_starts", "max_local_iterations"})
EVOLUTION = frozenset(
    {"variant", "population", "max_stall", "max_generations", "delta", "scale", "alpha", "use_all_time"}
)
VECTORS = frozenset({"variant", "criterion", "matching", "population", "max_evaluations"})

#: The one where points may be left out.
LEAVING_OUT = "k-means--"
#: The heuristics by name.
METHODS = {
    "s-mdeclust": Method(
        partial(_with_params, s_mdeclust, MemeticParams),
        EVOLUTION | {"start", "max_local_iterations", "ilp"},
        source="M",
    ),
    "ipc-kmeans": Method(partial(multi_start, starts="k-means++"), STARTS | {"ilp"}, source="K"),
    "blp-km": Method(partial(multi_start, starts="random"), STARTS | {"ilp"}),
    "sampled": Method(sampled, frozenset({"ilp"}), source="M"),
    "sdp-kmeans": Method(sdp_start, STARTS | {"ilp"}, source="S"),
    "cop-kmeans": Method(cop_kmeans, STARTS, is_baseline=True, is_plain=True),
    "post-processing": Method(post_processing, STARTS | {"ilp"}, is_baseline=True, is_plain=True),
    LEAVING_OUT: Method(
        k_means_minus_minus, frozenset({"num_starts"}), is_baseline=True, source="O", is_plain=True, leaves_out=True
    ),
    "hybrid-de": Method(
        partial(_with_params, hybrid_de, EvolutionParams),
        VECTORS,
        warm_ups=(DIFFERENTIAL_EVOLUTION,),
        is_plain=True,
    ),
}


def suited_method(instance: Instance) -> str:
    """Return the method that finds the best partition in little time.

    It is S-MDEClust; for more than :data:`~pcsos.heuristics.sampled.SAMPLED_FROM` points times clusters it is that on
    samples, or where these would leave out pairs, k-means. Where points may be left out, it is k-means--.
    """
    if instance.outliers:
        return LEAVING_OUT
    if instance.n_points * instance.n_clusters <= SAMPLED_FROM:
        return "s-mdeclust"
    return "sampled" if suit_samples(instance) else "ipc-kmeans"


def warm_up(instance: Instance, notify: Notify | None = None, method: str = "s-mdeclust") -> None:
    """Compile the kernels that a method needs here unless that is done; says so to ``notify``, or in the log."""
    prepare([*warm_ups_for(instance), *METHODS[method].warm_ups], aside=interruptibly, notify=notify)


def run(
    instance: Instance,
    method: str | None = None,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    should_stop: Callable[[], bool] | None = None,
    urgent: Callable[[], bool] | None = None,
    on_improvement: Callable[[Partition], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
    verbose: bool = False,
    **options: Any,
) -> HeuristicResult:
    """Run a heuristic and return its best partition, checked against every constraint, with a record.

    Parameters
    ----------
    instance : Instance
        The problem.
    method : str, optional
        A key of :data:`METHODS`, by default what :func:`suited_method` returns: ``s-mdeclust``, ``ipc-kmeans``
        (k-means++ starts), ``blp-km`` (random starts), ``sampled`` (S-MDEClust on samples, for hundreds of thousands
        of points), ``sdp-kmeans`` (IPC-k-means from the semidefinite relaxation), ``cop-kmeans``, ``post-processing``,
        ``hybrid-de`` (without cannot-links), or ``k-means--``, the one for points of which some may be left out.
    seed : int
        Seed of all random choices.
    time_limit : float, optional
        Seconds after which the best partition so far is returned, if the method has not ended by its own rule before.
        s-mdeclust ends where its population has converged (``delta``), after ``max_stall`` offspring in a row that do
        not improve the best partition, or after ``max_generations``. With ``use_all_time`` fresh populations follow
        until the limit; the record says that it was reached if the first one was cut short.
    should_stop : callable, optional
        Asked often; true ends the run with the best partition so far. The ``is_set`` of a :class:`threading.Event`
        that another thread or a signal handler sets will do. Beyond 500 super-points, a run with a limit or this
        works in a process of its own, which is killed two seconds later if it still goes on; what it did is then not
        counted in the record.
    urgent : callable, optional
        True once ``should_stop`` is to be obeyed without those two seconds.
    on_improvement : callable, optional
        Called with every new best partition.
    on_notice : callable, optional
        Called with sentences for the user, which otherwise are shown or go to the log.
    verbose : bool
        Show a :class:`pcsos.report.progress.ProgressTable` on standard error.
    **options
        Options of the method: ``start`` (labels or centres to begin with, as in :func:`pcsos.solve`), ``variant``,
        ``population``, ``max_stall``, ``max_generations``, ``delta``, ``scale``, ``alpha`` and ``use_all_time`` of
        s-mdeclust; ``variant``, ``criterion``, ``matching``, ``population`` and ``max_evaluations`` of hybrid-de;
        ``num_starts`` of the others (rounds of cutting planes for sdp-kmeans); ``max_local_iterations``; ``ilp``.

    Raises
    ------
    InfeasibleError
        If no partition satisfies the constraints.
    InputError
        If the method or an option does not exist or is out of its range, the relaxation of ``sdp-kmeans`` does not
        fit into memory, there are cannot-links for ``hybrid-de``, or limits of clusters or soft pairs for a method
        that knows neither (``cop-kmeans``, ``post-processing``, ``hybrid-de``).

    Examples
    --------
    >>> from pcsos import Instance
    >>> from pcsos.heuristics import run
    >>> partition, record = run(Instance([0.0, 1.0, 5.0, 6.0], 2), seed=1)
    >>> partition.labels.tolist(), record.method, record.feasible
    ([0, 0, 1, 1], 'pcsos', True)
    """
    method = _checked_method(instance, method, seed, time_limit, options)
    initial, centres = beginning(instance, options.pop("start", None))
    on_event = listener(None, verbose=verbose)
    warm_up(instance, on_notice or notices(on_event), method)
    stop = Stop(asker(should_stop), urgent=urgent or no_request, time_limit=time_limit)
    budget = Budget(stop, options.pop("ilp", "auto"))
    presolved = presolve(instance, budget)
    if presolved is None:
        return _no_worse(HeuristicResult(None, record_of(method, None, stop, Work())), initial)
    reduced = presolved.problem
    n, d = instance.points.shape
    on_event(RunStarted(n, d, instance.n_clusters, reduced.size, len(reduced.cannot_link)))

    def on_partition(partition: Partition, source: str) -> None:
        on_event(IncumbentFound(partition.objective, source, stop.seconds))
        if on_improvement is not None:
            on_improvement(partition)

    is_sketched = instance.gram is not None and reduced.is_plain and not METHODS[method].is_baseline
    is_sketched &= is_worth_sketching(reduced)
    problem = sketch(reduced, np.random.default_rng(seed)) if is_sketched else reduced

    def on_solution(solution: Solution) -> None:
        if initial is None or is_improvement(solution.objective, initial.objective):
            on_partition(Partition.of(instance, reduced.lift(solution.labels)), METHODS[method].source)

    if initial is not None:
        on_partition(initial, "I")
        options["centres"] = centres_of_points(problem, initial.labels, instance.weights)
    elif centres is not None:
        options["centres"] = located_centres(instance, problem, centres)
    given = (instance, problem) if METHODS[method].is_baseline else (problem,)
    call = partial(METHODS[method].heuristic, *given, seed=seed, **options)
    with blas_threads():  # the matrices are too small for more
        if is_sketched:  # what is found is finished in all coordinates
            budget = replace(budget, stop=stop.within(ahead_of(stop.seconds_left)))
        is_large = reduced.size > LARGE and not stop.is_idle
        solution, record = _called(call, method, budget, on_solution, is_long=is_large)
        if is_sketched and solution is not None and not stop.asked():
            solution = finished(reduced, solution)
    partition = None if solution is None else Partition.of(instance, reduced.lift(solution.labels))
    objective = None if partition is None else partition.objective
    message = _message(record.message, stop)
    record = replace(record, objective=objective, seconds=stop.seconds, n_super_points=reduced.size, message=message)
    return _no_worse(HeuristicResult(partition, record), initial)


def _message(message: str, stop: Stop) -> str:
    """Return why a run ended early, unknown to a child, which counts even in a later population if asked."""
    if message in ("", REQUESTED) and stop.reason == REQUESTED:
        return REQUESTED
    return (stop.reason if message == REQUESTED else "") or message


def _no_worse(found: HeuristicResult, initial: Partition | None) -> HeuristicResult:
    """Return what was found, or the partition that the run began with where that is better."""
    partition, record = found
    if initial is None or (partition is not None and is_improvement(partition.objective, initial.objective)):
        return found
    return HeuristicResult(initial, replace(record, objective=initial.objective, feasible=True))


def _checked_method(
    instance: Instance, method: str | None, seed: int, time_limit: float | None, options: dict[str, Any]
) -> str:
    """Return the method, the one that suits unless it is given; refuse what cannot be used, in one sentence."""
    if not isinstance(instance, Instance):
        raise InputError(f"instance is a {type(instance).__name__}; give a pcsos.Instance of the points")
    method = suited_method(instance) if method is None else method
    one_of("method", method, METHODS)
    for name in options:
        if name not in METHODS[method].options:
            raise InputError(
                f"{name} is not an option of {method}; it takes {', '.join(sorted(METHODS[method].options))}"
            )
    Options(time_limit=time_limit, seed=seed, ilp=options.get("ilp", "auto"))  # raises where one is out of its range
    use_all_time = options.get("use_all_time", False)
    if not isinstance(use_all_time, bool | np.bool_):
        raise InputError(f"use_all_time is {use_all_time!r}; give True or False")
    if use_all_time and time_limit is None:
        raise InputError("use_all_time is about a time limit, but there is none; give the seconds as time_limit")
    for name in ("num_starts", "max_local_iterations"):
        whole_number(name, options.get(name, 1), 1)
    if instance.outliers and not METHODS[method].leaves_out:
        raise InputError(
            f"method is {method!r}, which leaves no point out, but outliers is {instance.outliers}; use {LEAVING_OUT}"
        )
    if METHODS[method].is_plain and not (instance.is_plain or instance.outliers):
        raise InputError(f"method is {method!r}, which knows neither limits of clusters nor soft pairs; use s-mdeclust")
    return method


def _called(
    call: Callable[..., Returned],
    method: str,
    budget: Budget,
    on_solution: Callable[[Solution], None],
    *,
    is_long: bool,
) -> Returned:
    """Return what a call finds; a long one is left with the best solution so far where a step of it takes too long."""
    incumbent, stop, failures = Incumbent(on_improvement=on_solution), budget.stop, list[str]()
    found = try_job(
        _on_channel, call, budget.ilp, stop=stop, is_long=is_long, on_message=incumbent.offer, on_lost=failures.append
    )
    return found or (incumbent.best, record_of(method, incumbent.best, stop, Work(), failure="".join(failures)))


def _on_channel(channel: Channel, call: Callable[..., Returned], ilp: str) -> Returned:
    return call(budget=Budget(channel.stop, ilp), on_improvement=channel.send)
