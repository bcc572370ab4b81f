"""Nodes: where no prices prove enough, two super-points are together in one child, and apart in the other.

Branch and price for the k-means objective: du Merle, Hansen, Jaumard and Mladenovic (2000); Aloise, Hansen and Liberti
(2012). A child begins with the prices and the clusters of its parent.
"""

import heapq
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pcsos.base.control.subprocess import ignore
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.ascent import Ascent, Prices
from pcsos.bounds.prices.branching import branching_pairs, held_together
from pcsos.heuristics.centres import Costs
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.record import Solution
from pcsos.problem.reduction import Reduced

#: A cannot-link counts as broken where so much of the fractional partition holds both.
BROKEN = 0.01
#: What is missing has to fall to this share while the number of nodes doubles, and so many are added.
LEAST_FALL, MOST_IDLE = 0.9, 20
#: After so many nodes all but this share of what is missing at the root has to be closed.
FIRST_NODES, LEAST_CLOSED = 12, 0.25
#: Pairs that are looked at before the one that is split most is branched on in any case.
MOST_PAIRS = 50
NO_PAIRS = np.empty((0, 2), np.intp)


@dataclass(frozen=True, eq=False)
class PriceNode:
    """A node of the tree, as far as it is known."""

    #: of itself and of the node above; the root is 0
    number: int
    parent: int | None
    kind: str | None  #: whether the pair above is together (``ML``) or apart (``CL``) here
    pair: tuple[int, int] | None  #: the super-points that it is branched on; None for a leaf
    must_link: Indices  #: shape (m, 2): pairs of super-points that are together, the last decided first
    knots: list[list[int]]  #: a super-point of each group of the knots that the bound counts on
    best: Prices  #: what proves its bound


#: Called with nodes that are new, or known better than before: all leaves together are the whole.
OnNodes = Callable[[list[PriceNode]], object]
#: Called with the number of super-points, or of nodes of their tree in place of them, when a round begins.
OnRound = Callable[[int], object]


def rounded(reduced: Reduced, centres: Floats) -> Solution | None:
    """Return the partition that local search finds from these centres, if they are k and each is nearest to some."""
    if len(centres) < reduced.n_clusters:
        return None
    if reduced.means.shape[1] > reduced.size:  # costs are those along other axes then
        costs = (centres**2).sum(axis=1) - 2.0 * reduced.means @ centres.T
    else:
        costs = Costs.of(reduced)(centres)
    labels = np.argmin(costs, axis=1).astype(np.intp)
    if np.unique(labels).size < reduced.n_clusters:
        return None
    return improve(reduced, labels, swaps=False)[0]


