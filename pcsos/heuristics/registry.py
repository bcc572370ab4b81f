"""One entrance to all heuristics: instance and seed in, a checked partition and a record out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from pcsos.colouring.conflict_regions import grow_regions
from pcsos.control.aside import LARGE, Line, interruptibly, run_aside, talk_aside
from pcsos.control.stop import (
    GRACE,
    Interrupted,
    ProgramLostError,
    Stop,
    current_stop,
    interruptible,
    never,
)
from pcsos.exceptions import InputError
from pcsos.heuristics.baselines.cop_kmeans import cop_kmeans
from pcsos.heuristics.baselines.post_processing import post_processing
from pcsos.heuristics.descent import descend
from pcsos.heuristics.exercise import exercise
from pcsos.heuristics.multi_start import multi_start
from pcsos.heuristics.protocol import Heuristic
from pcsos.heuristics.record import Budget, Record, Solution, Work, record_of
from pcsos.heuristics.s_mdeclust import s_mdeclust
from pcsos.heuristics.sdp_start import sdp_start
from pcsos.inference import settle
from pcsos.instance import Instance
from pcsos.kernels import prepare
from pcsos.options import Options
from pcsos.partition import Partition
from pcsos.reduction import Reduced, reduce_instance


class HeuristicResult(NamedTuple):
    """What a heuristic found.

    Parameters
    ----------
    partition : Partition or None
        The best feasible partition of the original points, or None; the record then says why.
    record : Record
        Objective, time and work.
    """

    partition: Partition | None
    record: Record


@dataclass(frozen=True)
class Method:
    """An entry of the registry.

    Parameters
    ----------
    heuristic : callable
        A :class:`~pcsos.heuristics.protocol.Heuristic`; a baseline takes the instance before the reduced problem.
    options : frozenset of str
        Names of the options that it takes.
    is_baseline : bool
        Whether it works on the points of the instance.
    """

    heuristic: Callable[..., tuple[Solution | None, Record]]
    options: frozenset[str]
    is_baseline: bool = False

    def bound_to(self, instance: Instance) -> Heuristic:
        """Return what takes a reduced problem."""
        return partial(self.heuristic, instance) if self.is_baseline else self.heuristic


STARTS = frozenset({"num_starts", "max_local_iterations"})
EVOLUTION = frozenset({"variant", "population", "max_stall", "max_generations", "delta", "scale", "alpha"})

#: The heuristics by name.
METHODS = {
    "s-mdeclust": Method(s_mdeclust, EVOLUTION | {"max_local_iterations", "ilp"}),
    "ipc-kmeans": Method(partial(multi_start, starts="k-means++"), STARTS | {"ilp"}),
    "blp-km": Method(partial(multi_start, starts="random"), STARTS | {"ilp"}),
    "sdp-kmeans": Method(sdp_start, STARTS | {"ilp"}),
    "cop-kmeans": Method(cop_kmeans, STARTS, is_baseline=True),
    "post-processing": Method(post_processing, STARTS | {"ilp"}, is_baseline=True),
}


def warm_up(notify: Callable[[str], object] | None = None) -> None:
    """Compile the kernels of heuristics unless that is done; ``notify`` is told about it, or else the log."""
    prepare(descend, grow_regions, exercise=exercise, aside=interruptibly, notify=notify)


def run(
    instance: Instance,
    method: str = "s-mdeclust",
    *,
    seed: int = 0,
    time_limit: float | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_improvement: Callable[[Partition], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
    **options: Any,
) -> HeuristicResult:
    """Run a heuristic and return its best partition, checked against every constraint, with a record.

    Parameters
    ----------
    instance : Instance
        The problem.
    method : str
        A key of :data:`METHODS`: ``s-mdeclust``, ``ipc-kmeans`` (k-means++ starts), ``blp-km`` (random starts),
        ``sdp-kmeans`` (IPC-k-means from the semidefinite relaxation), ``cop-kmeans`` or ``post-processing``.
    seed : int
        Seed of all random choices.
    time_limit : float, optional
        Seconds after which the best partition so far is returned.
    should_stop : callable, optional
        Asked often; true ends the run with the best partition so far. Set a flag in a signal handler and return it
        here, and an interrupt loses nothing. From 500 super-points on, a run with a limit or this works in a process of
        its own, which is killed two seconds later if it still goes on; what it did is then not counted in the record.
    on_improvement : callable, optional
        Told every new best partition.
    on_notice : callable, optional
        Told sentences for the user, which otherwise go to the log.
    **options
        Options of the method: ``variant``, ``population``, ``max_stall``, ``max_generations``, ``delta``, ``scale``
        and ``alpha`` of s-mdeclust; ``num_starts`` of the others (rounds of cutting planes for sdp-kmeans);
        ``max_local_iterations``; ``ilp``.

    Raises
    ------
    InfeasibleError
        If no partition satisfies the constraints.
    InputError
        If the method or an option does not exist or is out of its range, or the relaxation of ``sdp-kmeans`` does not
        fit into memory.

    Examples
    --------
    >>> from pcsos import Instance
    >>> from pcsos.heuristics import run
    >>> partition, record = run(Instance([0.0, 1.0, 5.0, 6.0], 2), seed=1)
    >>> partition.labels.tolist(), record.method, record.feasible
    ([0, 0, 1, 1], 'pcsos', True)
    """
    _check(instance, method, seed, time_limit, options)
    warm_up(on_notice)
    budget = Budget(time_limit, should_stop)
    try:
        with interruptible(budget.exhausted):
            is_large = instance.n_points > LARGE
            reduced = run_aside(_settled, instance) if is_large else _settled(instance)
    except Interrupted:
        return HeuristicResult(None, record_of(method, None, budget, Work()))

    def report(solution: Solution) -> None:
        if on_improvement is not None:
            on_improvement(Partition.of(instance, reduced.lift(solution.labels)))

    nobody_asks = should_stop is None and time_limit is None
    with threadpool_limits(1):  # the matrices are too small for more
        if reduced.size <= LARGE or nobody_asks:
            solution, record = _call(instance, reduced, method, seed, budget.seconds_left, options, should_stop, report)
        else:
            solution, record = _call_aside(instance, reduced, method, seed, budget, options, report)
    partition = None if solution is None else Partition.of(instance, reduced.lift(solution.labels))
    return HeuristicResult(partition, replace(record, seconds=budget.seconds, n_super_points=reduced.size))


def _check(instance: Instance, method: str, seed: int, time_limit: float | None, options: dict[str, Any]) -> None:
    """Refuse what cannot be used, in one sentence."""
    if method not in METHODS:
        raise InputError(f"method is {method!r}; give one of {', '.join(METHODS)}")
    for name in options:
        if name not in METHODS[method].options:
            raise InputError(f"{name} is no option of {method}; it takes {', '.join(sorted(METHODS[method].options))}")
    Options(time_limit=time_limit, seed=seed, ilp=options.get("ilp", "auto"))  # raises where one is out of its range
    for name in ("num_starts", "max_local_iterations"):
        value = options.get(name, 1)
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
            raise InputError(f"{name} is {value!r}; give a whole number of at least 1")
    if not isinstance(instance, Instance):
        raise InputError(f"instance is a {type(instance).__name__}; give a pcsos.Instance of the points")


def _settled(instance: Instance) -> Reduced:
    return settle(reduce_instance(instance))[0]


def _call(
    instance: Instance,
    reduced: Reduced,
    method: str,
    seed: int,
    time_limit: float | None,
    options: dict[str, Any],
    should_stop: Callable[[], bool] | None,
    report: Callable[[Solution], Any],
) -> tuple[Solution | None, Record]:
    heuristic = METHODS[method].bound_to(instance)
    return heuristic(
        reduced, seed=seed, time_limit=time_limit, should_stop=should_stop, on_improvement=report, **options
    )


def _call_aside(
    instance: Instance,
    reduced: Reduced,
    method: str,
    seed: int,
    budget: Budget,
    options: dict[str, Any],
    report: Callable[[Solution], None],
) -> tuple[Solution | None, Record]:
    """Do the same in a process that is left with the best solution so far where a step of it takes too long."""
    best: Solution | None = None

    def hear(solution: Solution) -> None:
        nonlocal best
        best = solution
        report(solution)

    outer = current_stop()
    stop = Stop(budget.exhausted, never if outer is None else outer.urgent)
    arguments = (instance, reduced, method, seed, budget.seconds_left, options)
    try:
        return talk_aside(_call_on_line, *arguments, stop=stop, grace=GRACE, hear=hear)
    except Interrupted:
        return best, record_of(method, best, budget, Work())
    except ProgramLostError as error:
        return best, record_of(method, best, budget, Work(), failure=str(error))


def _call_on_line(
    line: Line,
    instance: Instance,
    reduced: Reduced,
    method: str,
    seed: int,
    time_limit: float | None,
    options: dict[str, Any],
) -> tuple[Solution | None, Record]:
    return _call(instance, reduced, method, seed, time_limit, options, line.stopped, line.tell)
