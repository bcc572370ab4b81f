"""Labels for given centres under limits of clusters: a transport where that is all, else labels that are repaired.

Where super-points are alike in what is limited, or come in parts that are, with nothing limited in common, and there
are no cannot-links, the transport is the cheapest assignment. Elsewhere a transport of single points, or greedy labels,
are repaired by a search; where that fails, an integer program is solved. Such labels are feasible, but not the cheapest
for certain. The greedy assignment of S-MDEClust (its Algorithm 2) is fast, in a given order, and possibly infeasible.
"""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.conditions import QuotaGroup, Quotas, SoftNeighbours
from pcsos.heuristics.assignment.exact import INFEASIBLE, Unassigned, assign, or_why_not
from pcsos.heuristics.assignment.repair import repair
from pcsos.heuristics.assignment.transport import Transport, transport
from pcsos.presolve.colouring.integer_program import GaveUpError, Program, proper, solve
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import Budget
from pcsos.problem.reduction import Reduced

#: Nodes of branch and bound after which the program is given up.
MAX_NODES = 50_000
#: Any labels will do, good ones are improved elsewhere: relative gap at which the solver may stop.
GAP = 0.1


def solve_within(costs: Floats, graph: ConflictGraph, quotas: Quotas, budget: Budget) -> tuple[Indices | None, bool]:
    """Return labels that respect cannot-links and quotas, or None, and whether it is proved then that there are none.

    Raises
    ------
    Interrupted, ProgramLostError
        If the run has to end, or the process of the solver is killed, before there is an answer.
    """
    from scipy.sparse import eye_array, kron

    k, rows = costs.shape[1], proper(graph, costs.shape[1])
    for amounts, least, most, is_rounded in zip(
        quotas.amounts.T, quotas.least.T, quotas.most.T, quotas.is_rounded, strict=True
    ):
        unit = amounts.mean() if is_rounded else 1.0
        rows.append((kron(amounts[None, :] / unit, eye_array(k)), least / unit, most / unit))
    try:
        x = solve(Program.of(costs, rows, gap=GAP, most_nodes=MAX_NODES), budget)
    except GaveUpError:
        return None, False
    return None if x is None else x.reshape(costs.shape).argmax(axis=1).astype(np.intp), x is None


#: Why there is no assignment where it is proved that there is none, and where that remains open.
NONE_WITHIN = "no assignment to the clusters satisfies the limits and the cannot-links"
NONE_FOUND = "no assignment to the clusters that satisfies the limits and the cannot-links was found"


class Limited(NamedTuple):
    """An assignment within limits."""

    labels: Indices  #: shape (s,): cluster of each super-point
    #: shape (k,): those of the transport that the labels are, or were repaired from; of one part of them where there
    #: are several
    prices: Floats | None = None
    used_integer_program: bool = False  #: whether it took an integer program


def assign_within_limits(
    reduced: Reduced,
    costs: Floats,
    *,
    rng: np.random.Generator,
    budget: Budget,
    prices: Floats | None = None,
    last_resort: bool = True,
) -> Limited | Unassigned:
    """Return labels that respect cannot-links and limits, every cluster used, or why there are none.

    Costs of clusters at super-points have the shape (s, k); soft pairs are not looked at. The generator draws steps of
    the repair; prices (k,) are those of an assignment to nearly the same centres. With ``last_resort`` an integer
    program is solved where no search finds labels.
    """
    if reduced.limits is None and reduced.graph.num_components:
        found = assign(costs, reduced.graph, exact=False, budget=budget)
        return found if isinstance(found, Unassigned) else Limited(found.labels, None, found.used_integer_program)
    quotas = Quotas.of(reduced, costs.argmin(axis=1))
    parts = quotas.in_parts()
    sent = _by_parts(costs, parts, prices) if parts else _whole_points(reduced, costs, quotas, prices)
    if parts and sent is None:
        return Unassigned(INFEASIBLE if reduced.limits is None else NONE_WITHIN)
    final = None if sent is None else sent.prices
    if sent is not None and parts and reduced.graph.num_components == 0:
        return Limited(sent.labels, final)
    at_prices = None if sent is None else _at_prices(reduced, costs, quotas, sent.prices, budget)
    if at_prices is not None:
        return Limited(at_prices, final)
    for labels in chain([] if sent is None else [sent.labels], _greedy_starts(reduced, costs, quotas)):
        repaired = repair(costs, reduced.graph, quotas, labels, rng, budget)
        if repaired is not None:
            return Limited(repaired, final)
    return _by_program(reduced, costs, quotas, budget, last_resort)


