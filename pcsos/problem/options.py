"""Options of a solve, frozen, validated and few; and the budget of what is solved within it."""

import functools
import inspect
import math
import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from numbers import Real
from typing import Any, ParamSpec, Self, TypeVar

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.control.threads import cores
from pcsos.base.events import Event
from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import MIN_GAP
from pcsos.problem.params import ColouringParams, Params
from pcsos.problem.validation.arrays import is_whole_number, one_of, whole_number

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

ENGINES = ("admm", "gpu", "auto", "scs", "clarabel", "mosek")
ILP_SOLVERS = ("auto", "gurobi", "highs")
#: Seconds for certain pairs, unless given.
CERTAIN_SECONDS = 60.0
#: Workers unless given.
MOST_WORKERS = 16
#: What asks for a worker for each core, as elsewhere in Python.
ALL_CORES = -1


@dataclass(frozen=True)
class Options:
    """How to solve, not what. Functions have the commonest options as arguments, too, which come first.

    Parameters
    ----------
    gap : float
        Relative gap ``(objective - lower_bound) / objective`` at which the search stops.
    time_limit : float or None
        Seconds of wall-clock time; infinity is no limit, as None. The run begins to end one second before (a twentieth
        of the limit before, if that is below 20 seconds), so that it takes about as long as the limit. What is found
        and proved by then is kept.
    node_limit : int or None
        Number of nodes whose bound is computed.
    workers : int or None
        Number of worker processes. By default one for each core that this process may use, at most 16, but a single one
        in a daemonic process. -1 means one for each core. There are never more workers than cores; a notice says so if
        more were asked for. For a given seed and number of workers the result is reproducible on one kind of processor.
    seed : int
        Seed of all random choices.
    engine : {"admm", "gpu", "auto", "scs", "clarabel", "mosek"}
        What solves the relaxations: ``admm`` is ours, and ``gpu`` the same on a CUDA device, through CuPy, for the root
        as a whole; ``auto`` takes that from 1,000 super-points on, where there is one. The others go through cvxpy.
    ilp : {"auto", "gurobi", "highs"}
        What solves assignments that need an integer program; ``auto`` is Gurobi where its licence admits the model.
    params : pcsos.problem.params.Params
        Parameters of the algorithms, for those who study them.
    block_size : int or None
        Points of a block, at least, where labels are certified; by default chosen, and changed, as the gap asks for.
    executor : concurrent.futures.Executor or None
        Runs nodes or blocks in place of a pool of processes, two at a time for each of ``workers``. They end with the
        time limit. An interrupt does not reach them: the run waits two seconds for them, then it ends without them.
    on_event : callable or None
        Called with every :mod:`pcsos.base.events` event. What it raises ends the run without a result.
    should_stop : callable or None
        Asked many times a second whether the run is to end, in the calling thread; once it says so, the run ends as
        with Ctrl-C, and its result is returned. The ``is_set`` of a :class:`threading.Event` that another thread, or
        ``on_event``, sets will do.

    Raises
    ------
    InputError
        With one sentence on the option, its value and the remedy.

    Examples
    --------
    >>> from pcsos import Options
    >>> Options(gap=1e-6, workers=2).num_workers
    2
    >>> Options(gap=2.0)
    Traceback (most recent call last):
    pcsos.base.exceptions.InputError: gap is 2.0; give a number from 1e-09 to less than 1
    """

    gap: float = 1e-4
    time_limit: float | None = None
    node_limit: int | None = None
    workers: int | None = None
    seed: int = 0
    engine: str = "admm"
    ilp: str = "auto"
    params: Params = field(default_factory=Params)
    block_size: int | None = None
    executor: Executor | None = None
    on_event: Callable[[Event], None] | None = None
    should_stop: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        if not (_is_number(self.gap) and MIN_GAP <= self.gap < 1.0):
            raise InputError(f"gap is {self.gap!r}; give a number from {MIN_GAP:g} to less than 1")
        object.__setattr__(self, "gap", float(self.gap))
        if self.time_limit is not None:
            if not (_is_number(self.time_limit) and self.time_limit >= 0.0):
                raise InputError(f"time_limit is {self.time_limit!r}; give a number of seconds, 0 or more, or None")
            object.__setattr__(self, "time_limit", _limit_or_none(self.time_limit))
        for name, least, alternative in (
            ("node_limit", 0, ", or None"),
            ("workers", 1, ", -1 for all cores, or None"),
            ("seed", 0, ""),
            ("block_size", 2, ", or None"),
        ):
            value = getattr(self, name)
            is_all = name == "workers" and is_whole_number(value) and value == ALL_CORES
            if is_all or (value is None and alternative):
                continue
            object.__setattr__(self, name, whole_number(name, value, least, alternative))
        if not isinstance(self.params, Params):
            raise InputError(f"params is a {type(self.params).__name__}; give a pcsos.problem.params.Params")
        for name, allowed in (("engine", ENGINES), ("ilp", ILP_SOLVERS)):
            one_of(name, getattr(self, name), allowed)

    def with_(self, **given: Any) -> Self:
        """Return the same with those of some options that are given: that are not None."""
        return replace(self, **{name: value for name, value in given.items() if value is not None})

    def stored(self) -> Self:
        """Return what run files and other processes have of them: the size of blocks is among the parameters there."""
        params = self.params
        if self.block_size is not None:
            blocks = replace(params.blocks, least_size=self.block_size, least_members=1, largest_size=2)
            params = replace(params, blocks=blocks)
        return replace(self, params=params, block_size=None, executor=None, on_event=None, should_stop=None)

    def to_dict(self) -> dict[str, Any]:
        """Return the same as JSON may hold it."""
        left_out = ("block_size", "executor", "on_event", "should_stop")
        return {name: value for name, value in asdict(self.stored()).items() if name not in left_out}

    @property
    def num_workers(self) -> int:
        """Number of worker processes that are asked for."""
        if self.workers is not None and self.workers != ALL_CORES:
            return self.workers
        if multiprocessing.current_process().daemon:  # which may not start processes
            return 1
        return cores() if self.workers == ALL_CORES else min(cores(), MOST_WORKERS)


