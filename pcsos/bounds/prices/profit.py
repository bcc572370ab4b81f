"""Profit: the most that a cluster earns at any place, bounded by branch and bound over boxes.

With prices p_i, a cluster around y takes the super-points that are worth more than they cost there and earns
``f(y) = sum_i max(p_i - e_i ||m_i - y||^2, 0)``. In a box, super-points that are taken everywhere make a concave
quadratic, which is handed down to the halves; those that are never taken are forgotten; and each on the rim, worth
between lo < 0 and hi > 0, earns at most ``t (worth - lo)`` with t = hi / (hi - lo), which is concave too. The sum has
its greatest value in closed form, so what a box is overestimated by falls with the square of its size.
"""

from dataclasses import dataclass

import numpy as np

from pcsos.control.threads import in_shares
from pcsos.numerics.kernels import copy_to, kernel
from pcsos.typing import Floats, Indices

#: The box that holds all means is halved so many times before it is shared out.
HALVINGS = 5
#: Boxes of a share, at least.
LEAST_BOXES = 8


@dataclass(frozen=True, eq=False)
class Profit:
    """What is known of the most that a cluster earns.

    Parameters
    ----------
    least, most : float
        Somewhere it earns ``least``; nowhere more than ``most``, whatever was rounded.
    places : ndarray, shape (m, d)
        Places where it earns more than was asked for.
    earned : ndarray, shape (m,)
        What it earns there.
    num_boxes : int
        Boxes that were looked at.
    """

    least: float
    most: float
    places: Floats
    earned: Floats
    num_boxes: int


def greatest_profit(
    means: Floats, weights: Floats, prices: Floats, *, known: float, tolerance: float, floor: float, keep: int,
    most_boxes: int, rounded: float,
) -> Profit:  # fmt: skip
    """Bound the profit at any place, unless told to give up before to ``tolerance``.

    Parameters
    ----------
    means, weights, prices : ndarray, shapes (s, d), (s,), (s,)
        The super-points.
    known : float
        What a cluster is known to earn somewhere.
    tolerance : float
        By how much the bound may exceed what is earned somewhere.
    floor : float
        Places where more than that is earned are returned,
    keep : int
        at most so many.
    most_boxes : int
        Boxes after which the search ends with what it has, about.
    rounded : float
        Number of points: means were formed of so many numbers.
    """
    lows, highs = _shares(means.min(axis=0), means.max(axis=0))
    shares = in_shares(
        lambda share: search_boxes(
            means, weights, prices, lows[share], highs[share], known, tolerance, floor, keep, most_boxes
        ),
        len(lows),
        LEAST_BOXES,
    )
    error = rounding_error(means, weights, prices, rounded)
    return Profit(
        max(share[1] for share in shares),
        max(share[0] for share in shares) + error,
        np.concatenate([share[3] for share in shares]),
        np.concatenate([share[4] for share in shares]),
        sum(share[2] for share in shares),
    )


def rounding_error(means: Floats, weights: Floats, prices: Floats, num_points: float) -> float:
    """Return what rounding may hide of a profit, in the means (of so many points) and in any sum over super-points.

    Only super-points with a positive price count, and where one does, at a place y in a box that reaches as far as r
    from it, ``||y||^2 <= 2 ||m_i||^2 + 2 r^2``. Taken everywhere, it has ``e_i r^2 <= p_i``. On the rim its share t is
    at most 1, ``t e_i (r^2 - near^2) <= p_i`` with near the nearest that the box comes, and ``e_i near^2 <= p_i``, so
    that ``t e_i r^2 <= 2 p_i``. All that is summed for it is thus at most ``16 (p_i + e_i ||m_i||^2)``; and a sum of s
    terms adds at most s roundings of that. What it is worth at the ends of a box is a few roundings of differences,
    squares and products away from the truth, each relative.
    """
    counting = prices > 0.0
    size = prices[counting].sum() + np.einsum("i,ij,ij->", weights[counting], *2 * [means[counting]])
    return float(16.0 * (num_points + 64.0) * np.finfo(np.float64).eps * size)


