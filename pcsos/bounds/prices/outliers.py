"""Outliers: lower bounds by prices where points may be left out, at any node of a tree that branches on pairs.

Groups of points that must be linked pay prices ``P_g``; a cluster S with what it costs earns ``sum of P_g - cost(S)``,
at most F anywhere. Whoever is left out pays nothing and costs nothing. So a partition into k clusters costs at least
``sum of P_g - (the greatest sum of P_g that may be left out) - k F``, whatever the prices. Good prices are the
multipliers of the groups in a linear program over known clusters, to which clusters that earn more are added (du Merle,
Hansen, Jaumard and Mladenovic 2000). In one child of a branching two groups share a cluster, and so cannot be left out;
in the other they share none.

A cluster is worth no less where groups lie closer together: gaps along a coordinate across which any cluster costs more
than a known partition are closed up to that, so that it makes no difference how far away an outlier is.
"""

import math
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.control.stop import Stop
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.ascent import CUSHION, FEWER, hidden_in
from pcsos.bounds.prices.axes import FEW, Axes, principal_axes
from pcsos.bounds.prices.clusters import Clusters, taken
from pcsos.bounds.prices.knots import Knots, costs_inside, knots_of
from pcsos.bounds.prices.pricing import greatest_profit
from pcsos.bounds.prices.tree import PointTree
from pcsos.problem.conditions.pairs import connected_components, unique_pairs
from pcsos.problem.reduction import Reduced

#: Linear programs of a node at most.
ROUNDS = 200
#: The side of the box at first, as a share of what groups pay on average, and where nothing is left of it; a box grows
#: where this share of what was promised is kept, and by how much it grows and shrinks.
RADIUS, LEAST_RADIUS, GOOD, FAIR, GROWS, SHRINKS = 0.3, 1e-7, 0.3, 0.0, 2.0, 0.7
#: What groups pay at first beyond what they cost, as a share of what they cost on average.
MORE = 0.5
#: What is hoped for in vain at a node, as a share of what it lacks, when it is branched on.
HOPELESS = 0.2
#: Boxes of a search, places that it returns, and places that are drawn to climb from.
MOST_BOXES, MOST_PLACES, DRAWN = 200_000, 40, 20
#: Tolerance of a search as a share of what a gap leaves, and of all prices.
OF_GAP, OF_PRICES = 0.1, 1e-7
#: A checker counts in whole numbers: a group that pays less than this for its weight and the square of a side may seem
#: to earn that wherever a cluster is.
FINEST = 2.0**-58
#: A share of a cluster that counts as some of it.
SOME = 1e-6


def closed_up(means: Floats, weights: Floats, gap: float) -> Floats:
    """Return means about their own with no larger gap along any coordinate, and none that is larger than it was."""
    gap = max(gap, 4.0 * EPS * float(np.ptp(means, axis=0).max()))
    order = np.argsort(means, axis=0)
    beyond = np.maximum(np.diff(np.take_along_axis(means, order, axis=0), axis=0) - gap, 0.0)
    shift = np.zeros_like(means)
    np.put_along_axis(shift, order[1:], np.cumsum(beyond, axis=0), axis=0)
    closer = means - shift
    return closer - np.average(closer, axis=0, weights=weights)


def placed(reduced: Reduced, inner: Floats, gap: float) -> tuple[Floats, Axes | None, float]:
    """Return where groups are taken to be, along which axes, and what the weighted squares that they are off by sum to.

    That is what means, turning and closing up are rounded by, each counted twice.
    """
    places, axes, misplaced = closed_up(reduced.means, reduced.weights, gap), None, 0.0
    if np.count_nonzero(np.ptp(places, axis=0)) > FEW:
        axes = principal_axes(replace(reduced, means=places), 0.0)
    if axes is not None:
        places, misplaced = closed_up(axes.turned(reduced).means, reduced.weights, gap), axes.error(reduced)
    shares, sides = (reduced.counts + 4.0) * EPS, 4.0 * EPS * np.ptp(reduced.means, axis=0)
    misplaced += float(shares**2 @ (reduced.weights * (reduced.means**2).sum(axis=1) + inner))
    return places, axes, misplaced + float(reduced.weights.sum() * sides.size * (sides @ sides))


