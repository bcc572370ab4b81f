"""The cheapest proper colouring, found where colours are in dispute and nowhere else.

Every node starts at its cheapest colour. The ends of violated edges form regions; each connected region is coloured at
least cost as if nothing else existed, and it grows by the outside neighbours that it now conflicts with. When no
conflict is left the colouring is optimal: dropping the edges between the regions and the rest is a relaxation, and its
optimum satisfies them. So one huge component with few conflicts costs no more than many small ones. Regions that a
quick search does not settle are bounded first; a search looks at what the bounds leave.
"""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from pcsos.base import tolerances
from pcsos.base.typing import Floats, Indices
from pcsos.presolve.colouring.branch_and_bound import NO_COLOURING, SEARCHED, TREE, UNDECIDED, search_colouring
from pcsos.presolve.colouring.conflict_regions import Regions, fold_leaves, gather_rows, grow_regions, unfold_leaves
from pcsos.presolve.colouring.dual_ascent import ascend
from pcsos.presolve.colouring.integer_program import solve_colouring
from pcsos.presolve.colouring.k_colouring import COLOURED, tabu_colouring, try_colouring
from pcsos.presolve.colouring.local_search import colour_by_regret, improve_colouring, resolve_conflicts
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import AMPLE, Budget


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


@dataclass(frozen=True, eq=False)
class Colouring:
    """A cheapest proper colouring; colours may be unused.

    Parameters
    ----------
    labels : ndarray of int, shape (s,)
        Colour of each node.
    region : ndarray of int, shape (s,)
        Nodes of one region share a number; -1 for nodes at their cheapest colour that were in no region.
    nearest : ndarray of int, shape (s,)
        The cheapest colour of each node, whatever the others do.
    num_tree, num_searched, num_integer : int
        How often a region was coloured by dynamic programming, by search, bounds or linear assignment, and by an
        integer program.
    proved : bool
        Whether the colouring is optimal for certain.
    """

    labels: Indices
    region: Indices
    nearest: Indices
    num_tree: int
    num_searched: int
    num_integer: int
    proved: bool


def cheapest_colouring(
    costs: Floats,
    graph: ConflictGraph,
    *,
    nearest: Indices | None = None,
    pinned: Indices | None = None,
    start: Indices | None = None,
    exact: bool = True,
    budget: Budget = AMPLE,
) -> Colouring | None:
    """Return the cheapest proper colouring of a graph, or None if it is proved that there is none.

    Parameters
    ----------
    costs : ndarray, shape (s, k)
        Finite cost of each colour at each node, C-contiguous.
    nearest : ndarray of int, shape (s,), optional
        The cheapest colour of each node, where it is known already.
    pinned : ndarray of int, shape (s,), optional
        The colour that a node must take, or -1.
    start : ndarray of int, shape (s,), optional
        A proper colouring; the result costs no more.
    exact : bool
        If false, a region that search and bounds leave undecided keeps the best colouring known, if there is one.
    budget : Budget
        When to stop, steps of the searches, and who solves regions that nothing else settles.

    Raises
    ------
    Interrupted, ProgramLostError
        If the run has to end, or the process of an integer program is killed, before the colouring is found.
    """
    nearest = np.argmin(costs, axis=1).astype(np.intp) if nearest is None else nearest
    return _Growth(costs, graph, nearest, pinned, start, budget).run(exact)


class _Growth:
    """Regions while they grow, first with rough colourings of hard ones, at last with good or proved ones."""

    def __init__(
        self,
        costs: Floats,
        graph: ConflictGraph,
        nearest: Indices,
        pinned: Indices | None,
        start: Indices | None,
        budget: Budget,
    ) -> None:
        self.costs, self.graph, self.nearest, self.start, self.budget = costs, graph, nearest, start, budget
        self.pinned = np.empty(0, np.intp) if pinned is None else pinned
        labels = nearest.copy() if pinned is None else np.where(pinned >= 0, pinned, nearest)
        region, pending, found = (np.full(graph.size, -1, np.intp) for _ in range(3))
        doubtful, counts = np.zeros(graph.size, np.bool_), np.zeros(4, np.intp)
        self.regions = Regions(labels, region, pending, found, doubtful, counts)
        self.num_integer = 0

    def run(self, exact: bool) -> Colouring | None:
        """Grow regions until no conflict is left, then settle those that are in doubt, and what that makes grow.

        Without ``exact`` regions that grow after that are coloured roughly again, so that there is an end.
        """
        growing, effort, regions = True, ColouringEffort.ROUGH, self.regions
        while True:
            size = self._grow()
            if size < 0:
                return None
            if size > 0:
                if not self._colour(np.sort(regions.pending[:size]), effort):
                    return None
            elif growing and regions.doubtful.any():
                growing = False
                for number in np.unique(regions.region[regions.doubtful]):
                    nodes = np.flatnonzero(regions.region == number)
                    if not self._colour(nodes, ColouringEffort.PROOF if exact else ColouringEffort.GOOD):
                        return None
                effort = ColouringEffort.PROOF if exact else ColouringEffort.ROUGH
            else:
                return self._result()

    def _grow(self) -> int:
        if not self.graph.indices.size:
            return 0
        steps = self.budget.params.region_steps if self.graph.has_cycles else None
        return grow_regions(self.costs, self.graph.indptr, self.graph.indices, self.pinned, steps, self.regions)

    def _colour(self, nodes: Indices, effort: ColouringEffort) -> bool:
        """Colour a region that the search left undecided; return whether it can be coloured."""
        rows = np.empty((nodes.size, self.costs.shape[1]))
        gather_rows(self.costs, nodes, self.pinned, rows)
        graph = self.graph.subgraph(nodes)
        incumbent = self._incumbent(rows, graph, nodes)
        outcome = colour_hard_region(rows, graph, incumbent=incumbent, effort=effort, budget=self.budget)
        if outcome.labels is None:
            return False
        self.regions.labels[nodes] = outcome.labels
        self.regions.doubtful[nodes] = not outcome.proved
        self.num_integer += outcome.by_program
        return True

    def _incumbent(self, rows: Floats, graph: ConflictGraph, nodes: Indices) -> Indices | None:
        """Return the cheapest colouring known of a region: of the search, of the start, or the present one mended."""
        found = self.regions.found[nodes]
        known = [] if found.min() < 0 else [found]
        if self.start is not None:
            known.append(self.start[nodes])
        resolved = self.regions.labels[nodes]
        if resolve_conflicts(rows, graph.indptr, graph.indices, resolved):
            known.append(resolved)
        costs = [rows[np.arange(nodes.size), labels].sum() for labels in known]
        return known[int(np.argmin(costs))] if known and np.isfinite(min(costs)) else None

    def _result(self) -> Colouring:
        regions = self.regions
        return Colouring(
            labels=regions.labels,
            region=regions.region,
            nearest=self.nearest,
            num_tree=int(regions.counts[TREE]),
            num_searched=int(regions.counts[SEARCHED] + regions.counts[UNDECIDED]) - self.num_integer,
            num_integer=self.num_integer,
            proved=not regions.doubtful.any(),
        )
