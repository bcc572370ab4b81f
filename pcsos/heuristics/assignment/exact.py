"""The cheapest assignment to given centres that respects the cannot-links and leaves no cluster empty (Paper (12)).

Most of the work never reaches an integer program: nodes go to their nearest centre; only where that breaks a
cannot-link is anything solved (:mod:`pcsos.presolve.colouring.minimum_cost`); and empty clusters are repaired by what
little must change.

The cheapest colouring that may leave clusters empty (the base) is changed as little as it takes. Outside of regions of
conflict every node has its cheapest label, and labels of regions are the cheapest there are. So with g_vc what the
label c costs node v beyond its own, and 0 for nodes of regions,

    cost(x) - cost(base)  >=  sum of g_v,x(v) over any set of nodes v,

and the cheapest choice of one representative of each cluster, a linear assignment problem, gives a lower bound;
colouring with representatives pinned gives an upper bound. Where they do not agree, an integer program over what can
still change decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from pcsos.base import tolerances
from pcsos.base.control.stop import Interrupted, ProgramLostError
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.presolve.colouring.integer_program import solve_colouring
from pcsos.presolve.colouring.minimum_cost import Colouring, cheapest_colouring
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import AMPLE, Budget


@dataclass(frozen=True, eq=False)
class Repaired:
    """Labels that use every cluster, whether a joint integer program was needed, whether they are proved optimal."""

    labels: Indices
    joint: bool
    proved: bool


def fill_empty_clusters(
    costs: Floats, graph: ConflictGraph, base: Colouring, *, exact: bool = True, budget: Budget = AMPLE
) -> Repaired | None:
    """Return the cheapest proper colouring with every colour used, or None if it is proved that there is none.

    Costs (s, k) are finite, of at least as many nodes as clusters; ``base`` is the cheapest colouring of the same
    problem, with at least one colour unused. Unless it has to be exact, a repair need not be proved to be the cheapest.
    """
    (s, k), every = costs.shape, np.arange(graph.size)
    own = costs[every, base.labels]
    tolerance = tolerances.IMPROVEMENT * float(np.abs(own).sum())
    gaps = np.maximum(costs - own[:, None], 0.0)
    sure = np.where((base.region >= 0)[:, None], 0.0, gaps)
    nodes = _representatives(sure)
    enough = float(sure[nodes, np.arange(k)].sum()) + tolerance
    stays = np.zeros((s, k))
    stays[every, base.labels] = tolerance / k
    nodes = _representatives(gaps - stays)
    best, least = None, np.inf
    for is_pinned in (base.labels[nodes] != np.arange(k), np.ones(k, np.bool_)):
        pinned = np.full(s, -1, np.intp)
        pinned[nodes[is_pinned]] = np.flatnonzero(is_pinned)
        found = cheapest_colouring(costs, graph, nearest=base.nearest, pinned=pinned, exact=exact, budget=budget)
        if found is not None and np.bincount(found.labels, minlength=k).min() > 0:
            increase = float((costs[every, found.labels] - own).sum())
            best, least = (found.labels, increase) if increase < least else (best, least)
        if least <= enough:
            break
    if best is not None and (least <= enough or not exact):
        return Repaired(best, joint=False, proved=base.proved and least <= enough)
    allowed = sure <= least + tolerance
    allowed[every, base.labels] = True
    rows = np.where(allowed, costs, np.inf)
    better = solve_colouring(rows, graph.edges, required=np.ones(k, np.bool_), budget=budget)
    if better is not None and (costs[every, better] - own).sum() < least:
        best = better
    return None if best is None else Repaired(best, joint=True, proved=base.proved)


def _representatives(gaps: Floats) -> Indices:
    """Return a node for each cluster, shape (k,), all different, that cost least together."""
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(gaps.T)[1].astype(np.intp)  # type: ignore[no-any-return]


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Assignment:
    """An optimal assignment and what it took."""

    labels: Indices  #: shape (s,): cluster of each node
    cost: float  #: sum of the costs of the labels
    base: Colouring  #: the cheapest labels that may leave clusters empty
    repaired: Repaired | None  #: what filled the clusters that these leave empty, if any

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
