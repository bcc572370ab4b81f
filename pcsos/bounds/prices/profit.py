"""Profit: the most that a cluster earns at any place, bounded by branch and bound over boxes.

With prices p_i, a cluster around y takes the super-points that are worth more than they cost there and earns
``f(y) = sum_i max(p_i - e_i ||m_i - y||^2, 0)``. In a box, super-points that are taken everywhere make a concave
quadratic, which is handed down to the halves; those that are never taken are forgotten; and each on the rim, worth
between lo < 0 and hi > 0, earns at most ``t (worth - lo)`` with t = hi / (hi - lo), which is concave too. The sum has
its greatest value in closed form, so what a box is overestimated by falls with the square of its size.

All this holds of whole nodes of the tree with what any of theirs is worth for its weight at least and at most, and
what a node is overestimated by falls with the square of its size, too: those that are small beside the box stay whole.

Of a knot, with A and B what two of its choices earn, all of them earn at most ``L = (1 - t) A + t B`` and the greatest
difference of one to L in the box; of A and B these are t X and (1 - t) Y with X and Y the greatest values of A - B and
of B - A, so that t = Y / (X + Y).
"""

from dataclasses import dataclass

import numpy as np

from pcsos.bounds.prices.knots import MOST_GROUPS
from pcsos.bounds.prices.tree import Priced
from pcsos.control.threads import in_shares
from pcsos.numerics.kernels import copy_to, inlined_kernel, kernel
from pcsos.typing import Floats, Indices

#: The box that holds all means is halved so many times before it is shared out.
HALVINGS = 5
#: Boxes of a share, at least.
LEAST_BOXES = 8
#: A node on the rim stays whole if its diagonal is at most this share of that of the box, squared,
SMALL = 0.03
#: and if what its super-points pay for their weight differs at most by this factor.
ALIKE = 2.0


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
    priced: Priced, *, known: float, tolerance: float, floor: float, keep: int, most_boxes: int,
    rounded: float,
) -> Profit:  # fmt: skip
    """Bound the profit at any place, unless told to give up before to ``tolerance``.

    Parameters
    ----------
    priced : Priced
        The super-points with their prices.
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
    lows, highs = _shares(priced.low[0], priced.high[0])
    roots = priced.roots
    shares = in_shares(
        lambda share: search_boxes(priced, roots, lows[share], highs[share], known, tolerance, floor, keep, most_boxes),
        len(lows),
        LEAST_BOXES,
    )
    error = rounding_error(priced.means, priced.weights, priced.prices, rounded)
    error += rounding_error(priced.group_means, priced.group_weights, priced.group_prices, rounded)
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
    that ``t e_i r^2 <= 2 p_i``; in a node that stays whole, where hi and near belong to whoever pays the most, twice as
    much, as nobody there pays less than half of that. All that is summed for it is thus at most
    ``32 (p_i + e_i ||m_i||^2)``, and for a group in a knot, of which a share counts beside what a choice is ahead, no
    more than that; and a sum of s terms adds at most s roundings of it. What it is worth at the ends of a box is a few
    roundings of differences, squares and products away from the truth, each relative.
    """
    counting = prices > 0.0
    size = prices[counting].sum() + np.einsum("i,ij,ij->", weights[counting], *2 * [means[counting]])
    return float(32.0 * (num_points + 64.0) * np.finfo(np.float64).eps * size)


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


@inlined_kernel
def _weigh_point(
    means: Floats, weights: Floats, prices: Floats, i: int, low: Floats, high: Floats, taken: Floats, rim: Floats
) -> bool:
    """Add what a super-point earns in a box to what is taken, or to the rim; tell whether it is on the rim."""
    weight, price = weights[i], prices[i]
    near = far = square = 0.0
    for c in range(low.size):
        below, beyond = low[c] - means[i, c], means[i, c] - high[c]  # each rounded but once
        outside, inside = max(below, beyond), max(-below, -beyond)
        if outside > 0.0:
            near += outside * outside
        far += inside * inside
        square += means[i, c] * means[i, c]
    most, least = price - weight * near, price - weight * far
    if most <= 0.0:
        return False
    if least >= 0.0:
        for c in range(low.size):
            taken[c] += weight * means[i, c]
        taken[low.size] += weight
        taken[low.size + 1] += price - weight * square
        return False
    share = most / (most - least)
    for c in range(low.size):
        rim[c] += share * weight * means[i, c]
    rim[low.size] += share * weight
    rim[low.size + 1] += share * (price - weight * square - least)
    return True


