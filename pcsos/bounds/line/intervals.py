"""Line: one feature and no cannot-links, where the best clusters are intervals, found and proved exactly.

On a line the clusters of a best partition are intervals of the super-points in the order of their means. A price
``penalty`` for each cluster makes the number of clusters free: one pass over the super-points finds the cheapest
intervals, and what they cost and are charged, less k penalties, is a lower bound for k clusters, whatever the penalty.
Costs are convex in the number of clusters, so for the right penalty nothing is lost (Mathematics 8). Under limits
super-points are cut into pieces that weigh the same.

Doubles are integers times powers of two, and everything here is done in integers: there is no rounding to account for.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, count, pairwise

import numpy as np

from pcsos.base.control.stop import NEVER, Interrupted, Stop
from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance

#: Binary digits that coordinates get beyond their own. Two different points of weight 1 cost at least 2^63 units then,
#: so what a bound loses by being rounded down to whole units is less than k 2^-63 of the cost.
MORE_BITS = 32
#: Whoever proves a bound again may do so with more binary digits than these; one with more digits is lowered a little.
DIGITS = 100
#: A penalty is looked for on every 4^i-th super-point first, as long as there are so many left for each cluster.
THINNING, LEAST_LEFT = 4, 8
#: Super-points of a pass after which somebody may ask to stop.
ASK_EVERY = 4096


@dataclass(frozen=True, eq=False)
class Line:
    """Super-points, or pieces of them, in the order of their means, as sums over the first j of s, in whole units."""

    #: length s + 1: ``W_j``, ``S_j`` and ``Q_j``: sums of w, w x and w x^2 over the points, so that points i + 1 .. j
    #: cost ``Q_j - Q_i - (S_j - S_i)^2 / (W_j - W_i)`` as a cluster
    weights: list[int]
    moments: list[int]
    squares: list[int]
    unit: int  #: a cost of 1 is so many units
    #: what an interval weighs, where all are pieces that weigh the same; otherwise all may be intervals
    least: int
    most: int

    @property
    def size(self) -> int:
        """Number of super-points or pieces s."""
        return len(self.weights) - 1

    @property
    def is_limited(self) -> bool:
        """Whether some are no intervals."""
        return self.least > self.weights[1] or self.most < self.weights[-1]

    @classmethod
    def of(
        cls, points: Floats, weights: Floats, group: Indices, limits: tuple[float, float] | None = None
    ) -> "tuple[Line, Indices]":
        """Return the line, and the position on it of each super-point, or of what is in the middle of it.

        Parameters
        ----------
        points, weights : ndarray, shape (n,)
            Coordinates and weights.
        group : ndarray of int, shape (n,)
            Super-point of each point, numbered from 0.
        limits : (float, float), optional
            What a cluster weighs at least and at most: super-points are cut for them, unless that makes more pieces
            than points.
        """
        (places, fine), (masses, mass) = _integers(points, MORE_BITS), _integers(weights, 0)
        origin = places[len(places) // 2]
        size = int(group.max()) + 1
        w, m, q = ([0] * size for _ in range(3))
        for i, place, weight in zip(group.tolist(), places, masses, strict=True):
            moment = weight * (place - origin)
            w[i] += weight
            m[i] += moment
            q[i] += moment * (place - origin)
        least, most, units = 0, sum(w), np.ones(size, int)
        each = math.gcd(*w)
        if limits is not None and most <= each * len(points):
            least, most = math.ceil(mass * Fraction(limits[0])), min(most, math.floor(mass * Fraction(limits[1])))
            units = np.array([weight // each for weight in w])
            w, m, q = (_shares(sums, units.tolist()) for sums in (w, m, q))
        # Different means differ by 1 / max(w)^2 or more, so these keys do not mix them up.
        shift = 2 * max(w).bit_length()
        keys = [(moment << shift) // weight for moment, weight in zip(m, w, strict=True)]
        order = sorted(range(len(w)), key=keys.__getitem__)
        w, m, q = (list(accumulate((values[i] for i in order), initial=0)) for values in (w, m, q))
        position = np.empty(len(order), np.intp)
        position[order] = np.arange(len(order))
        return cls(w, m, q, fine * fine * mass, least, most), position[np.cumsum(units) - (units + 1) // 2]

    def thinned(self, stride: int) -> "Line":
        """Return the line with so many neighbours at a time as one super-point."""
        kept = [*range(0, self.size, stride), self.size]
        w, m, q = ([values[i] for i in kept] for values in (self.weights, self.moments, self.squares))
        return Line(w, m, q, self.unit, self.least, self.most)

    def cost(self, ends: Sequence[int]) -> int:
        """Return what the intervals between these ends cost, each rounded down to whole units."""
        w, m, q = self.weights, self.moments, self.squares
        return sum(q[j] - q[i] + -((m[j] - m[i]) ** 2) // (w[j] - w[i]) for i, j in pairwise(ends))


@dataclass(frozen=True, eq=False)
class Intervals:
    """A partition of a line, and what proves that there is no better one."""

    labels: Indices  #: shape (n,): cluster of each point
    penalty: float  #: the price of a cluster
    lower_bound: float  #: what it proves: no partition into k clusters costs less


def best_intervals(
    instance: Instance, stop: Stop = NEVER, on_found: Callable[[Indices], object] = lambda labels: None
) -> Intervals | None:
    """Return a best partition of an instance on a line, and its proof; None if limits leave no intervals.

    Must-links are kept, and limits unless they cut a super-point, which goes where its middle is: then some of the k
    labels may be missing. Other conditions are left out.

    Parameters
    ----------
    instance : Instance
        One on a line, and with k super-points or more.
    stop : Stop
        Whether the run has to end.
    on_found : callable, optional
        Called with the labels of a good partition that is known long before the best one, if there are many points.

    Raises
    ------
    Interrupted
        If the run has to end.
    """
    points, k, group = instance.line, instance.n_clusters, instance.constraints.groups
    if points is None:
        raise ValueError("more than one feature is not constant")
    limits = None if instance.limits is None else instance.limits.weight_range(instance.weights, k)
    line, position = Line.of(points, instance.weights, group, limits)
    stride = THINNING ** max(0, int(math.log(max(line.size / (LEAST_LEFT * k), 1.0), THINNING)))
    if line.is_limited:
        stride = 1
        on_found((position * k // line.size)[group])  # nearly equal numbers are within all limits
    penalty = 2 * line.cost([0, line.size]) // (k**3 + 1) if k < line.size else 0
    is_first = True
    while True:
        found = _search(line.thinned(stride), k, penalty, stop)
        if found is None:
            return None
        ends, penalty, bound = found
        first = np.minimum(np.array(ends) * stride, line.size)
        labels = (np.searchsorted(first, position, side="right") - 1)[group]
        if stride == 1:
            return Intervals(labels, *_stated(line, k, penalty, bound, stop))
        if is_first:
            on_found(labels)
        stride, is_first = stride // THINNING, False


@dataclass(frozen=True, eq=False)
class _Path:
    """Intervals by their ends, what they cost, and a penalty for which no others are better."""

    ends: list[int]
    cost: int
    penalty: int

    @classmethod
    def least(cls, line: Line, penalty: int, stop: Stop) -> "_Path | None":
        """Return the best intervals for a penalty; None where there are none at all."""
        found = least_path(line, penalty, stop)
        return found and cls(found[0], found[1] - penalty * (len(found[0]) - 1), penalty)

    @property
    def number(self) -> int:
        """Number of intervals."""
        return len(self.ends) - 1


def _search(line: Line, k: int, penalty: int, stop: Stop) -> tuple[list[int], int, int] | None:
    """Return the ends of k best intervals, the penalty that proves the best bound for them, and that bound.

    None if there are no such intervals.

    Parameters
    ----------
    penalty : int
        A guess.

    Notes
    -----
    ``few`` has at most k intervals and ``many`` at least k. The penalty that is the slope between them finds a path in
    between, or proves that there is none: then both are best for that penalty. Slopes alone could take k attempts.
    """
    total = line.cost([0, line.size])
    few: _Path | None = _Path([0, line.size], total, total)
    many: _Path | None = _Path(list(range(line.size + 1)), line.cost(range(line.size + 1)), 0)
    if line.is_limited:
        few, many = _Path.least(line, total + 1, stop), _Path.least(line, -total - 1, stop)
    if few is None or many is None or not few.number <= k <= many.number:
        return None
    proofs: list[tuple[int, int]] = []
    for attempt in count():
        is_slope = attempt % 4 == 3 or not many.penalty <= penalty <= few.penalty
        if is_slope:
            penalty = (few.cost - many.cost) // max(many.number - few.number, 1)
        penalty = _shortened(penalty)
        path = _Path.least(line, penalty, stop)
        assert path is not None
        proofs.append((path.cost + penalty * (path.number - k), penalty))
        if path.number == k or (is_slope and not few.number < path.number < many.number):
            bound, penalty = max(proofs)
            return path.ends if path.number == k else _crossed(few.ends, many.ends, k), penalty, bound
        if few.number <= path.number < k:
            few = path
        elif k < path.number <= many.number:
            many = path
        if few.penalty <= 0 or many.penalty < 0:
            penalty = (few.penalty + many.penalty) // 2
        else:
            penalty = _guess(few, many, path, k) if attempt % 4 != 1 else math.isqrt(max(many.penalty, 1) * few.penalty)
    raise AssertionError("unreachable")


def _guess(few: _Path, many: _Path, last: _Path, k: int) -> int:
    """Return a likely penalty of k intervals: a power of their number, as for points that are spread evenly."""
    if many.penalty == 0:
        return last.penalty * last.number**3 // k**3
    share = math.log(k / few.number) / math.log(many.number / few.number)
    return few.penalty * int(2.0**60 * (many.penalty / few.penalty) ** share) >> 60


def least_path(line: Line, penalty: int, stop: Stop = NEVER) -> tuple[list[int], int] | None:
    """Return the ends of the intervals, in any number, that cost least with a penalty each, and that least value.

    The value ``F_s`` is that of ``F_0 = 0``, ``F_j = min over i < j of F_i + cost of i + 1 .. j + penalty``, each
    rounded down to whole units, over those i + 1 .. j that are intervals. None if there are none up to s.

    Notes
    -----
    Of two starts i < i' of an interval that ends at j, the later one gains on the earlier one as j grows, because
    intervals satisfy the quadrangle inequality. So each start is the best one for a range of ends. ``starts`` are those
    that are best for some end to come, ``since`` is where their ranges begin; a new start takes over a range at the
    far end, which begins where it first is no worse. Comparisons are exact. Limits change nothing of that: as j grows,
    the earlier start is the first to be too far away, and the later one the last to be too near.
    """
    w, m, q, size = line.weights, line.moments, line.squares, line.size
    rest = [0]  # F_j - Q_j
    before: list[int | None] = [0]
    starts, since, front = [0], [1], 0

    def no_worse(later: int, start: int, end: int) -> bool:
        moment, own, other = m[end], w[end] - w[later], w[end] - w[start]
        if other > line.most or own < line.least:
            return other > line.most
        gain = (moment - m[later]) ** 2 * other - (moment - m[start]) ** 2 * own
        return (rest[later] - rest[start]) * own * other <= gain

    for j in range(1, size + 1):
        if j % ASK_EVERY == 0 and stop.asked():
            raise Interrupted
        if front + 1 < len(since) and since[front + 1] == j:
            front += 1
        i = starts[front]
        is_reached = line.least <= w[j] - w[i] <= line.most
        before.append(i if is_reached else None)
        rest.append(rest[i] + penalty + -((m[j] - m[i]) ** 2) // (w[j] - w[i]))
        if not is_reached:
            continue
        while since[-1] > j and no_worse(j, starts[-1], since[-1]):
            starts.pop()
            since.pop()
        last, low, step = starts[-1], max(since[-1], j), 1
        while low + step <= size and not no_worse(j, last, low + step):
            low, step = low + step, 2 * step
        high = min(low + step, size + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if no_worse(j, last, middle) else (middle, high)
        if high <= size:
            starts.append(j)
            since.append(high)
    ends = [size]
    while ends[-1]:
        start = before[ends[-1]]
        if start is None:
            return None
        ends.append(start)
    return ends[::-1], rest[-1] + q[-1]


def _crossed(few: list[int], many: list[int], k: int) -> list[int]:
    """Return a path of k intervals that costs no more than the line through two best paths for the same penalty.

    Where an interval of ``few`` holds the interval of ``many`` that is k - len(few) ahead, one goes over to the other:
    by the quadrangle inequality the two paths that cross there cost no more than the two that do not.
    """
    if k + 1 in (len(few), len(many)):
        return few if k + 1 == len(few) else many
    ahead = k + 1 - len(few)
    i = next(i for i in range(len(few) - 1) if many[i + ahead + 1] <= few[i + 1])
    return many[: i + ahead + 1] + few[i + 1 :]


def _shares(totals: list[int], numbers: list[int]) -> list[int]:
    """Return so many integers for each one, whose sum that is, as equal as can be."""
    pairs = zip(totals, numbers, strict=True)
    return [total * (i + 1) // number - total * i // number for total, number in pairs for i in range(number)]


def _integers(values: Floats, more_bits: int) -> tuple[list[int], int]:
    """Return doubles as integers, and the power of two by which they were multiplied."""
    ratios = [value.as_integer_ratio() for value in values.tolist()]
    unit = max(denominator for _, denominator in ratios) << more_bits
    return [numerator * (unit // denominator) for numerator, denominator in ratios], unit


def _shortened(penalty: int) -> int:
    """Return the penalty with the binary digits that a double has."""
    excess = max(penalty.bit_length() - 53, 0)
    return penalty >> excess << excess


def _stated(line: Line, k: int, penalty: int, bound: int, stop: Stop) -> tuple[float, float]:
    """Return penalty and bound as doubles, such that the one proves the other."""
    price = _rounded_down(Fraction(penalty, line.unit))
    numerator, denominator = price.as_integer_ratio()
    if numerator * line.unit != penalty * denominator:  # below the normal doubles
        penalty = numerator * line.unit // denominator
        path = _Path.least(line, penalty, stop)
        assert path is not None
        bound = path.cost + (path.number - k) * penalty
    digits = bound // (bound & -bound) if bound else 0
    if digits.bit_length() > DIGITS:
        bound -= abs(bound) >> DIGITS
    return price, _rounded_down(Fraction(max(bound, 0), line.unit))


def _rounded_down(value: Fraction) -> float:
    """Return the greatest double up to a number."""
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)
