"""Line: where one feature varies, a penalty proves a bound (docs/certificate.md, section 11)."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from itertools import accumulate
from math import gcd

from flint import fmpq

from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data, Groups
from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import OF_A_NUMBER, spend
from pcsos.verify.reader import require
from pcsos.verify.state import State

MORE_BITS = 32  # of coordinates beyond their own: what is lost by rounding down is as good as nothing
AT_ONCE = 1 << 12  # super-points whose sums are formed together

Sums = tuple[int, int, int]  # of w, w x and w x^2


def line_bound(data: Data, state: State, penalty: fmpq, conditions: Conditions) -> fmpq:
    """Return what a penalty for each cluster proves of the partitions into k: F_s - k penalty.

    F_0 = 0, and F_j is the least F_i + penalty + cost of the pieces i + 1 .. j over i < j, rounded down, of those that
    weigh what a cluster may where that counts.
    """
    columns = (data.points.column(number) for number in range(data.points.shape[1]))
    varying = [column for column in columns if not column.is_constant()]
    require(len(varying) <= 1, "closed as a line, but two features vary")
    column = varying[0] if varying else data.points.column(0)
    unit = column.unit**2 * data.weights.unit / (1 << 2 * MORE_BITS)
    price = int((penalty / unit).floor())
    low, high = (end / data.weights.unit for end in conditions.ends)
    line = Line(column, data.weights, state.groups(), bool(conditions.limits))
    least = line.least(price, int(low.ceil()), int(high.floor()))
    return (least - conditions.k * price) * unit


class Line:
    """Super-points in the order of their means: sums of w and w x over the first so many, and of w x^2 over all.

    Within limits they are cut into pieces of the greatest weight that divides theirs, unless it goes into them oftener
    than there are points.
    """

    def __init__(self, column: Doubles, weights: Doubles, groups: Groups, is_limited: bool) -> None:
        own, moments, self.squares = list[int](), list[int](), 0
        for weight, moment, squares in sums(column, weights, groups):
            own.append(weight)
            moments.append(moment)
            self.squares += squares
        each, n = gcd(*own), len(weights)
        self.is_cut = is_limited and sum(own) <= n * each
        if self.is_cut:
            numbers = [weight // each for weight in own]
            moments = [share for pair in zip(moments, numbers, strict=True) for share in shares(*pair)]
            own = [each] * len(moments)
        spend(OF_A_NUMBER * n)
        finer = 2 * max(own).bit_length()  # means differ by 1 / max(own)^2 or more
        keys = [(moment << finer) // weight for moment, weight in zip(moments, own, strict=True)]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        self.weights, self.moments = (list(accumulate((of[i] for i in order), initial=0)) for of in (own, moments))

    def least(self, price: int, lightest: int, heaviest: int) -> int:
        """Return F_s: the least cost of intervals that pay a price each.

        Intervals of pieces weigh from ``lightest`` to ``heaviest``. ``starts`` of intervals are kept that are best for
        some end to come, with the first of these ``ends``.
        """
        lightest, heaviest = (lightest, heaviest) if self.is_cut else (0, self.weights[-1])
        w, m, rest = self.weights, self.moments, [0]  # rest: F_j - Q_j
        size, starts, ends, head, is_reached = len(w) - 1, array("q", [0]), array("q", [1]), 0, False

        price_of_products = OF_A_NUMBER * (3 + (2 * max(map(int.bit_length, m)) + w[-1].bit_length()) // 128)

        def no_worse(later: int, start: int, end: int) -> bool:
            spend(price_of_products)
            own, other = w[end] - w[later], w[end] - w[start]
            if other > heaviest or own < lightest:
                return bool(other > heaviest)
            gain = (m[end] - m[later]) ** 2 * other - (m[end] - m[start]) ** 2 * own
            return bool((rest[later] - rest[start]) * own * other <= gain)

        for j in range(1, size + 1):
            if head + 1 < len(starts) and ends[head + 1] == j:
                head += 1
            i = starts[head]
            rest.append(rest[i] + price + -((m[j] - m[i]) ** 2) // (w[j] - w[i]))
            is_reached = lightest <= w[j] - w[i] <= heaviest
            if not is_reached:
                continue
            while ends[-1] > j and no_worse(j, starts[-1], ends[-1]):
                starts.pop()
                ends.pop()
            last, low, step = starts[-1], max(ends[-1], j), 1
            while low + step <= size and not no_worse(j, last, low + step):
                low, step = low + step, 2 * step
            later = range(low + 1, min(low + step, size + 1))
            end = low + 1 + bisect_left(later, True, key=partial(no_worse, j, last))
            if end <= size:
                starts.append(j)
                ends.append(end)
        require(is_reached, "closed as a line, but no intervals weigh what clusters may")
        return rest[-1] + self.squares


def shares(total: int, number: int) -> list[int]:
    """Return so many whole numbers that add up to one, as equal as can be."""
    return [total * (i + 1) // number - total * i // number for i in range(number)]


def sums(column: Doubles, weights: Doubles, groups: Groups) -> Iterator[Sums]:
    """Yield the sums of each super-point, as integers."""
    for start in range(0, len(groups), AT_ONCE):
        own = groups[start : start + AT_ONCE]
        members = [p for group in own for p in group]
        each = zip(weights.integers(members), column.integers(members), strict=True)
        for group in own:
            w = m = q = 0
            for _ in group:
                mass, place = next(each)
                moment = mass * (place << MORE_BITS)
                w, m, q = w + mass, m + moment, q + moment * (place << MORE_BITS)
            yield w, m, q
