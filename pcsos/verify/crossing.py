"""Crossing: what a partition adds to Z between some points and the others, at least, under limits of sizes."""

from collections.abc import Iterator
from functools import cached_property

from flint import fmpq

from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import OF_A_STEP, OF_AN_ITEM, spend
from pcsos.verify.reader import require

MOST_DIVIDED = 2**14  # points up to which set cuts are checked


class Crossing:
    """The least crossings of n points in k clusters of weights from ``low`` to ``high``: all states have the same.

    ``sizes`` are the numbers of points of all clusters, or None; all points have to weigh 1.
    """

    def __init__(self, weights: Doubles, k: int, low: fmpq, high: fmpq, sizes: list[int] | None) -> None:
        self.weights, self.k, self.low, self.high, self.sizes = weights, k, low, high, sizes
        self._known: dict[int, fmpq] = {}

    def least(self, q: int) -> fmpq:
        """Return what a partition adds to Z between q points and the others, at least, if all points weigh 1.

        One cluster is divided, and all others are full or empty.
        """
        if q not in self._known:
            n = len(self.weights)
            require(n <= MOST_DIVIDED, f"a set cut, but there are more than {MOST_DIVIDED} points")
            require(self._counts_points, "a set cut, but points have weights")
            divided = self._in_range(q) if self.sizes is None else self._in_list(q)
            self._known[q] = min((fmpq(s * u, s + u) for s, u in divided), default=fmpq(0))
        return self._known[q]

    @cached_property
    def _counts_points(self) -> bool:
        return all(weight == 1 for weight in self.weights)

    def _in_range(self, q: int) -> Iterator[tuple[int, int]]:
        """Yield points inside and outside of a divided cluster, some with the least s u / (s + u) among them.

        With t other clusters full there are bounds on both. The least is where both are least, if they are enough for a
        cluster; else they are just enough, and s u is concave in s, so that s is at an end of what is left for it.
        """
        n, least, most = len(self.weights), max(int(self.low.ceil()), 1), int(self.high.floor())
        spend(OF_A_STEP * self.k)
        for t in range(self.k):
            lo, hi = max(q - t * most, 0), q - t * least
            start, end = max(n - q - (self.k - 1 - t) * most, 0), n - q - (self.k - 1 - t) * least
            for s in {max(lo, least - end), max(lo, min(hi, least - start))}:
                u = max(start, least - s)
                if lo <= s <= hi and start <= u <= end and s + u <= most:
                    yield s, u

    def _in_list(self, q: int) -> Iterator[tuple[int, int]]:
        """Yield points inside and outside of divided clusters, some with the least s u / (s + u) among them.

        The full ones hold any sum of the other sizes. Of a cluster of one size s u is concave in s: what counts is the
        least s and the least u for which there is such a sum.
        """
        spend((OF_A_STEP + len(self.weights)) * len(self._sums))
        for size, sums in self._sums:
            outside = (sums << size >> q) & ((1 << size + 1) - 1)  # bit u is set if q - (size - u) is such a sum
            if outside:
                for u in (outside.bit_length() - 1, (outside & -outside).bit_length() - 1):
                    yield size - u, u

    @cached_property
    def _sums(self) -> list[tuple[int, int]]:
        """Each size, and the sums of some of the other ones as the bits of a number."""
        found = []
        for size in sorted(set(self.sizes or ())):
            others, sums = list(self.sizes or ()), 1
            spend((OF_AN_ITEM + len(self.weights) // 16) * len(others))
            others.remove(size)
            for other in others:
                sums |= sums << other
            found.append((size, sums))
        return found
