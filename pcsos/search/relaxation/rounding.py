"""Rounding, the primal heuristic: from a point of the relaxation to a partition (Paper, Algorithms 1 and 2)."""

import numpy as np

from pcsos.base.typing import Floats
from pcsos.heuristics.centres import Costs, centres_of
from pcsos.heuristics.ipc_kmeans import ipc_kmeans
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.record import Solution
from pcsos.heuristics.sdp_start import centres_from_projection
from pcsos.problem.options import Budget
from pcsos.problem.reduction import Reduced


def round_to_partition(
    root: Reduced,
    problem: Reduced,
    y: Floats,
    rng: np.random.Generator,
    budget: Budget,
    swaps_up_to: int,
) -> Solution | None:
    """Return a partition of the root's super-points near a point of a node's relaxation; None if there is none.

    The node gives the centres, the root the constraints: any partition of the instance will do as an incumbent, and
    the many pairs that a node has fixed would only make its assignments hard. Where there are limits of clusters or
    soft pairs, those of the node are tried as well: what it has decided need not be searched for.

    Parameters
    ----------
    root, problem : Reduced
        The reduced instance, and the problem of the node, which contracts it.
    y : ndarray, shape (s, s)
        A point that nearly satisfies the node's relaxation.
    swaps_up_to : int
        Super-points up to which the local search tries swaps.
    """
    nearest = np.argmin(Costs.of(problem)(centres_from_projection(y, problem, rng)), axis=1).astype(np.intp)
    labels = root.project(problem.lift(nearest))
    if np.unique(labels).size < root.n_clusters:
        return None
    centres = centres_of(root, labels)
    solution = ipc_kmeans(root, centres, exact=False, budget=budget).solution
    if not root.is_plain:
        inner = ipc_kmeans(problem, centres_of(problem, nearest), exact=False, budget=budget).solution
        if inner is not None and (solution is None or inner.objective < solution.objective):
            solution = Solution(root.project(problem.lift(inner.labels)), inner.objective)
    return None if solution is None else improve(root, solution.labels, swaps=root.size <= swaps_up_to)[0]
