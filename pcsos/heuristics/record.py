"""What a heuristic returns: a solution over super-points and a small record of the work it took."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos import tolerances
from pcsos.control.stop import Interrupted, ProgramLostError, Stop, interruptible

#: What a record says where the cannot-links admit no assignment at all.
INFEASIBLE = "no assignment to the clusters satisfies the cannot-links"


@dataclass(frozen=True, eq=False)
class Solution:
    """A feasible partition of the super-points.

    Parameters
    ----------
    labels : ndarray of int, shape (s,)
        Cluster of each super-point, ``0..k-1``, every cluster used.
    objective : float
        Sum of squares, the offset of the reduction included.
    """

    labels: NDArray[np.intp]
    objective: float


@dataclass(frozen=True)
class Work:
    """How much was done.

    Parameters
    ----------
    local_search_calls, local_search_iterations : int
        Local searches, and their iterations (assignment steps of k-means, or sweeps of moves).
    exact_assignments, integer_programs : int
        Exact assignments to given centres, and how many of them needed an integer program.
    """

    local_search_calls: int = 0
    local_search_iterations: int = 0
    exact_assignments: int = 0
    integer_programs: int = 0

    def __add__(self, other: "Work") -> "Work":
        return Work(
            self.local_search_calls + other.local_search_calls,
            self.local_search_iterations + other.local_search_iterations,
            self.exact_assignments + other.exact_assignments,
            self.integer_programs + other.integer_programs,
        )


@dataclass(frozen=True)
class Record:
    """The figures of one run of a heuristic.

    Parameters
    ----------
    method : str
        Name of the method or variant.
    objective : float or None
        Sum of squares of the best feasible partition found, None without one.
    seconds : float
        Wall-clock time.
    work : Work
        Local searches and exact assignments.
    feasible : bool
        Whether a feasible partition was found.
    message : str
        Why there is none, or why the run stopped early; empty where it ran to its end.
    n_super_points : int or None
        Groups of points left after contraction and inference; None if the run ended before.
    """

    method: str
    objective: float | None
    seconds: float
    work: Work
    feasible: bool
    message: str = ""
    n_super_points: int | None = None

    @property
    def local_search_calls(self) -> int:
        """Number of local searches."""
        return self.work.local_search_calls

    @property
    def local_search_iterations(self) -> int:
        """Number of iterations over all local searches."""
        return self.work.local_search_iterations

    @property
    def exact_assignments(self) -> int:
        """Number of exact assignments to given centres."""
        return self.work.exact_assignments

    @property
    def integer_programs(self) -> int:
        """Number of exact assignments that needed an integer program."""
        return self.work.integer_programs


class Budget:
    """The clock of one run, and the two ways to stop it from outside."""

    def __init__(self, time_limit: float | None = None, should_stop: Callable[[], bool] | None = None) -> None:
        self.begun = time.perf_counter()
        self._time_limit = time_limit
        self._should_stop = should_stop
        self.reason = ""

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self.begun

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit, None without one."""
        return None if self._time_limit is None else max(self._time_limit - self.seconds, 0.0)

    def exhausted(self) -> bool:
        """Tell whether the run must end now; :attr:`reason` then says why."""
        if not self.reason and self._should_stop is not None and self._should_stop():
            self.reason = "stopped on request"
        if not self.reason and self._time_limit is not None and self.seconds >= self._time_limit:
            self.reason = "time limit reached"
        return bool(self.reason)

    @contextmanager
    def limited(self, stop: Stop | None = None) -> Iterator[None]:
        """While entered, the end of the budget (or ``stop``) ends an integer program too, and then leaves the block.

        The block is left as well where the process of an integer program is lost; :attr:`reason` then says so.
        """
        try:
            with interruptible(self.exhausted if stop is None else stop):
                yield
        except Interrupted:
            pass
        except ProgramLostError as error:
            self.reason = str(error)


def better_of(
    best: Solution | None, found: Solution, on_improvement: Callable[[Solution], None] | None = None
) -> Solution:
    """Return the better of two solutions, and tell of it if it is the one just found."""
    if best is not None and not tolerances.is_improvement(found.objective, best.objective):
        return best
    if on_improvement is not None:
        on_improvement(found)
    return found


def record_of(method: str, best: Solution | None, budget: Budget, work: Work, *, failure: str = "") -> Record:
    """Return the record of a run that ends now; ``failure`` says why there is no solution."""
    message = budget.reason if best is not None else failure or budget.reason
    objective = None if best is None else best.objective
    return Record(method, objective, budget.seconds, work, best is not None, message)
