"""The cheapest assignment to given centres that respects the cannot-links and leaves no cluster empty (Paper (12)).

Most of the work never reaches an integer program: nodes go to their nearest centre; only where that breaks a
cannot-link is anything solved (:mod:`pcsos.presolve.colouring.minimum_cost`); and empty clusters are repaired by what
little must change (:mod:`pcsos.heuristics.assignment.empty_clusters`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from pcsos.base.control.stop import Interrupted, ProgramLostError
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.assignment.empty_clusters import fill_empty_clusters
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.presolve.colouring.minimum_cost import cheapest_colouring
from pcsos.problem.conflict_graph import ConflictGraph

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
    num_nearest : int
        Components of the cannot-link graph in which the nearest centres break no cannot-link.
    num_tree, num_searched, num_integer : int
        Regions of conflict solved by dynamic programming, by search or linear assignment, by an integer program.
    repaired, joint : bool
        Whether empty clusters had to be filled, and whether that took a joint integer program.
    proved : bool
        Whether the labels are optimal for certain; true unless ``exact=False`` was asked for.
    """

    labels: Indices
    cost: float
    num_nearest: int
    num_tree: int
    num_searched: int
    num_integer: int
    repaired: bool
    joint: bool
    proved: bool

    @property
    def used_integer_program(self) -> bool:
        """Whether any part of the assignment needed an integer program."""
        return self.joint or self.num_integer > 0


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
    if allowed is None:
        clusters = None
        costs = np.ascontiguousarray(costs, dtype=np.float64)
    else:
        clusters = np.flatnonzero(allowed)
        costs = np.ascontiguousarray(costs[:, clusters], dtype=np.float64)
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
    labels = base.labels if repaired is None else repaired.labels
    cost = float(costs[np.arange(s), labels].sum())
    if start is not None and costs[np.arange(s), start].sum() < cost:
        labels, cost = start.copy(), float(costs[np.arange(s), start].sum())
    return Assignment(
        labels=labels if clusters is None else clusters[labels],
        cost=cost,
        num_nearest=graph.num_components - np.unique(graph.component[base.region >= 0]).size,
        num_tree=base.num_tree,
        num_searched=base.num_searched,
        num_integer=base.num_integer,
        repaired=repaired is not None,
        joint=repaired is not None and repaired.joint,
        proved=base.proved if repaired is None else repaired.proved,
    )
