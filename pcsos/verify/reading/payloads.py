"""Payloads: what problems and their evidence hold, one array after the other (docs/certificate.md, sections 1 and 2).

Each function reads what comes next. Multipliers are read by :mod:`pcsos.verify.reading.multipliers`.
"""

from collections.abc import Iterator

import numpy as np

from pcsos.verify.reading.arrays import Arrays, Doubles, Integers

#: Points of a search for a colouring.
MOST_STEPS = 1 << 22
#: Axes are in units of two to the power of minus that, and there are so many at most.
AXIS_BITS, MOST_AXES = 30, 16


def read_pair(arrays: Arrays, n: int) -> tuple[int, int]:
    """Return two different points of n."""
    i, j = arrays.integers(1, size=2).tolist()
    arrays.require(i != j and min(i, j) >= 0 and max(i, j) < n, f"{i} and {j} are not two points from 0 to {n - 1}")
    return i, j


def read_weight_bound(arrays: Arrays, n: int) -> tuple[int, float]:
    """Return one of n points and a positive weight."""
    point, weight = int(arrays.integers(1, size=1)[0]), float(arrays.doubles(1, size=1)[0])
    arrays.require(0 <= point < n and weight > 0.0, f"{point} and {weight} are not a point below {n} and a weight")
    return point, weight


def read_part(arrays: Arrays, n: int) -> tuple[Integers, Doubles]:
    """Return some of n points, in increasing order, and their positive weights."""
    points = arrays.integers(1, most=n)
    weights = arrays.doubles(1, size=points.size)
    inside = points.size and points[0] >= 0 and points[-1] < n
    arrays.require(
        inside and (points[:-1] < points[1:]).all() and (weights > 0).all(), "not some points and their weights"
    )
    return points, weights


def read_decisions(arrays: Arrays, n: int) -> Integers:
    """Return decisions, shape (3, t): kinds (0 for ``ML``, 1 for ``CL``), first and second points of n."""
    decisions = arrays.integers(2, most=3 * n * (n + 1) // 2)
    arrays.require(len(decisions) == len(("kind", "i", "j")), "decisions: not kinds and pairs of points")
    kinds, points = decisions[0], decisions[1:]
    arrays.require(((kinds == 0) | (kinds == 1)).all(), "decisions: of an unknown kind")
    arrays.require(((points >= 0) & (points < n)).all(), f"decisions: a point that is not from 0 to {n - 1}")
    arrays.require((points[0] != points[1]).all(), "decisions: a point and itself are not a decision")
    return decisions


def read_forced(arrays: Arrays, n: int) -> tuple[Integers, Iterator[list[int]]]:
    """Return decisions, and the points of the clique of each, one clique at a time."""
    decisions = read_decisions(arrays, n)
    return decisions, _cliques(arrays, arrays.integers(1), decisions.shape[1], n)


def _cliques(arrays: Arrays, listed: Integers, number: int, n: int) -> Iterator[list[int]]:
    """Yield so many cliques, each of which stands behind the number of its points."""
    at = 0
    for _ in range(number):
        arrays.require(at < len(listed) and 0 <= listed[at] < len(listed) - at, "cliques: not one for each decision")
        start, at = at + 1, at + 1 + int(listed[at])
        clique: list[int] = listed[start:at].tolist()
        arrays.require(all(0 <= point < n for point in clique), f"cliques: a point that is not from 0 to {n - 1}")
        yield clique
    arrays.require(at == len(listed), "cliques: more than decisions")


def read_search(arrays: Arrays) -> Integers:
    """Return the points that a search for a colouring takes, one after the other."""
    return arrays.integers(1, most=MOST_STEPS)


def read_penalty(arrays: Arrays) -> float:
    """Return the penalty of a line."""
    return float(arrays.doubles(1, size=1)[0])


def read_prices(
    arrays: Arrays, *, size: int | None = None, most: int | None = None, num_features: int | None = None
) -> tuple[Doubles, Integers, Integers | None]:
    """Return so many prices, or at most so many; knots, one after the other; and axes, one per row, None for none."""
    prices = arrays.doubles(1, size, most)
    knots = arrays.integers(1, most=2 * prices.size)
    axes = arrays.integers(2, most=None if num_features is None else MOST_AXES * num_features)
    number, d = axes.shape
    arrays.require(
        number <= min(MOST_AXES, d), f"axes: {number} of {d} features, more than there are, or than {MOST_AXES}"
    )
    arrays.require(not number or num_features in (None, d), f"axes: of {d} features, where there are {num_features}")
    return prices, knots, axes if number else None


def read_branching(arrays: Arrays) -> tuple[int, int, float | None]:
    """Return the numbers of two problems, and where these start, if that is said."""
    first, second = arrays.integers(1, size=2).tolist()
    start = arrays.doubles(1, most=1)
    return first, second, float(start[0]) if start.size else None


def read_children(arrays: Arrays) -> Integers:
    """Return the numbers of the parts of a cover, none of them twice."""
    numbers = arrays.integers(1)
    arrays.require(np.unique(numbers).size == numbers.size, "a part that is there twice")
    return numbers
