"""Ascent: prices are raised until the bound that they prove comes close enough, or no known way leads higher.

A proximal bundle method on cells of super-points, few at first. In each round the boxes bound what a cluster earns at
the new prices; where the bound is better, it is kept. Clusters that earn more than the master knew are told to it.
"""

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.linalg import LinAlgError

from pcsos.bounds.prices.cells import cells
from pcsos.bounds.prices.clusters import Clusters
from pcsos.bounds.prices.master import Change, Rows, best_change
from pcsos.bounds.prices.profit import Profit, greatest_profit
from pcsos.control.stop import Stop
from pcsos.params import PriceParams
from pcsos.problem.reduction import Reduced
from pcsos.typing import Floats, Indices

#: Share of all prices by which a stated bound stays below what was computed, for whoever computes it in integers.
CUSHION = 2e-7
#: Tolerance of the boxes, as a share of what is hoped for, and of the gap that is asked for.
OF_HOPE, OF_GAP = 0.2, 0.1
#: A round is good, or so-so, if it brings such a share of what was promised; the charge then falls by a factor.
GOOD, FAIR, FALL, SLOW_FALL, RISE, MOST_RISE = 0.5, 0.1, 3.0, 1.5, 1.5, 6.0
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
USED, FORGET_AFTER = 1e-4, 15
#: Clusters that a round adds, places that it starts from, and steps of climbing (over super-points) it may take.
MOST_NEW, MOST_PLACES, CLIMBING = 400, 600, 300_000_000
#: Rounds of climbing from one place, about.
CLIMBS = 10
MOST_BOXES = 20_000_000


@dataclass(frozen=True, eq=False)
class Prices:
    """Prices, and the bound that they prove.

    Parameters
    ----------
    prices : ndarray, shape (s,)
        Of the super-points.
    lower_bound : float
        No partition into k clusters costs less.
    centres : ndarray, shape (at most k, d)
        Centres of clusters that a fractional partition takes most of.
    """

    prices: Floats
    lower_bound: float
    centres: Floats


#: No prices: nothing is proved.
NONE = Prices(np.empty(0), -math.inf, np.empty((0, 0)))

#: Told prices that prove more than those before.
Note = Callable[[Prices], object]


def raise_prices(
    reduced: Reduced, labels: Indices, cutoff: float, params: PriceParams, stop: Stop, seed: int, note: Note
) -> Prices:
    """Return prices that prove the cutoff, or the best that were met.

    Parameters
    ----------
    reduced : Reduced
        The super-points. Cannot-links play no part.
    labels : ndarray of int, shape (s,)
        A good partition of them.
    cutoff : float
        The bound that is asked for.
    params : PriceParams
        Numbers of cells.
    stop : Stop
        Whether to end with what is known.
    seed : int
        Seed of all choices.
    note : callable
        Told prices that prove more than those before.
    """
    length, weight = _power_of_two(np.abs(reduced.means).max()), _power_of_two(reduced.weights.max())
    unit = length * length * weight
    if not 0.0 < 1.0 / unit < math.inf or not math.isfinite(cutoff / unit):
        return NONE
    scaled = replace(
        reduced, means=reduced.means / length, weights=reduced.weights / weight, offset=reduced.offset / unit
    )
    ascent = _Ascent(scaled, labels, cutoff / unit, params, stop, np.random.default_rng([seed, 9]))
    found = NONE
    if ascent.objective <= ascent.hidden:
        return found
    with contextlib.suppress(LinAlgError):  # with numbers too far apart, what is known by then has to do
        while not ascent.is_done():
            ascent.round()
            if ascent.best.lower_bound * unit > found.lower_bound:
                best = ascent.best
                found = Prices(best.prices * unit, best.lower_bound * unit, best.centres * length)
                note(found)
    return found


def _power_of_two(value: float) -> float:
    """Return the power of two just above a value, by which numbers are divided exactly."""
    return math.ldexp(1.0, math.frexp(value)[1]) if value > 0.0 else 1.0


