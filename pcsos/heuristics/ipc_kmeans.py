"""IPC-k-means: k-means whose assignment step is exact under the constraints (Paper 3.4, Algorithm 1).

With random starts it is the BLP-KM of Baumann, the local search of S-MDEClust.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pcsos import tolerances
from pcsos.assignment.exact import assign
from pcsos.control.stop import Interrupted, ProgramLostError
from pcsos.heuristics.centres import Costs, summarise
from pcsos.heuristics.record import Solution, Work
from pcsos.reduction import Reduced

#: Far more iterations than k-means needs; a guard, not a parameter to tune.
MAX_ITERATIONS = 500


def ipc_kmeans(
    reduced: Reduced,
    centres: NDArray[np.float64],
    *,
    costs: Costs | None = None,
    ilp: str = "auto",
    exact: bool = True,
    max_iterations: int = MAX_ITERATIONS,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[Solution | None, Work]:
    """Alternate exact assignment and means from these centres until the cost no longer falls.

    Parameters
    ----------
    reduced : Reduced
        The problem over super-points.
    centres : ndarray, shape (k, d')
        Where to start, in ``reduced.coordinates``.
    costs : Costs, optional
        ``Costs.of(reduced)``, to share among many calls.
    ilp : str
        Solver of the assignments that need an integer program: ``auto``, ``gurobi`` or ``highs``.
    exact : bool
        If false, assignments that only an integer program could prove optimal need not be.
    max_iterations : int
        Greatest number of assignment steps, at least one.
    should_stop : callable, optional
        Asked after every assignment step; true ends the search with the best labels so far.

    Returns
    -------
    tuple of (Solution or None, Work)
        A feasible solution, or None: proved that no assignment satisfies the cannot-links.

    Raises
    ------
    Interrupted, ProgramLostError
        If the run has to end, or the process of an integer program is killed, before the first assignment is known.
    """
    costs = Costs.of(reduced) if costs is None else costs
    best: Solution | None = None
    iterations, integer_programs = 0, 0
    while iterations < max_iterations:
        iterations += 1
        start = None if best is None else best.labels
        try:
            assignment = assign(costs(centres), reduced.graph, ilp=ilp, exact=exact, start=None if exact else start)
        except (Interrupted, ProgramLostError):
            if best is None:
                raise
            break
        if assignment is None:
            break
        integer_programs += assignment.used_integer_program
        if best is not None and np.array_equal(assignment.labels, best.labels):
            break
        centres, cost = summarise(reduced.coordinates, reduced.weights, assignment.labels, reduced.n_clusters)
        objective = reduced.offset + float(cost)
        if best is not None and not tolerances.is_improvement(objective, best.objective):
            break
        best = Solution(assignment.labels, objective)
        if should_stop is not None and should_stop():
            break
    return best, Work(1, iterations, iterations, integer_programs)
