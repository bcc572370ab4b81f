"""Ascent: prices are raised until the bound that they prove comes close enough, or no known way leads higher.

A proximal bundle method on cells of super-points, few at first. In each round the boxes bound what a cluster earns at
the new prices; where the bound is better, it is kept. Clusters that earn more than the master knew are handed to it.
"""

import math
import time
from copy import copy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pcsos.base.control.stop import Stop
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.axes import FEW
from pcsos.bounds.prices.cells import cells
from pcsos.bounds.prices.clusters import Clusters, stretches_of
from pcsos.bounds.prices.knots import Knots, knots_of
from pcsos.bounds.prices.master import Change, Rows, best_change
from pcsos.bounds.prices.pricing import greatest_profit
from pcsos.bounds.prices.profit import Profit
from pcsos.bounds.prices.terms import Terms
from pcsos.bounds.prices.time_budget import BoxBudget
from pcsos.bounds.prices.tree import PointTree, Priced
from pcsos.problem.params import PriceParams
from pcsos.problem.reduction import Reduced

#: Share of all prices by which a stated bound stays below what was computed, for whoever computes it in integers.
CUSHION = 2e-7
#: What groups cost inside counts a little less: where that is far more than they pay, rounding must not hide a share of
#: all prices. Whoever pays more than that earns more by a tiny share of it, far less than a stated bound leaves.
FEWER = 1.0 - 2.0**-40
#: Tolerance of the boxes, as a share of what is hoped for, and of the gap that is asked for.
OF_HOPE, OF_GAP = 0.2, 0.1
#: A round is good, or so-so, if it brings such a share of what was promised; the charge then falls by a factor.
GOOD, FAIR, FALL, SLOW_FALL, RISE, MOST_RISE = 0.5, 0.2, 3.0, 1.2, 2.0, 6.0
#: What these cells promise, as a share of the gap, at which they are exhausted; at the last size others are drawn.
EXHAUSTED = 0.1
#: But not while the charge takes more than this share of it: then the charge falls by a factor.
HELD, FREE = 0.1, 10.0
#: The same where each cell is one super-point: then the prices are as good as the best.
OPTIMAL = 0.02
#: Smaller cells are drawn where there is time for so many rounds, each of which takes a factorisation of that size.
WORTHWHILE = 8
#: A drawing of cells that closes less than this share of the gap is the last one.
LEAST_PROGRESS = 0.05
#: Rounds in a row that may raise the bound by no more than this share of what is missing.
PATIENCE, LEAST_RISE = 20, 1e-3
#: A share of a cluster that counts as used, and rounds after which one that is not used is forgotten.
USED, FORGET_AFTER = 1e-4, 10
#: Clusters that a round adds, places that it starts from, and how many of these are drawn.
MOST_NEW, MOST_PLACES, DRAWN_PLACES = 150, 150, 50
#: A climb ends with a step that gains less than this share of the tolerance of the boxes.
LEAST_GAIN = 0.02
MOST_BOXES = 20_000_000
#: A probe bounds what a cluster earns up to this share of what it costs. Prices are worth trying where that takes no
#: more boxes than this share of the square of the number of super-points for each axis: they take about fifty times
#: that, 4 ns for each axis of a super-point in a box, and a relaxation of s super-points at least 2e-8 s^3 seconds
#: (measured on 30 sets of 100 to 37,000 points).
PROBE, WORTHWHILE_BOXES = 0.1, 0.25
#: More super-points are bounded in blocks of so many; in blocks of the second number from so many super-points on.
IN_A_BLOCK, IN_MANY_BLOCKS, MANY_BLOCKS_FROM = 600, 200, 20_000
#: Share of what super-points would cost elsewhere that they pay more at first, at most.
TOWARDS = 0.9
#: Boxes from which first prices are made where features are more than a few.
FIRST_BOXES = 2_500
#: So few boxes take no time worth saving.
FEW_BOXES = 1_000


@dataclass(frozen=True, eq=False)
class Prices:
    """Prices, and the bound that they prove."""

    prices: Floats  #: shape (s,): of the super-points
    lower_bound: float  #: no partition into k clusters costs less
    centres: Floats  #: shape (at most k, d): centres of clusters that a fractional partition takes most of
    #: shape (r, d), optional: the axes along which places are measured, as :class:`pcsos.evidence.kinds.Prices` has
    #: them
    axes: NDArray[np.int64] | None = None


