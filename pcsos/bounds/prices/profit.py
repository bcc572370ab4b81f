"""Profit: the most that a cluster earns at any place, bounded by branch and bound over boxes.

With prices p_i, a cluster around y takes the super-points that are worth more than they cost there and earns
``f(y) = sum_i max(p_i - e_i ||m_i - y||^2, 0)``. In a box, super-points that are taken everywhere make a concave
quadratic, which is handed down to the halves; those that are never taken are forgotten; and each on the rim, worth
between lo < 0 and hi > 0, earns at most ``t (worth - lo)`` with t = hi / (hi - lo), which is concave too. The sum has
its greatest value in closed form, so what a box is overestimated by falls with the square of its size. Where no cluster
weighs more than a capacity, it pays a toll for each unit of weight, which each box chooses, and earns that of the
capacity: with the best toll at a place, that is what a cluster earns there that keeps to it.

All this holds of whole nodes of the tree with what any of theirs is worth for its weight at least and at most, and
what a node is overestimated by falls with the square of its size, too: those that are small beside the box stay whole.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from pcsos.base.numerics.kernels import copy_to, inlined_kernel, inner_kernel, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.axes import FEW
from pcsos.bounds.prices.clusters import profit_of, take
from pcsos.bounds.prices.knot_profit import weigh_knot
from pcsos.bounds.prices.knots import MOST_GROUPS
from pcsos.bounds.prices.narrowing import is_narrowed
from pcsos.bounds.prices.tree import Priced, Toll, weigh_point

#: Boxes that may wait, beyond those of a share.
ROOM = 4096
#: A toll is changed so many times at most, until what it may lose is this share of the tolerance; halves of a box have
#: tolls as far from it as those of whom is taken in one place of the box and not in another, and a little farther.
TRIALS, CLOSE, SPREAD = 20, 0.1, 1.1
#: In place of no weight on the rim.
TINY = 1e-300
#: A node on the rim stays whole if its diagonal is at most this share of that of the box, squared, the second where
#: there are more than a few features,
SMALL, SMALLER = 0.03, 0.01
#: and if what its super-points pay for their weight differs at most by this factor.
ALIKE = 2.0


class Search(NamedTuple):
    """A search over boxes: what was asked, the boxes that wait, and what is known so far, changed by kernels."""

    #: shapes (m, d), (m, d), (m, d + 2): boxes that wait, in places that are used again and again, and what is taken
    #: everywhere in each
    low: Floats
    high: Floats
    always: Floats
    #: shape (m, 3): of each, the toll for a unit of weight: from the first to the last, the second is close to the best
    toll: Floats
    #: shape (m,): which members it has on its rim, and an upper bound of what is earned in it
    start: Indices
    end: Indices
    above: Floats
    members: Indices  #: nodes, knots with numbers behind theirs, and super-points as negative numbers, from -1 on
    #: shapes (p, d), (p,): places where more is earned than was asked for, and what
    places: Floats
    earned: Floats
    numbers: Indices  #: shape (3,): how many boxes wait, how many were looked at, and how many places are noted
    profits: Floats  #: shape (2,): what is earned somewhere, and a bound of what is earned in the boxes that are done
    #: by how much a bound may exceed what is earned somewhere; the best places beyond the floor are noted
    tolerance: float
    floor: float
    most_boxes: int  #: boxes after which the search ends with what it has
    slip: float  #: what rounding may hide where boxes are narrowed

    @classmethod
    def of(
        cls, lows: Floats, highs: Floats, roots: Indices, known: float, tolerance: float, floor: float, keep: int,
        most_boxes: int, slip: float, highest: float,
    ) -> Self:  # fmt: skip
        """Return the search of boxes of which nothing is known, with these members each."""
        size, d = lows.shape
        return cls(
            lows, highs, np.zeros((size, d + 2)), np.tile([0.0, 0.0, highest], (size, 1)),
            np.zeros(size, np.int64), np.full(size, roots.size, np.int64), np.full(size, np.inf), roots,
            np.zeros((keep, d)), np.zeros(keep), np.array([size, 0, 0], np.int64), np.full(2, known),
            tolerance, floor, most_boxes, slip,
        )  # fmt: skip

    def with_room(self) -> Self:
        """Return a search of the same boxes with room for their halves."""
        boxes: tuple[Any, ...] = self[:7]
        low, high, always, toll, start, end, above = (
            np.concatenate([values, np.zeros((ROOM, *values.shape[1:]), values.dtype)]) for values in boxes
        )
        return self._replace(low=low, high=high, always=always, toll=toll, start=start, end=end, above=above)

    def part(self, own: slice, most_boxes: int) -> Self:
        """Return a search of some of the boxes that wait, with all that it needs to go on."""
        end = self.end[own].copy()
        return self._replace(
            low=self.low[own].copy(), high=self.high[own].copy(), always=self.always[own].copy(),
            toll=self.toll[own].copy(), start=self.start[own].copy(), end=end, above=self.above[own].copy(),
            members=self.members[: end.max()].copy(), places=np.zeros_like(self.places),
            earned=np.zeros_like(self.earned), numbers=np.array([end.size, 0, 0], np.int64),
            profits=np.full(2, self.profits[0]), most_boxes=most_boxes,
        )  # fmt: skip

    @property
    def most(self) -> float:
        """What is earned nowhere more of, as far as is known."""
        return float(max(self.profits.max(), self.above[: self.numbers[0]].max(initial=-np.inf)))


@dataclass(frozen=True, eq=False)
class Profit:
    """What is known of the most that a cluster earns."""

    #: somewhere it earns ``least``; nowhere more than ``most``, whatever was rounded
    least: float
    most: float
    places: Floats  #: shape (m, d): places where it earns more than was asked for, the best first
    earned: Floats  #: shape (m,): what it earns there
    num_boxes: int  #: boxes that were looked at


def rounding_of(priced: Priced, num_points: float) -> float:
    """Return what rounding may hide of a profit."""
    error = rounding_error(priced.means, priced.weights, priced.prices, num_points)
    return error + rounding_error(priced.group_means, priced.group_weights, priced.group_prices, num_points)


def rounding_error(means: Floats, weights: Floats, prices: Floats, num_points: float) -> float:
    """Return what rounding may hide of a profit, in the means (of so many points) and in any sum over super-points.

    Only super-points with a positive price count, and where one does, at a place y in a box that reaches as far as r
    from it, ``||y||^2 <= 2 ||m_i||^2 + 2 r^2``. Taken everywhere, it has ``e_i r^2 <= p_i``. On the rim its share t is
    at most 1, ``t e_i (r^2 - near^2) <= p_i`` with near the nearest that the box comes, and ``e_i near^2 <= p_i``, so
    that ``t e_i r^2 <= 2 p_i``; in a node that stays whole, where hi and near belong to whoever pays the most, twice as
    much, as no point there pays less than half of that. All that is summed for it is thus at most
    ``32 (p_i + e_i ||m_i||^2)``, and for a group in a knot, of which a share counts beside what a choice is ahead, no
    more than that; and a sum of s terms adds at most s roundings of it. What it is worth at the ends of a box is a few
    roundings of differences, squares and products away from the truth, each relative.
    """
    counting = prices > 0.0
    size = prices[counting].sum() + np.einsum("i,ij,ij->", weights[counting], *2 * [means[counting]])
    return float(32.0 * (num_points + 64.0) * np.finfo(np.float64).eps * size)


@inlined_kernel
def _weigh_node(
    own_low: Floats, own_high: Floats, moment: Floats, weight: float, value: float, pays_least: float,
    pays_most: float, node: int, low: Floats, high: Floats, small: float, toll: Toll, taken: Floats, rim: Floats,
) -> int:  # fmt: skip
    """Do the same for a node; return 1 if it stays whole on the rim, and 2 if it is to be opened instead."""
    near = far = diagonal = 0.0
    for c in range(low.size):
        outside = max(low[c] - own_high[node, c], own_low[node, c] - high[c])
        if outside > 0.0:
            near += outside * outside
        inside = max(high[c] - own_low[node, c], own_high[node, c] - low[c])
        side = own_high[node, c] - own_low[node, c]
        far += inside * inside
        diagonal += side * side
    most, least = pays_most - near, pays_least - far
    if most <= toll[0]:
        return 0
    if least >= toll[2]:
        for c in range(low.size):
            taken[c] += moment[node, c]
        taken[low.size] += weight
        taken[low.size + 1] += value
        return 0
    is_close = toll[2] == 0.0 or pays_most - pays_least <= far - near  # no farther apart than places of the box are
    if not (diagonal <= small and pays_most <= ALIKE * pays_least and is_close):
        return 2
    most, least = most - toll[1], min(least - toll[1], 0.0)
    if most > 0.0:
        share = most / (most - least)
        for c in range(low.size):
            rim[c] += share * moment[node, c]
        rim[low.size] += share * weight
        rim[low.size + 1] += share * (value - (toll[1] + least) * weight)
        if least < 0.0 < toll[2]:
            rim[low.size + 2] += weight / (most - least)
            rim[low.size + 3] = min(rim[low.size + 3], toll[1] + least)
            rim[low.size + 4] = max(rim[low.size + 4], toll[1] + most)
            rim[low.size + 5] += share * weight
            rim[low.size + 6] += weight
    return 1


@inner_kernel
def _weigh_box(
    priced: Priced, low: Floats, high: Floats, members: Indices, first: int, last: int, waiting: Indices,
    toll: Toll, taken: Floats, rim: Floats, upper: Floats, sums: Floats,
) -> int:  # fmt: skip
    """Add to ``taken`` and ``rim`` what is earned in a box; list those on the rim from ``last`` on; return the end.

    Both are sums of weight times mean, weight, and worth at the origin: quadratics that are concave in the place.
    Members are nodes, knots with numbers behind theirs, and super-points as negative numbers, from -1 on. The list has
    to have room for all of them. Where there is a toll, the rim also has by how much its weight falls with that, and
    the least and the greatest toll at which somebody is there.
    """
    num_nodes = priced.first.size
    end, small, means, weights, prices = last, 0.0, priced.means, priced.weights, priced.prices
    rim[:] = 0.0
    rim[low.size + 3 : low.size + 5] = toll[1]
    for c in range(low.size):
        small += (high[c] - low[c]) * (high[c] - low[c])
    small *= SMALL if low.size <= FEW else SMALLER
    for position in range(first, last):
        if members[position] >= num_nodes:
            if weigh_knot(priced, members[position] - num_nodes, low, high, rim, upper, sums):
                members[end] = members[position]
                end += 1
            continue
        waiting[0], top = members[position], 1
        while top > 0:
            top -= 1
            node = waiting[top]
            begin, beyond = -node - 1, -node
            if node >= 0:
                if priced.most[node] <= toll[0]:
                    continue
                what = _weigh_node(
                    priced.low, priced.high, priced.moment, priced.weight[node],
                    priced.paid[node] - priced.square[node], priced.least[node], priced.most[node], node, low, high,
                    small, toll, taken, rim,
                )  # fmt: skip
                if what == 1:
                    members[end] = node
                    end += 1
                elif what == 2 and priced.halves[node, 0] > 0:
                    waiting[top], waiting[top + 1] = priced.halves[node, 0], priced.halves[node, 1]
                    top += 2
                if what < 2 or priced.halves[node, 0] > 0:
                    continue
                begin, beyond = priced.first[node], priced.last[node]
            for i in range(begin, beyond):
                if weigh_point(means, weights, prices, i, low, high, toll, taken, rim):
                    members[end] = -i - 1
                    end += 1
    return end


@inlined_kernel
def _weigh_above(
    priced: Priced, always: Floats, low: Floats, high: Floats, members: Indices, first: int, last: int,
    waiting: Indices, enough: float, tolerance: float, toll: Toll, taken: Floats, rim: Floats, upper: Floats,
    sums: Floats, place: Floats,
) -> tuple[int, int, float]:  # fmt: skip
    """Do the same beside what is taken always; return the end, the work, and the toll."""
    if toll[2] > 0.0:
        return _weigh_within(
            priced, always, low, high, members, first, last, waiting, enough, tolerance, toll, taken, rim, upper, sums,
            place,
        )  # fmt: skip
    copy_to(taken, always)
    end = _weigh_box(priced, low, high, members, first, last, waiting, toll, taken, rim, upper, sums)
    return end, end - first, 0.0


@inner_kernel
def _weigh_within(
    priced: Priced, always: Floats, low: Floats, high: Floats, members: Indices, first: int, last: int,
    waiting: Indices, enough: float, tolerance: float, toll: Toll, taken: Floats, rim: Floats, upper: Floats,
    sums: Floats, place: Floats,
) -> tuple[int, int, float]:  # fmt: skip
    """Do the same with the toll at which about the capacity is taken, by Newton's method.

    How the weight on the rim falls with it is known. It ends as soon as the bound is enough, or cannot become it.
    """
    d, (below, here, beyond) = low.size, toll
    copy_to(taken, always)
    end = _weigh_box(priced, low, high, members, first, last, waiting, toll, taken, rim, upper, sums)
    work = end - first
    for trial in range(TRIALS):
        room = priced.capacity - taken[d] - rim[d]
        step = room / max(rim[d + 2], TINY)
        loss = abs(room) * min(abs(step), beyond - below)
        value = _best_place(taken, rim, low, high, place) + here * (priced.capacity - taken[d])
        is_decided = not enough < value <= enough + abs(room) * (beyond - below)
        if loss <= CLOSE * tolerance or is_decided or trial == TRIALS - 1:
            break
        if room < 0.0:
            below = here
        else:
            beyond = here
        here -= step
        if not below < here < beyond:
            here = 0.5 * (below + beyond)
        now = (toll[0], here, toll[2])
        _weigh_box(priced, low, high, members, last, end, waiting, now, taken, rim, upper, sums)
        work += end - last
    if here > 0.0:
        rim[d + 1] += here * (priced.capacity - taken[d])
    if not -rim[d + 5] <= room <= rim[d + 6] - rim[d + 5]:  # the best toll need not be between these
        rim[d + 3], rim[d + 4] = toll[0], toll[2]
    return end, work, here


@inner_kernel
def _best_place(taken: Floats, rim: Floats, low: Floats, high: Floats, place: Floats) -> float:
    """Return the greatest value of both quadratics in a box, and set the place of it."""
    d = low.size
    weight = taken[d] + rim[d]
    value: float = taken[d + 1] + rim[d + 1]
    for c in range(d):
        moment = taken[c] + rim[c]
        inside = 0.5 * (low[c] + high[c]) if weight <= 0.0 else moment / weight
        place[c] = min(max(inside, low[c]), high[c])
        value += (2.0 * moment - weight * place[c]) * place[c]
    return value


@kernel
def goes_on(search: Search) -> bool:
    """Tell whether there are boxes to look at, and room for their halves."""
    waiting, count = search.numbers[0], search.numbers[1]
    return bool(waiting > 0 and count < search.most_boxes and waiting + 2 < search.above.size)


@inlined_kernel
def _noted(search: Search, found: int, place: Floats, profit: float) -> int:
    """Note a place if it is among the best so far; return how many are noted."""
    at = found if found < search.earned.size else int(np.argmin(search.earned))
    if profit > (search.floor if at == found else search.earned[at]):
        copy_to(search.places[at], place)
        search.earned[at] = profit
        found = max(found, at + 1)
    return found


@kernel
def search_boxes(priced: Priced, search: Search, most_work: int) -> Indices:
    """Go on with a search for so much work, about: members of boxes, and nodes opened for them; return its members."""
    s, d = priced.means.shape
    most_new, waiting = s + priced.knot_first.size, np.empty(priced.depth + 2, np.int64)
    low, high, place = np.empty(d), np.empty(d), np.empty(d)
    taken, rim, sums, upper = np.empty(d + 2), np.zeros(d + 7), np.empty(d + 2), np.zeros((MOST_GROUPS, d + 2))
    pull, work = np.full((2, d), 0.5), 0
    top, found, members = int(search.numbers[0]), int(search.numbers[2]), search.members
    best, bound, tolerance = float(search.profits[0]), float(search.profits[1]), search.tolerance
    while work < most_work and goes_on(search):
        top -= 1
        copy_to(low, search.low[top])
        copy_to(high, search.high[top])
        first, last = int(search.start[top]), int(search.end[top])
        if last + 2 * most_new > members.size:
            longer = np.empty(2 * (members.size + most_new), np.int64)
            copy_to(longer, members)
            members = longer
        toll = (search.toll[top, 0], search.toll[top, 1], search.toll[top, 2])
        end, more, own = _weigh_above(
            priced, search.always[top], low, high, members, first, last, waiting, best + tolerance, tolerance, toll,
            taken, rim, upper, sums, place,
        )  # fmt: skip
        work += more
        value = min(_best_place(taken, rim, low, high, place), float(search.above[top]))
        is_free = toll[2] == 0.0 and value > best + tolerance
        if is_free and is_narrowed(priced, members, last, end, taken, search.slip, low, high, pull):
            value = min(_best_place(taken, rim, low, high, place), value) if low[0] <= high[0] else -np.inf
        if value > best + tolerance:
            at, enough = (toll[0], own, toll[2]), min(best, search.floor)
            take(priced, members, last, end, place, taken, at, enough, CLOSE * tolerance, waiting, sums)
            profit = profit_of(sums, place)
            best = max(best, profit)
            found = _noted(search, found, place, profit)
        if value <= best + tolerance:
            bound = max(bound, value)
        else:
            least, most = own + SPREAD * (rim[d + 3] - own), own + SPREAD * (rim[d + 4] - own)
            side, length = 0, -1.0
            for c in range(d):
                if (high[c] - low[c]) * (pull[0, c] + pull[1, c]) > length:
                    side, length = c, (high[c] - low[c]) * (pull[0, c] + pull[1, c])
            middle = 0.5 * (low[side] + high[side])
            for is_low in (place[side] > middle, place[side] <= middle):  # the half with the place is taken up first
                copy_to(search.low[top], low)
                copy_to(search.high[top], high)
                copy_to(search.always[top], taken)
                search.toll[top, 0], search.toll[top, 1] = max(toll[0], least), own
                search.toll[top, 2] = min(toll[2], most)
                search.above[top] = value
                (search.high if is_low else search.low)[top, side] = middle
                search.start[top], search.end[top] = last, end
                top += 1
        search.numbers[0], search.numbers[2] = top, found
        search.numbers[1] += 1
    search.profits[0], search.profits[1] = best, bound
    return members
