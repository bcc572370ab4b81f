"""Boxes: a search that shows that no place earns more than is allowed (docs/certificate.md, section 12).

Everything is a 64-bit integer. A point at m of price p and weight e earns ``v(y) = p - e |m - y|^2`` at y, if that is
positive. Three units are used:

- places are less than 2^60, and the centre of a box, its distances and half sides (powers of two) less than 2^62;
- profits: all prices together are less than 2^48 (``PRICE_BITS``, and what they are raised by), coefficients are kept
  in units of 1/16 (``PARTS``);
- lengths of a point, of 2^shift: ``e = mantissa 2^-(exponent + SCALE) 4^-shift`` with a mantissa below 2^28
  (``REACH_BITS``) and ``2^52 4^shift e <= p``. So a distance of 2^29 of them (``FAR``) costs at most 64 p, and a square
  of distances over 16 features is at most 2^62.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pcsos.verify.effort import spend
from pcsos.verify.integers import PARTS, Integers, Model, peaks
from pcsos.verify.knots import Knots, Tied, earned_of_knots
from pcsos.verify.reader import require
from pcsos.verify.tolls import MOST_TOLL, Tolls, extremes

PRICE_BITS, RATE_BITS, REACH_BITS, SCALE = 47, 52, 28, 31
LOW_BITS = (1 << SCALE) - 1
FAR = 1 << 29
MARGIN_BITS = 23
BATCH = 1 << 15  # points of boxes that are looked at together: few enough for the cache
MOST_KEPT = 1 << 23  # points of boxes that wait, beyond which the smallest boxes come first
#: Points of all boxes until a search is given up: so many, and so many for each point, but no more than the last.
LEAST_WORK, WORK_PER_POINT, MOST_WORK = 1 << 24, 1 << 16, 1 << 30
BOX_WORK = 16  # what a box counts beside its points
OF_A_BATCH, OF_A_POINT = 300_000, 25  # nanoseconds that some boxes take, and a point of one, for each side and two more


class Earners(NamedTuple):
    """Points that earn something: places of shape (d, n), and for each its price and weight (module text)."""

    places: Integers
    price: Integers
    mantissa: Integers
    exponent: Integers
    shift: Integers

    def cost(self, squares: Integers, of: Integers) -> Integers:
        """Return mantissa times squares (at most 2^62 in absolute value), in units of profit, rounded down."""
        mantissa = self.mantissa[of]
        cost = mantissa * (squares >> SCALE) + ((mantissa * (squares & LOW_BITS)) >> SCALE)
        return np.asarray(cost >> self.exponent[of])


class Boxes(NamedTuple):
    """Boxes, by their centres and the exponents of their half sides (d, m), what certainly earns there, and who may.

    What certainly earns is at most ``level + sum_j slope_j x_j - curve_j x_j^2`` where x_j runs from -1 to 1 across
    the box. As it is at least 0 and at most all prices, these numbers are less than 2^53 and rounding.
    """

    centres: Integers
    halves: Integers
    level: Integers
    slope: Integers
    curve: Integers
    held: Integers
    tolls: Integers
    counts: Integers
    points: Integers

    @property
    def half_sides(self) -> Integers:
        """Half sides, powers of two."""
        return np.int64(1) << self.halves

    @property
    def work(self) -> int:
        """What it takes to look at them."""
        return int(self.points.size + BOX_WORK * self.counts.size)


class Near(NamedTuple):
    """Pairs of a box and a point that may earn something in it: ``high`` at most, ``low`` at least where ``known``."""

    box: Integers
    point: Integers
    offsets: Integers
    high: Integers


def _in_lengths(offsets: Integers, shift: Integers) -> Integers:
    """Return offsets in lengths of 2^shift, rounded to the nearest."""
    return (offsets + ((np.int64(1) << shift) >> 1)) >> shift


def joined(batches: list[Boxes]) -> Boxes:
    """Return the boxes of several batches as one."""
    return Boxes(*(np.concatenate(own, axis=-1) for own in zip(*batches, strict=True)))


def sums(values: Integers, boxes: Integers, size: int) -> Integers:
    """Return the sum of the values of each box, along the last axis; boxes are in order."""
    total = np.zeros((*values.shape[:-1], size), np.int64)
    if boxes.size:
        starts = np.flatnonzero(np.concatenate([[True], boxes[1:] != boxes[:-1]]))
        total[..., boxes[starts]] = np.add.reduceat(values, starts, axis=-1)
    return total


class Search:
    """Halves boxes, beginning with one of all places, until in each the profit is at most what is allowed."""

    def __init__(
        self, earners: Earners, sides: list[int], most: int, knots: Knots | None = None, tolls: Tolls | None = None
    ) -> None:
        self.earners, self.sides, self.most, self.tolls = earners, sides, PARTS * most, tolls
        self.knots = knots or Knots.of(earners.price.size, [])
        d, n = earners.places.shape
        halves = np.array([[max((side - 1).bit_length() - 1, 0)] for side in sides], np.int64)
        nothing, everyone = np.zeros((d, 1), np.int64), np.arange(n, dtype=np.int64)
        span = np.array([[0], [MOST_TOLL]], np.int64)
        first = Boxes(1 << halves, halves, nothing[0], nothing, nothing, nothing[0], span, np.array([n]), everyone)
        self.lasts = np.array(sides, np.int64)[:, None]
        self.margin = n + 5 + (PARTS * int(earners.price.sum()) >> MARGIN_BITS)
        self.waiting: list[list[Boxes]] = [[first]]
        self.kept, self.work = first.work, 0
        self.most_work = min(LEAST_WORK + n * WORK_PER_POINT, MOST_WORK)

    def run(self) -> None:
        """Look at all boxes, or refuse."""
        while self.kept:
            depths = [depth for depth, batches in enumerate(self.waiting) if batches]
            depth = depths[0] if self.kept <= MOST_KEPT else depths[-1]
            batches = [self.waiting[depth].pop()]
            while self.waiting[depth] and batches[-1].work + sum(own.work for own in batches) <= BATCH:
                batches.append(self.waiting[depth].pop())
            boxes = joined(batches)
            spend(OF_A_BATCH + OF_A_POINT * (2 + len(self.sides)) * boxes.work)
            self.kept, self.work = self.kept - boxes.work, self.work + boxes.work
            require(self.work <= self.most_work, "prices: too long a search for the place where a cluster earns most")
            self.examine(boxes, depth)

    def examine(self, boxes: Boxes, depth: int) -> None:
        """Bound the profit in each box, and halve those in which it may be more than is allowed."""
        size, half_sides = boxes.counts.size, boxes.half_sides
        near = self.near(boxes, half_sides)
        known, low, reach = self.far(near, half_sides)
        is_free = self.knots.number[near.point] < 0
        held, paid, tolls, charge = boxes.held, np.zeros(size, np.int64), boxes.tolls, near.high * 0
        lasts = known & (low >= 0) & is_free
        if self.tolls is not None:
            toll, tolls, lasts = self.charged(boxes, near, known, low)
            charge = np.where(lasts, 0, self.tolls.charged(toll[near.box], near.point))
            held = held + sums(self.tolls.weight[near.point[lasts]], near.box[lasts], size)
            paid = self.tolls.paid(toll, held, PARTS)
        near, low = near._replace(high=np.maximum(near.high - charge, 0)), low - charge
        sure = known & (low >= 0)
        parts = np.where(known & (low < 0), PARTS * near.high // (near.high - np.minimum(low, 0)), 0)
        rest = np.where(sure, 0, np.maximum((PARTS - parts) * near.high, -parts * np.where(known, low, 0)))
        parts[sure] = PARTS
        levels, model = self.model(near, known, parts, reach, boxes.halves, charge)
        box, always, later = near.box[known], lasts[known], (~lasts & is_free)[known]
        own = [sums(values[..., always], box[always], size) for values in model]
        more = [sums(values[..., later], box[later], size) for values in model]
        level, slope, curve = (a + b for a, b in zip((boxes.level, boxes.slope, boxes.curve), own, strict=True))
        middle = level + paid + PARTS * sums(np.maximum(levels[later], 0), box[later], size)
        if self.tolls is not None and (middle > self.most).any():
            worth = levels[later] + charge[known][later]
            middle = np.minimum(middle, self.earned(worth, box[later], near.point[known][later], level, held))
        if not is_free.all():
            tied = self.tied(near, known, levels, model, rest)
            of_knots, in_middle = earned_of_knots(self.knots, tied, size)
            more, middle = [a + b for a, b in zip(more, of_knots, strict=True)], middle + in_middle
        require((middle <= self.most).all(), "prices: there is a place where a cluster earns more than is left to it")
        top = level + paid + more[0] + sums(np.where(is_free, rest, 0), near.box, size)
        top += peaks(slope + more[1], curve + more[2]).sum(axis=0)
        is_open = top > self.most
        if is_open.any():
            stay = is_open[near.box] & ~lasts
            box = (np.cumsum(is_open) - 1)[near.box[stay]]
            rim = Near(box, near.point[stay], near.offsets[:, stay], near.high[stay])
            counts = np.bincount(rim.box, minlength=int(is_open.sum())).astype(np.int64)
            left = Boxes(boxes.centres, boxes.halves, level, slope, curve, held, tolls, boxes.counts, boxes.points)
            self.divide(chosen(left, is_open)._replace(counts=counts, points=rim.point), rim, known[stay], depth)

    def near(self, boxes: Boxes, half_sides: Integers) -> Near:
        """Return the pairs of a box and a point that may earn something there, and how much at most."""
        earners, point = self.earners, boxes.points
        box = np.repeat(np.arange(boxes.counts.size), boxes.counts)
        shift, squares = earners.shift[point], np.zeros(point.size, np.int64)
        offsets = earners.places[:, point] - boxes.centres[:, box]
        for offset, half_side in zip(offsets, half_sides, strict=True):
            least = np.minimum(np.maximum(np.abs(offset) - half_side[box], 0) >> shift, FAR)
            squares += least * least
        high = earners.price[point] - earners.cost(squares, point)
        stay = high > 0
        if self.tolls is not None:
            stay &= high > self.tolls.charged(boxes.tolls[0][box], point)
        return Near(box[stay], point[stay], offsets[:, stay], high[stay])

    def charged(
        self, boxes: Boxes, near: Near, known: NDArray[np.bool_], low: Integers
    ) -> tuple[Integers, Integers, NDArray[np.bool_]]:
        """Return tolls of boxes, from where to where they may be in their parts, and who then earns everywhere.

        In any part, a fair toll is among those at which somebody earns in one place of the box, and not in another.
        """
        assert self.tolls is not None
        least, most = boxes.tolls
        size, box, point = least.size, near.box, near.point
        lasts = known & (low > self.tolls.charged(most[box], point))
        middle = (near.high + low) >> 1
        toll = self.tolls.fair(middle[known], box[known], point[known], boxes.held)
        toll = np.minimum(np.maximum(toll, least), most)
        charge = self.tolls.charged(toll[box], point)
        either = known & (low < charge) & (near.high > charge)
        lowest, _ = extremes(self.tolls.rates(low[either], point[either]), box[either], size)
        _, highest = extremes(self.tolls.rates(near.high[either], point[either]), box[either], size)
        is_blind = np.bincount(box[~known], minlength=size) > 0
        least = np.where(is_blind, least, np.maximum(least, np.minimum(lowest, toll)))
        most = np.where(is_blind, most, np.minimum(most, np.maximum(highest, toll)))
        return toll, np.array([least, most]), lasts

    def earned(self, worth: Integers, box: Integers, point: Integers, level: Integers, held: Integers) -> Integers:
        """Return what a cluster earns in the middle of each box, with the toll that is fair there."""
        assert self.tolls is not None
        toll = self.tolls.fair(worth, box, point, held)
        left = np.maximum(worth - self.tolls.charged(toll[box], point), 0)
        return np.asarray(level + self.tolls.paid(toll, held, PARTS) + PARTS * sums(left, box, toll.size))

    def far(self, near: Near, half_sides: Integers) -> tuple[NDArray[np.bool_], Integers, Integers]:
        """Return which pairs have no distance of FAR or more, their least profit, and their summed distances."""
        point = near.point
        shift = self.earners.shift[point]
        squares, reach, known = np.zeros_like(point), np.zeros_like(point), np.ones(point.size, bool)
        for offset, half_side in zip(near.offsets, half_sides, strict=True):
            most = np.minimum(((np.abs(offset) + half_side[near.box]) >> shift) + 1, FAR)
            squares, reach, known = squares + most * most, reach + most, known & (most < FAR)
        return known, self.earners.price[point] - self.earners.cost(squares, point) - 1, reach

    def model(
        self, near: Near, known: NDArray[np.bool_], parts: Integers, reach: Integers, halves: Integers, charge: Integers
    ) -> tuple[Integers, Model]:
        """Return for each known pair at least its profit at the centre, and its parts as a function over the box.

        With offsets A rounded to lengths of the point, off by t with |t| <= 1/2, ``(A + t - z)^2`` is no less than
        ``(A - z)^2 - |A - z|``, and all ``|A - z|`` together are at most the reach and d. So
        ``p - e (sum A^2 - reach - d)`` is the level, 2 e A the slope and e the curve, in lengths. Slopes are mantissas
        (2^28) times A (2^29) times parts (2^4), curves are less.
        """
        earners, point, parts, d = self.earners, near.point[known], parts[known], len(halves)
        shift, mantissa = earners.shift[point], earners.mantissa[point] * parts
        exponent, squares, slopes = earners.exponent[point] + SCALE + shift, -reach[known] - d, []
        own = halves[:, near.box[known]]
        for offset, half in zip(near.offsets[:, known], own, strict=True):
            middle = _in_lengths(offset, shift)
            squares += middle * middle
            slopes.append((mantissa * middle) >> np.minimum(exponent - half - 1, 63))
        level = earners.price[point] - earners.cost(squares, point) - charge[known]
        curve = (mantissa << 24) >> np.minimum(exponent + shift - 2 * own + 24, 63)
        return level, Model(parts * level + d, np.array(slopes), curve)

    def tied(self, near: Near, known: NDArray[np.bool_], levels: Integers, model: Model, rest: Integers) -> Tied:
        """Return the pairs with points of knots, with what bounds each over its box."""
        pairs = np.flatnonzero(self.knots.number[near.point] >= 0)
        at = np.full(near.point.size, -1)
        at[known] = np.arange(int(known.sum()))
        at = at[pairs]
        upper = Model(*(_chosen_or_0(values, at) for values in model))
        upper = upper._replace(level=upper.level + rest[pairs])
        return Tied(near.box[pairs], near.point[pairs], upper, PARTS * _chosen_or_0(levels, at))

    def divide(self, boxes: Boxes, rim: Near, known: NDArray[np.bool_], depth: int) -> None:
        """Halve boxes on whichever side of their middles no mean can be, or else where those on the rim differ most.

        The profit is greatest where a place is the mean of what is taken there. At and above the middle along an axis,
        the slope of what is taken is no more than that of what certainly is, at the middle, and the slopes of those on
        the rim that are positive: if that is negative, no mean is there. Below it is the same with the signs changed.

        The slope of a known pair is off by 1, and by ``16 e`` times a length of the point times half a side, which is
        less than 2^29 such lengths: by ``16 p / 2^23`` (module text). Halving halves that, and adds less than 4 to all.

        Those on the rim differ by their slopes, and those of knots by what they bend, too: all may be in the middle.
        """
        earners, point, box = self.earners, rim.point[known], rim.box[known]
        shift, mantissa = earners.shift[point], earners.mantissa[point] * PARTS
        exponent = earners.exponent[point] + SCALE + shift - 1 - boxes.halves[:, box]
        slopes = (mantissa * _in_lengths(rim.offsets[:, known], shift)) >> np.minimum(exponent, 63)
        size = boxes.counts.size
        up, down = sums(np.maximum(slopes, 0), box, size), sums(np.maximum(-slopes, 0), box, size)
        signs = (boxes.slope - down > self.margin).astype(np.int64) - (boxes.slope + up < -self.margin)
        is_blind = np.zeros(size, bool)
        is_blind[rim.box[~known]] = True
        signs[:, is_blind | (self.tolls is not None)] = 0
        is_cut = signs.any(axis=0)
        whole = np.flatnonzero(~is_cut)
        pull = up + down
        is_bent = (self.knots.number[point] >= 0) | (self.tolls is not None)  # without narrowing, middles may be best
        if is_bent.any():  # a difference of two choices may be greatest at both ends: it bends upwards
            bends = (mantissa << 24) >> np.minimum(exponent + shift - boxes.halves[:, box] + 25, 63)
            pull += sums(np.where(is_bent, bends, 0), box, size)
        side = np.where(is_blind | ~pull.any(axis=0), boxes.halves, pull)[:, whole].argmax(axis=0)
        signs[side, whole] = -1
        self.put(boxes, signs, depth + 1)
        if whole.size:
            self.put(chosen(boxes, ~is_cut), -signs[:, whole], depth + 1)

    def put(self, boxes: Boxes, signs: Integers, depth: int) -> None:
        """Put halves of boxes into the queue, but for those beyond the last place.

        Half of a box is x = (s + z) / 2 with s = -1 or 1: level, slope and curve become
        ``level + s slope / 2 - curve / 4``, ``(slope - s curve) / 2`` and ``curve / 4``. Rounding loses 1 in each of
        the first two. Where s = 0 nothing changes.
        """
        is_halved, slope, curve = signs != 0, boxes.slope, boxes.curve
        halves = boxes.halves - is_halved
        require(halves.min() >= 0, "prices: too fine a search for the place where a cluster earns most")
        half = boxes._replace(
            centres=boxes.centres + signs * (1 << halves),
            halves=halves,
            level=boxes.level + np.where(is_halved, ((2 * signs * slope - curve) >> 2) + 2, 0).sum(axis=0),
            slope=np.where(is_halved, (slope - signs * curve) >> 1, slope),
            curve=np.where(is_halved, curve >> 2, curve),
        )
        inside = (half.centres - half.half_sides <= self.lasts).min(axis=0)
        half = half if inside.all() else chosen(half, inside)
        if half.counts.size:
            self.waiting += [[]] * (depth == len(self.waiting))
            self.waiting[depth].append(half)
            self.kept += half.work


def chosen(boxes: Boxes, which: NDArray[np.bool_]) -> Boxes:
    """Return some of the boxes."""
    points = boxes.points[np.repeat(which, boxes.counts)]
    return Boxes(*(values[..., which] for values in boxes[:-1]), points)  # type: ignore[call-arg]


def _chosen_or_0(values: Integers, which: Integers) -> Integers:
    """Return columns, and 0 for those of a negative number."""
    if values.shape[-1] == 0:
        return np.zeros((*values.shape[:-1], which.size), np.int64)
    return np.where(which >= 0, values[..., np.maximum(which, 0)], 0)