def assign_with_penalties(
    reduced: Reduced, costs: Floats, labels: Indices, *, rng: np.random.Generator, budget: Budget
) -> Indices | None:
    """Return labels that respect cannot-links and limits and avoid penalties; None if none are found.

    Super-points choose in turn, those with most at stake first, and pay for the soft pairs with those before them.
    Earlier labels (s,) say what cluster has which of the ``sizes``.
    """
    soft, quotas = SoftNeighbours.of(reduced.soft, reduced.size), Quotas.of(reduced, labels)
    order = np.argsort(-soft.stakes() - _regrets(costs), kind="stable")
    first = _greedy(reduced, costs, quotas, order, soft)
    return repair(costs + soft.bills(first, reduced.n_clusters), reduced.graph, quotas, first, rng, budget)


def _by_parts(costs: Floats, parts: list[QuotaGroup], prices: Floats | None) -> Transport | None:
    """Return the transports of all parts as one, whose prices are those of the last part; None if one has none."""
    sent = [transport(costs[part.nodes], part.least, part.most, prices=prices) for part in parts]
    found = [own for own in sent if own is not None]
    if len(found) < len(parts):
        return None
    labels = np.empty(len(costs), np.intp)
    for part, own in zip(parts, found, strict=True):
        labels[part.nodes] = own.labels
    return Transport(labels, found[-1].prices)


def _whole_points(reduced: Reduced, costs: Floats, quotas: Quotas, prices: Floats | None) -> Transport | None:
    """Return the transport of single points, each super-point put where its first one goes; None with weights.

    Points of a super-point cost the same everywhere, so that hardly any is split.
    """
    if quotas.is_rounded.any():
        return None
    rows = (costs / reduced.counts[:, None])[reduced.component]
    least, most = (own[:, 0].astype(np.intp) for own in (quotas.least, quotas.most))
    sent = transport(rows, least, most, prices=prices)
    if sent is None:
        return None
    return Transport(sent.labels[reduced.representative], sent.prices)


def _at_prices(reduced: Reduced, costs: Floats, quotas: Quotas, prices: Floats, budget: Budget) -> Indices | None:
    """Return labels that are the cheapest at the prices of a transport for all but single points without cannot-links.

    These are sent where they are missing then. None if there are too few, or not just numbers of points are limited.
    """
    if quotas.is_rounded.any() or quotas.amounts.shape[1] > 1:
        return None
    found = assign(costs + reduced.counts[:, None] * prices, reduced.graph, exact=False, budget=budget)
    if isinstance(found, Unassigned):
        return None
    labels, is_single = found.labels, (reduced.graph.degrees == 0) & (reduced.counts == 1)
    held = np.bincount(labels[~is_single], reduced.counts[~is_single], reduced.n_clusters)
    least, most = (own[:, 0].astype(np.intp) - held.astype(np.intp) for own in (quotas.least, quotas.most))
    sent = transport(costs[is_single], np.maximum(least, 0), most, prices=prices)
    if sent is None:
        return None
    labels[is_single] = sent.labels
    return labels


def _by_program(
    reduced: Reduced, costs: Floats, quotas: Quotas, budget: Budget, last_resort: bool
) -> Limited | Unassigned:
    """Return the labels of an integer program, if that may be solved, or why there are none."""
    if not last_resort or budget.stop.asked():
        return Unassigned(budget.stop.reason or NONE_FOUND)
    found = or_why_not(solve_within, costs, reduced.graph, quotas, budget=budget)
    if isinstance(found, Unassigned):
        return found
    labels, is_proved = found
    if labels is None:
        return Unassigned(NONE_WITHIN if is_proved else NONE_FOUND)
    return Limited(labels, None, used_integer_program=True)


