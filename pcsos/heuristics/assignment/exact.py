"""The cheapest assignment to given centres that respects the cannot-links and leaves no cluster empty (Paper (12)).

Most of the work never reaches an integer program: nodes go to their nearest centre; only where that breaks a
cannot-link is anything solved (:mod:`pcsos.presolve.colouring.minimum_cost`); and empty clusters are repaired by what
little must change.

The cheapest colouring that may leave clusters empty (the base) is changed as little as it takes. Call an isolated node
or a connected component a unit. In some optimal repair every changed unit is the only one in a cluster that it newly
enters, so if m units change, these m clusters had at most m - 1 units each in the base: only such *scarce* clusters
matter. Gaps g_vc >= 0 bound what labels cost beyond the base,

    cost(x) - cost(base)  >=  sum of g_v,x(v) over any set of nodes v,

so the cheapest choice of one representative of each scarce cluster, a linear assignment problem, gives a lower bound;
colouring with the representatives pinned gives an upper bound. They nearly always agree; otherwise an integer program
over what can still change decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from pcsos.base import tolerances
from pcsos.base.control.stop import Interrupted, ProgramLostError
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.presolve.colouring.dual_ascent import ascend
from pcsos.presolve.colouring.integer_program import solve_colouring
from pcsos.presolve.colouring.minimum_cost import Colouring, ColouringEffort, cheapest_colouring
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import AMPLE, Budget


@dataclass(frozen=True, eq=False)
class Repaired:
    """Labels that use every cluster, whether a joint integer program was needed, whether they are proved optimal."""

    labels: Indices
    joint: bool
    proved: bool


@dataclass(frozen=True, eq=False)
class _Repair:
    """What a repair starts from: the gaps, (s, k), the scarce clusters, and a difference of costs without meaning."""

    costs: Floats
    graph: ConflictGraph
    base: Colouring
    gaps: Floats
    scarce: Indices
    tolerance: float
    exact: bool
    budget: Budget

    def increase(self, labels: Indices) -> float:
        """Return cost(labels) - cost(base), summed where they differ."""
        changed = np.flatnonzero(labels != self.base.labels)
        before = self.costs[changed, self.base.labels[changed]]
        return float((self.costs[changed, labels[changed]] - before).sum())

    def pin(self, nodes: Indices, clusters: Indices) -> Indices | None:
        """Return the cheapest colouring with these nodes in these clusters; None if it is none or leaves any empty."""
        pinned = np.full(self.graph.size, -1, np.intp)
        pinned[nodes] = clusters
        found = cheapest_colouring(
            self.costs, self.graph, nearest=self.base.nearest, pinned=pinned, exact=self.exact, budget=self.budget
        )
        if found is None or np.bincount(found.labels, minlength=self.costs.shape[1]).min() == 0:
            return None
        return found.labels


def fill_empty_clusters(
    costs: Floats, graph: ConflictGraph, base: Colouring, *, exact: bool = True, budget: Budget = AMPLE
) -> Repaired | None:
    """Return the cheapest proper colouring with every colour used, or None if it is proved that there is none.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Finite costs.
    base : Colouring
        The cheapest colouring of the same problem, with at least one colour unused.
    exact : bool
        If false, a repair that is not proved to be the cheapest is good enough.
    """
    if graph.size < costs.shape[1]:
        return None
    tolerance = tolerances.IMPROVEMENT * float(np.abs(costs[np.arange(graph.size), base.labels]).sum())
    gaps = _gaps(costs, graph, base, tolerance, ColouringEffort.PROOF if exact else ColouringEffort.ROUGH, budget)
    scarce = _scarce_clusters(graph, base.labels, costs.shape[1])
    repair = _Repair(costs, graph, base, gaps, scarce, tolerance, exact, budget)
    labels, proved = _by_one_node(repair) if scarce.size == 1 else _by_representatives(repair)
    if labels is not None and (proved or not exact):
        return Repaired(labels, joint=False, proved=proved and base.proved)
    limit = np.inf if labels is None else repair.increase(labels)
    better = _by_integer_program(repair, limit)
    if better is not None and (labels is None or repair.increase(better) < limit):
        labels = better
    return None if labels is None else Repaired(labels, joint=True, proved=base.proved)


def _gaps(
    costs: Floats, graph: ConflictGraph, base: Colouring, tolerance: float, effort: ColouringEffort, budget: Budget
) -> Floats:
    """Return the gaps: outside regions what a colour costs above the cheapest one, inside from dual ascent.

    With f the cost of a region in the base, L its bound and x_v(c) the excess of colour c at v, all labels of the
    region cost at least L + sum x_v(c) - f more, hence at least sum max(0, x_v(c) - (f - L)) over any set of its nodes.
    """
    gaps = costs - costs[np.arange(graph.size), base.nearest][:, None]
    nodes = np.flatnonzero(base.region >= 0)
    if nodes.size:
        inner, rows = graph.subgraph(nodes), costs[nodes]
        labels = base.labels[nodes]
        rounds = effort.rounds(inner, costs.shape[1], budget.params.ascent_work)
        trial = labels.copy()
        _, _, potential = ascend(rows, inner.edges, inner.indptr, inner.indices, rounds, tolerance, trial)
        paid = np.bincount(base.region[nodes], rows[np.arange(nodes.size), labels], minlength=graph.size)
        least = np.bincount(base.region[nodes], potential.min(axis=1), minlength=graph.size)
        short = np.maximum(paid - least, 0.0)[base.region[nodes]]
        gaps[nodes] = np.maximum(potential - potential.min(axis=1, keepdims=True) - short[:, None], 0.0)
    gaps[np.arange(graph.size), base.labels] = 0.0
    return gaps


def _scarce_clusters(graph: ConflictGraph, labels: Indices, k: int) -> Indices:
    """Return the largest set H of clusters with at most |H| units each."""
    unit = np.where(graph.component >= 0, graph.component, graph.num_components + np.arange(graph.size))
    units = np.bincount(np.unique(unit * k + labels) % k, minlength=k)
    scarce = np.arange(k)
    while True:
        kept = np.flatnonzero(units <= scarce.size)
        if kept.size == scarce.size:
            return kept
        scarce = kept


def _by_one_node(repair: _Repair) -> tuple[Indices | None, bool]:
    """Fill the only scarce cluster: try nodes in the order of their gaps until no other can be cheaper."""
    best, least = None, np.inf
    gaps = repair.gaps[:, repair.scarce[0]]
    for v in np.argsort(gaps, kind="stable"):
        if gaps[v] + repair.tolerance >= least:
            break
        labels = repair.pin(v, repair.scarce[0])
        if labels is not None and repair.increase(labels) < least:
            best, least = labels, repair.increase(labels)
            if not repair.exact:
                break
    return best, repair.exact


def _by_representatives(repair: _Repair) -> tuple[Indices | None, bool]:
    """Pin the cheapest representatives of the scarce clusters; proved optimal if nothing else is paid for.

    Only those that must leave their clusters are pinned, or all where that leaves a cluster empty.
    """
    from scipy.optimize import linear_sum_assignment

    stays = repair.base.labels[:, None] == repair.scarce
    preferred = repair.gaps[:, repair.scarce] + np.where(stays, 0.0, repair.tolerance / repair.scarce.size)
    rows, nodes = linear_sum_assignment(preferred.T)
    clusters = repair.scarce[rows]
    bound = float(repair.gaps[nodes, clusters].sum()) - repair.tolerance
    moves = repair.base.labels[nodes] != clusters
    best, least = None, np.inf
    for pinned in (moves, np.ones(nodes.size, np.bool_)):
        labels = repair.pin(nodes[pinned], clusters[pinned])
        if labels is not None and repair.increase(labels) < least:
            best, least = labels, repair.increase(labels)
        if least <= bound + 2.0 * repair.tolerance:
            break
    return best, least <= bound + 2.0 * repair.tolerance


def _by_integer_program(repair: _Repair, limit: float) -> Indices | None:
    """Solve over what an optimal repair that costs at most ``limit`` can change.

    Of the isolated nodes the 2|H| with the smallest gaps to each scarce cluster suffice: at most |H| nodes change and
    at most |H| others are alone in a scarce cluster, so one of the 2|H| could take the place of any other node. Of the
    components those matter that can enter a scarce cluster within the limit.
    """
    graph, base, scarce = repair.graph, repair.base.labels, repair.scarce
    allowed = repair.gaps <= limit + repair.tolerance
    allowed[~_active_nodes(graph, allowed[:, scarce] & (base[:, None] != scarce))] = False
    isolated = np.flatnonzero(graph.component < 0)
    for cluster in scarce:
        gaps = repair.gaps[isolated, cluster]
        nearest = np.argsort(gaps, kind="stable")[: 2 * scarce.size]
        allowed[isolated[nearest], cluster] = gaps[nearest] <= limit + repair.tolerance
    allowed[np.arange(graph.size), base] = True
    free = allowed.sum(axis=1) > 1
    edges = np.vstack([graph.edges, graph.edges[:, ::-1]])
    fixed = edges[~free[edges[:, 0]]]
    allowed[fixed[:, 1], base[fixed[:, 0]]] = False
    nodes = np.flatnonzero(free)
    required = np.bincount(base[~free], minlength=repair.costs.shape[1]) == 0
    rows = np.where(allowed[nodes], repair.costs[nodes], np.inf)
    colours = solve_colouring(rows, graph.subgraph(nodes).edges, required=required, budget=repair.budget)
    if colours is None:
        return None
    labels = base.copy()
    labels[nodes] = colours
    return labels


def _active_nodes(graph: ConflictGraph, enters: Flags) -> Flags:
    """Return which nodes lie in a component with a node that can enter a scarce cluster."""
    active = np.zeros(graph.num_components, np.bool_)
    inside = graph.component >= 0
    active[graph.component[inside & enters.any(axis=1)]] = True
    nodes = np.zeros(graph.size, np.bool_)
    nodes[inside] = active[graph.component[inside]]
    return nodes


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Assignment:
    """An optimal assignment and what it took.

    Parameters
    ----------
    labels : ndarray of int, shape (s,)
        Cluster of each node.
    cost : float
        Sum of the costs of the labels.
    base : Colouring
        The cheapest labels that may leave clusters empty.
    repaired : Repaired or None
        What filled the clusters that these leave empty, if any.
    """

    labels: Indices
    cost: float
    base: Colouring
    repaired: Repaired | None

    @property
    def proved(self) -> bool:
        """Whether the labels are optimal for certain; true unless ``exact=False`` was asked for."""
        return (self.repaired or self.base).proved

    @property
    def used_integer_program(self) -> bool:
        """Whether any part of the assignment needed an integer program."""
        return (self.repaired is not None and self.repaired.joint) or self.base.num_integer > 0


#: Why there is no assignment where the cannot-links admit none.
INFEASIBLE = "no assignment to the clusters satisfies the cannot-links"


@dataclass(frozen=True)
class Unassigned:
    """Why there is no assignment: it is proved that none exists, the run had to end, or a solver's process was lost."""

    reason: str