NO_PAIRS, NO_BEGINS = np.empty((0, 2), np.intp), np.empty(0, np.intp)


class Ascent:
    """What is known of some super-points while their prices rise.

    Parameters
    ----------
    reduced : Reduced
        The super-points, no farther from the origin than 1. Cannot-links play no part.
    tree : PointTree
        Their tree.
    labels : ndarray of int, shape (s,)
        A good partition of them, in the order of the tree.
    cutoff : float
        The bound that is asked for.
    params : PriceParams
        Numbers of cells.
    stop : Stop
        Whether to end with what is known.
    rng : Generator
        What makes all choices.
    misplaced : float
        The most that the weighted squares of what means are off by, beyond the rounding of means, add up to.
    coarse : Ascent, optional
        What is known of runs of these super-points, each as one: where this goes on.
    begins : ndarray of int, optional
        Where the runs begin.
    """

    def __init__(
        self, reduced: Reduced, tree: PointTree, labels: Indices, cutoff: float, params: PriceParams, stop: Stop,
        rng: np.random.Generator, misplaced: float = 0.0, coarse: "Ascent | None" = None, begins: Indices = NO_BEGINS,
    ) -> None:  # fmt: skip
        self.reduced, self.cutoff, self.params, self.stop, self.rng = reduced, cutoff, params, stop, rng
        self.tree, self.k, self.means, self.weights = tree, reduced.n_clusters, tree.means, tree.weights
        self.capacity = reduced.weight_range[1]
        self.knots, self.boxes = self.knots_of(NO_PAIRS, NO_PAIRS), BoxBudget(*self.means.shape)
        self.clusters, self.is_close = Clusters(self.tree, rng), coarse is not None
        for cluster in range(self.k):
            self.clusters.add(stretches_of(np.flatnonzero(labels == cluster)))
        self.objective = reduced.offset + math.fsum(self.clusters.costs)
        self.hidden, self.misplaced = hidden_in(reduced), misplaced
        self.starts = np.array(self.clusters.centres)
        self.tolls = self._tolls_of(labels) if self.capacity < self.weights.sum() else np.zeros(self.k)
        own, others, towards = self._squares(labels)
        self.own = own - self.tolls[labels]
        rates, self.slopes = (
            self._first_rates(labels, own, others, towards) if coarse is None else coarse.extended(begins, self.tree)
        )
        self.boxes.hear(1.0)
        self.prices = (self.own + rates) * self.weights
        self.centres = self.starts
        self.best, self.best_slopes = Prices(self.prices, -math.inf, self.centres), self.slopes
        self.promised, self.known_profit, self.charge, self.slack = math.inf, -math.inf, 0.0, 0.0
        self.held_back = self.seconds = 0.0
        self.inherited = -math.inf
        self.patience = PATIENCE
        self.num_cells = min(params.first_cells, reduced.size)
        self.missing_at_drawing, self.is_exhausted = math.inf, False
        self.missed: Floats | None = None
        self.fractional: list[tuple[Indices, float]] = []
        self.num_drawn = 0
        if coarse is None:
            self._draw()
        else:
            self._go_on(coarse, np.append(begins, self.tree.size))

    def under(self, must_link: Indices, cannot_link: Indices) -> "Ascent":
        """Return what is known so far where these pairs of super-points of the tree are together and apart.

        Whatever is proved holds there as well, but other knots may have to show it.
        """
        node = copy(self)
        node.knots = self.knots_of(must_link, cannot_link)
        node.clusters = self.clusters.agreeing(must_link, cannot_link)
        node.prices, node.promised, node.patience, node.is_exhausted = self.best.prices, math.inf, PATIENCE, False
        node.known_profit, node.inherited = -math.inf, self.reached
        node.best = replace(self.best, lower_bound=-math.inf)
        return node

    def knots_of(self, must_link: Indices, cannot_link: Indices) -> Knots:
        """Return the knots that pairs make."""
        return knots_of(self.means, self.weights, must_link, cannot_link)

    @property
    def reached(self) -> float:
        """The best bound here or above."""
        return max(self.best.lower_bound, self.inherited)

    @property
    def missing(self) -> float:
        """What the bound lacks to the cost of the partition."""
        return self.objective - self.reached

    def is_promising(self, size: int) -> bool:
        """Tell whether so few boxes bound roughly what a cluster earns that prices are faster than a relaxation.

        Parameters
        ----------
        size : int
            How many super-points those of the tree stand for.
        """
        num_axes = self.means.shape[1]
        if num_axes <= 2:
            return True
        priced, part = self.tree.priced(self.prices, self.knots, self.capacity), self.objective / self.k
        together = IN_MANY_BLOCKS if size >= MANY_BLOCKS_FROM else min(size, IN_A_BLOCK)
        most = max(FEW_BOXES, int(WORTHWHILE_BOXES * together**2 / num_axes))
        _, earned = self.clusters.climb(priced, self.starts, LEAST_GAIN * part, self.stop)
        return self._profit(priced, float(earned[0]), PROBE * part, math.inf, most).num_boxes < most

    def is_done(self) -> bool:
        """Tell whether the bound is good enough, cannot be raised, or is not worth it, or the run has to end."""
        return self.best.lower_bound >= self.cutoff or self.is_exhausted or self.is_hopeless or self.stop.asked()

    @property
    def is_hopeless(self) -> bool:
        """Whether another way is likely to be shorter."""
        return self.boxes.is_spent(self.missing / self.objective)

    def round(self) -> None:
        """Judge the present prices, learn from them, and change them."""
        before = self.best.lower_bound
        self._learn(*self._judge())
        self.is_exhausted |= math.isinf(self.missing)  # not even the first prices could be judged
        self.boxes.hear(self.missing / self.objective)
        if self.charge == 0.0:
            self.charge = 2.0 * self.missing / self.objective**2 * self.weights.sum()
        elif math.isfinite(self.promised):
            self._weigh_charge((self.bound - before) / self.promised if self.promised > 0.0 else 0.0)
        if self.is_done():
            return
        self.patience = PATIENCE if self.bound - before > LEAST_RISE * self.missing else self.patience - 1
        if self.patience == 0:
            self.patience = PATIENCE
            self._refine(patiently=False)
        elif self.promised < EXHAUSTED * self.missing + self.slack:
            if self.held_back > HELD * self.promised and self.bound > before:
                self.charge /= FREE
            else:
                self._refine()
        if not self.is_exhausted:
            self._change()

    def extended(self, begins: Indices, tree: PointTree) -> tuple[Floats, Floats]:
        """Return what the super-points of runs pay for their weight beyond what they cost, and the slopes of that."""
        run = np.repeat(np.arange(begins.size), np.diff(begins, append=tree.size))
        rates, slopes = (self.best.prices / self.weights - self.own)[run], self.best_slopes[run]
        return rates + (slopes * (tree.means - self.means[run])).sum(axis=1), slopes

    def _go_on(self, coarse: "Ascent", ends: Indices) -> None:
        """Go on with clusters and cells of runs: run i goes from ``ends[i]`` to ``ends[i + 1]``."""
        for stretches, (row, share) in zip(coarse.clusters.stretches, coarse.clusters.parts, strict=True):
            self.clusters.add(ends[stretches if share == 1.0 else np.delete(stretches, row, axis=0)])
        self.starts, self.charge, self.num_cells = coarse.starts, coarse.charge, coarse.num_cells
        self.terms: Terms = Terms.of(self.tree, ends[coarse.terms.ends[:-1]])
        self.is_finest = False

    def _squares(self, labels: Indices) -> tuple[Floats, Floats, Floats]:
        """Return squares of distances from the own centre, how much larger the next are, and the slopes of that."""
        own, others, towards = np.empty(len(labels)), np.full(len(labels), np.inf), np.zeros_like(self.means)
        for cluster, centre in enumerate(self.starts):
            squares, is_own = ((self.means - centre) ** 2).sum(axis=1) + self.tolls[cluster], labels == cluster
            own[is_own] = squares[is_own]
            is_next = ~is_own & (squares < others)
            others[is_next] = squares[is_next]
            towards[is_next] = 2.0 * (self.starts[labels[is_next]] - centre)
        return own, np.maximum(others - own, 0.0) if self.k > 1 else own, towards

    def _tolls_of(self, labels: Indices) -> Floats:
        """Return tolls of clusters with which each super-point belongs where it is, if there are any."""
        squares = ((self.means[:, None] - self.starts[None]) ** 2).sum(axis=2)
        more = squares - squares[np.arange(len(labels)), labels][:, None]
        least = np.array([more[labels == cluster].min(axis=0) for cluster in range(self.k)])
        tolls = np.zeros(self.k)
        for _ in range(self.k):  # shortest paths (Bellman and Ford)
            tolls = np.minimum(tolls, (least + tolls[None]).min(axis=1))
        return np.asarray(tolls - tolls.min())

    def _first_rates(self, labels: Indices, own: Floats, others: Floats, towards: Floats) -> tuple[Floats, Floats]:
        """Return rates towards what super-points would cost elsewhere, as much for each cluster, and their slopes."""
        tolerance, most = 0.01 * self.objective / self.k, MOST_BOXES if self.means.shape[1] <= FEW else FIRST_BOXES
        priced = self.tree.priced(own * self.weights, self.knots, self.capacity)
        profit = self._profit(priced, 0.0, tolerance, math.inf, most).least
        rates = np.empty_like(own)
        for cluster in range(self.k):
            members = labels == cluster
            weights = self.weights[members]
            total = max(profit - self.tolls[cluster] * weights.sum(), 0.0)
            rates[members] = filled(TOWARDS * others[members], total, weights)
        is_level = rates < TOWARDS * others
        return rates + self.tolls[labels], np.where(is_level[:, None], 0.0, TOWARDS * towards)

    def _paid(self, prices: Floats) -> float:
        """Return what prices prove if a cluster earns nothing.

        Where a mean is off by h, a cluster that takes it earns at most ``2 sqrt(p e) h + 2 e h^2`` more or less.
        """
        paid = float(np.maximum(prices, 0.0).sum())
        cushion = CUSHION * paid + self.hidden
        cushion += 2.0 * self.k * (math.sqrt(paid * self.misplaced) + self.misplaced)
        return self.reduced.offset + math.fsum(prices) - cushion

    def _profit(
        self, priced: Priced, known: float, tolerance: float, floor: float, most_boxes: int = MOST_BOXES
    ) -> Profit:
        profit = greatest_profit(
            priced, known=known, tolerance=tolerance, floor=floor, keep=MOST_PLACES, most_boxes=most_boxes,
            rounded=self.reduced.component.size, stop=self.stop,
        )  # fmt: skip
        self.boxes.used += profit.num_boxes
        return profit

    def _judge(self) -> tuple[Priced, Floats, Floats, Floats]:
        """Judge the prices; return them, ends of climbs with what is earned there, and places to begin others from."""
        priced = self.tree.priced(self.prices, self.knots, self.capacity)
        drawn = self.means[self.rng.integers(0, len(self.means), DRAWN_PLACES)]
        wanted = max(self.cutoff - self.reached, 0.0)
        hope = min(self.promised, self.missing, wanted)
        own = OF_HOPE * hope if math.isfinite(hope) else 0.01 * self.objective
        self.slack = max(own, OF_GAP * (self.objective - self.cutoff))
        ends, earned = self._climb(priced, np.concatenate([self.starts, drawn]))
        paid = self._paid(self.prices)
        self.bound = paid - self.k * float(earned[0])
        if self.bound <= self.best.lower_bound:  # whatever else is earned somewhere
            return priced, ends, earned, np.empty((0, self.means.shape[1]))
        profit = self._profit(priced, float(earned[0]), self.slack / self.k, self.known_profit)
        lacking = OF_HOPE * (self.objective - paid + self.k * profit.least)
        if self.is_close and math.isinf(hope) and lacking < self.slack:  # the first prices are good: look closer
            self.slack = max(lacking, OF_GAP * (self.objective - self.cutoff))
            closer = self._profit(priced, profit.least, self.slack / self.k, self.known_profit)
            profit = replace(closer, most=min(profit.most, closer.most))
        self.bound = paid - self.k * profit.most
        if self.bound > self.best.lower_bound:
            self.best, self.best_slopes = Prices(self.prices.copy(), self.bound, self.centres), self.slopes
        return priced, ends, earned, profit.places

    def _climb(self, priced: Priced, places: Floats) -> tuple[Floats, Floats]:
        return self.clusters.climb(priced, places, LEAST_GAIN * self.slack / self.k, self.stop)

    def _learn(self, priced: Priced, ends: Floats, earned: Floats, places: Floats) -> None:
        """Tell the master clusters that earn more than it knew, at the ends of climbs, those from these places too."""
        others, earned_there = self._climb(priced, places)
        ends, earned = np.concatenate([ends, others]), np.concatenate([earned, earned_there])
        new = 0
        for position in np.argsort(-earned, kind="stable"):
            if earned[position] <= self.known_profit or new >= MOST_NEW:
                break
            new += self.clusters.add_taken(priced, ends[position])

    def _weigh_charge(self, ratio: float) -> None:
        """Charge less for going far where promises are kept, and more where they are not."""
        if ratio > GOOD:
            self.charge /= FALL
        elif ratio > FAIR:
            self.charge /= SLOW_FALL
        else:
            self.charge *= min(RISE - min(ratio, 0.0), MOST_RISE)

    def _refine(self, *, patiently: bool = True) -> None:
        """Go on to smaller cells, or to others of the least size; end where nothing is left to be hoped for."""
        if self.is_finest:
            self.is_exhausted = not patiently or self.promised < OPTIMAL * self.missing + self.slack
            return
        most = min(self.params.last_cells, len(self.means))
        larger = most if 4 * self.num_cells > 3 * most else 2 * self.num_cells
        expected = WORTHWHILE * self.seconds * (larger / self.num_cells) ** 2
        if self.num_cells < most and expected < self.stop.seconds_left:
            self.num_cells = larger
        elif self.missing > (1.0 - LEAST_PROGRESS) * self.missing_at_drawing:
            self.is_exhausted = True
            return
        self.missing_at_drawing = self.missing
        self._draw()

    def _draw(self) -> None:
        """Draw cells anew; they are the finest where each holds a single place."""
        wanted = self.num_cells
        self.num_drawn += 1
        begins = cells(self.tree, wanted, self.rng, self.missed)
        self.num_cells, self.terms = begins.size, Terms.of(self.tree, begins)
        self.is_finest = self.num_cells < wanted or self.num_cells == len(self.means)

    def _change(self) -> None:
        """Change the best prices by what the master proposes."""
        rows = Rows.of(self.clusters, self.best.prices, self.terms)
        begun = time.perf_counter()
        change: Change = best_change(rows, self.k, self.charge, 0.01 * self.missing, self.stop)
        self.seconds = time.perf_counter() - begun
        rates, slopes = self.terms.spread(self.tree, change.rates)
        self.prices, self.slopes = self.best.prices + rates * self.weights, self.best_slopes + slopes
        self.known_profit = change.profit
        self.promised = self._paid(self.best.prices) + change.gain - self.best.lower_bound
        self.held_back, self.centres = change.charged, self.clusters.rounded(change.shares, self.k)
        used = change.shares > USED
        self.fractional = [
            (self.clusters.stretches[at], float(change.shares[at])) for at in np.flatnonzero(used).tolist()
        ]
        self.clusters.idle = [0 if on else idle + 1 for on, idle in zip(used, self.clusters.idle, strict=True)]
        self.starts = np.array(self.clusters.centres)[np.argsort(-change.shares)[:MOST_PLACES]]
        self.missed = self.clusters.missed(change.shares)
        self.clusters.forget(FORGET_AFTER)


def hidden_in(reduced: Reduced) -> float:
    """Return what rounding may hide of the cost inside super-points.

    The deviations from a mean are off by as much as n roundings of coordinates, which are no larger than the points are
    on average where it matters (Cauchy and Schwarz), and a sum of n terms adds n roundings of it.
    """
    share = 16.0 * (reduced.component.size + 64.0) * float(np.finfo(np.float64).eps)
    offset, total = reduced.offset, reduced.total
    return share * (offset + math.sqrt(offset * total) + share * total)


def filled(most: Floats, total: float, weights: Floats) -> Floats:
    """Return rates that make up a total, as equal as may be, each at most what is given; all pay alike what is left."""
    order = np.argsort(most)
    paid = np.append(0.0, np.cumsum((weights * most)[order]))
    if paid[-1] <= total:
        return np.asarray(most + (total - paid[-1]) / weights.sum())
    level = (total - paid[:-1]) / np.cumsum(weights[order][::-1])[::-1]
    return np.minimum(most, float(level[np.argmax(level <= most[order])]))
