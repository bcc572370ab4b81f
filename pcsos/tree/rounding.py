"""From a point of the relaxation to a partition: IPC-k-means from its centres (Paper, Algorithms 1 and 2)."""

import numpy as np
from numpy.typing import NDArray

from pcsos.assignment.graph import ConflictGraph
from pcsos.heuristics.ipc_kmeans import ipc_kmeans
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.record import Solution
from pcsos.heuristics.sdp_centres import sdp_centres
from pcsos.reduction import Reduced
from pcsos.relaxation.peng_wei import PengWei


def round_to_partition(
    problem: Reduced, relaxation: PengWei, y: NDArray[np.float64], rng: np.random.Generator, ilp: str
) -> Solution | None:
    """Return a partition near a point of the relaxation, improved by local search; None if there is none.

    Parameters
    ----------
    y : ndarray, shape (s, s)
        A point that nearly satisfies the relaxation.
    """
    graph = ConflictGraph.build(problem.size, problem.cannot_link)
    z = y * np.outer(relaxation.inverse_roots, relaxation.inverse_roots)
    solution, _ = ipc_kmeans(problem, graph, sdp_centres(z, problem, rng), ilp=ilp)
    return None if solution is None else improve(problem, graph, solution.labels)[0]
