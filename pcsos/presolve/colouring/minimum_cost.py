"""The cheapest proper colouring, found where colours are in dispute and nowhere else.

Every node starts at its cheapest colour. The ends of violated edges form regions; each connected region is coloured at
least cost as if nothing else existed, and it grows by the outside neighbours that it now conflicts with. When no
conflict is left the colouring is optimal: dropping the edges between the regions and the rest is a relaxation, and its
optimum satisfies them. So one huge component with few conflicts costs no more than many small ones.
"""

from dataclasses import dataclass

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.presolve.colouring.branch_and_bound import SEARCHED, TREE, UNDECIDED
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.presolve.colouring.conflict_regions import gather_rows, grow_regions
from pcsos.presolve.colouring.hard_regions import ColouringEffort, RegionColouring, colour_hard_region
from pcsos.presolve.colouring.local_search import resolve_conflicts
from pcsos.problem.conflict_graph import ConflictGraph


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
    if nearest is None:
        nearest = np.argmin(costs, axis=1).astype(np.intp)
    labels = nearest.copy()
    if pinned is not None:
        np.copyto(labels, pinned, where=pinned >= 0)
    return _Growth(costs, graph, nearest, labels, pinned, start, budget).run(exact)


class _Growth:
    """Regions while they grow, first with rough colourings of hard ones, at last with good or proved ones."""

    def __init__(
        self,
        costs: Floats,
        graph: ConflictGraph,
        nearest: Indices,
        labels: Indices,
        pinned: Indices | None,
        start: Indices | None,
        budget: Budget,
    ) -> None:
        self.costs, self.graph, self.nearest, self.labels = costs, graph, nearest, labels
        self.pinned = np.empty(0, np.intp) if pinned is None else pinned
        self.start, self.budget = start, budget
        self.region = np.full(graph.size, -1, np.intp)
        self.found = np.full(graph.size, -1, np.intp)
        self.doubtful = np.zeros(graph.size, np.bool_)
        self.counts = np.zeros(4, np.intp)
        self.num_integer = 0

    def run(self, exact: bool) -> Colouring | None:
        """Grow regions until no conflict is left, then settle those that are in doubt, and what that makes grow.

        Without ``exact`` regions that grow after that are coloured roughly again, so that there is an end.
        """
        growing, effort = True, ColouringEffort.ROUGH
        pending = np.empty(self.graph.size, np.intp)
        while True:
            size = self._grow(pending)
            if size < 0:
                return None
            if size > 0:
                if not self._colour(np.sort(pending[:size]), effort):
                    return None
            elif growing and self.doubtful.any():
                growing = False
                for number in np.unique(self.region[self.doubtful]):
                    nodes = np.flatnonzero(self.region == number)
                    if not self._colour(nodes, ColouringEffort.PROOF if exact else ColouringEffort.GOOD):
                        return None
                effort = ColouringEffort.PROOF if exact else ColouringEffort.ROUGH
            else:
                return self._result()

    def _grow(self, pending: Indices) -> int:
        if self.graph.num_components == 0:
            return 0
        return grow_regions(
            self.costs,
            self.graph.indptr,
            self.graph.indices,
            self.pinned,
            self.budget.params.region_steps if self.graph.has_cycles else None,
            self.labels,
            self.region,
            pending,
            self.found,
            self.doubtful,
            self.counts,
        )

    def _colour(self, nodes: Indices, effort: ColouringEffort) -> bool:
        """Colour a region that the search left undecided; tell whether it can be coloured."""
        rows = np.empty((nodes.size, self.costs.shape[1]))
        gather_rows(self.costs, nodes, self.pinned, rows)
        graph = self.graph.subgraph(nodes)
        incumbent = self._incumbent(rows, graph, nodes)
        outcome: RegionColouring = colour_hard_region(
            rows, graph, incumbent=incumbent, effort=effort, budget=self.budget
        )
        if outcome.labels is None:
            return False
        self.labels[nodes] = outcome.labels
        self.doubtful[nodes] = not outcome.proved
        self.num_integer += outcome.by_program
        return True

    def _incumbent(self, rows: Floats, graph: ConflictGraph, nodes: Indices) -> Indices | None:
        """Return the cheapest colouring known of a region: of the search, of the start, or the present one mended."""
        known = [] if self.found[nodes].min() < 0 else [self.found[nodes]]
        if self.start is not None:
            known.append(self.start[nodes])
        resolved = self.labels[nodes]
        if resolve_conflicts(rows, graph.indptr, graph.indices, resolved):
            known.append(resolved)
        costs = [rows[np.arange(nodes.size), labels].sum() for labels in known]
        return known[int(np.argmin(costs))] if known and np.isfinite(min(costs)) else None

    def _result(self) -> Colouring:
        return Colouring(
            labels=self.labels,
            region=self.region,
            nearest=self.nearest,
            num_tree=int(self.counts[TREE]),
            num_searched=int(self.counts[SEARCHED] + self.counts[UNDECIDED]) - self.num_integer,
            num_integer=self.num_integer,
            proved=not self.doubtful.any(),
        )
