"""Empty clusters repaired exactly: the cheapest colouring in which every cluster is used.

The cheapest colouring that may leave clusters empty (the base) is changed as little as it takes. Call an isolated node
or a connected component a unit. In some optimal repair every changed unit is the only one in a cluster that it newly
enters, so if m units change, these m clusters had at most m - 1 units each in the base: only such *scarce* clusters
matter. A representative of each scarce cluster, chosen by linear assignment, gives a lower bound, since

    cost(x) - cost(base)  >=  sum over representatives of  max(0, a_vh - min_c a_vc - t_v),

with t_v what the region of v pays above its nodes' cheapest colours in the base (0 outside regions). Colouring with the
representatives pinned gives an upper bound. They nearly always agree; otherwise an integer program over what can still
change decides.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos import tolerances
from pcsos.assignment.graph import ConflictGraph
from pcsos.assignment.regions import Colouring, cheapest_colouring

Costs = NDArray[np.float64]
Nodes = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _Repair:
    """What a repair starts from: the base labels, the scarce clusters H, and the gaps of nodes to them, (s, |H|)."""

    costs: Costs
    graph: ConflictGraph
    base: Nodes
    scarce: Nodes
    spare: Costs  #: a_vc - min_c a_vc - t_v, what a label costs for certain may be less than this by rounding only
    gaps: Costs

    def increase(self, labels: Nodes) -> float:
        """Return cost(labels) - cost(base), summed where they differ."""
        changed = np.flatnonzero(labels != self.base)
        return float((self.costs[changed, labels[changed]] - self.costs[changed, self.base[changed]]).sum())

    def rounding(self) -> float:
        """Return the difference of costs that means nothing."""
        return tolerances.IMPROVEMENT * float(np.abs(self.costs[np.arange(self.base.size), self.base]).sum())


def fill_empty_clusters(
    costs: Costs, graph: ConflictGraph, base: Colouring, *, ilp: str = "auto"
) -> tuple[Nodes, bool] | None:
    """Return the cheapest proper colouring with every colour used, or None if it is proved that there is none.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Finite costs.
    base : Colouring
        The cheapest colouring of the same problem, with at least one colour unused.

    Returns
    -------
    tuple
        The labels, and whether an integer program was needed.
    """
    if graph.size < costs.shape[1]:
        return None
    repair = _prepare(costs, graph, base)
    found = _by_one_node(repair, ilp) if repair.scarce.size == 1 else _by_representatives(repair, ilp)
    labels, proved = found
    if proved and labels is not None:
        return labels, False
    limit = np.inf if labels is None else repair.increase(labels)
    better = _by_integer_program(repair, limit, ilp)
    if better is None and labels is None:
        return None
    if better is None or (labels is not None and limit <= repair.increase(better)):
        better = labels
    assert better is not None
    return better, True


def _prepare(costs: Costs, graph: ConflictGraph, base: Colouring) -> _Repair:
    nodes = np.arange(graph.size)
    paid = costs[nodes, base.labels]
    least = costs.min(axis=1)
    excess = np.zeros(graph.size)
    disputed = base.region >= 0
    totals = np.bincount(base.region[disputed], (paid - least)[disputed], minlength=graph.size)
    excess[disputed] = totals[base.region[disputed]]
    scarce = _scarce_clusters(graph, base.labels, costs.shape[1])
    gaps = costs[:, scarce] - least[:, None] - excess[:, None]
    gaps = np.maximum(gaps, 0.0)
    gaps[base.labels[:, None] == scarce] = 0.0
    return _Repair(costs, graph, base.labels, scarce, least + excess, gaps)


def _scarce_clusters(graph: ConflictGraph, labels: Nodes, k: int) -> Nodes:
    """Return the largest set H of clusters with at most |H| units each."""
    unit = np.where(graph.component >= 0, graph.component, graph.num_components + np.arange(graph.size))
    units = np.bincount(np.unique(unit * k + labels) % k, minlength=k)
    scarce = np.arange(k)
    while True:
        kept = np.flatnonzero(units <= scarce.size)
        if kept.size == scarce.size:
            return kept
        scarce = kept


def _pinned_colouring(repair: _Repair, nodes: Nodes, clusters: Nodes, ilp: str) -> Nodes | None:
    """Return the cheapest colouring with these nodes in these clusters, or None if it is none or leaves any empty."""
    pinned = np.full(repair.graph.size, -1, np.intp)
    pinned[nodes] = clusters
    colouring = cheapest_colouring(repair.costs, repair.graph, pinned=pinned, ilp=ilp)
    if colouring is None or np.bincount(colouring.labels, minlength=repair.costs.shape[1]).min() == 0:
        return None
    return colouring.labels


def _by_one_node(repair: _Repair, ilp: str) -> tuple[Nodes | None, bool]:
    """Fill the only scarce cluster: try nodes in the order of their gaps until no other can be cheaper."""
    best, least = None, np.inf
    for v in np.argsort(repair.gaps[:, 0], kind="stable"):
        if repair.gaps[v, 0] + repair.rounding() >= least:
            break
        labels = _pinned_colouring(repair, v, repair.scarce[0], ilp)
        if labels is not None and repair.increase(labels) < least:
            best, least = labels, repair.increase(labels)
    return best, True


def _by_representatives(repair: _Repair, ilp: str) -> tuple[Nodes | None, bool]:
    """Pin the cheapest representatives of all scarce clusters; proved optimal if nothing else is paid for."""
    from scipy.optimize import linear_sum_assignment

    clusters, nodes = linear_sum_assignment(repair.gaps.T)
    labels = _pinned_colouring(repair, nodes, repair.scarce[clusters], ilp)
    if labels is None:
        return None, False
    bound = float(repair.gaps[nodes, clusters].sum())
    return labels, repair.increase(labels) <= bound + repair.rounding()


def _by_integer_program(repair: _Repair, limit: float, ilp: str) -> Nodes | None:
    """Solve over what an optimal repair that costs at most ``limit`` can change.

    Of the isolated nodes the 2|H| with the smallest gaps to each scarce cluster suffice: at most |H| nodes change and
    at most |H| others are alone in a scarce cluster, so one of the 2|H| could take the place of any other node. Of the
    components those matter that can enter a scarce cluster within the limit.
    """
    from pcsos.assignment.integer_program import solve_colouring

    graph, k = repair.graph, repair.costs.shape[1]
    limit += repair.rounding()
    enters = (repair.gaps <= limit) & (repair.base[:, None] != repair.scarce)
    active = np.zeros(graph.num_components + 1, np.bool_)
    active[graph.component[enters.any(axis=1)]] = True
    active[-1] = False  # where component -1, the isolated nodes, was counted
    chosen = active[graph.component]
    allowed = repair.costs - repair.spare[:, None] <= limit
    isolated = graph.component < 0
    allowed[isolated] = False
    for column, cluster in enumerate(repair.scarce):
        candidates = np.flatnonzero(isolated & enters[:, column])
        candidates = candidates[np.argsort(repair.gaps[candidates, column], kind="stable")][
            : 2 * repair.scarce.size
        ]
        chosen[candidates] = True
        allowed[candidates, cluster] = True
    allowed[np.arange(graph.size), repair.base] = True
    nodes = np.flatnonzero(chosen)
    required = np.bincount(repair.base[~chosen], minlength=k) == 0
    rows = np.where(allowed[nodes], repair.costs[nodes], np.inf)
    colours = solve_colouring(rows, graph.subgraph(nodes).edges, required=required, ilp=ilp)
    if colours is None:
        return None
    labels = repair.base.copy()
    labels[nodes] = colours
    return labels
