"""Line: where one feature varies and nothing is apart, a penalty proves a bound (docs/certificate.md, section 11)."""

from bisect import bisect_left
from collections import deque
from functools import partial
from itertools import accumulate

from flint import fmpq

from pcsos.verify.bound import Data
from pcsos.verify.reader import require
from pcsos.verify.state import State

MORE_BITS = 32  # of coordinates beyond their own: what is lost by rounding down is as good as nothing


def line_bound(data: Data, state: State, penalty: fmpq, k: int) -> fmpq:
    """Return what a penalty for each cluster proves of the partitions into k: F_s - k penalty.

    F_0 = 0, and F_j is the least F_i + penalty + cost of the super-points i + 1 .. j over i < j, rounded down.
    """
    varying = [column for column in zip(*data.exact_points, strict=True) if any(x != column[0] for x in column)]
    holds = len(varying) <= 1 and not state.is_divided
    require(holds, "closed as a line, but two features vary or there is a cannot-link")
    places = varying[0] if varying else [fmpq(0)] * len(data.exact_points)
    fine, mass = int(max(x.q for x in places)) << MORE_BITS, int(max(w.q for w in data.exact_weights))
    pairs = [(int(w * mass), int(x * fine)) for w, x in zip(data.exact_weights, places, strict=True)]
    points = [(w, w * x, w * x * x) for w, x in pairs]
    sums = [[sum(of) for of in zip(*(points[p] for p in group), strict=True)] for group in state.groups()]
    sums.sort(key=lambda own: fmpq(own[1], own[0]))
    w, m, q = ([0, *accumulate(column)] for column in zip(*sums, strict=True))
    size, price, rest = len(sums), int((penalty * (fine * fine * mass)).floor()), [0]  # rest: F_j - Q_j

    def no_worse(later: int, start: int, end: int) -> bool:
        own, other = w[end] - w[later], w[end] - w[start]
        gain = (m[end] - m[later]) ** 2 * other - (m[end] - m[start]) ** 2 * own
        return bool((rest[later] - rest[start]) * own * other <= gain)

    starts = deque([(0, 1)])  # of intervals that are best for the ends from the one beside them on
    for j in range(1, size + 1):
        if len(starts) > 1 and starts[1][1] == j:
            starts.popleft()
        i = starts[0][0]
        rest.append(rest[i] + price + -((m[j] - m[i]) ** 2) // (w[j] - w[i]))
        while starts[-1][1] > j and no_worse(j, *starts[-1]):
            starts.pop()
        last, low, step = starts[-1][0], max(starts[-1][1], j), 1
        while low + step <= size and not no_worse(j, last, low + step):
            low, step = low + step, 2 * step
        ends = range(low + 1, min(low + step, size + 1))
        starts.append((j, low + 1 + bisect_left(ends, True, key=partial(no_worse, j, last))))
        if starts[-1][1] > size:
            starts.pop()
    return fmpq(rest[-1] + q[-1] - k * price, fine * fine * mass)