class PriceTree:
    """Best-first search over nodes that prices bound.

    Parameters
    ----------
    root : Ascent
        What is known of the root.
    cannot_link : ndarray of int, shape (m, 2)
        Pairs of super-points that are apart in the first place, in the order of the tree.
    on_nodes : callable
        Called with nodes, whose super-points are in the order of the tree.
    node_limit : float
        Nodes after which no other is branched on.
    alone_below : float
        With less than this share of the cost missing, it goes on even if the bound hardly rises.
    on_round : callable
        Called when a round begins.
    """

    def __init__(
        self, root: Ascent, cannot_link: Indices, on_nodes: OnNodes, node_limit: float, alone_below: float = 0.0,
        on_round: OnRound = ignore,
    ) -> None:  # fmt: skip
        self.stop, self.cutoff, self.objective, self.on_nodes = root.stop, root.cutoff, root.objective, on_nodes
        self.cannot_link, self.root, self.node_limit, self.alone_below = cannot_link, root, node_limit, alone_below
        self._on_round = on_round
        self._waiting: list[tuple[float, int, _Node]] = []
        self._num_named, self.closed_bound = 1, math.inf

    @property
    def lower_bound(self) -> float:
        """The least bound of a leaf."""
        return min(self.closed_bound, self._waiting[0][0] if self._waiting else math.inf)

    def run(self) -> None:
        """Process nodes until the bound is good enough, hardly rises any more, or the run has to end."""
        root = self._bounded(None, None, NO_PAIRS, NO_PAIRS, self.root)
        self._tell([root])
        if root.known.is_hopeless:
            return
        missing, since = math.inf, 0
        first = self.cutoff - self.lower_bound
        while self._waiting and not self._must_end and self._waiting[0][0] < min(self.cutoff, self.closed_bound):
            if self.cutoff - self.lower_bound < LEAST_FALL * missing:
                missing, since = self.cutoff - self.lower_bound, self._num_named
            is_idle = self._num_named > MOST_IDLE + 2 * since
            is_slow = missing > LEAST_CLOSED * first and self._num_named > FIRST_NODES
            if (is_idle or is_slow) and self.objective - self.lower_bound >= self.alone_below * self.objective:
                return
            self._branch(heapq.heappop(self._waiting)[2])

    @property
    def _must_end(self) -> bool:
        return self.stop.asked() or self._num_named >= self.node_limit

    def _branch(self, node: "_Node") -> None:
        """Divide a node into two, if a pair is split there and both halves prove no less."""
        pair = self._pair(node)
        children, own = [], np.array([pair] if pair else [], np.intp).reshape(-1, 2)
        for kind, must_link, cannot_link in (("ML", own, NO_PAIRS), ("CL", NO_PAIRS, own)) if pair else ():
            links = (np.concatenate([must_link, node.told.must_link]), np.concatenate([cannot_link, node.cannot_link]))
            children.append(self._bounded(node, kind, *links, node.known.under(*links)))
        if min((child.known.best.lower_bound for child in children), default=-math.inf) < node.known.best.lower_bound:
            self.closed_bound = min(self.closed_bound, node.known.best.lower_bound)
        else:
            self._tell(children, replace(node.told, pair=pair))

    def _pair(self, node: "_Node") -> tuple[int, int] | None:
        """Return a pair to branch on: if there is one, such that knots hold as many cannot-links in both halves."""
        known, first = node.known, None
        apart = np.concatenate([node.cannot_link, self.cannot_link])
        pairs = branching_pairs(known.tree, known.fractional, node.told.must_link, apart)
        for pair in itertools.islice(pairs, MOST_PAIRS):
            own, first = np.array([pair], np.intp), first or pair
            together = known.knots_of(np.concatenate([own, node.told.must_link]), node.cannot_link)
            separate = known.knots_of(node.told.must_link, np.concatenate([own, node.cannot_link]))
            if together.num_held >= known.knots.num_held and separate.num_held > known.knots.num_held:
                return pair
        return first

    def _bounded(
        self, parent: "_Node | None", kind: str | None, must_link: Indices, cannot_link: Indices, known: Ascent
    ) -> "_Node":
        """Return a node whose prices were raised, with as many cannot-links as were broken and could be counted on."""
        found, apart, is_raised = known, cannot_link, False
        while not is_raised:
            is_raised = self._raise(parent, known)
            if known.best.lower_bound > found.best.lower_bound:
                found, cannot_link = known, apart
            broken = self._broken(known)
            more = np.concatenate([apart, broken])
            further = known.under(must_link, more) if len(broken) else known
            if further.knots.num_held > known.knots.num_held and not (is_raised and known is not found):
                known, apart, is_raised = further, more, False
        number = 0 if parent is None else self._num_named
        self._num_named += parent is not None
        above = None if parent is None else parent.told.number
        told = PriceNode(number, above, kind, None, must_link, found.knots.first_members, found.best)
        return _Node(told, cannot_link, found)

    def _broken(self, known: Ascent) -> Indices:
        """Return the cannot-links that the fractional partition breaks, the worst first."""
        if self._is_over(known) or not len(self.cannot_link):
            return NO_PAIRS
        broken = held_together(self.cannot_link, known.fractional)
        order = np.argsort(-broken, kind="stable")[: int(np.count_nonzero(broken > BROKEN))]
        return self.cannot_link[order]

    def _raise(self, parent: "_Node | None", known: Ascent) -> bool:
        """Raise prices until others are drawn together, if that helps; tell whether nothing is left to be raised.

        Then look for a better partition in what they suggest.
        """
        known.cutoff, before, drawn = self.cutoff, known.reached, known.num_drawn
        while not known.is_done() and known.num_drawn == drawn:
            self._on_round(known.tree.size)
            known.round()
            if parent is None and known.best.lower_bound > before:
                before = known.best.lower_bound
                self.on_nodes([PriceNode(0, None, None, None, NO_PAIRS, known.knots.first_members, known.best)])
        if not known.is_done():
            return False
        is_free = known.reduced.is_plain and not len(self.cannot_link)
        found = rounded(known.reduced, known.best.centres) if is_free else None
        if found is not None and found.objective < self.objective:
            self.cutoff *= found.objective / self.objective
            self.objective = found.objective
        return True

    def _is_over(self, known: Ascent) -> bool:
        return known.best.lower_bound >= self.cutoff or known.is_hopeless or self.stop.asked()

    def _tell(self, nodes: list["_Node"], *others: PriceNode) -> None:
        """Tell what is known of nodes and of others, and let those wait that need more."""
        for node in nodes:
            heapq.heappush(self._waiting, (node.known.best.lower_bound, node.told.number, node))
        self.on_nodes([*others, *(node.told for node in nodes)])


@dataclass(frozen=True, eq=False)
class _Node:
    """A node that is bounded: what is told of it, its pairs that are apart, and what else is known of it."""

    told: PriceNode
    cannot_link: Indices
    known: Ascent