def or_why_not(solve: Callable[..., T | None], *arguments: Any, budget: Budget, **options: Any) -> T | Unassigned:
    """Return what may take an integer program, or why there is nothing: by default, because there is no assignment."""
    try:
        found = solve(*arguments, budget=budget, **options)
    except (Interrupted, ProgramLostError) as error:
        return Unassigned(str(error) or budget.stop.reason)
    return Unassigned(INFEASIBLE) if found is None else found


def assign(
    costs: Floats,
    graph: ConflictGraph,
    *,
    budget: Budget = AMPLE,
    allowed: Flags | None = None,
    exact: bool = True,
    start: Indices | None = None,
) -> Assignment | Unassigned:
    """Return the cheapest labels that respect the cannot-links, every cluster used, or why there are none.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Finite cost a_ih of node i in cluster h.
    graph : ConflictGraph
        The cannot-links among the s nodes.
    budget : Budget
        When to stop, and who solves the rare parts that need an integer program.
    allowed : ndarray of bool, shape (k,), optional
        Clusters that may be used, and then must be; all by default. (The mutation operator removes one centre.)
    exact : bool
        If false, accept good labels where a proof of optimality would take an integer program. On dense random
        cannot-links that can be the difference between milliseconds and hours.
    start : ndarray of int, shape (s,), optional
        Feasible labels, for ``exact=False`` without ``allowed``: the result costs no more than they do.
    """
    clusters = None if allowed is None else np.flatnonzero(allowed)
    costs = np.ascontiguousarray(costs if clusters is None else costs[:, clusters], dtype=np.float64)
    s, k = costs.shape
    if k == 0 or s < k:
        return Unassigned(INFEASIBLE)
    base = or_why_not(cheapest_colouring, costs, graph, exact=exact, start=start, budget=budget)
    if isinstance(base, Unassigned):
        return base
    repaired = None
    if np.bincount(base.labels, minlength=k).min() == 0:
        found = or_why_not(fill_empty_clusters, costs, graph, base, exact=exact, budget=budget)
        if isinstance(found, Unassigned):
            return found
        repaired = found
    labels = (repaired or base).labels
    cost = float(costs[np.arange(s), labels].sum())
    if start is not None and costs[np.arange(s), start].sum() < cost:
        labels, cost = start.copy(), float(costs[np.arange(s), start].sum())
    return Assignment(labels if clusters is None else clusters[labels], cost, base, repaired)