#: What arguments are called elsewhere, and here.
FAMILIAR = {
    "X": "points", "k": "n_clusters", "n_jobs": "workers", "random_state": "seed", "init": "start", "tol": "gap",
    "sample_weight": "weights", "timeout": "time_limit", "seed": "random_state",
}  # fmt: skip


def in_familiar_words(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Return a function that answers names of arguments which it does not have with those that are meant."""
    names = inspect.signature(function).parameters

    @functools.wraps(function)
    def answered(*arguments: Given.args, **given: Given.kwargs) -> Answer:
        for name in given.keys() - names:
            if FAMILIAR.get(name) in {*names, "start"}:
                where = "here" if FAMILIAR[name] in names else "in fit"
                raise TypeError(f"there is no argument {name!r}; it is called {FAMILIAR[name]!r} {where}")
        return function(*arguments, **given)

    return answered


def options_of(given: object, otherwise: Options | None = None, **arguments: Any) -> Options:
    """Return the options that a user gives, with those that arguments say, which count more; refuse what are none."""
    if given is not None and not isinstance(given, Options):
        raise InputError(f"options is {given!r:.60}; give a pcsos.Options, such as pcsos.Options(node_limit=9)")
    return (given or otherwise or Options()).with_(**arguments)


def _limit_or_none(seconds: Real | float) -> float | None:
    """Return a limit as a float, None where it is beyond any float: JSON has no infinities, nor have run files."""
    try:
        limit = float(seconds)
    except OverflowError:
        return None
    return None if math.isinf(limit) else limit


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


@dataclass(frozen=True, eq=False)
class Budget:
    """What colouring the cannot-link graph, and assigning under it, may spend."""

    stop: Stop = NEVER  #: whether the run has to end
    ilp: str = "auto"  #: solver of what only an integer program settles: ``auto``, ``gurobi`` or ``highs``
    params: ColouringParams = field(default_factory=ColouringParams)  #: steps of the searches that come before

    @classmethod
    def of(cls, stop: Stop, options: Options) -> Self:
        """Return what a run with these options may spend until it has to end."""
        return cls(stop, options.ilp, options.params.colouring)


#: No limits but those of the searches themselves.
AMPLE = Budget()