class KnownClusters:
    """What all nodes share: clusters that are known, and what is paid at first.

    Parameters
    ----------
    reduced : Reduced
        Groups of points that must-links make, of which some may be left out, no farther from the origin than 1.
    inner : ndarray, shape (s,)
        What each costs inside.
    labels : ndarray of int, shape (s,), or None
        A good partition, with -1 for those left out.
    objective : float
        What it costs: whoever costs more inside is left out.
    stop : Stop
        Whether to end with what is known.
    rng : Generator
        What makes all choices.
    """

    def __init__(
        self, reduced: Reduced, inner: Floats, labels: Indices | None, objective: float, stop: Stop,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        self.stop, self.rng, self.k, size = stop, rng, reduced.n_clusters, reduced.size
        self.inner = np.minimum(inner, objective)
        self.reduced = replace(reduced, offset=float(self.inner.sum()))
        gap = math.sqrt(2.0 * objective / float(reduced.weights.min()))
        places, self.axes, self.misplaced = placed(reduced, inner, gap)
        self.tree = PointTree.of(places, reduced.weights, np.zeros(size, np.intp))
        self.place = np.argsort(self.tree.order)
        self.hidden = hidden_in(self.reduced)
        self.members = np.empty((0, size), np.bool_)
        self.costs, self.centres = np.empty(0), np.empty((0, self.tree.means.shape[1]))
        self._known: set[bytes] = set()
        for cluster in range(0 if labels is None else self.k):
            self.add(np.asarray(labels) == cluster)
        for group in np.eye(size, dtype=np.bool_):
            self.add(group)
        self.first_prices = self._first_prices(places, labels)

    def add(self, members: NDArray[np.bool_]) -> None:
        """Add a cluster unless it is known."""
        mark = np.packbits(members).tobytes()
        if mark in self._known or not members.any():
            return
        self._known.add(mark)
        own = members[self.tree.order]
        weights, means = self.tree.weights[own], self.tree.means[own]
        centre = weights @ means / weights.sum()
        cost = float(weights @ ((means - centre) ** 2).sum(axis=1))
        self.members = np.vstack([self.members, members])
        self.costs = np.append(self.costs, cost + self.inner[members].sum())
        self.centres = np.vstack([self.centres, centre])

    def costs_of(self, name: Indices) -> Floats:
        """Return what joined groups cost inside, shape (t,), given what each group has become, shape (s,)."""
        return np.asarray(np.bincount(name, self.inner) + costs_inside(self.reduced, name))

    def _first_prices(self, places: Floats, labels: Indices | None) -> Floats:
        """Return what groups pay at first: a little more than they cost; who is left out, the most for a point."""
        if labels is None:
            return self.inner + float(self.reduced.total) / self.reduced.size
        kept, counts = labels >= 0, self.reduced.counts
        own = self.reduced.weights * ((places - self.centres[labels]) ** 2).sum(axis=1)
        prices = self.inner + own + MORE * own[kept].mean()
        return np.where(kept, prices, float((prices / counts)[kept].max()) * counts)


class OutlierNode:
    """A node of the tree, whose prices may be raised.

    Parameters
    ----------
    of : KnownClusters
        What all nodes share.
    must_link, cannot_link : ndarray of int, shape (m, 2)
        Pairs of groups that share a cluster, and pairs that do not, the last decided first.

    Attributes
    ----------
    name : ndarray of int, shape (s,)
        Number of what each group has become.
    size : int
        Number t of joined groups.
    apart : ndarray of int, shape (m, 2)
        Pairs of these that share no cluster.
    costs, weights : ndarray, shape (t,)
        What they cost inside, and weigh.
    prices, lower_bound : ndarray, shape (t,), float
        The best ones so far, and what they prove.
    radius : float
        Side of the box that better ones are looked for in, as a share of them.
    """

    def __init__(self, of: KnownClusters, must_link: Indices, cannot_link: Indices) -> None:
        self.of, self._pairs = of, (must_link, cannot_link)
        self.name = connected_components(of.reduced.size, must_link)
        self.size = int(self.name.max()) + 1
        self.apart = unique_pairs(self.name[cannot_link])
        self.first = np.unique(self.name, return_index=True)[1]
        self.counts = np.bincount(self.name, of.reduced.counts).astype(np.intp)
        self.may = np.bincount(self.name) == 1  # be left out
        self.costs, self.weights = of.costs_of(self.name), np.bincount(self.name, of.reduced.weights)
        self.prices = np.asarray(np.bincount(self.name, of.first_prices), np.float64)
        self.lower_bound, self.radius = -np.inf, RADIUS
        self._shares, self._used = np.empty(0), np.empty((0, of.reduced.size), np.bool_)

    @property
    def is_empty(self) -> bool:
        """Whether it is seen that no partition is left."""
        return self.size < self.of.k or bool((self.apart[:, 0] == self.apart[:, 1]).any())

    @property
    def is_settled(self) -> bool:
        """Whether no partition is left, or each joined group is a cluster or left out."""
        return self.is_empty or self.size == self.of.k or len(self.apart) == self.size * (self.size - 1) // 2

    def settle(self) -> Indices | None:
        """Bound a settled node; return its best partition, -1 for those left out, or None where there is none."""
        from pcsos.verify.left_out import greatest_left_out  # loads exact numbers, which most runs do without

        self.lower_bound = np.inf
        if self.is_empty:
            return None
        may, reduced = np.flatnonzero(self.may).tolist(), self.of.reduced
        rows = list(zip(self.counts[may].tolist(), self.costs[may].tolist(), strict=True))
        points, number = reduced.outliers, self.size - self.of.k
        best = greatest_left_out(rows, points, number, 0.0, exactly=True)
        if best is None:
            return None
        is_in = np.ones(self.size, np.bool_)
        while number:  # the last one goes if the others can bring what is left of the best sum
            count, worth = rows.pop()
            others = greatest_left_out(rows, points, number, 0.0, exactly=True)
            if others is None or others < best:
                is_in[may[len(rows)]], best, points, number = False, best - worth, points - count, number - 1
                best = greatest_left_out(rows, points, number, 0.0, exactly=True) or 0.0
        cost, compared = float(self.costs[is_in].sum()), float(self.costs[self.may].sum())
        hidden = hidden_in(replace(reduced, offset=cost)) + 4.0 * self.size * EPS * compared
        self.lower_bound = max(cost - hidden, 0.0)
        labels: Indices = np.where(is_in, np.cumsum(is_in) - 1, -1)[self.name]
        return labels

    def begin_with(self, prices: Floats, name: Indices, radius: float) -> None:
        """Take over what joined groups pay beyond what they cost inside at a node above, and the side of its box.

        ``name`` is what each group has become there.
        """
        paid = np.zeros(name.size)
        paid[np.unique(name, return_index=True)[1]] = prices + self.of.costs_of(name)
        self.prices, self.radius = np.asarray(np.bincount(self.name, paid), np.float64), min(RADIUS, GROWS * radius)

    def raise_prices(self, cutoff: float, objective: float) -> None:
        """Raise prices until they prove enough, or another way is shorter.

        Each linear program is asked for the best prices within a box about the best ones so far, which grows where it
        keeps its promises, and shrinks where it does not (Marsten, Hogan and Blankenship 1975).
        """
        of = self.of
        self._starts = of.centres[self._agreeing()][-DRAWN:]
        self._judge(self.prices, cutoff, objective)
        for _ in range(ROUNDS):
            if self.lower_bound >= cutoff or of.stop.asked():
                break
            prices, value, is_inside = self._solved()
            promised, before = value - self.lower_bound, self.lower_bound
            if promised <= self._tolerance(prices, cutoff, objective) and is_inside:
                break
            if is_inside and promised <= HOPELESS * (cutoff - value):
                break
            known = len(of.members)
            self._judge(prices, cutoff, objective)
            if self.lower_bound - before >= GOOD * promised:
                self.radius *= GROWS
            elif self.lower_bound - before <= FAIR * promised:
                self.radius *= SHRINKS
                if len(of.members) == known and is_inside:
                    break
            if self.radius < LEAST_RADIUS:
                break

    @property
    def counted_knots(self) -> tuple[tuple[int, ...], ...]:
        """Joined groups of which a cluster takes some that no cannot-link ties."""
        order, knots = self.of.tree.order, self._knots.first_members
        return tuple(tuple(sorted(self.name[order[knot]].tolist())) for knot in knots if len(knot) > 1)

    @property
    def is_fractional(self) -> bool:
        """Whether a fractional partition is known."""
        return self._shares.size > 0

    @property
    def pair(self) -> tuple[int, int]:
        """The pair of groups that the fractional partition splits most, of those that are not decided."""
        held = self._sums(self._used)
        together = held.T @ (self._shares[:, None] * held)
        split = np.minimum(together, 1.0 - together)
        split[self.apart[:, 0], self.apart[:, 1]] = split[self.apart[:, 1], self.apart[:, 0]] = -np.inf
        split[np.tril_indices(self.size)] = -np.inf
        one, other = np.unravel_index(np.argmax(split), split.shape)
        return int(self.first[one]), int(self.first[other])

    @cached_property
    def _knots(self) -> Knots:
        own, place = self.of.tree, self.of.place
        return knots_of(own.means, own.weights, *(place[pairs] for pairs in self._pairs))

    @cached_property
    def _pairs_held(self) -> Indices:
        """The pairs of joined groups, of those apart, that knots keep apart."""
        held = set()
        order = self.of.tree.order
        firsts = self._knots.group_first[:-1]
        names = self.name[order[self._knots.members[firsts]]] if firsts.size else np.empty(0, np.intp)
        for knot in range(self._knots.knot_first.size - 1):
            begin, end = self._knots.knot_first[knot], self._knots.knot_first[knot + 1]
            choices = self._knots.choices[self._knots.choice_first[knot] : self._knots.choice_first[knot + 1]]
            for one in range(end - begin):
                for other in range(one):
                    if not any((choice >> one) & 1 and (choice >> other) & 1 for choice in choices.tolist()):
                        held.add((int(names[begin + one]), int(names[begin + other])))
        return np.array(sorted(held), np.intp).reshape(-1, 2)

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
        one, other = members[:, self.first[self._pairs_held[:, 0]]], members[:, self.first[self._pairs_held[:, 1]]]
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
        usual = float(np.median(self.prices)) or float(self.prices.mean()) or float(of.reduced.total) / size or 1.0
        side = self.radius * (self.prices + usual)
        high, low = self.prices + side, np.maximum(self.prices - side, 0.0)
        cost: Any = np.concatenate([of.costs[rows], np.zeros(may.size), high, -low]) / usual
        limits = np.zeros((3, cost.size))
        limits[0, : rows.size] = 1.0
        limits[1, rows.size : rows.size + may.size], limits[2, rows.size : rows.size + may.size] = self.counts[may], 1.0
        matrix = vstack([-hstack([held, every[:, may], every, -every]), csr_array(limits)], format="csc")
        bounds: Any = np.concatenate([-np.ones(size), [k, of.reduced.outliers, size - k]])
        solution = linprog(cost, A_ub=matrix, b_ub=bounds, method="highs")
        if solution.x is None:  # numbers are too far apart for it
            return self.prices, self.lower_bound, True
        prices = usual * np.maximum(-np.asarray(solution.ineqlin.marginals)[:size], 0.0)
        is_used = solution.x[: rows.size] > SOME
        used = rows[is_used]
        self._shares, self._used, self._starts = solution.x[: rows.size][is_used], of.members[used], of.centres[used]
        at_side = solution.x[rows.size + may.size :] > SOME
        at_side[size:] &= low > 0.0
        return prices, usual * float(solution.fun), not at_side.any()

    def _judge(self, prices: Floats, cutoff: float, objective: float) -> None:
        """Judge prices of joined groups: what they prove, and which clusters earn more than is known."""
        from pcsos.verify.left_out import greatest_left_out  # likewise

        of, tree, k = self.of, self.of.tree, self.of.k
        own = np.zeros(of.reduced.size)
        own[self.first] = prices
        own -= of.inner
        priced = tree.priced(own[tree.order], self._knots)
        tolerance = self._tolerance(prices, cutoff, objective) / k
        clusters = Clusters(tree, of.rng)
        starts = np.concatenate([self._starts, tree.means[of.rng.integers(0, len(tree.means), DRAWN)]])
        ends, earned = clusters.climb(priced, starts, 0.1 * tolerance, of.stop)
        profit = greatest_profit(
            priced, known=float(earned[0]), tolerance=tolerance, floor=0.5 * float(earned[0]), keep=MOST_PLACES,
            most_boxes=MOST_BOXES, rounded=of.reduced.component.size, stop=of.stop,
        )  # fmt: skip
        more, _ = clusters.climb(priced, profit.places, 0.1 * tolerance, of.stop)
        for end in np.concatenate([ends, more])[: 2 * MOST_PLACES]:
            members = np.zeros(of.reduced.size, np.bool_)
            for first, last in taken(priced, end).tolist():
                members[tree.order[first:last]] = True
            of.add(members)
        rows = list(zip(self.counts[self.may].tolist(), prices[self.may].tolist(), strict=True))
        gone = greatest_left_out(rows, of.reduced.outliers, self.size - k, 0.0, exactly=False)
        paid, inside, misplaced = float(np.maximum(prices, 0.0).sum()), float(self.costs[~self.may].sum()), of.misplaced
        cushion = CUSHION * paid + of.hidden + 2.0 * k * (np.sqrt((paid + inside) * misplaced) + misplaced)
        cushion += k * (1.0 - FEWER) * inside  # so much more is written down
        earning = np.maximum(prices - self.costs, 0.0)
        cushion += k * earning[earning < FINEST * of.tree.means.shape[1] * self.weights].sum()
        bound = float(prices.sum()) - float(gone or 0.0) - k * profit.most - cushion
        if bound > self.lower_bound:
            self.lower_bound, self.prices = float(bound), prices
