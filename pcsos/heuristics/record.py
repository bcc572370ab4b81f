"""What a heuristic returns: a solution over super-points, and the figures of its run."""

from dataclasses import dataclass
from typing import NamedTuple

from pcsos.base.control.stop import Stop
from pcsos.base.typing import Indices


@dataclass(frozen=True, eq=False)
class Solution:
    """A feasible partition of the super-points.

    Parameters
    ----------
    labels : ndarray of int, shape (s,)
        Cluster of each super-point, ``0..k-1``, every cluster used.
    objective : float
        Sum of squares and penalties of broken soft pairs, the offset of the reduction included.
    """

    labels: Indices
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
    evaluations, filled_clusters : int
        Vectors of centres that differential evolution looked at, and empty clusters that it filled.
    """

    local_search_calls: int = 0
    local_search_iterations: int = 0
    exact_assignments: int = 0
    integer_programs: int = 0
    evaluations: int = 0
    filled_clusters: int = 0

    def __add__(self, other: "Work") -> "Work":
        return Work(**{name: done + getattr(other, name) for name, done in vars(self).items()})


class LocalOptimum(NamedTuple):
    """Where a local search ends.

    Parameters
    ----------
    solution : Solution or None
        The best solution it met.
    work : Work
        What it took.
    failure : str
        Why there is no solution; empty where there is one.
    """

    solution: Solution | None
    work: Work
    failure: str = ""


@dataclass(frozen=True)
class Record:
    """The figures of one run of a heuristic.

    Parameters
    ----------
    method : str
        Name of the method or variant.
    objective : float or None
        Cost of the best feasible partition found, None without one.
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

    @property
    def evaluations(self) -> int:
        """Number of vectors of centres that differential evolution looked at."""
        return self.work.evaluations

    @property
    def filled_clusters(self) -> int:
        """Number of empty clusters that differential evolution filled."""
        return self.work.filled_clusters


def record_of(method: str, best: Solution | None, stop: Stop, work: Work, *, failure: str = "") -> Record:
    """Return the record of a run that ends now; ``failure`` says why it ended early."""
    objective = None if best is None else best.objective
    return Record(method, objective, stop.seconds, work, best is not None, failure or stop.reason)


#: The best solution found, if any, and the figures of the run.
Returned = tuple[Solution | None, Record]
