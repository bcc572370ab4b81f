"""Prices: what super-points pay proves a bound, if no cluster earns much anywhere (docs/certificate.md, section 12)."""

import numpy as np
from flint import fmpq

from pcsos.verify.axes import Axes
from pcsos.verify.boxes import PRICE_BITS, Earners, Search
from pcsos.verify.data import Data
from pcsos.verify.doubles import DIGITS, Doubles, power, read_priced
from pcsos.verify.earners import GUARD_BITS, Digits, Units, modulo, places_of, quarters_of, values_of
from pcsos.verify.effort import OF_A_NUMBER, OF_A_STEP, spend
from pcsos.verify.integers import Integers
from pcsos.verify.knots import Knots, choices_of, knots_in
from pcsos.verify.reader import require
from pcsos.verify.reading.memory import Memory
from pcsos.verify.state import State

PLACE_BITS = 60  # of a coordinate, counted from the lowest one
MOST_FEATURES = 16  # that vary: with more of them, sums of squares could overflow

Means = dict[int, tuple[fmpq, list[fmpq]]]  # weights and means of some super-points, by position
Side = tuple[int, fmpq, fmpq]  # a feature, and its least and greatest coordinates


def check_prices(
    data: Data, state: State, blob: object, claimed: fmpq, k: int, memory: Memory | None = None, knots: object = None
) -> None:
    """Refuse the bound claimed by prices, unless no cluster anywhere earns more than it leaves to each of k clusters.

    A cluster with mean y costs its prices but for ``sum of p_i - e_i |m_i - y|^2``, which is at most the profit at y,
    the sum of ``max(p_i - e_i |m_i - y|^2, 0)`` over all i; of each knot only super-points that no cannot-link
    ties. With axes, other places stand for the m_i, where no less is earned.
    """
    groups = state.groups()
    memory = memory or Memory.without_limit()
    prices, units_of_axes = read_priced(blob, memory, len(groups), data.points.shape[1])
    axes = None if units_of_axes is None else Axes(data, units_of_axes)
    most = (data.cost_below(groups) + prices.total() - claimed) / k
    require(most >= 0, "prices: more is claimed than they are together")
    ordered, tied = _ordered(prices.positive(), knots_in(knots, state, memory), state)
    earning = np.array(ordered, np.int64)
    total = prices.take(earning).total()
    if most >= _at_one_place(prices, earning, tied):
        return
    where, points = np.flatnonzero(groups.sizes[earning] > 1), data.points.take(groups.firsts[earning])
    if axes is None:
        means = {at: data.super_point(groups[earning[at]]) for at in where.tolist()}
    else:
        memory.need(axes.memory(len(earning)), "axes")
        means = {at: axes.super_point(groups[own]) for at, own in enumerate(ordered)}
    box = _box(points, means)
    require(box, "prices: there is a place where a cluster earns more than is left to it")
    require(len(box) <= MOST_FEATURES, f"prices: more than {MOST_FEATURES} features vary")
    extent = max(high - low for _, low, high in box)
    units = Units(_log(extent) + 1 - PLACE_BITS, _log(total) + 1 - PRICE_BITS)
    weights = Digits(*data.weights.take(groups.firsts[earning]).digits())
    for at, (weight, _) in means.items():
        exponent = _log(weight) + 1 - DIGITS
        weights.exponent[at], weights.mantissa[at] = exponent, int((weight / power(exponent)).floor())
    places = np.array([_places(points, means, side, units) for side in box])
    sides = [int(((high - low) / power(units.length)).ceil()) for _, low, high in box]
    values = values_of(Digits(*prices.take(earning).digits()), weights, units, len(box))
    search = Search(Earners(places, *values), sides, int((most / power(units.profit)).floor()), tied)
    search.run()


def _at_one_place(prices: Doubles, earning: Integers, knots: Knots) -> fmpq:
    """Return what a cluster would earn if all were at one place: it earns no more anywhere."""
    num_free = int(np.count_nonzero(knots.number < 0))
    total, at = prices.take(earning[:num_free]).total(), num_free
    for choices in knots.listed():
        own = [prices[int(earning[at + place])] for place in range(len(choices[0]))]
        total += max(sum((p for p, is_in in zip(own, choice, strict=True) if is_in), fmpq(0)) for choice in choices)
        at += len(own)
    return total


def _ordered(earning: list[int], knots: list[list[int]], state: State) -> tuple[list[int], Knots]:
    """Return those that earn something, with knots one after the other behind the others, and where these are."""
    spend(OF_A_STEP * len(earning))
    left, names = set(earning), state.names() if knots else []
    tied, choices = list[int](), list[list[list[int]]]()
    for knot in knots:
        own = [i for i in knot if i in left]
        if len(own) > 1:
            left.difference_update(own)
            tied += own
            choices.append(choices_of(own, names, state))
    free = [i for i in earning if i in left]
    return [*free, *tied], Knots.of(len(free), choices)


def _box(points: Doubles, means: Means) -> list[Side]:
    """Return the features that vary, over some points with some means in their places."""
    others = [place for _, place in means.values()]
    if len(means) < len(points):
        others += points.take([at for at in range(len(points)) if at not in means]).corners()
    sides = [(min(column), max(column)) for column in zip(*others, strict=True)]
    return [(j, low, high) for j, (low, high) in enumerate(sides) if low < high]


def _places(points: Doubles, means: Means, side: Side, units: Units) -> Integers:
    """Return the coordinates of one feature in units of length, from the lowest one on.

    They are rounded by at most 3/4, a place by h <= 3/4 d, for which prices rise by 2 d p / 2^(26 + s). This is enough:
    as ``2^52 e 4^s <= p``, there is no profit beyond a distance r >= 2^(26 + s), and where there is one, |m - y| <= r
    and ``e (|m - y| + h)^2 <= e |m - y|^2 + p (2 h/r + (h/r)^2)``.
    """
    spend(OF_A_NUMBER * (5 + points.words) * len(means))
    (feature, low, _), quarter = side, power(units.length - GUARD_BITS)
    quarters = quarters_of(Digits(*points.column(feature).digits()), units)
    for at, (_, place) in means.items():
        quarters[at] = modulo(int((place[feature] / quarter).floor()))
    return places_of(quarters, int((low / quarter).floor()))


def _log(number: fmpq) -> int:
    """Return the greatest integer whose power of two is no more than a positive number."""
    guess = int(number.p).bit_length() - int(number.q).bit_length()
    return guess if power(guess) <= number else guess - 1
