"""CPRBBA: repetitive branch and bound for constrained clustering (Guns, Dao, Vrain and Duong, 2016), exact.

The super-points come in an order in which each is the furthest from those before. The optimum of the last k, of one
more, and so on up to all of them is found by branch and bound, one after the other: as costs of disjoint sets of
points only add up to less than that of their union, the optimum of what a path has not yet looked at bounds what
follows.

Readings: the order begins at the super-point furthest from the mean; only the constraints inside a suffix hold for it
(the "local" model); suffixes may use fewer than k clusters, all super-points must use k. The authors' program is built
on a constraint solver, this one is a compiled loop: times are those of the scheme, not of their program.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.comparators.cprbba_search import Search, increase, proceed, search_over
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced, reduce_instance

MAX_SUPER_POINTS = 200
#: Nodes between two looks at the clock, a few hundredths of a second.
NODES_A_STEP = 200_000


@dataclass(frozen=True, eq=False)
class Proof:
    """What the search ended with.

    Parameters
    ----------
    partition : Partition or None
        The optimum; None where the run was stopped before.
    lower_bound : float
        The objective of the optimum, or the optimum of the largest suffix that was done.
    num_done, nodes : int
        Super-points of that suffix, and nodes of all searches.
    seconds : float
        Wall-clock time.
    """

    partition: Partition | None
    lower_bound: float
    num_done: int
    nodes: int
    seconds: float


def cprbba(instance: Instance, stop: Stop = NEVER) -> Proof:
    """Return the optimal partition into exactly k clusters that satisfies every constraint.

    Parameters
    ----------
    instance : Instance
        At most 200 super-points.
    stop : Stop
        When to give up.

    Raises
    ------
    InfeasibleError
        If there is no such partition.
    InputError
        If there are too many super-points.

    Examples
    --------
    >>> from pcsos import Instance
    >>> cprbba(Instance([0.0, 2.0, 3.0, 9.0], 2, cannot_link=[(1, 2)])).partition.objective
    20.0
    """
    reduced = reduce_instance(instance)
    if reduced.size > MAX_SUPER_POINTS:
        raise InputError(
            f"instance has {reduced.size} super-points; CPRBBA takes up to {MAX_SUPER_POINTS}, so give fewer points or "
            "more must-links"
        )
    order = furthest_first(reduced.coordinates)
    search = search_over(
        np.ascontiguousarray(reduced.coordinates[order]),
        reduced.weights[order],
        reduced.graph.subgraph(order),
        reduced.n_clusters,
    )
    start, nodes = _search_suffixes(search, stop)
    done = reduced.size - start
    bound = reduced.offset + float(search.optima[start])
    if start > 0:
        return Proof(None, bound, done, nodes, stop.seconds)
    partition = Partition.of(instance, _lifted(reduced, order, search.best))
    return Proof(partition, partition.objective, done, nodes, stop.seconds)


def furthest_first(points: Floats) -> Indices:
    """Return an order of points (n, d) in which each is the furthest from those before; first is that off the mean."""
    differences = points - points.mean(axis=0)
    nearest = np.einsum("ij,ij->i", differences, differences)
    order = np.empty(len(points), np.intp)
    for position in range(len(points)):
        order[position] = np.argmax(nearest)
        differences = points - points[order[position]]
        squares = np.einsum("ij,ij->i", differences, differences)
        nearest = squares if position == 0 else np.minimum(nearest, squares)
        nearest[order[: position + 1]] = -1.0
    return order


def _search_suffixes(search: Search, stop: Stop) -> tuple[int, int]:
    """Solve suffix after suffix; return where the largest one begins that was done, and the number of nodes."""
    size, k = search.labels.size, search.mass.size
    start, nodes = size - k, 0
    search.best[start:] = np.arange(k)
    while start > 0:
        least_used = k if start == 1 else 0
        upper, search.best[start - 1] = extension(search, start - 1, least_used)
        i = start - 1
        while i >= start - 1:
            i, upper, more = proceed(search, start - 1, i, upper, least_used, NODES_A_STEP)
            nodes += more
            if i >= start - 1 and stop.asked():
                return start, nodes
        if np.isinf(upper):
            raise InfeasibleError(
                f"the must-links and cannot-links leave no partition into {k} clusters", {"kind": "search"}
            )
        start -= 1
        search.optima[start] = upper
    return start, nodes


def extension(search: Search, i: int, least_used: int) -> tuple[float, int]:
    """Return the cost of the best solution after super-point i with it in its cheapest cluster, and that cluster.

    The cost is infinite where no cluster is open to it, or fewer than ``least_used`` clusters would be used.
    """
    later = search.best[i + 1 :]
    search.mass[:] = np.bincount(later, search.weights[i + 1 :], search.mass.size)
    np.add.at(search.centres, later, search.points[i + 1 :] * search.weights[i + 1 :, None])
    is_used = search.mass > 0.0
    search.centres[is_used] /= search.mass[is_used, None]
    neighbours = search.indices[search.indptr[i] : search.indptr[i + 1]]
    is_closed = np.zeros(is_used.size, np.bool_)
    is_closed[search.best[neighbours[neighbours > i]]] = True
    is_closed |= is_used.sum() + ~is_used < least_used
    costs = [np.inf if is_closed[h] else increase(search, i, h) for h in range(is_used.size)]
    search.mass[:] = search.centres[:] = 0.0
    cheapest = int(np.argmin(costs))
    return float(search.optima[i + 1]) + costs[cheapest], cheapest


def _lifted(reduced: Reduced, order: Indices, labels: Indices) -> Indices:
    """Return the labels of the points, given those of the super-points in their order."""
    own = np.empty_like(labels)
    own[order] = labels
    return reduced.lift(own)
