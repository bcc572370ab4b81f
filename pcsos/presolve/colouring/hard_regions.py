"""Regions of conflict that a quick search does not settle: bounds first, then what they leave."""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from pcsos.base import tolerances
from pcsos.base.typing import Floats, Indices
from pcsos.presolve.colouring.branch_and_bound import NO_COLOURING, UNDECIDED, search_colouring
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.presolve.colouring.dsatur import COLOURED, try_colouring
from pcsos.presolve.colouring.dual_ascent import ascend
from pcsos.presolve.colouring.integer_program import solve_colouring
from pcsos.presolve.colouring.local_search import improve_colouring
from pcsos.presolve.colouring.regret import colour_by_regret
from pcsos.presolve.colouring.tabu_search import tabu_colouring
from pcsos.presolve.colouring.trees import fold_leaves, unfold_leaves
from pcsos.problem.conflict_graph import ConflictGraph


class ColouringEffort(Enum):
    """How far to go with a region; the value is the greatest number of rounds of dual ascent."""

    ROUGH = 10  #: a colouring, while the region may still grow
    GOOD = 40  #: a good colouring
    PROOF = 400  #: the optimum, whatever it takes

    def rounds(self, graph: ConflictGraph, k: int, work: int) -> int:
        """Return the rounds of dual ascent on a graph with k colours; a proof may take so many entries of messages."""
        share = work * self.value // ColouringEffort.PROOF.value
        return int(min(self.value, 1 + share // (1 + graph.indices.size * k)))


@dataclass(frozen=True, eq=False)
class RegionColouring:
    """Labels of a region, or None: it has none; whether an integer program was needed; whether they are optimal."""

    labels: Indices | None
    by_program: bool = False
    proved: bool = True


def colour_hard_region(
    costs: Floats,
    graph: ConflictGraph,
    *,
    incumbent: Indices | None = None,
    effort: ColouringEffort = ColouringEffort.PROOF,
    budget: Budget = AMPLE,
) -> RegionColouring:
    """Colour a connected graph at least cost, or well.

    Leaves are folded; a clique is then a linear assignment problem. Anything else is bounded by dual ascent; colours
    that cost too much are left out, and what remains is searched or, if that takes long, left to an integer program.

    Parameters
    ----------
    costs : ndarray, shape (m, k)
        Cost of each colour, infinity where forbidden; changed in place.
    incumbent : ndarray of int, shape (m,), optional
        A proper colouring of the graph to start from.
    effort : ColouringEffort
        With less than ``PROOF``, what the bounds leave undecided keeps the best colouring known, if there is one.
    """
    order, parent, core = fold_leaves(costs, graph.indptr, graph.indices)
    inner = graph.subgraph(core)
    rows = costs[core]
    if inner.indices.size == core.size * (core.size - 1):
        outcome = RegionColouring(_colour_clique(rows))
    else:
        outcome = _colour_core(rows, inner, None if incumbent is None else incumbent[core], effort, budget)
    if outcome.labels is None:
        return outcome
    labels = np.empty(graph.size, np.intp)
    labels[core] = outcome.labels
    unfold_leaves(costs, order, parent, labels)
    return replace(outcome, labels=labels)


def _colour_clique(costs: Floats) -> Indices | None:
    from scipy.optimize import linear_sum_assignment

    if costs.shape[0] > costs.shape[1]:
        return None
    try:
        columns: Indices = linear_sum_assignment(costs)[1].astype(np.intp)
    except ValueError:  # the infinite entries leave no assignment
        return None
    return columns


def _colour_core(
    costs: Floats, graph: ConflictGraph, known: Indices | None, effort: ColouringEffort, budget: Budget
) -> RegionColouring:
    """Colour a graph with cycles, given a colouring or None; a large one without bounds if no proof is asked for."""
    labels = _some_colouring(costs, graph, budget.params.core_tabu_steps) if known is None else known
    rounds = effort.rounds(graph, costs.shape[1], budget.params.ascent_work)
    if effort is not ColouringEffort.PROOF and rounds < effort.value and labels[0] >= 0:
        improve_colouring(costs, graph.indptr, graph.indices, labels)
        return RegionColouring(labels, proved=False)
    tolerance = tolerances.IMPROVEMENT * float(np.abs(costs.min(axis=1)).sum())
    lower, upper, potential = ascend(costs, graph.edges, graph.indptr, graph.indices, rounds, tolerance, labels)
    if lower == np.inf:
        return RegionColouring(None)
    if lower >= upper - tolerance:
        return RegionColouring(labels)
    if effort is not ColouringEffort.PROOF and np.isfinite(upper):
        return RegionColouring(labels, proved=False)
    kept = potential - potential.min(axis=1, keepdims=True) <= upper - lower + tolerance
    if np.isfinite(upper):
        kept[np.arange(graph.size), labels] = True
    return _colour_rest(np.where(kept, costs, np.inf), graph, budget)


def _some_colouring(costs: Floats, graph: ConflictGraph, tabu_steps: int) -> Indices:
    """Return a proper colouring, found by regret, DSATUR or tabu search, or -1."""
    found = colour_by_regret(costs, graph)
    if found is not None:
        return found
    allowed = np.isfinite(costs)
    labels: Indices = np.empty(graph.size, np.intp)
    if allowed.all() and try_colouring(graph, costs.shape[1], 20 * graph.size, labels) == COLOURED:
        return labels
    labels[:] = np.argmin(costs, axis=1)
    rng = np.random.default_rng(0)
    if tabu_colouring(graph.indptr, graph.indices, allowed, tabu_steps, rng, labels):
        return labels
    return np.full(graph.size, -1, np.intp)


def _colour_rest(costs: Floats, graph: ConflictGraph, budget: Budget) -> RegionColouring:
    """Colour what bounds leave: nodes with one colour block it for others, the rest falls into components."""
    costs, labels = _fix_single_colours(costs, graph)
    if np.isinf(costs.min(axis=1)).any():
        return RegionColouring(None)
    by_program = False
    rest = np.flatnonzero(labels < 0)
    inner = graph.subgraph(rest)
    alone = rest[inner.component < 0]
    labels[alone] = costs[alone].argmin(axis=1)
    for number in range(inner.num_components):
        nodes = np.flatnonzero(inner.component == number)
        part, rows = inner.subgraph(nodes), costs[rest[nodes]]
        colours: Indices = np.empty(nodes.size, np.intp)
        status = search_colouring(rows, part.indptr, part.indices, budget.params.core_steps, colours)
        if status == UNDECIDED:
            by_program = True
            optimum = solve_colouring(rows, part.edges, budget=budget)
            if optimum is None:
                return RegionColouring(None, by_program)
            colours = optimum
        elif status == NO_COLOURING:
            return RegionColouring(None, by_program)
        labels[rest[nodes]] = colours
    return RegionColouring(labels, by_program)


def _fix_single_colours(costs: Floats, graph: ConflictGraph) -> tuple[Floats, Indices]:
    """Forbid the only colour of a node at its neighbours, again and again; return the costs and the labels or -1."""
    costs = costs.copy()
    edges = np.vstack([graph.edges, graph.edges[:, ::-1]])
    done = np.zeros(graph.size, np.bool_)
    while True:
        single = np.isfinite(costs).sum(axis=1) == 1
        fresh = single & ~done
        labels = np.where(single, costs.argmin(axis=1), -1).astype(np.intp)
        if not fresh.any():
            return costs, labels
        blocked = edges[fresh[edges[:, 0]]]
        costs[blocked[:, 1], labels[blocked[:, 0]]] = np.inf
        done |= fresh
