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

from pcsos.verify.integers import PARTS, Integers, Model, peaks
from pcsos.verify.knots import Knots, Tied, earned_of_knots
from pcsos.verify.reader import require

PRICE_BITS, RATE_BITS, REACH_BITS, SCALE = 47, 52, 28, 31
LOW_BITS = (1 << SCALE) - 1
FAR = 1 << 29
BATCH = 1 << 15  # points of boxes that are looked at together: few enough for the cache
MOST_KEPT = 1 << 23  # points of boxes that wait, beyond which the smallest boxes come first
#: Points of all boxes until a search is given up: so many, and so many for each point, but no more than the last.
LEAST_WORK, WORK_PER_POINT, MOST_WORK = 1 << 24, 1 << 16, 1 << 30
BOX_WORK = 16  # what a box counts beside its points


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
        cost: Integers = (
            mantissa * (squares >> SCALE) + ((mantissa * (squares & LOW_BITS)) >> SCALE)
        ) >> self.exponent[of]
        return cost


class Boxes(NamedTuple):
    """Boxes of one size, by their centres (d, m), what certainly earns there, and the points that may earn something.

    What certainly earns is at most ``level + sum_j slope_j x_j - curve_j x_j^2`` where x_j runs from -1 to 1 across
    the box. As it is at least 0 and at most all prices, these numbers are less than 2^53 and rounding.
    """

    centres: Integers
    level: Integers
    slope: Integers
    curve: Integers
    counts: Integers
    points: Integers

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


def joined(batches: list[Boxes]) -> Boxes:
    """Return the boxes of several batches as one."""
    return (
        batches[0]
        if len(batches) == 1
        else Boxes(*(np.concatenate(own, axis=-1) for own in zip(*batches, strict=True)))
    )


def sums(values: Integers, boxes: Integers, size: int) -> Integers:
    """Return the sum of the values of each box, along the last axis; boxes are in order."""
    total = np.zeros((*values.shape[:-1], size), np.int64)
    if boxes.size:
        starts = np.flatnonzero(np.concatenate([[True], boxes[1:] != boxes[:-1]]))
        total[..., boxes[starts]] = np.add.reduceat(values, starts, axis=-1)
    return total