@inlined_kernel
def _reach_of_box(low: Floats, high: Floats, means: Floats, i: int) -> tuple[float, float]:
    """Return the squares of the least and the greatest distance of a mean from a box."""
    near = far = 0.0
    for c in range(low.size):
        below, beyond = low[c] - means[i, c], means[i, c] - high[c]  # each rounded but once
        outside, inside = max(below, beyond), max(-below, -beyond)
        if outside > 0.0:
            near += outside * outside
        far += inside * inside
    return near, far


@inlined_kernel
def _weigh_node(
    own_low: Floats, own_high: Floats, moment: Floats, weight: float, value: float, pays_least: float,
    pays_most: float, node: int, low: Floats, high: Floats, small: float, taken: Floats, rim: Floats,
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
    if most <= 0.0:
        return 0
    is_taken = least >= 0.0
    if not is_taken and not (diagonal <= small and pays_most <= ALIKE * pays_least):
        return 2
    share = 1.0 if is_taken else most / (most - least)
    into = taken if is_taken else rim
    for c in range(low.size):
        into[c] += share * moment[node, c]
    into[low.size] += share * weight
    into[low.size + 1] += share * (value - min(least, 0.0) * weight)
    return 0 if is_taken else 1


@kernel
def _weigh_knot(priced: Priced, knot: int, low: Floats, high: Floats, rim: Floats, sides: Floats, sums: Floats) -> bool:
    """Add to the rim what is earned of a knot in a box at most; tell whether anything is.

    ``sides`` takes sums for each group, what it earns at most, and at least: nothing, or itself if taken everywhere.
    """
    upper, lower = sides[0], sides[1]
    d, first, number = low.size, priced.knot_first[knot], priced.knot_first[knot + 1] - priced.knot_first[knot]
    active = _weigh_groups(priced, first, number, low, high, upper, lower)
    if active == 0:
        return False
    best, second = _best_choices(priced, knot, active, low, high, upper)
    ahead = _most_beyond(best, second, second, 0.0, number, low, high, upper, lower, sums)
    behind = _most_beyond(second, best, best, 0.0, number, low, high, upper, lower, sums)
    share = behind / (ahead + behind) if behind > 0.0 else 0.0
    lost = share * ahead
    for at in range(priced.choice_first[knot], priced.choice_first[knot + 1]):
        choice = priced.choices[at] & active
        if choice not in (best, second):
            lost = max(lost, _most_beyond(choice, best, second, share, number, low, high, upper, lower, sums))
    for group in range(number):
        part = (1.0 - share) * ((best >> group) & 1) + share * ((second >> group) & 1)
        for c in range(d + 2):
            rim[c] += part * upper[group, c]
    rim[d + 1] += lost
    return True


@kernel
def _weigh_groups(
    priced: Priced, first: int, number: int, low: Floats, high: Floats, upper: Floats, lower: Floats
) -> int:
    """Set what groups earn in a box, at most and at least; return those that may earn something, as bits."""
    active = 0
    for position in range(number):
        group = first + position
        weight, price = priced.group_weights[group], priced.group_prices[group]
        near, far = _reach_of_box(low, high, priced.group_means, group)
        most, least = price - weight * near, price - weight * far
        upper[position], lower[position] = 0.0, 0.0
        if most > 0.0:
            active |= 1 << position
            share = 1.0 if least >= 0.0 else most / (most - least)
            _set_group(priced, group, share, min(least, 0.0), upper[position])
            if least >= 0.0:
                copy_to(lower[position], upper[position])
    return active


@kernel
def _set_group(priced: Priced, group: int, share: float, least: float, sums: Floats) -> None:
    """Set sums to a share of what a group earns beyond the least."""
    d, weight, square = sums.size - 2, priced.group_weights[group], 0.0
    for c in range(d):
        mean = priced.group_means[group, c]
        sums[c] = share * weight * mean
        square += mean * mean
    sums[d] = share * weight
    sums[d + 1] = share * (priced.group_prices[group] - weight * square - least)


@kernel
def _best_choices(priced: Priced, knot: int, active: int, low: Floats, high: Floats, upper: Floats) -> tuple[int, int]:
    """Return the two choices that earn most in the middle of a box; the same twice if there is only one."""
    d, best, second, most, next_most = low.size, -1, -1, -np.inf, -np.inf
    for at in range(priced.choice_first[knot], priced.choice_first[knot + 1]):
        choice, value = priced.choices[at] & active, 0.0
        for group in range(upper.shape[0]):
            if (choice >> group) & 1:
                value += upper[group, d + 1]
                for c in range(d):
                    middle = 0.5 * (low[c] + high[c])
                    value += (2.0 * upper[group, c] - upper[group, d] * middle) * middle
        if choice in (best, second):
            continue
        if value > most:
            best, second, most, next_most = choice, best, value, most
        elif value > next_most:
            second, next_most = choice, value
    return best, (best if second < 0 else second)


@kernel
def _most_beyond(
    choice: int, one: int, other: int, share: float, number: int, low: Floats, high: Floats, upper: Floats,
    lower: Floats, sums: Floats,
) -> float:  # fmt: skip
    """Return the most that a choice earns in a box beyond a mixture of two, which has this share of the other."""
    d = low.size
    sums[:] = 0.0
    for group in range(number):
        part = (1.0 - share) * ((one >> group) & 1) + share * ((other >> group) & 1)
        left = ((choice >> group) & 1) - part
        for c in range(d + 2):
            sums[c] += left * (upper[group, c] if left > 0.0 else lower[group, c])
    weight, value = sums[d], sums[d + 1]
    for c in range(d):
        most = max((2.0 * sums[c] - weight * low[c]) * low[c], (2.0 * sums[c] - weight * high[c]) * high[c])
        if weight > 0.0 and low[c] < sums[c] / weight < high[c]:
            most = max(most, sums[c] * sums[c] / weight)
        value += most
    return max(float(value), 0.0)


@kernel
def _weigh_box(
    priced: Priced, low: Floats, high: Floats, members: Indices, first: int, last: int, waiting: Indices,
    taken: Floats, rim: Floats, sides: Floats, sums: Floats,
) -> int:  # fmt: skip
    """Add to ``taken`` and ``rim`` what is earned in a box; list those on the rim from ``last`` on; return the end.

    Both are sums of weight times mean, weight, and worth at the origin: quadratics that are concave in the place.
    Members are nodes, knots with numbers behind theirs, and super-points as negative numbers, from -1 on. The list has
    to have room for all of them.
    """
    num_nodes = priced.first.size
    end, small, means, weights, prices = last, 0.0, priced.means, priced.weights, priced.prices
    rim[:] = 0.0
    for c in range(low.size):
        small += SMALL * (high[c] - low[c]) * (high[c] - low[c])
    for position in range(first, last):
        top = 0
        if members[position] >= num_nodes:
            if _weigh_knot(priced, members[position] - num_nodes, low, high, rim, sides, sums):
                members[end] = members[position]
                end += 1
        elif members[position] >= 0:
            waiting[0] = members[position]
            top = 1
        elif _weigh_point(means, weights, prices, -members[position] - 1, low, high, taken, rim):
            members[end] = members[position]
            end += 1
        while top > 0:
            top -= 1
            node = waiting[top]
            if priced.most[node] <= 0.0:
                continue
            what = _weigh_node(
                priced.low, priced.high, priced.moment, priced.weight[node], priced.paid[node] - priced.square[node],
                priced.least[node], priced.most[node], node, low, high, small, taken, rim,
            )  # fmt: skip
            if what == 1:
                members[end] = node
                end += 1
            elif what == 2 and priced.halves[node, 0] > 0:
                waiting[top], waiting[top + 1] = priced.halves[node, 0], priced.halves[node, 1]
                top += 2
            elif what == 2:
                end = _weigh_leaf(priced, node, low, high, members, end, taken, rim)
    return end


@inlined_kernel
def _weigh_leaf(
    priced: Priced, leaf: int, low: Floats, high: Floats, members: Indices, end: int, taken: Floats, rim: Floats
) -> int:
    """Do the same with the super-points of a leaf."""
    for i in range(priced.first[leaf], priced.last[leaf]):
        if _weigh_point(priced.means, priced.weights, priced.prices, i, low, high, taken, rim):
            members[end] = -i - 1
            end += 1
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


@inlined_kernel
def reach(low: Floats, high: Floats, node: int, place: Floats) -> tuple[float, float]:
    """Return the squares of the least and the greatest distance of a place from the box of a node."""
    near = far = 0.0
    for c in range(place.size):
        outside = max(place[c] - high[node, c], low[node, c] - place[c], 0.0)
        inside = max(place[c] - low[node, c], high[node, c] - place[c])
        near += outside * outside
        far += inside * inside
    return near, far


@inlined_kernel
def _earn_point(means: Floats, weights: Floats, prices: Floats, i: int, place: Floats, sums: Floats) -> None:
    """Add what a cluster takes at a place of a super-point: all or nothing."""
    near = square = 0.0
    for c in range(place.size):
        near += (means[i, c] - place[c]) * (means[i, c] - place[c])
        square += means[i, c] * means[i, c]
    if prices[i] - weights[i] * near > 0.0:
        for c in range(place.size):
            sums[c] += weights[i] * means[i, c]
        sums[place.size] += weights[i]
        sums[place.size + 1] += prices[i] - weights[i] * square


@kernel
def earned_at(
    priced: Priced, members: Indices, first: int, last: int, place: Floats, waiting: Indices, sums: Floats
) -> None:
    """Add weight times mean, weight, and worth at the origin, of what a cluster takes of some members at a place."""
    d, means, weights, prices, num_nodes = place.size, priced.means, priced.weights, priced.prices, priced.first.size
    for position in range(first, last):
        if members[position] < 0:
            _earn_point(means, weights, prices, -members[position] - 1, place, sums)
            continue
        if members[position] >= num_nodes:
            knot = members[position] - num_nodes
            choice = choice_of_knot(priced, knot, place)
            for group in range(priced.knot_first[knot], priced.knot_first[knot + 1]):
                if (choice >> (group - priced.knot_first[knot])) & 1:
                    _earn_point(priced.group_means, priced.group_weights, priced.group_prices, group, place, sums)
            continue
        waiting[0], top = members[position], 1
        while top > 0:
            top -= 1
            node = waiting[top]
            near, far = reach(priced.low, priced.high, node, place)
            if priced.most[node] <= near:
                continue
            if priced.least[node] > far:
                for c in range(d):
                    sums[c] += priced.moment[node, c]
                sums[d] += priced.weight[node]
                sums[d + 1] += priced.paid[node] - priced.square[node]
            elif priced.halves[node, 0] > 0:
                waiting[top], waiting[top + 1] = priced.halves[node, 0], priced.halves[node, 1]
                top += 2
            else:
                for i in range(priced.first[node], priced.last[node]):
                    _earn_point(means, weights, prices, i, place, sums)


@kernel
def choice_of_knot(priced: Priced, knot: int, place: Floats) -> int:
    """Return the choice with which a cluster at a place earns most, as bits; only what is worth something counts."""
    first, last = priced.knot_first[knot], priced.knot_first[knot + 1]
    chosen, most = 0, -1.0
    for at in range(priced.choice_first[knot], priced.choice_first[knot + 1]):
        choice, total = 0, 0.0
        for group in range(first, last):
            if (priced.choices[at] >> (group - first)) & 1:
                near, _ = reach(priced.group_means, priced.group_means, group, place)
                worth = priced.group_prices[group] - priced.group_weights[group] * near
                if worth > 0.0:
                    choice |= 1 << (group - first)
                    total += worth
        if total > most:
            chosen, most = choice, total
    return chosen


@kernel
def profit_of(sums: Floats, place: Floats) -> float:
    """Return the value of a quadratic, given as sums of weight times mean, weight, and worth at the origin."""
    d = place.size
    profit: float = sums[d + 1]
    for c in range(d):
        profit += (2.0 * sums[c] - sums[d] * place[c]) * place[c]
    return profit


@kernel
def search_boxes(
    priced: Priced, roots: Indices, lows: Floats, highs: Floats, known: float, tolerance: float, floor: float,
    keep: int, most_boxes: int,
) -> tuple[float, float, int, Floats, Floats]:  # fmt: skip
    """Search boxes; return a bound on the profit, a profit that is earned, their number, and places with profits."""
    s, d = priced.means.shape
    top, room = lows.shape[0], 4096 + lows.shape[0]
    low_of, high_of, always = np.zeros((room, d)), np.zeros((room, d)), np.zeros((room, d + 2))
    start, end_of, above = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    for at in range(top):
        copy_to(low_of[at], lows[at])
        copy_to(high_of[at], highs[at])
        end_of[at], above[at] = roots.size, np.inf
    members, waiting = np.empty(2 * (s + roots.size) + 1024, np.int64), np.empty(priced.depth + 2, np.int64)
    copy_to(members, roots)
    low, high, place = np.empty(d), np.empty(d), np.empty(d)
    taken, rim, sums, sides = np.empty(d + 2), np.empty(d + 2), np.empty(d + 2), np.zeros((2, MOST_GROUPS, d + 2))
    places, earned, found = np.empty((keep, d)), np.empty(keep), 0
    best, bound, count = known, known, 0
    while top > 0 and count < most_boxes and top + 2 < room:
        top -= 1
        count += 1
        copy_to(low, low_of[top])
        copy_to(high, high_of[top])
        copy_to(taken, always[top])
        first, last = int(start[top]), int(end_of[top])
        if last + s + roots.size > members.size:
            longer = np.empty(2 * members.size + s + roots.size, np.int64)
            copy_to(longer, members)
            members = longer
        end = _weigh_box(priced, low, high, members, first, last, waiting, taken, rim, sides, sums)
        value = min(_best_place(taken, rim, low, high, place), float(above[top]))
        if value > best + tolerance:
            copy_to(sums, taken)
            earned_at(priced, members, last, end, place, waiting, sums)
            profit = profit_of(sums, place)
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