def _shares(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return boxes that cover one, in an order that mixes them."""
    lows, highs = low[None], high[None]
    for _ in range(HALVINGS):
        side = int(np.argmax(highs[0] - lows[0]))
        middle = 0.5 * (lows[:, side] + highs[:, side])
        left, right = highs.copy(), lows.copy()
        left[:, side] = right[:, side] = middle
        lows, highs = np.concatenate([lows, right]), np.concatenate([left, highs])
    order = np.random.default_rng(0).permutation(len(lows))
    return np.ascontiguousarray(lows[order]), np.ascontiguousarray(highs[order])


@kernel
def worth(means: Floats, weights: Floats, prices: Floats, i: int, place: Floats) -> float:
    """Return what a super-point is worth to a cluster at a place: its price less what it costs there."""
    square = 0.0
    for c in range(place.size):
        square += (means[i, c] - place[c]) * (means[i, c] - place[c])
    return float(prices[i] - weights[i] * square)


@kernel
def _weigh_box(
    means: Floats, weights: Floats, prices: Floats, low: Floats, high: Floats, members: Indices, first: int, last: int,
    taken: Floats, rim: Floats,
) -> int:  # fmt: skip
    """Add to ``taken`` and ``rim`` what is earned in a box; list those on the rim from ``last`` on; return the end.

    Both are sums of weight times mean, weight, and worth at the origin: quadratics that are concave in the place.
    """
    d, end = low.size, last
    rim[:] = 0.0
    for position in range(first, last):
        i = members[position]
        near = far = square = 0.0
        for c in range(d):
            below, beyond = low[c] - means[i, c], means[i, c] - high[c]  # each rounded but once
            outside = max(below, beyond)
            if outside > 0.0:
                near += outside * outside
            inside = max(-below, -beyond)
            far += inside * inside
            square += means[i, c] * means[i, c]
        most, least = prices[i] - weights[i] * near, prices[i] - weights[i] * far
        if most <= 0.0:
            continue
        if least >= 0.0:
            share, value, into = 1.0, prices[i] - weights[i] * square, taken
        else:
            share, value, into = most / (most - least), prices[i] - weights[i] * square - least, rim
            members[end] = i
            end += 1
        for c in range(d):
            into[c] += share * weights[i] * means[i, c]
        into[d] += share * weights[i]
        into[d + 1] += share * value
    return end


@kernel
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
def _earned_at(
    means: Floats, weights: Floats, prices: Floats, members: Indices, first: int, last: int, taken: Floats,
    place: Floats,
) -> float:  # fmt: skip
    """Return what a cluster earns at a place in a box, from what is always taken and those on the rim."""
    d = place.size
    profit = 0.0
    profit += taken[d + 1]
    for c in range(d):
        profit += (2.0 * taken[c] - taken[d] * place[c]) * place[c]
    for position in range(first, last):
        profit += max(worth(means, weights, prices, members[position], place), 0.0)
    return float(profit)


@kernel
def search_boxes(
    means: Floats, weights: Floats, prices: Floats, lows: Floats, highs: Floats, known: float, tolerance: float,
    floor: float, keep: int, most_boxes: int,
) -> tuple[float, float, int, Floats, Floats]:  # fmt: skip
    """Search boxes; return a bound on the profit, a profit that is earned, their number, and places with profits."""
    s, d = means.shape
    top, room = lows.shape[0], 4096 + lows.shape[0]
    low_of, high_of, always = np.zeros((room, d)), np.zeros((room, d)), np.zeros((room, d + 2))
    start, end_of, above = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    for at in range(top):
        copy_to(low_of[at], lows[at])
        copy_to(high_of[at], highs[at])
        end_of[at], above[at] = s, np.inf
    members = np.empty(8 * s + 1024, np.int64)
    for i in range(s):
        members[i] = i
    low, high, place, taken, rim = np.empty(d), np.empty(d), np.empty(d), np.empty(d + 2), np.empty(d + 2)
    places, earned, found = np.empty((keep, d)), np.empty(keep), 0
    best, bound, count = known, known, 0
    while top > 0 and count < most_boxes and top + 2 < room:
        top -= 1
        count += 1
        copy_to(low, low_of[top])
        copy_to(high, high_of[top])
        copy_to(taken, always[top])
        first, last = int(start[top]), int(end_of[top])
        if 2 * last - first > members.size:
            longer = np.empty(2 * members.size + s, np.int64)
            copy_to(longer, members)
            members = longer
        end = _weigh_box(means, weights, prices, low, high, members, first, last, taken, rim)
        value = min(_best_place(taken, rim, low, high, place), float(above[top]))
        if value > best + tolerance:
            profit = _earned_at(means, weights, prices, members, last, end, taken, place)
            best = max(best, profit)
            if profit > floor and found < keep:
                copy_to(places[found], place)
                earned[found] = profit
                found += 1
        if value <= best + tolerance:
            bound = max(bound, value)
            continue
        side = 0
        for c in range(1, d):
            side = c if high[c] - low[c] > high[side] - low[side] else side
        middle = 0.5 * (low[side] + high[side])
        for is_low in (place[side] > middle, place[side] <= middle):  # the half with the place is taken up first
            copy_to(low_of[top], low)
            copy_to(high_of[top], high)
            copy_to(always[top], taken)
            above[top] = value
            (high_of if is_low else low_of)[top, side] = middle
            start[top], end_of[top] = last, end
            top += 1
    for left in range(top):
        bound = max(bound, float(above[left]))
    return max(bound, best), best, count, places[:found], earned[:found]
