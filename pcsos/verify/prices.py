"""Prices: what super-points pay proves a bound, if no cluster earns much anywhere (docs/certificate.md, section 12)."""

from collections.abc import Iterable

import numpy as np
from flint import fmpq

from pcsos.reading.memory import Memory
from pcsos.verify.boxes import PRICE_BITS, RATE_BITS, REACH_BITS, SCALE, Earners, Search
from pcsos.verify.data import Data, Groups
from pcsos.verify.doubles import Doubles, read_doubles
from pcsos.verify.reader import require
from pcsos.verify.stars import Stars, stars_in
from pcsos.verify.state import State

PLACE_BITS = 60  # of a coordinate, counted from the lowest one
MOST_FEATURES = 16  # that vary: with more of them, sums of squares could overflow
LARGEST_SHIFT = 60

Point = tuple[fmpq, fmpq, list[fmpq]]  # price, weight and place
Side = tuple[int, fmpq, fmpq]  # a feature, and its least and greatest coordinates


def check_prices(
    data: Data, state: State, blob: object, claimed: fmpq, k: int, memory: Memory | None = None, stars: object = None
) -> int:
    """Refuse the bound claimed by prices, unless no cluster anywhere earns more than it leaves to each of k clusters.

    A cluster with mean y costs its prices but for ``sum of p_i - e_i |m_i - y|^2``, which is at most the profit at y,
    the sum of ``max(p_i - e_i |m_i - y|^2, 0)`` over all i; of each star only the centre counts or the leaves. Returned
    are the points of all boxes that it took.
    """
    groups = state.groups()
    memory = memory or Memory.without_limit()
    prices = read_doubles(blob, "prices", memory, ndim=1, size=len(groups))
    most = (data.cost(groups) + sum(prices, fmpq(0)) - claimed) / k
    require(most >= 0, "prices: more is claimed than they are together")
    earning, in_stars = _ordered(prices.positive(), stars_in(stars, state, memory))
    total = sum((prices[i] for i in earning), fmpq(0))
    if most >= _at_one_place(prices, earning, in_stars):
        return 0
    lowest, highest = _box(data, groups, earning)
    varying = [j for j, (low, high) in enumerate(zip(lowest, highest, strict=True)) if low < high]
    require(varying, "prices: there is a place where a cluster earns more than is left to it")
    require(len(varying) <= MOST_FEATURES, f"prices: more than {MOST_FEATURES} features vary")
    points = ((prices[i], *data.super_point(groups[i])) for i in earning)
    box = [(j, lowest[j], highest[j]) for j in varying]
    search = Search(*_in_integers(points, len(earning), box, total, most), in_stars)
    search.run()
    return search.work


def _ordered(earning: list[int], stars: list[list[int]]) -> tuple[list[int], Stars]:
    """Return those that earn something with stars one after the other, and where these are; a leaf alone is free."""
    left, ordered, number, centres = set(earning), list[int](), list[int](), list[bool]()
    for position, star in enumerate(stars):
        own = [i for i in star if i in left]
        if len(own) > 1 and own[0] == star[0]:
            left.difference_update(own)
            ordered += own
            number += [position] * len(own)
            centres += [i == star[0] for i in own]
    free = [i for i in earning if i in left]
    none = Stars.none(len(free))
    return [*free, *ordered], Stars(
        np.concatenate([none.number, np.array(number, np.int64)]),
        np.concatenate([none.is_centre, np.array(centres, np.bool_)]),
    )


def _at_one_place(prices: Doubles, earning: list[int], stars: Stars) -> fmpq:
    """Return what a cluster would earn if all were at one place: it earns no more anywhere."""
    sides: dict[int, list[fmpq]] = {}
    for i, star, is_centre in zip(earning, stars.number.tolist(), stars.is_centre.tolist(), strict=True):
        sides.setdefault(star, [fmpq(0), fmpq(0)])[is_centre] += prices[i]
    free = sides.pop(-1, [fmpq(0)])
    return sum((max(own) for own in sides.values()), free[0])


def _box(data: Data, groups: Groups, earning: list[int]) -> tuple[list[fmpq], list[fmpq]]:
    """Return the least and the greatest coordinates of some super-points."""
    _, lowest = data.super_point(groups[earning[0]])
    highest = lowest
    for i in earning:
        _, place = data.super_point(groups[i])
        lowest = [min(x, low) for x, low in zip(place, lowest, strict=True)]
        highest = [max(x, high) for x, high in zip(place, highest, strict=True)]
    return lowest, highest


def _in_integers(
    points: Iterable[Point], size: int, box: list[Side], total: fmpq, most: fmpq
) -> tuple[Earners, list[int], int]:
    """Return points of at least as much profit everywhere in integers, the extent of their box, and what is allowed.

    Units of length and of profit are powers of two, by which every coordinate is less than 2^60 and all prices together
    less than 2^47. Lower weights and higher prices only add to the profit. The weight e of a point is lowered until
    ``2^52 e 4^s <= p`` for some s >= 0 (RATE_BITS): then there is no profit beyond a distance r >= 2^(26 + s).
    A coordinate is rounded by at most 1/2, the place by h <= d/2, for which the price rises by 2 d p / 2^(26 + s).
    This is enough: where there is a profit, |m - y| <= r and e (|m - y| + h)^2 <= e |m - y|^2 + p (2 h/r + (h/r)^2).
    """
    extent = max(high - low for _, low, high in box)
    length, unit = _power(_log(extent) + 1 - PLACE_BITS), _power(_log(total) + 1 - PRICE_BITS)
    most_units, rate = int((most / unit).floor()), length * length / unit
    places, values = np.empty((len(box), size), np.int64), np.empty((4, size), np.int64)
    for at, (price, weight, place) in enumerate(points):
        values[:, at] = _integers(price / unit, weight * rate, len(box))
        places[:, at] = [_nearest((place[j] - low) / length) for j, low, _ in box]
    sides = [int(((high - low) / length).ceil()) for _, low, high in box]
    return Earners(places, values[0], values[1], values[2], values[3]), sides, most_units


def _integers(price: fmpq, weight: fmpq, num_features: int) -> tuple[int, int, int, int]:
    """Return price, mantissa of the weight per 4^s, its exponent beyond SCALE, and s."""
    weight = min(weight, price * _power(-RATE_BITS))
    shift = min(_log(price * _power(-RATE_BITS) / weight) // 2, LARGEST_SHIFT)
    raised = price * (1 + num_features * _power(-RATE_BITS // 2 + 1 - shift))
    weight *= _power(2 * shift)
    exponent = min(REACH_BITS - 1 - _log(weight), SCALE + 62)
    return int(raised.ceil()), int((weight * _power(exponent)).floor()), exponent - SCALE, shift


def _log(number: fmpq) -> int:
    """Return the greatest integer whose power of two is no more than a positive number."""
    guess = int(number.p).bit_length() - int(number.q).bit_length()
    return guess if _power(guess) <= number else guess - 1


def _power(exponent: int) -> fmpq:
    return fmpq(1 << exponent) if exponent >= 0 else fmpq(1, 1 << -exponent)


def _nearest(number: fmpq) -> int:
    return int((number + fmpq(1, 2)).floor())
