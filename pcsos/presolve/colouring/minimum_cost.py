"""The cheapest proper colouring, found where colours are in dispute and nowhere else.

Every node starts at its cheapest colour. The ends of violated edges form regions; each connected region is coloured at
least cost as if nothing else existed, and it grows by the outside neighbours that it now conflicts with. When no
conflict is left the colouring is optimal: dropping the edges between the regions and the rest is a relaxation, and its
optimum satisfies them. So one huge component with few conflicts costs no more than many small ones. Regions that a
quick search does not settle take a descent, or an integer program.
"""

from dataclasses import dataclass, replace

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.presolve.colouring.conflict_regions import Regions, fold_leaves, gather_rows, grow_regions, unfold_leaves
from pcsos.presolve.colouring.integer_program import solve_colouring
from pcsos.presolve.colouring.local_search import colour_by_regret, improve_colouring, resolve_conflicts
from pcsos.problem.conflict_graph import ConflictGraph
from pcsos.problem.options import AMPLE, Budget


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
    exact: bool = True,
    budget: Budget = AMPLE,
) -> RegionColouring:
    """Colour a connected graph at least cost, or well.

    Leaves are folded; a clique is then a linear assignment problem, and anything else is left to an integer program.
    Costs of colours (m, k) are infinite where forbidden, and changed in place; an incumbent (m,) is a proper colouring
    to start from. Unless it has to be exact, a descent from a colouring is good enough, and there is a program only
    where none is found.
    """
    order, parent, core = fold_leaves(costs, graph.indptr, graph.indices)
    inner, rows = graph.subgraph(core), costs[core]
    if inner.indices.size == core.size * (core.size - 1):
        outcome = RegionColouring(_colour_clique(rows))
    else:
        known = None if exact else colour_by_regret(rows, inner) if incumbent is None else incumbent[core]
        if known is None:
            outcome = RegionColouring(solve_colouring(rows, inner.edges, budget=budget), by_program=True)
        else:
            improve_colouring(rows, inner.indptr, inner.indices, known)
            outcome = RegionColouring(known, proved=False)
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


@dataclass(frozen=True, eq=False)
class Colouring:
    """A cheapest proper colouring; colours may be unused."""

    labels: Indices  #: shape (s,): colour of each node
    #: shape (s,): nodes of one region share a number; -1 for nodes at their cheapest colour that were in no region
    region: Indices
    nearest: Indices  #: shape (s,): the cheapest colour of each node, whatever the others do
    num_integer: int  #: how often a region was coloured by an integer program
    proved: bool  #: whether the colouring is optimal for certain


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
        If false, a region that the search leaves undecided has a good colouring, if one is found.
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
    """Regions while they grow, first with rough colourings of hard ones, at last with proved ones."""

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
        self.regions = Regions(labels, region, pending, found, np.zeros(graph.size, np.bool_))
        self.num_integer = 0

    def run(self, exact: bool) -> Colouring | None:
        """Grow regions until no conflict is left; if it has to be exact, settle those in doubt, and what then grows."""
        is_growing, regions = True, self.regions
        while True:
            size = self._grow()
            if size < 0:
                return None
            if size > 0:
                hard = [np.sort(regions.pending[:size])]
            elif is_growing and exact and regions.doubtful.any():
                is_growing = False
                numbers = np.unique(regions.region[regions.doubtful])
                hard = [np.flatnonzero(regions.region == number) for number in numbers]
            else:
                proved = not regions.doubtful.any()
                return Colouring(regions.labels, regions.region, self.nearest, self.num_integer, proved)
            if not all(self._colour(nodes, exact=not is_growing) for nodes in hard):
                return None

    def _grow(self) -> int:
        if not self.graph.indices.size:
            return 0
        steps = self.budget.params.region_steps
        return grow_regions(self.costs, self.graph.indptr, self.graph.indices, self.pinned, steps, self.regions)

    def _colour(self, nodes: Indices, *, exact: bool) -> bool:
        """Colour a region that the search left undecided; return whether it can be coloured."""
        rows = np.empty((nodes.size, self.costs.shape[1]))
        gather_rows(self.costs, nodes, self.pinned, rows)
        graph = self.graph.subgraph(nodes)
        incumbent = self._incumbent(rows, graph, nodes)
        outcome = colour_hard_region(rows, graph, incumbent=incumbent, exact=exact, budget=self.budget)
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