class _Ascent:
    def __init__(
        self, reduced: Reduced, labels: Indices, cutoff: float, params: PriceParams, stop: Stop,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        self.reduced, self.cutoff, self.params, self.stop, self.rng = reduced, cutoff, params, stop, rng
        self.means, self.weights, self.k = np.ascontiguousarray(reduced.means), reduced.weights, reduced.n_clusters
        self.clusters = Clusters(self.means, self.weights, rng)
        for cluster in range(self.k):
            self.clusters.add(np.flatnonzero(labels == cluster))
        self.objective = reduced.offset + math.fsum(self.clusters.costs)
        self.hidden = _hidden(reduced)
        self.starts = np.array(self.clusters.centres)
        self.prices = self._first_prices(labels)
        self.centres = self.starts
        self.best = Prices(self.prices, -math.inf, self.centres)
        self.promised, self.known_profit, self.charge, self.slack = math.inf, -math.inf, 0.0, 0.0
        self.held_back = self.seconds = 0.0
        self.patience = PATIENCE
        self.num_cells = min(params.first_cells, reduced.size)
        self.missing_at_drawing, self.is_exhausted = math.inf, False
        self._draw()

    @property
    def missing(self) -> float:
        """What the bound lacks to the cost of the partition."""
        return self.objective - self.best.lower_bound

    def is_done(self) -> bool:
        """Tell whether the bound is good enough, cannot be raised, or the run has to end."""
        return self.best.lower_bound >= self.cutoff or self.is_exhausted or self.stop.asked()

    def round(self) -> None:
        """Judge the present prices, learn from them, and change them."""
        before = self.best.lower_bound
        self._learn(*self._judge())
        if math.isinf(before):
            self.charge = 2.0 * self.missing / self.objective**2 * self.weights.sum()
        else:
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

    def _first_prices(self, labels: Indices) -> Floats:
        """Return what each super-point costs, and towards what it would cost elsewhere, as much for each cluster."""
        squares = ((self.means[:, None, :] - self.starts[None]) ** 2).sum(axis=2) * self.weights[:, None]
        own = squares[np.arange(len(labels)), labels]
        squares[np.arange(len(labels)), labels] = np.inf
        others = np.maximum(squares.min(axis=1) - own, 0.0) if self.k > 1 else own
        tolerance = 0.01 * self.objective / self.k
        profit = self._profit(own, 0.0, tolerance, math.inf).least
        prices: Floats = own.copy()
        for cluster in range(self.k):
            members = labels == cluster
            prices[members] += _filled(0.9 * others[members], profit)
        return prices

    def _paid(self, prices: Floats) -> float:
        """Return what prices prove if a cluster earns nothing."""
        cushion = CUSHION * float(np.maximum(prices, 0.0).sum()) + self.hidden
        return self.reduced.offset + math.fsum(prices) - cushion

    def _profit(self, prices: Floats, known: float, tolerance: float, floor: float) -> Profit:
        return greatest_profit(
            self.means, self.weights, prices, known=known, tolerance=tolerance, floor=floor, keep=MOST_PLACES,
            most_boxes=MOST_BOXES, rounded=self.reduced.component.size,
        )  # fmt: skip

    def _judge(self) -> tuple[Floats, Floats, Floats]:
        """Judge the prices; return ends of climbs, what is earned there, and places to begin others from."""
        random = self.means[self.rng.integers(0, len(self.means), self._most_places(200))]
        ends, earned = self.clusters.climb(self.prices, np.concatenate([self.starts, random]))
        wanted = max(self.cutoff - self.best.lower_bound, 0.0)
        hope = min(self.promised, self.missing, wanted)
        own = OF_HOPE * hope if math.isfinite(hope) else 0.01 * self.objective
        self.slack = max(own, OF_GAP * (self.objective - self.cutoff))
        profit = self._profit(self.prices, float(earned[0]), self.slack / self.k, self.known_profit)
        self.bound = self._paid(self.prices) - self.k * profit.most
        if self.bound > self.best.lower_bound:
            self.best = Prices(self.prices.copy(), self.bound, self.centres)
        order = np.argsort(-profit.earned)[: self._most_places(MOST_PLACES)]
        return ends, earned, profit.places[order]

    def _most_places(self, wanted: int) -> int:
        return max(8, min(wanted, CLIMBING // (CLIMBS * len(self.means))))

    def _learn(self, ends: Floats, earned: Floats, places: Floats) -> None:
        """Tell the master clusters that earn more than it knew, at the ends of climbs, those from these places too."""
        others, earned_there = self.clusters.climb(self.prices, places)
        ends, earned = np.concatenate([ends, others]), np.concatenate([earned, earned_there])
        new = 0
        for position in np.argsort(-earned, kind="stable"):
            if earned[position] <= self.known_profit or new >= MOST_NEW:
                break
            new += self.clusters.add(self.clusters.taken(self.prices, ends[position]))

    def _weigh_charge(self, ratio: float) -> None:
        """Charge less for going far where promises are kept, and more where they are not."""
        if ratio > GOOD:
            self.charge /= FALL
        elif ratio > FAIR:
            self.charge /= SLOW_FALL
        elif ratio < 0.0:
            self.charge *= min(RISE - ratio, MOST_RISE)

    def _refine(self, *, patiently: bool = True) -> None:
        """Go on to smaller cells, or to others of the least size; end where nothing is left to be hoped for."""
        if self.is_finest:
            self.is_exhausted = not patiently or self.promised < OPTIMAL * self.missing + self.slack
            return
        most = min(self.params.last_cells, len(self.means))
        larger = most if 4 * self.num_cells > 3 * most else 2 * self.num_cells
        expected = WORTHWHILE * self.seconds * (larger / self.num_cells) ** 3
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
        self.cell, self.num_cells = cells(self.means, self.weights, wanted, self.rng)
        self.is_finest = self.num_cells < wanted or self.num_cells == len(self.means)

    def _change(self) -> None:
        """Change the best prices by what the master proposes."""
        rows = Rows.of(self.clusters, self.best.prices, self.cell, self.num_cells)
        begun = time.perf_counter()
        change: Change = best_change(rows, self.k, self.charge, 0.01 * self.missing)
        self.seconds = time.perf_counter() - begun
        self.prices = self.best.prices + change.rates[self.cell] * self.weights
        self.known_profit = change.profit
        self.promised = self._paid(self.best.prices) + change.gain - self.best.lower_bound
        self.held_back, self.centres = change.charged, self.clusters.rounded(change.shares, self.k)
        used = change.shares > USED
        self.clusters.idle = [0 if on else idle + 1 for on, idle in zip(used, self.clusters.idle, strict=True)]
        self.starts = np.array(self.clusters.centres)[np.argsort(-change.shares)[: self._most_places(MOST_PLACES)]]
        self.clusters.forget(FORGET_AFTER)


def _hidden(reduced: Reduced) -> float:
    """Return what rounding may hide of the cost inside super-points.

    The deviations from a mean are off by as much as n roundings of coordinates, which are no larger than the points are
    on average where it matters (Cauchy and Schwarz), and a sum of n terms adds n roundings of it.
    """
    share = 16.0 * (reduced.component.size + 64.0) * float(np.finfo(np.float64).eps)
    offset, total = reduced.offset, reduced.total
    return share * (offset + math.sqrt(offset * total) + share * total)


def _filled(most: Floats, total: float) -> Floats:
    """Return shares of a total, as equal as may be, each at most what is given; what is left over is shared equally."""
    order = np.sort(most)
    level: Floats
    if order.sum() <= total:
        level = most + (total - order.sum()) / most.size
        return level
    level = (total - np.concatenate([[0.0], np.cumsum(order)[:-1]])) / np.arange(most.size, 0, -1)
    return np.minimum(most, float(level[np.argmax(level <= order)]))
