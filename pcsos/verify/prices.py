"""Prices: what super-points pay proves a bound, if no cluster earns much anywhere (docs/certificate.md, section 12)."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from flint import fmpq

from pcsos.verify.boxes import PRICE_BITS, RATE_BITS, REACH_BITS, SCALE, Earners, Search
from pcsos.verify.data import Data
from pcsos.verify.doubles import DIGITS, Doubles, power, read_priced
from pcsos.verify.effort import OF_A_NUMBER, OF_A_STEP, OF_AN_ITEM, spend
from pcsos.verify.integers import Integers
from pcsos.verify.knots import Knots, choices_of, knots_in
from pcsos.verify.left_out import LeftOut
from pcsos.verify.reader import require
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.payloads import AXIS_BITS
from pcsos.verify.state import State
from pcsos.verify.tolls import Tolls

ONE = 1 << AXIS_BITS
HALF = AXIS_BITS // 2
OF_A_RATIONAL, OF_AN_INTEGER = 150, 40  # bytes of them as objects, without the digits of long ones


class Axes:
    """Super-points at ``U m`` in place of their means m, for a matrix U of integers in units of ``2^-AXIS_BITS``.

    The greatest row sum of the absolute values of ``U U'`` is no less than its greatest eigenvalue, the square of the
    norm of U. If it is at most 1, then ``|U m - U y| <= |m - y|`` for any m and y.
    """

    def __init__(self, data: Data, units: Integers) -> None:
        self.data, self.units = data, units
        require(max(_row_sums(units), default=0) <= ONE**2, "prices: axes along which distances may grow")
        self.unit = data.points.unit * fmpq(1, ONE)

    def memory(self, number: int) -> int:
        """Return the bytes that so many super-points take, and the rows."""
        points, weights = self.data.points, self.data.weights
        digits = points.bits - points.exponent + 2 * weights.bits
        return number * (2 + len(self.units)) * (OF_A_RATIONAL + digits // 8) + self.units.size * OF_AN_INTEGER

    @cached_property
    def rows(self) -> list[list[int]]:
        """Rows of the matrix."""
        rows: list[list[int]] = self.units.tolist()
        return rows

    def super_point(self, group: Sequence[int]) -> tuple[fmpq, list[fmpq]]:
        """Return the weight of some points, and the place of their mean along the axes."""
        spend(OF_AN_ITEM * self.units.size * (self.data.points.words + self.data.weights.words))
        if len(group) == 1:
            weight, sums, heavy = 1, self.data.points.integers(group[0]), self.data.weights[group[0]]
        else:
            weight, sums, _ = self.data.moments(group)
            heavy = fmpq(weight) * self.data.weights.unit
        return heavy, [fmpq(sum(map(int.__mul__, row, sums)), weight) * self.unit for row in self.rows]


def _row_sums(units: Integers) -> list[int]:
    """Return the row sums of the absolute values of ``U U'``, or of its diagonal if this has more than 1 in it.

    Where it has not, no product of two rows is more than 1 either, so that sums of 64 digits hold them, whatever is
    lost of digits beyond these on the way.
    """
    if units.min() < -ONE or units.max() > ONE:
        return [ONE**2 + 1]
    high, low = units >> HALF, units & ((1 << HALF) - 1)
    parts = zip(
        *((own * other).sum(axis=1).tolist() for own, other in ((high, high), (high, low), (low, low))), strict=True
    )
    squares = [(a << 2 * HALF) + (b << HALF + 1) + c for a, b, c in parts]
    return squares if max(squares) > ONE**2 else [sum(map(abs, row)) for row in (units @ units.T).tolist()]


GUARD_BITS = 2  # of a coordinate beyond its units
LARGEST_SHIFT = 60


class Units(NamedTuple):
    """Units of length and of profit, powers of two: their exponents."""

    length: int
    profit: int


class Digits(NamedTuple):
    """Numbers ``mantissa 2^exponent``; mantissas have 53 digits, or are 0."""

    mantissa: Integers
    exponent: Integers


def quarters_of(numbers: Digits, units: Units) -> Integers:
    """Return coordinates in quarters of units of length, rounded down, modulo 2^64."""
    up = numbers.exponent - (units.length - GUARD_BITS)
    larger = np.where(up < 64, numbers.mantissa << np.clip(up, 0, 63), 0)
    return np.where(up < 0, _shifted(numbers.mantissa, -up), larger)


def places_of(quarters: Integers, lowest: int) -> Integers:
    """Return how far coordinates are from the lowest one, in units of length: at least 0, and off by at most 3/4.

    Both are in quarters of units, rounded down modulo 2^64, which their difference, off by less than a quarter, is less
    than by far. It is rounded to the nearest unit. Where it is a whole number of quarters it is exact, so that
    no place is beyond the first unit above the highest coordinate.
    """
    apart = quarters - np.full_like(quarters, modulo(lowest))
    return (apart + (1 << (GUARD_BITS - 1))) >> GUARD_BITS


def values_of(price: Digits, weight: Digits, units: Units, num_features: int) -> Integers:
    """Return price, mantissa of the weight per 4^s, its exponent beyond SCALE, and s, of positive numbers: (4, n).

    A weight e is lowered until ``2^52 e 4^s <= p`` for some s >= 0 (RATE_BITS); prices p are raised by
    ``2 d p / 2^(26 + s)``, both rounded up.
    """
    worth, cost = price.exponent - units.profit, weight.exponent + 2 * units.length - units.profit
    rate = worth - RATE_BITS
    is_heavy = (cost > rate) | ((cost == rate) & (weight.mantissa > price.mantissa))
    mantissa, cost = np.where(is_heavy, price.mantissa, weight.mantissa), np.where(is_heavy, rate, cost)
    shift = np.minimum((rate - cost - (price.mantissa < mantissa)) // 2, LARGEST_SHIFT)
    raised = -_shifted(-price.mantissa, -worth)
    raised -= _shifted(-num_features * price.mantissa, RATE_BITS // 2 - 1 + shift - worth)
    cost = cost + 2 * shift
    exponent = np.minimum(REACH_BITS - DIGITS - cost, SCALE + 62)
    return np.array([raised, _shifted(mantissa, -cost - exponent), exponent - SCALE, shift])


def modulo(number: int) -> int:
    """Return the number of 64 digits with a sign that is left of any integer modulo 2^64."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def _shifted(numbers: Integers, by: Integers) -> Integers:
    """Return numbers divided by powers of two, rounded down."""
    return numbers >> np.clip(by, 0, 63)