class Search:
    """Halves boxes, beginning with one of all places, until in each the profit is at most what is allowed."""

    def __init__(self, earners: Earners, sides: list[int], most: int, knots: Knots | None = None) -> None:
        self.earners, self.sides, self.most = earners, sides, PARTS * most
        self.knots = knots or Knots.of(earners.price.size, [])
        d, n = earners.places.shape
        root = [max((side - 1).bit_length() - 1, 0) for side in sides]
        self.halves = [root]  # for each depth and feature the half side of all boxes, as an exponent of two
        centres = np.array([[1 << half] for half in root], np.int64)
        nothing = np.zeros((d, 1), np.int64)
        first = Boxes(centres, nothing[0], nothing, nothing, np.array([n], np.int64), np.arange(n, dtype=np.int64))
        self.waiting: list[list[Boxes]] = [[first]]
        self.kept, self.work, self.num_boxes = first.work, 0, 0
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
            self.kept, self.work, self.num_boxes = (
                self.kept - boxes.work,
                self.work + boxes.work,
                self.num_boxes + boxes.counts.size,
            )
            require(self.work <= self.most_work, "prices: too long a search for the place where a cluster earns most")
            self.examine(boxes, depth)

    def examine(self, boxes: Boxes, depth: int) -> None:
        """Bound the profit in each box, and halve those in which it may be more than is allowed."""
        halves, size = self.halves[depth], boxes.counts.size
        near = self.near(boxes, halves)
        known, low, reach = self.far(near, halves)
        sure = known & (low >= 0)
        parts = np.where(known & (low < 0), PARTS * near.high // (near.high - np.minimum(low, 0)), 0)
        rest = np.where(sure, 0, np.maximum((PARTS - parts) * near.high, -parts * np.where(known, low, 0)))
        parts[sure] = PARTS
        levels, model = self.model(near, known, parts, reach, halves)
        is_free = self.knots.number[near.point] < 0
        box, always, later = near.box[known], (sure & is_free)[known], (~sure & is_free)[known]
        own = [sums(values[..., always], box[always], size) for values in model]
        more = [sums(values[..., later], box[later], size) for values in model]
        level, slope, curve = (a + b for a, b in zip((boxes.level, boxes.slope, boxes.curve), own, strict=True))
        middle = level + PARTS * sums(np.maximum(levels[later], 0), box[later], size)
        if not is_free.all():
            tied = self.tied(near, known, levels, model, rest)
            of_knots, in_middle = earned_of_knots(self.knots, tied, size)
            more, middle = [a + b for a, b in zip(more, of_knots, strict=True)], middle + in_middle
        require((middle <= self.most).all(), "prices: there is a place where a cluster earns more than is left to it")
        top = level + more[0] + sums(np.where(is_free, rest, 0), near.box, size)
        top += peaks(slope + more[1], curve + more[2]).sum(axis=0)
        is_open = top > self.most
        if is_open.any():
            stay = is_open[near.box] & ~(sure & is_free)
            counts = np.bincount(near.box[stay], minlength=size)[is_open].astype(np.int64)
            around, *left = (values[..., is_open] for values in (boxes.centres, level, slope, curve))
            self.halve(Boxes(around, left[0], left[1], left[2], counts, near.point[stay]), depth)

    def near(self, boxes: Boxes, halves: list[int]) -> Near:
        """Return the pairs of a box and a point that may earn something there, and how much at most."""
        earners, point = self.earners, boxes.points
        box = np.repeat(np.arange(boxes.counts.size), boxes.counts)
        shift, squares = earners.shift[point], np.zeros(point.size, np.int64)
        offsets = earners.places[:, point] - boxes.centres[:, box]
        for offset, half in zip(offsets, halves, strict=True):
            least = np.minimum(np.maximum(np.abs(offset) - (1 << half), 0) >> shift, FAR)
            squares += least * least
        high = earners.price[point] - earners.cost(squares, point)
        stay = high > 0
        return Near(box[stay], point[stay], offsets[:, stay], high[stay])

    def far(self, near: Near, halves: list[int]) -> tuple[NDArray[np.bool_], Integers, Integers]:
        """Return which pairs have no distance of FAR or more, their least profit, and their summed distances."""
        point = near.point
        shift = self.earners.shift[point]
        squares, reach, known = np.zeros_like(point), np.zeros_like(point), np.ones(point.size, bool)
        for offset, half in zip(near.offsets, halves, strict=True):
            most = np.minimum(((np.abs(offset) + (1 << half)) >> shift) + 1, FAR)
            squares, reach, known = squares + most * most, reach + most, known & (most < FAR)
        return known, self.earners.price[point] - self.earners.cost(squares, point) - 1, reach

    def model(
        self, near: Near, known: NDArray[np.bool_], parts: Integers, reach: Integers, halves: list[int]
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
        half_unit = (np.int64(1) << shift) >> 1
        for offset, half in zip(near.offsets[:, known], halves, strict=True):
            middle = (offset + half_unit) >> shift
            squares += middle * middle
            slopes.append((mantissa * middle) >> np.minimum(exponent - half - 1, 63))
        level = earners.price[point] - earners.cost(squares, point)
        curve = [(mantissa << 24) >> np.minimum(exponent + shift - 2 * half + 24, 63) for half in halves]
        return level, Model(parts * level + d, np.array(slopes), np.array(curve))

    def tied(self, near: Near, known: NDArray[np.bool_], levels: Integers, model: Model, rest: Integers) -> Tied:
        """Return the pairs with points of knots, with what bounds each over its box."""
        pairs = np.flatnonzero(self.knots.number[near.point] >= 0)
        at = np.full(near.point.size, -1)
        at[known] = np.arange(int(known.sum()))
        at = at[pairs]
        upper = Model(*(_chosen_or_0(values, at) for values in model))
        upper = upper._replace(level=upper.level + rest[pairs])
        return Tied(near.box[pairs], near.point[pairs], upper, PARTS * _chosen_or_0(levels, at))

    def halve(self, boxes: Boxes, depth: int) -> None:
        """Put both halves of boxes into the queue, but for those beyond the last place.

        Half of a box is x = (s + z) / 2 with s = -1 or 1: level, slope and curve become
        ``level + s slope / 2 - curve / 4``, ``(slope - s curve) / 2`` and ``curve / 4``. Rounding loses 1 in each of
        the first two.
        """
        halves = list(self.halves[depth])
        j = halves.index(max(halves))
        require(halves[j] > 0, "prices: too fine a search for the place where a cluster earns most")
        halves[j] -= 1
        if len(self.halves) == depth + 1:
            self.halves.append(halves)
            self.waiting.append([])
        for sign in (-1, 1):
            centres, slope, curve = boxes.centres.copy(), boxes.slope.copy(), boxes.curve.copy()
            centres[j] += sign * (1 << halves[j])
            level = boxes.level + ((2 * sign * slope[j] - curve[j]) >> 2) + 2
            slope[j], curve[j] = (slope[j] - sign * curve[j]) >> 1, curve[j] >> 2
            half = boxes._replace(centres=centres, level=level, slope=slope, curve=curve)
            inside = centres[j] - (1 << halves[j]) <= self.sides[j]
            if not inside.all():
                half = chosen(half, inside)
            if half.counts.size:
                self.waiting[depth + 1].append(half)
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
