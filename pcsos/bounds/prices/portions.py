"""Portions: a search over boxes in parts that anybody may do, each of bounded work.

A portion that is not done by then leaves two, with every other one of the boxes that wait. As that depends on the work
alone, what is found depends neither on the number of those who do it nor on when they do.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pcsos.bounds.prices import errands
from pcsos.bounds.prices.narrowing import slip_of
from pcsos.bounds.prices.profit import Profit, Search, goes_on, parts_of_box, rounding_of, search_boxes
from pcsos.bounds.prices.tree import Priced
from pcsos.control.stop import NEVER, Stop
from pcsos.typing import Floats, Indices

#: Steps of work of a portion: some tenths of a second.
WORK = 8_000_000


@dataclass(frozen=True, eq=False)
class Portion:
    """Boxes that wait, with all that a search needs to go on.

    Parameters
    ----------
    place : tuple of int
        In the order of all portions.
    low, high, always, start, end, above, members : ndarray
        The boxes, as a search has them.
    known : float
        What is earned somewhere.
    tolerance, floor, keep, most_boxes, slip
        What was asked for.
    """

    place: tuple[int, ...]
    low: Floats
    high: Floats
    always: Floats
    start: Indices
    end: Indices
    above: Floats
    members: Indices
    known: float
    tolerance: float
    floor: float
    keep: int
    most_boxes: int
    slip: float

    @classmethod
    def of(cls, number: int, low: Floats, high: Floats, priced: Priced, *asked: Any) -> "Portion":
        """Return a box of which nothing is known."""
        d, roots = low.size, priced.roots
        return cls(
            (number,), low[None], high[None], np.zeros((1, d + 2)), np.zeros(1, np.int64),
            np.full(1, roots.size, np.int64), np.full(1, np.inf), roots, *asked,
        )  # fmt: skip

    def done(self, priced: Priced) -> tuple[tuple[Any, ...], list["Portion"]]:
        """Return place, least, most, places, what is earned there and the number of boxes, and what is left."""
        search = Search.of(self.low, self.high, 0, self.known, self.keep, self.slip)
        size = len(self.low)
        search.always[:size], search.above[:size] = self.always, self.above
        search.start[:size], search.end[:size] = self.start, self.end
        members = search_boxes(priced, search, self.members.copy(), self.tolerance, self.floor, self.most_boxes, WORK)
        waiting, count, found = search.numbers.tolist()
        best, bound = search.profits.tolist()
        is_over = not goes_on(search, self.most_boxes)
        result = (
            self.place, best, search.most if is_over else max(best, bound), search.places[:found].copy(),
            search.earned[:found].copy(), count,
        )  # fmt: skip
        if is_over:
            return result, []
        return result, [
            self._left(search, members, half, slice(half, waiting, 2), best, (self.most_boxes - count) // 2)
            for half in range(min(waiting, 2))
        ]

    def _left(self, search: Search, members: Indices, half: int, own: slice, best: float, most_boxes: int) -> "Portion":
        """Return what is left of a search, with every other one of its boxes."""
        boxes: tuple[Any, ...] = (
            search.low, search.high, search.always, search.start, search.end, search.above,
        )  # fmt: skip
        low, high, always, start, end, above = (np.array(values[own]) for values in boxes)
        return Portion(
            (*self.place, half), low, high, always, start, end, above, members[: int(end.max())].copy(), best,
            self.tolerance, self.floor, self.keep, most_boxes, self.slip,
        )  # fmt: skip


def greatest_profit_of_many(
    priced: Priced, *, known: float, tolerance: float, floor: float, keep: int, most_boxes: int,
    rounded: float, stop: Stop = NEVER,
) -> Profit:  # fmt: skip
    """Bound the profit at any place of many super-points, as :func:`greatest_profit` does for few."""
    asked = (known, tolerance, floor, keep, most_boxes, slip_of(priced, rounded))
    lows, highs = parts_of_box(priced.low[0], priced.high[0])
    portions = [
        Portion.of(number, low, high, priced, *asked)
        for number, (low, high) in enumerate(zip(lows, highs, strict=True))
    ]
    results, left = errands.done(priced, portions, stop)
    _, least, most, places, earned, num_boxes = zip(*results, strict=True) if results else ((),) * 6
    found = np.concatenate(earned) if earned else np.empty(0)
    best = np.argsort(-found, kind="stable")[:keep]
    return Profit(
        max([known, *least]),
        max([known, *most, *(float(portion.above.max()) for portion in left)]) + rounding_of(priced, rounded),
        np.concatenate([np.empty((0, lows.shape[1])), *places])[best],
        found[best],
        sum(num_boxes),
    )