PLACE_BITS = 60  # of a coordinate, counted from the lowest one
MOST_FEATURES = 16  # that vary: with more of them, sums of squares could overflow

Means = dict[int, tuple[fmpq, list[fmpq]]]  # weights and means of some super-points, by position
Side = tuple[int, fmpq, fmpq]  # a feature, and its least and greatest coordinates


def check_prices(
    data: Data, state: State, arrays: Arrays, claimed: fmpq, k: int, memory: Memory | None = None,
    left_out: LeftOut | None = None, capacity: fmpq | None = None,
) -> None:  # fmt: skip
    """Refuse the bound claimed by prices, unless no cluster anywhere earns more than it leaves to each of k clusters.

    A cluster with mean y costs its prices but for ``sum of p_i - e_i |m_i - y|^2``, which is at most the profit at y,
    the sum of ``max(p_i - e_i |m_i - y|^2, 0)`` over all i; of each knot only super-points that no cannot-link
    ties. With axes, other places stand for the m_i, where no less is earned. What is left out pays nothing, and costs
    nothing inside: it takes away the greatest sum of both.
    """
    groups = state.groups()
    memory = memory or Memory.without_limit()
    prices, listed, units_of_axes = read_priced(arrays, len(groups), data.points.shape[1])
    knots = knots_in(listed, state)
    axes = None if units_of_axes is None else Axes(data, units_of_axes)
    lost = left_out and left_out.greatest(data, groups, prices, exactly=False)
    most = (data.cost_below(groups) + prices.total() - (lost or 0) - claimed) / k
    require(most >= 0, "prices: more is claimed than they are together")
    ordered, tied = _ordered(prices.positive(), knots, state)
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
    tolls = None if capacity is None or len(tied.choices) else Tolls.of(*weights, capacity)
    search = Search(Earners(places, *values), sides, int((most / power(units.profit)).floor()), tied, tolls)
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
