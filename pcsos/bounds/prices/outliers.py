"""Outliers: lower bounds by prices where points may be left out, and by branching on pairs where these do not suffice.

Groups of points that must be linked pay prices ``P_g``; a cluster S with what it costs earns ``sum of P_g - cost(S)``,
at most F anywhere. Whoever is left out pays nothing and costs nothing. So a partition into k clusters costs at least
``sum of P_g - (the greatest sum of P_g that may be left out) - k F``, whatever the prices. Good prices are the
multipliers of the groups in a linear program over known clusters, to which clusters that earn more are added (du Merle,
Hansen, Jaumard and Mladenovic 2000). In one child of a branching two groups share a cluster, and so cannot be left out;
in the other they share none.
"""

import heapq
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.control.stop import Stop
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.ascent import CUSHION, FEWER, filled, hidden_in
from pcsos.bounds.prices.axes import Axes
from pcsos.bounds.prices.clusters import Clusters, taken
from pcsos.bounds.prices.knots import Knots, knots_of
from pcsos.bounds.prices.pricing import greatest_profit
from pcsos.bounds.prices.tree import PointTree
from pcsos.problem.conditions.pairs import connected_components, unique_pairs
from pcsos.problem.reduction import Reduced

#: Linear programs of a node at most.
ROUNDS = 200
#: The side of the box at first, as a share of what groups pay on average, and where nothing is left of it; a box grows
#: where this share of what was promised is kept, and by how much it grows and shrinks.
RADIUS, LEAST_RADIUS, GOOD, FAIR, GROWS, SHRINKS = 0.3, 1e-7, 0.3, 0.0, 2.0, 0.7
#: What is hoped for in vain at a node, as a share of what it lacks, when it is branched on.
HOPELESS = 0.2
#: Boxes of a search, places that it returns, and places that are drawn to climb from.
MOST_BOXES, MOST_PLACES, DRAWN = 200_000, 40, 20
#: Tolerance of a search as a share of what a gap leaves, and of all prices.
OF_GAP, OF_PRICES = 0.1, 1e-7
#: A share of a cluster that counts as some of it.
SOME = 1e-6


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of points that must-links make, of which some may be left out.

    Parameters
    ----------
    reduced : Reduced
        The groups, no farther from the origin than 1.
    inner : ndarray, shape (s,)
        What each costs inside.
    axes : Axes or None
        Along which places are measured, None for the features.
    misplaced : float
        What places are off by along axes: the sum of their weighted squares.
    """

    reduced: Reduced
    inner: Floats
    axes: Axes | None = None
    misplaced: float = 0.0

    @property
    def size(self) -> int:
        """Number of groups s."""
        return self.reduced.size


@dataclass(frozen=True, eq=False)
class State:
    """What is decided at a node: pairs of groups that share a cluster, and pairs that do not, each of shape (m, 2)."""

    must_link: Indices
    cannot_link: Indices

    def joined(self, size: int) -> Indices:
        """Return the number of what each of so many groups has become, shape (s,)."""
        return connected_components(size, self.must_link)


@dataclass(eq=False)
class OutlierNode:
    """A node of the tree.

    Parameters
    ----------
    state : State
        What is decided.
    lower_bound : float
        What is proved of it, infinity where it holds no partition.
    prices : ndarray, shape (t,), or None
        What joined groups pay beyond what they cost inside, which proves it; None where one partition or none is left.
    knots : tuple of tuple of int
        Joined groups of which a cluster takes some that no cannot-link ties.
    pair : (int, int) or None
        Groups that it is branched on, or may be.
    children : tuple of OutlierNode
        With the pair together, and apart.
    """

    state: State
    lower_bound: float
    prices: Floats | None = None
    knots: tuple[tuple[int, ...], ...] = ()
    pair: tuple[int, int] | None = None
    children: tuple["OutlierNode", ...] = ()
    paid: Floats = field(default_factory=lambda: np.empty(0))  #: by groups, what the children begin with
    radius: float = RADIUS  #: and the side of their first box, as a share of that


class OutlierTree:
    """A tree of nodes that prices bound.

    Parameters
    ----------
    groups : Groups
        What is to be partitioned.
    labels : ndarray of int, shape (s,), or None
        A good partition, with -1 for those left out.
    stop : Stop
        Whether to end with what is known.
    rng : Generator
        What makes all choices.

    Attributes
    ----------
    found : list of ndarray
        Partitions that were met, with -1 for groups that are left out.
    """

    def __init__(
        self, groups: Groups, labels: Indices | None, stop: Stop, rng: np.random.Generator,
        cutoff: float, objective: float,
    ) -> None:  # fmt: skip
        self.groups, self.stop, self.rng, self.reduced = groups, stop, rng, groups.reduced
        reduced, size, k = self.reduced, groups.size, self.reduced.n_clusters
        self.k = k
        placed = reduced if groups.axes is None else groups.axes.turned(reduced)
        self.tree = PointTree.of(placed.means, placed.weights, np.zeros(size, np.intp))
        self.place = np.argsort(self.tree.order)
        self.hidden = hidden_in(reduced)
        self.members = np.empty((0, size), np.bool_)  # of known clusters
        self.costs, self.centres = np.empty(0), np.empty((0, self.tree.means.shape[1]))
        self._known: set[bytes] = set()
        for cluster in range(0 if labels is None else k):
            self._add(np.asarray(labels) == cluster)
        for group in np.eye(size, dtype=np.bool_):
            self._add(group)
        self.found: list[Indices] = []
        self.num_nodes = 0
        self.first_prices = self._first_prices(labels)
        self.root = self._bounded(State(np.empty((0, 2), np.intp), reduced.cannot_link), None, cutoff, objective)
        self._waiting = [(self.root.lower_bound, 0, self.root)]
        self._closed = np.inf  # the least bound of nodes that are left as they are

    @property
    def lower_bound(self) -> float:
        """What is proved of all partitions: the least of what is proved of leaves."""
        return float(min(self._waiting[0][0] if self._waiting else np.inf, self._closed))

    def branch(self, cutoff: float, objective: float) -> bool:
        """Branch on the node with the least bound; tell whether there was one below the cutoff that could be."""
        if not self._waiting or self._waiting[0][0] >= cutoff:
            return False
        bound, _, node = heapq.heappop(self._waiting)
        if node.pair is None:
            self._closed = min(self._closed, bound)
            return True
        own, state = np.array([node.pair], np.intp), node.state
        together = State(np.vstack([own, state.must_link]), state.cannot_link)
        apart = State(state.must_link, np.vstack([own, state.cannot_link]))
        children = []
        for child in (together, apart):
            if self.stop.asked():
                heapq.heappush(self._waiting, (bound, self.num_nodes, node))
                return False
            children.append(self._bounded(child, node, cutoff, objective))
        node.children = (children[0], children[1])
        for below in children:
            heapq.heappush(self._waiting, (below.lower_bound, self.num_nodes, below))
            self.num_nodes += 1
        return True

    def _add(self, members: NDArray[np.bool_]) -> bool:
        """Add a cluster unless it is known; tell whether it was not."""
        mark = np.packbits(members).tobytes()
        if mark in self._known or not members.any():
            return False
        self._known.add(mark)
        own = members[self.tree.order]
        weights, means = self.tree.weights[own], self.tree.means[own]
        centre = weights @ means / weights.sum()
        reduced = self.reduced
        true = reduced.weights[members] @ reduced.means[members] / reduced.weights[members].sum()
        cost = float(reduced.weights[members] @ ((reduced.means[members] - true) ** 2).sum(axis=1))
        self.members = np.vstack([self.members, members])
        self.costs = np.append(self.costs, cost + self.groups.inner[members].sum())
        self.centres = np.vstack([self.centres, centre])
        return True

    def _bounded(self, state: State, above: OutlierNode | None, cutoff: float, objective: float) -> OutlierNode:
        """Return a node whose prices were raised as far as it takes."""
        name = state.joined(self.groups.size)
        size = int(name.max()) + 1
        apart = unique_pairs(name[state.cannot_link])
        if (apart[:, 0] == apart[:, 1]).any() or size < self.k:
            return OutlierNode(state, np.inf)
        if size == self.k or len(apart) == size * (size - 1) // 2:
            return self._settled(state, name, size)
        begin = np.asarray(np.bincount(name, self.first_prices if above is None else above.paid), np.float64)
        radius = RADIUS if above is None else min(RADIUS, GROWS * above.radius)
        return _Node(self, state, name, size, apart, begin, radius).raised(cutoff, objective)

    def _first_prices(self, labels: Indices | None) -> Floats:
        """Return what groups pay at first: what they cost, and towards what they would cost elsewhere."""
        tree, order, k = self.tree, self.tree.order, self.k
        if labels is None:
            return self.groups.inner + float(self.reduced.total) / self.groups.size
        own = np.asarray(labels)[order]
        kept = own >= 0
        centres = np.array([np.average(tree.means[own == c], axis=0, weights=tree.weights[own == c]) for c in range(k)])
        costs = tree.weights[:, None] * ((tree.means[:, None] - centres[None]) ** 2).sum(axis=2)
        nearest = costs[np.arange(own.size), np.where(kept, own, 0)]
        costs[np.arange(own.size), np.where(kept, own, 0)] = np.inf
        others = np.maximum(costs.min(axis=1) - nearest, 0.0) if k > 1 else nearest
        prices = np.where(kept, nearest, 0.0)
        profit = greatest_profit(
            tree.priced(prices), known=0.0, tolerance=0.01 * float(prices.sum()) / k, floor=np.inf, keep=1,
            most_boxes=MOST_BOXES, rounded=self.reduced.component.size, stop=self.stop,
        ).least  # fmt: skip
        for cluster in range(k):
            prices[own == cluster] += filled(0.9 * others[own == cluster], profit)
        prices = tree.given(prices) + self.groups.inner
        counts = self.reduced.counts
        each = float((prices / counts)[labels >= 0].max())
        return np.where(labels >= 0, prices, each * counts)

    def _settled(self, state: State, name: Indices, size: int) -> OutlierNode:
        """Return a node where each joined group is a cluster or left out."""
        from pcsos.verify.left_out import greatest_left_out  # loads exact numbers, which most runs do without

        costs, counts = self.costs_of(name, size), self.counts_of(name, size)
        may = np.flatnonzero(self.may_go(name, size)).tolist()
        rows = list(zip(counts[may].tolist(), costs[may].tolist(), strict=True))
        points, number = self.reduced.outliers, size - self.k
        best = greatest_left_out(rows, points, number, 0.0, exactly=True)
        if best is None:
            return OutlierNode(state, np.inf)
        is_in = np.ones(size, np.bool_)
        while number:  # the last one goes if the others can bring what is left of the best sum
            count, worth = rows.pop()
            others = greatest_left_out(rows, points, number, 0.0, exactly=True)
            if others is None or others < best:
                is_in[may[len(rows)]], best, points, number = False, best - worth, points - count, number - 1
                best = greatest_left_out(rows, points, number, 0.0, exactly=True) or 0.0
        labels = np.where(is_in, np.cumsum(is_in) - 1, -1)
        self.found.append(labels[name])
        hidden = hidden_in(replace(self.reduced, offset=self.reduced.offset + float(costs.sum())))
        return OutlierNode(state, max(float(costs[is_in].sum()) - hidden, 0.0))

    def costs_of(self, name: Indices, size: int) -> Floats:
        """Return what joined groups cost inside, shape (t,)."""
        reduced = self.reduced
        weights = np.bincount(name, reduced.weights)
        means = np.column_stack([np.bincount(name, reduced.weights * column) for column in reduced.means.T])
        away = reduced.means - (means / weights[:, None])[name]
        inside = reduced.weights * (away**2).sum(axis=1) * (np.bincount(name)[name] > 1)
        return np.asarray(np.bincount(name, inside + self.groups.inner, size))

    def counts_of(self, name: Indices, size: int) -> Indices:
        """Return how many points joined groups have, shape (t,)."""
        return np.bincount(name, self.reduced.counts, size).astype(np.intp)

    def may_go(self, name: Indices, size: int) -> NDArray[np.bool_]:
        """Return which joined groups may be left out: those that are one group."""
        return np.asarray(np.bincount(name, minlength=size) == 1)


class _Node:
    """A node while its prices are raised."""

    def __init__(
        self, tree: OutlierTree, state: State, name: Indices, size: int, apart: Indices, begin: Floats,
        radius: float,
    ) -> None:  # fmt: skip
        self.of, self.state, self.name, self.size, self.apart = tree, state, name, size, apart
        place = tree.place
        self.knots: Knots = knots_of(
            tree.tree.means, tree.tree.weights, place[state.must_link], place[state.cannot_link]
        )
        self.may, self.counts = tree.may_go(name, size), tree.counts_of(name, size)
        self.costs = tree.costs_of(name, size)
        self.first = np.unique(name, return_index=True)[1]
        self.pairs_held = self._pairs_held()
        self.best, self.prices, self.radius = -np.inf, begin, radius
        self.shares, self.used = np.empty(0), np.empty((0, tree.groups.size), np.bool_)
        self.starts = tree.centres[self._agreeing()][-DRAWN:]

    def _pairs_held(self) -> Indices:
        """Return the pairs of joined groups, of those apart, that knots keep apart."""
        held = set()
        order = self.of.tree.order
        firsts = self.knots.group_first[:-1]
        names = self.name[order[self.knots.members[firsts]]] if firsts.size else np.empty(0, np.intp)
        for knot in range(self.knots.knot_first.size - 1):
            begin, end = self.knots.knot_first[knot], self.knots.knot_first[knot + 1]
            choices = self.knots.choices[self.knots.choice_first[knot] : self.knots.choice_first[knot + 1]]
            for one in range(end - begin):
                for other in range(one):
                    if not any((choice >> one) & 1 and (choice >> other) & 1 for choice in choices.tolist()):
                        held.add((int(names[begin + one]), int(names[begin + other])))
        return np.array(sorted(held), np.intp).reshape(-1, 2)

    def raised(self, cutoff: float, objective: float) -> OutlierNode:
        """Return the node with what is proved of it, once that is enough, or another way is shorter.

        Each linear program is asked for the best prices within a box about the best ones so far, which grows where it
        keeps its promises, and shrinks where it does not (Marsten, Hogan and Blankenship 1975).
        """
        of = self.of
        self._judge(self.prices, cutoff, objective)
        for _ in range(ROUNDS):
            if self.best >= cutoff or of.stop.asked():
                break
            prices, value, is_inside = self._solved()
            promised, before = value - self.best, self.best
            if promised <= self._tolerance(prices, cutoff, objective) and is_inside:
                break
            if is_inside and promised <= HOPELESS * (cutoff - value):
                break
            known = len(of.members)
            self._judge(prices, cutoff, objective)
            if self.best - before >= GOOD * promised:
                self.radius *= GROWS
            elif self.best - before <= FAIR * promised:
                self.radius *= SHRINKS
                if len(of.members) == known and is_inside:
                    break
            if self.radius < LEAST_RADIUS:
                break
        return self._finished()

    def _tolerance(self, prices: Floats, cutoff: float, objective: float) -> float:
        """Return what a bound may be missed by."""
        return max(OF_GAP * (objective - cutoff), OF_PRICES * float(prices.sum()))

    def _sums(self, members: NDArray[np.bool_]) -> Floats:
        """Return which joined groups clusters hold, shape (m, t), given which groups they do."""
        return members[:, self.first].astype(np.float64)

    def _agreeing(self) -> Indices:
        """Return the known clusters that hold joined groups as a whole, and none that knots keep apart."""
        members = self.of.members
        whole = (members == members[:, self.first][:, self.name]).all(axis=1)
        one, other = members[:, self.first[self.pairs_held[:, 0]]], members[:, self.first[self.pairs_held[:, 1]]]
        return np.flatnonzero(whole & ~(one & other).any(axis=1))

    def _solved(self) -> tuple[Floats, float, bool]:
        """Return the best prices in the box by what clusters are known, what they prove, and whether they are inside.

        The program is the dual one: of clusters and of groups that are left out, some may be missing or too many.
        """
        from scipy.optimize import linprog  # slow to load
        from scipy.sparse import csr_array, eye_array, hstack, vstack

        of, size, k = self.of, self.size, self.of.k
        rows, may = self._agreeing(), np.flatnonzero(self.may)
        held, every = csr_array(self._sums(of.members[rows]).T), eye_array(size, format="csr")
        usual = float(np.median(self.prices)) or float(self.prices.mean()) or float(of.reduced.total) / size
        side = self.radius * (self.prices + usual)
        high, low = self.prices + side, np.maximum(self.prices - side, 0.0)
        cost: Any = np.concatenate([of.costs[rows], np.zeros(may.size), high, -low])
        limits = np.zeros((3, cost.size))
        limits[0, : rows.size] = 1.0
        limits[1, rows.size : rows.size + may.size], limits[2, rows.size : rows.size + may.size] = self.counts[may], 1.0
        matrix = vstack([-hstack([held, every[:, may], every, -every]), csr_array(limits)], format="csc")
        bounds: Any = np.concatenate([-np.ones(size), [k, of.reduced.outliers, size - k]])
        solution = linprog(cost, A_ub=matrix, b_ub=bounds, method="highs")
        if solution.x is None:  # numbers are too far apart for it
            return self.prices, self.best, True
        prices = np.maximum(-np.asarray(solution.ineqlin.marginals)[:size], 0.0)
        is_used = solution.x[: rows.size] > SOME
        used = rows[is_used]
        self.shares, self.used, self.starts = solution.x[: rows.size][is_used], of.members[used], of.centres[used]
        at_side = solution.x[rows.size + may.size :] > SOME
        at_side[size:] &= low > 0.0
        return prices, float(solution.fun), not at_side.any()

    def _judge(self, prices: Floats, cutoff: float, objective: float) -> None:
        """Judge prices of joined groups: what they prove, and which clusters earn more than is known."""
        from pcsos.verify.left_out import greatest_left_out  # likewise

        of, tree, k = self.of, self.of.tree, self.of.k
        own = np.zeros(of.groups.size)
        own[self.first] = prices
        own -= of.groups.inner
        priced = tree.priced(own[tree.order], self.knots)
        tolerance = self._tolerance(prices, cutoff, objective) / k
        clusters = Clusters(tree, of.rng)
        starts = np.concatenate([self.starts, tree.means[of.rng.integers(0, len(tree.means), DRAWN)]])
        ends, earned = clusters.climb(priced, starts, 0.1 * tolerance, of.stop)
        profit = greatest_profit(
            priced, known=float(earned[0]), tolerance=tolerance, floor=0.5 * float(earned[0]), keep=MOST_PLACES,
            most_boxes=MOST_BOXES, rounded=of.reduced.component.size, stop=of.stop,
        )  # fmt: skip
        more, _ = clusters.climb(priced, profit.places, 0.1 * tolerance, of.stop)
        for end in np.concatenate([ends, more])[: 2 * MOST_PLACES]:
            members = np.zeros(of.groups.size, np.bool_)
            for first, last in taken(priced, end).tolist():
                members[tree.order[first:last]] = True
            of._add(members)
        rows = list(zip(self.counts[self.may].tolist(), prices[self.may].tolist(), strict=True))
        gone = greatest_left_out(rows, of.reduced.outliers, self.size - k, 0.0, exactly=False)
        paid, misplaced = float(np.maximum(prices, 0.0).sum()), of.groups.misplaced
        cushion = CUSHION * paid + of.hidden + 2.0 * k * (np.sqrt(paid * misplaced) + misplaced)
        bound = float(prices.sum()) - float(gone or 0.0) - k * profit.most - cushion
        if bound > self.best:
            self.best, self.prices = bound, prices

    def _finished(self) -> OutlierNode:
        """Return the node, with the pair that it would be branched on."""
        knots = tuple(
            tuple(sorted(int(self.name[self.of.tree.order[member]]) for member in knot))
            for knot in self.knots.first_members
            if len(knot) > 1
        )
        paid = np.zeros(self.of.groups.size)
        paid[self.first] = self.prices
        return OutlierNode(
            self.state, max(self.best, 0.0), self.prices - FEWER * self.costs, knots, self._pair(), paid=paid,
            radius=self.radius,
        )  # fmt: skip

    def _pair(self) -> tuple[int, int]:
        """Return the pair of groups that the fractional partition splits most, of those that are not decided."""
        together = np.zeros((self.size, self.size))
        if self.shares.size:
            held = self._sums(self.used)
            together = held.T @ (self.shares[:, None] * held)
        split = np.minimum(together, 1.0 - together)
        split[self.apart[:, 0], self.apart[:, 1]] = split[self.apart[:, 1], self.apart[:, 0]] = -np.inf
        split[np.tril_indices(self.size)] = -np.inf
        one, other = np.unravel_index(np.argmax(split), split.shape)
        return int(self.first[one]), int(self.first[other])
