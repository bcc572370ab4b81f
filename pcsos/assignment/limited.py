"""Labels for given centres under limits of clusters: a transport where that is all, else labels that are repaired.

Where super-points are alike in what is limited, and there are no cannot-links, the transport is the cheapest
assignment. Elsewhere labels are greedy, repaired by a search, and, where that fails, those of an integer program;
they are feasible, but not the cheapest for certain.
"""

from typing import NamedTuple

import numpy as np

from pcsos.assignment.exact import INFEASIBLE, Unassigned, assign
from pcsos.assignment.limited_program import solve_within
from pcsos.assignment.quotas import Quotas
from pcsos.assignment.repair import repair
from pcsos.assignment.soft_neighbours import SoftNeighbours
from pcsos.assignment.transport import transport
from pcsos.colouring.budget import Budget
from pcsos.control.stop import Interrupted, ProgramLostError
from pcsos.kernels import kernel
from pcsos.reduction import Reduced
from pcsos.soft_pairs import SoftPairs
from pcsos.typing import Floats, Indices

#: Why there is no assignment where it is proved that there is none, and where that remains open.
NONE_WITHIN = "no assignment to the clusters satisfies the limits and the cannot-links"
NONE_FOUND = "no assignment to the clusters that satisfies the limits and the cannot-links was found"


class Limited(NamedTuple):
    """An assignment within limits.

    Parameters
    ----------
    labels : ndarray of int, shape (s,)
        Cluster of each super-point.
    prices : ndarray, shape (k,), or None
        Those of the transport, if that is all there was to do.
    used_integer_program : bool
        Whether it took an integer program.
    """

    labels: Indices
    prices: Floats | None = None
    used_integer_program: bool = False


def assign_within_limits(
    reduced: Reduced, costs: Floats, *, rng: np.random.Generator, budget: Budget, prices: Floats | None = None
) -> Limited | Unassigned:
    """Return labels that respect cannot-links and limits, every cluster used, or why there are none.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Cost of each cluster at each super-point; soft pairs are not looked at.
    rng : numpy.random.Generator
        Draws steps of the repair.
    prices : ndarray, shape (k,), optional
        Those of an assignment to nearly the same centres.
    """
    if reduced.limits is None and reduced.graph.num_components:
        found = assign(costs, reduced.graph, exact=False, budget=budget)
        return found if isinstance(found, Unassigned) else Limited(found.labels, None, found.used_integer_program)
    quotas = Quotas.of(reduced, costs.argmin(axis=1))
    bounds = quotas.in_nodes()
    if bounds is None:
        return _repaired(reduced, costs, quotas, None, rng, budget)
    sent = transport(costs, *bounds, prices=prices)
    if sent is None:
        return Unassigned(INFEASIBLE if reduced.limits is None else NONE_WITHIN)
    if reduced.graph.num_components == 0:
        return Limited(sent.labels, sent.prices)
    return _repaired(reduced, costs, quotas, sent.labels, rng, budget)


def assign_with_penalties(
    reduced: Reduced, costs: Floats, labels: Indices, *, rng: np.random.Generator, budget: Budget
) -> Indices | None:
    """Return labels that respect cannot-links and limits and avoid penalties; None if none are found.

    Super-points choose in turn, those with most at stake first, and pay for the soft pairs with those before them.

    Parameters
    ----------
    labels : ndarray of int, shape (s,)
        Earlier labels, which say what cluster has which of the ``sizes``.
    """
    soft, quotas = SoftNeighbours.of(reduced.soft, reduced.size), Quotas.of(reduced, labels)
    order = np.argsort(-soft.stakes() - _regrets(costs), kind="stable")
    first = _greedy(reduced, costs, quotas, order, soft)
    return repair(costs + soft.bills(first, reduced.n_clusters), reduced.graph, quotas, first, rng, budget)


def _repaired(
    reduced: Reduced, costs: Floats, quotas: Quotas, labels: Indices | None, rng: np.random.Generator, budget: Budget
) -> Limited | Unassigned:
    """Repair the labels given, else greedy ones with the greatest regrets or the greatest super-points first.

    The integer program is last.
    """
    starts = [labels]
    if labels is None:
        bulk = quotas.counts / quotas.most.max() + quotas.weights / quotas.heaviest
        free = SoftNeighbours.of(SoftPairs.none(), reduced.size)
        starts = [
            _greedy(reduced, costs, quotas, np.argsort(-key, kind="stable"), free) for key in (_regrets(costs), bulk)
        ]
    for start in starts:
        found = repair(costs, reduced.graph, quotas, start, rng, budget)
        if found is not None:
            return Limited(found)
    try:
        found, is_proved = solve_within(costs, reduced.graph, quotas, budget)
    except Interrupted:
        return Unassigned(budget.stop.reason)
    except ProgramLostError as error:
        return Unassigned(str(error))
    if found is None:
        return Unassigned(NONE_WITHIN if is_proved else NONE_FOUND)
    return Limited(found, None, used_integer_program=True)


def _regrets(costs: Floats) -> Floats:
    """Return what each super-point loses by having the second cheapest cluster, shape (s,)."""
    if costs.shape[1] == 1:
        return np.zeros(costs.shape[0])
    two = np.partition(costs, 1, axis=1)
    regrets: Floats = two[:, 1] - two[:, 0]
    return regrets


def _greedy(reduced: Reduced, costs: Floats, quotas: Quotas, order: Indices, soft: SoftNeighbours) -> Indices:
    labels = np.full(reduced.size, -1, np.intp)
    fill(
        np.ascontiguousarray(costs),
        reduced.graph.indptr,
        reduced.graph.indices,
        quotas.counts,
        quotas.weights,
        quotas.most,
        quotas.heaviest,
        soft,
        order,
        labels,
    )
    return labels


@kernel
def fill(
    costs: Floats,
    indptr: Indices,
    indices: Indices,
    counts: Indices,
    weights: Floats,
    most: Indices,
    heaviest: float,
    soft: SoftNeighbours,
    order: Indices,
    labels: Indices,
) -> None:
    """Give each super-point in turn the cheapest cluster that has room and no neighbour, else the cheapest one."""
    k = most.size
    bill, numbers, mass, taken_for = np.empty(k), np.zeros(k, np.intp), np.zeros(k), np.full(k, -1, np.intp)
    for v in order:
        for t in range(indptr[v], indptr[v + 1]):
            if labels[indices[t]] >= 0:
                taken_for[labels[indices[t]]] = v
        for h in range(k):
            bill[h] = costs[v, h]
        for t in range(soft.indptr[v], soft.indptr[v + 1]):
            if labels[soft.indices[t]] >= 0:
                bill[labels[soft.indices[t]]] += soft.prices[t]
        chosen, cheapest, is_open = 0, np.inf, False
        for h in range(k):
            admits = taken_for[h] != v and numbers[h] + counts[v] <= most[h] and mass[h] + weights[v] <= heaviest
            if (admits and not is_open) or (admits == is_open and bill[h] < cheapest):
                chosen, cheapest, is_open = h, bill[h], admits
        labels[v] = chosen
        numbers[chosen] += counts[v]
        mass[chosen] += weights[v]
