"""Knots: super-points of which a cluster takes some that no cannot-link ties (docs/certificate.md, section 12).

With v'_i at least what super-point i earns over a box, a knot earns at most the greatest of ``A_c = sum of v'_i over i
in c``, c one of its maximal independent sets. ``max A_c <= L + max (A_c - L)`` whatever L, here a mixture of two,

    L = sum of w_i v'_i,        A_c - L = sum of (c_i - w_i) v'_i.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pcsos.verify.effort import OF_A_STEP, OF_AN_ITEM, spend
from pcsos.verify.integers import PART_BITS, PARTS, Integers, Model, peaks
from pcsos.verify.reader import require
from pcsos.verify.state import State

MOST_MEMBERS, MOST_CHOICES = 16, 32
TABLE = 1 << 18  # numbers of a table


class Knots(NamedTuple):
    """For each point that earns something its knot (-1: none) and place in it; and of each knot the choices.

    ``choices`` has the shape (knots, choices, places): 1 for who is in.
    """

    number: Integers
    place: Integers
    choices: Integers

    @classmethod
    def of(cls, num_free: int, knots: list[list[list[int]]]) -> "Knots":
        """Return knots of the points behind those that are in none, given the choices of each as 0 and 1."""
        sizes = [len(choices[0]) for choices in knots]
        table = np.zeros((len(knots), max(map(len, knots), default=0), max(sizes, default=0)), np.int64)
        for knot, choices in enumerate(knots):
            table[knot, : len(choices), : sizes[knot]] = choices
        number = np.repeat(np.arange(-1, len(knots)), [num_free, *sizes])
        place = np.array([0] * num_free + [place for size in sizes for place in range(size)], np.int64)
        return cls(number, place, table)

    def listed(self) -> Iterator[list[list[int]]]:
        """Yield the choices of each knot, as 0 or 1 for each place."""
        sizes = np.bincount(self.number[self.number >= 0], minlength=len(self.choices)).tolist()
        for knot, size in enumerate(sizes):
            yield self.choices[knot, :, :size].tolist()


class Tied(NamedTuple):
    """Pairs of a box and a point of a knot, in order: at most what each earns over the box, and in the middle."""

    box: Integers
    point: Integers
    upper: Model
    middle: Integers


def knots_in(array: Integers, state: State) -> list[list[int]]:
    """Return the knots that are listed one after the other, as numbers of super-points.

    Raises
    ------
    VerificationError
        If they are too large, or a super-point is there twice.
    """
    listed = array.tolist()
    spend(OF_AN_ITEM * len(listed) * 5)
    knots, seen, at = [], set[int](), 0
    while at < len(listed):
        size = listed[at]
        knot = listed[at + 1 : at + 1 + max(size, 0)]
        require(len(knot) == size > 1, "knots: not a number of super-points and so many of them")
        require(size <= MOST_MEMBERS, f"knots: more than {MOST_MEMBERS} super-points in one")
        require(all(0 <= i < state.size for i in knot), "knots: no super-point")
        require(len({*knot}) == size and seen.isdisjoint(knot), "knots: a super-point twice")
        seen.update(knot)
        knots.append(knot)
        at += 1 + size
    return knots


def choices_of(knot: list[int], names: list[int], state: State) -> list[list[int]]:
    """Return the maximal independent sets of some super-points, each as 0 or 1 for each of them."""
    spend(2 * OF_AN_ITEM * len(knot) ** 2)
    around = [sum(1 << at for at, j in enumerate(knot) if names[j] in state.around(names[i])) for i in knot]
    found = []
    for choice in _independent(around, 0, (1 << len(knot)) - 1, 0):
        found.append([choice >> at & 1 for at in range(len(knot))])
        require(len(found) <= MOST_CHOICES, f"knots: more than {MOST_CHOICES} choices in one")
    return found


def _independent(around: list[int], chosen: int, left: int, barred: int) -> Iterator[int]:
    """Yield the maximal independent sets with all that are chosen, some of those left, and none of those barred."""
    if not left and not barred:
        yield chosen
        return
    spend(OF_A_STEP * len(around))
    near = [1 << at | own for at, own in enumerate(around)]
    # Whatever is chosen later, of one of those left or barred and its neighbours somebody has to be in.
    open_ = min((near[at] & left for at in range(len(near)) if (left | barred) >> at & 1), key=int.bit_count)
    for at in range(len(near)):
        if open_ >> at & 1:
            yield from _independent(around, chosen | 1 << at, left & ~near[at], barred & ~near[at])
            left, barred = left & ~(1 << at), barred | 1 << at


def earned_of_knots(knots: Knots, tied: Tied, size: int) -> tuple[Model, Integers]:
    """Return at most what knots earn over each of so many boxes, and in the middle of each."""
    number, d = knots.number[tied.point], len(tied.upper.slope)
    is_first = np.append(True, (number[1:] != number[:-1]) | (tied.box[1:] != tied.box[:-1]))
    starts = np.flatnonzero(is_first)
    total = Model(*(np.zeros((*own.shape[:-1], size), np.int64) for own in tied.upper))
    in_middle, step = np.zeros(size, np.int64), max(1, TABLE // (d * knots.choices.shape[2]))
    for first in range(0, len(starts), step):
        last = starts[first + step] if first + step < len(starts) else len(number)
        part = slice(starts[first], last)
        earned, middle = _earned(knots, number[part], tied, part, np.cumsum(is_first[part]) - 1)
        box = tied.box[starts[first : first + step]]
        for values, own in zip((*total, in_middle), (*earned, middle), strict=True):
            np.add.at(values.T, box, own.T)
    return total, in_middle


def _earned(knots: Knots, number: Integers, tied: Tied, part: slice, row: Integers) -> tuple[Model, Integers]:
    """Return the same for each row of a table: a box and one of its knots."""
    place, shape = knots.place[tied.point[part]], (int(row[-1]) + 1, knots.choices.shape[2])
    upper = Model(*(_placed(own[..., part], row, place, shape) for own in tied.upper))
    middle = _placed(np.maximum(tied.middle[part], 0), row, place, shape)
    choices = knots.choices[number[np.append(True, row[1:] != row[:-1])]]
    order = np.argsort((choices * upper.level[:, None]).sum(axis=2), axis=1)
    best, second = (choices[np.arange(len(choices)), order[:, rank]] for rank in (-1, -min(2, order.shape[1])))
    ahead, behind = _most(best - second, upper), _most(second - best, upper)
    share = (PARTS * behind // np.maximum(ahead + behind, 1))[:, None]
    mixture, lost = (PARTS - share) * best + share * second, np.zeros(len(choices), np.int64)
    for at in range(choices.shape[1]):
        lost = np.maximum(lost, _most(PARTS * choices[:, at] - mixture, upper))
    level, slope, curve = ((mixture * own).sum(axis=-1) for own in upper)
    level = ((level + lost + PARTS - 1) >> PART_BITS) + len(slope)  # as rounding takes up to 1 from each slope
    return Model(level, slope >> PART_BITS, curve >> PART_BITS), (choices * middle[:, None]).sum(axis=2).max(axis=1)


def _placed(values: Integers, row: Integers, place: Integers, shape: tuple[int, int]) -> Integers:
    """Return values in a table of boxes with a knot by the places in it, 0 for who is not there."""
    table = np.zeros((*values.shape[:-1], *shape), np.int64)
    table[..., row, place] = values
    return table


def _most(factor: Integers, upper: Model) -> Integers:
    """Return at least the most that a sum of factors times these bounds is anywhere, and 0."""
    level, slope, curve = ((factor * own).sum(axis=-1) for own in upper)
    return np.asarray(np.maximum(level + peaks(slope, curve).sum(axis=0), 0))