def _greedy_starts(reduced: Reduced, costs: Floats, quotas: Quotas) -> Iterator[Indices]:
    """Yield greedy labels with the greatest regrets first, then those with the greatest super-points first."""
    free = SoftNeighbours.of(PenalisedPairs.none(), reduced.size)
    bulk = (quotas.amounts / quotas.most.max(axis=0)).sum(axis=1)
    for key in (_regrets(costs), bulk):
        yield _greedy(reduced, costs, quotas, np.argsort(-key, kind="stable"), free)


def _regrets(costs: Floats) -> Floats:
    """Return what each super-point loses by having the second cheapest cluster, shape (s,)."""
    if costs.shape[1] == 1:
        return np.zeros(costs.shape[0])
    two = np.partition(costs, 1, axis=1)
    regrets: Floats = two[:, 1] - two[:, 0]
    return regrets


def _greedy(reduced: Reduced, costs: Floats, quotas: Quotas, order: Indices, soft: SoftNeighbours) -> Indices:
    labels = np.full(reduced.size, -1, np.intp)
    graph = reduced.graph
    fill(np.ascontiguousarray(costs), graph.indptr, graph.indices, quotas, soft, order, labels)
    return labels


def greedy_assign(costs: Floats, graph: ConflictGraph, *, without: int = -1, labels: Indices | None = None) -> Indices:
    """Assign node after node to the cheapest cluster that no neighbour assigned before has taken, shape (s,).

    A node whose neighbours have taken every cluster goes to the cheapest one all the same, so cannot-links may be
    violated, and clusters may stay empty.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Cost of each cluster at each node.
    without : int, optional
        A cluster that no node may have, as in the mutation operator (section 3.2); there must be another one.
    labels : ndarray of int, shape (s,), optional
        An assignment of which all nodes of other clusters keep theirs, and count as assigned before.
    """
    (s, k), is_removed = costs.shape, np.arange(costs.shape[1]) == without
    if is_removed.all():
        raise ValueError("the only cluster cannot be removed; give costs of at least two clusters")
    kept = np.full(s, -1, np.intp) if labels is None else np.where(labels == without, -1, labels).astype(np.intp)
    rooms = np.where(is_removed, 0.0, np.inf)[:, None]  # nothing else has limits
    quotas = Quotas(np.ones((s, 1)), np.zeros((k, 1)), rooms, np.zeros(1, np.bool_))
    rows, free = np.where(is_removed, np.inf, costs), SoftNeighbours.of(PenalisedPairs.none(), s)
    fill(rows, graph.indptr, graph.indices, quotas, free, np.flatnonzero(kept < 0), kept)
    return kept


@kernel
def fill(
    costs: Floats,
    indptr: Indices,
    indices: Indices,
    quotas: Quotas,
    soft: SoftNeighbours,
    order: Indices,
    labels: Indices,
) -> None:
    """Give each super-point in turn the cheapest cluster that has room and no neighbour, else the cheapest one."""
    amounts, most = quotas.amounts, quotas.most
    k = len(most)
    bill, held, taken_for = np.empty(k), np.zeros(most.shape), np.full(k, -1, np.intp)
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
            admits = taken_for[h] != v and has_room(held, most, amounts, h, v)
            if (admits and not is_open) or (admits == is_open and bill[h] < cheapest):
                chosen, cheapest, is_open = h, bill[h], admits
        labels[v] = chosen
        for r in range(most.shape[1]):
            held[chosen, r] += amounts[v, r]


@inner_kernel
def has_room(held: Floats, most: Floats, amounts: Floats, h: int, v: int) -> bool:
    """Return whether cluster h can hold what super-point v brings beside what it holds, of r things each."""
    for r in range(most.shape[1]):  # noqa: SIM110 - compiled
        if held[h, r] + amounts[v, r] > most[h, r]:
            return False
    return True
