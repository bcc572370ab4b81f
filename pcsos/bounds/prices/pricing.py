"""Pricing: what a cluster earns at most at any place, searched over boxes in jobs of bounded work.

A job that is not done by then leaves two, with every other one of the boxes that wait. As that depends on the work
alone, what is found depends neither on the number of those who do it nor on when they do.
"""

import math
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from pcsos.base.control.pool import Pool
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.control.threads import threads
from pcsos.base.typing import Floats
from pcsos.bounds.prices.narrowing import slip_of
from pcsos.bounds.prices.profit import Profit, Search, goes_on, rounding_of, search_boxes
from pcsos.bounds.prices.tree import Priced

#: The box that holds all means is halved so many times before it is dealt out.
HALVINGS = 5
#: Jobs at first: one where so few super-points take no longer than to hand them out.
FOR_ONE, FIRST_JOBS = 500, 4
#: Jobs beyond those at work, for each thread: with the second there, none waits for the next one.
AHEAD = 1
#: Steps of work of a job: some tenths of a second.
WORK = 8_000_000


@dataclass(frozen=True, eq=False)
class BoxSearch:
    """A search, and its place in the order of all."""

    place: tuple[int, ...]
    search: Search

    def done(self, priced: Priced) -> tuple[tuple[Any, ...], list["BoxSearch"]]:
        """Return place, least, most, places, what is earned there and the number of boxes, and what is left."""
        search = self.search.with_room()
        search = search._replace(members=search_boxes(priced, search, WORK))
        waiting, count, found = search.numbers.tolist()
        best, bound = search.profits.tolist()
        is_over = not goes_on(search)
        result = (
            self.place, best, search.most if is_over else max(best, bound), search.places[:found],
            search.earned[:found], count,
        )  # fmt: skip
        halves = range(0 if is_over else min(waiting, 2))
        most_boxes = (search.most_boxes - count) // 2
        return result, [
            BoxSearch((*self.place, half), search.part(slice(half, waiting, 2), most_boxes)) for half in halves
        ]


def greatest_profit(
    priced: Priced, *, known: float, tolerance: float, floor: float, keep: int, most_boxes: int,
    rounded: float, stop: Stop = NEVER,
) -> Profit:  # fmt: skip
    """Bound the profit at any place, unless asked to give up before, to ``tolerance``.

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
        Boxes after which each of the first jobs ends with what it has, about.
    rounded : float
        Number of points: means were formed of so many numbers.
    stop : Stop
        Whether to end with what it has.
    """
    lows, highs = parts_of_box(priced.low[0], priced.high[0])
    number = FIRST_JOBS if len(priced.means) > FOR_ONE else 1
    highest = max(float(priced.most[0]), 0.0) if priced.is_limited else 0.0
    asked = (known, tolerance, floor, keep, most_boxes, slip_of(priced, rounded), highest)
    searches = [
        BoxSearch((at,), Search.of(lows[at::number], highs[at::number], priced.roots, *asked)) for at in range(number)
    ]
    results, left = _done(priced, searches, stop)
    _, least, most, places, earned, num_boxes = zip(*results, strict=True) if results else ((),) * 6
    found = np.concatenate([np.empty(0), *earned])
    best = np.argsort(-found, kind="stable")[:keep]
    return Profit(
        max([known, *least]),
        max([known, *most, *(own.search.most for own in left)]) + rounding_of(priced, rounded),
        np.concatenate([np.empty((0, lows.shape[1])), *places])[best],
        found[best],
        sum(num_boxes),
    )


def _done(priced: Priced, searches: list[BoxSearch], stop: Stop) -> tuple[list[tuple[Any, ...]], list[BoxSearch]]:
    """Do searches and what they leave by the threads at hand; return results in order, and what is left if stopped."""
    pool, waiting, results = Pool(*threads()), deque(searches), list[tuple[Any, ...]]()

    def begin(search: BoxSearch) -> Future[tuple[tuple[Any, ...], list[BoxSearch]]] | None:
        return None if stop.asked() else pool.submit(search.done, priced)

    def fail(error: BaseException) -> NoReturn:
        raise error

    for _, (result, more) in pool.each(waiting, begin, stop, fail, ahead=AHEAD, grace=math.inf):
        results.append(result)
        waiting.extendleft(more)  # what is large should not come last
    return sorted(results, key=lambda result: result[0]), list(waiting)


def parts_of_box(low: Floats, high: Floats) -> tuple[Floats, Floats]:
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
