"""Distance thresholds as pairs: a greatest diameter gives cannot-links, a least split gives must-links."""

import math
from collections.abc import Callable
from numbers import Real
from typing import Annotated, TypedDict

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.spacing import Spacing
from pcsos.problem.validation.signatures import Option, family
from pcsos.problem.validation.texts import distance as read_distance

#: Distances held at a time.
BLOCK_ENTRIES = 4_000_000

#: Pairs beyond which a threshold is refused: they would need gigabytes, and no assignment would end.
MAX_PAIRS = 50_000_000

Comparison = Callable[[Floats], Flags]


@family
class DistanceKeywords(TypedDict, total=False):
    """Limits of distance, which stand for pairs.

    Parameters
    ----------
    max_diameter : float, optional
        Greatest Euclidean distance within a cluster: points farther apart become cannot-links. With ``gram``,
        ``kernel`` or ``distances`` it is that in the feature space, ``sqrt(K_ii + K_jj - 2 K_ij)``: the root of what
        ``distances`` holds.
    min_split : float, optional
        Least Euclidean distance between points of different clusters, likewise: points closer become must-links.
    """

    max_diameter: Annotated[
        float | None, Option("points farther apart than X cannot share a cluster", read_distance, "X")
    ]
    min_split: Annotated[float | None, Option("points closer than X must share a cluster", read_distance, "X")]


def limited(
    constraints: Constraints, points: Floats | Spacing, max_diameter: float | None, min_split: float | None
) -> Constraints:
    """Return the constraints together with the pairs that limits of distance stand for.

    Parameters
    ----------
    constraints : Constraints
        Pairs that are given already.
    points : ndarray, shape (n, d), or Spacing
        The points, or their distances.
    max_diameter : float or None
        Points farther apart than this cannot be linked.
    min_split : float or None
        Points closer than this must be linked.

    Raises
    ------
    InputError
        If a limit is no distance, makes too many pairs, or asks of a pair what the other one forbids.
    """
    if max_diameter is None and min_split is None:
        return constraints
    must, cannot = [constraints.must_link], [constraints.cannot_link]
    if min_split is not None:
        distance = _checked_distance(min_split, "min_split")
        must.append(pairs_closer(points, distance, f"min_split is {distance:g}"))
    if max_diameter is not None:
        distance = _checked_distance(max_diameter, "max_diameter")
        cannot.append(pairs_farther(points, distance, f"max_diameter is {distance:g}"))
    if max_diameter is not None and min_split is not None:
        _refuse_pairs_in_both(points, must[1], cannot[1], f"max_diameter is {max_diameter:g}, min_split {min_split:g}")
    return Constraints(constraints.n_points, np.concatenate(must), np.concatenate(cannot))


def _checked_distance(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 <= float(value) < math.inf:
        raise InputError(f"{name} is {value!r}; give a distance of 0 or more, or None")
    return float(value)


def _refuse_pairs_in_both(points: Floats | Spacing, closer: Indices, farther: Indices, limits: str) -> None:
    """Refuse limits of which one keeps a pair together and the other one keeps it apart."""
    spacing = Spacing.of(points)
    n = spacing.n_points
    both = np.intersect1d(closer @ [n, 1], farther @ [n, 1], assume_unique=True)
    if both.size:
        i, j = divmod(int(both[0]), n)
        raise InputError(
            f"{limits}, but points {i} and {j} are {spacing.between(i, j):g} apart, too far to share a "
            "cluster and too near not to; increase max_diameter or decrease min_split"
        )


def pairs_farther(points: Floats | Spacing, distance: float, source: str) -> Indices:
    """Return the pairs (i, j), i < j, of points farther apart than ``distance``, shape (m, 2)."""
    return _pairs_where(points, lambda distances: distances > distance, source)


def pairs_closer(points: Floats | Spacing, distance: float, source: str) -> Indices:
    """Return the pairs (i, j), i < j, of points closer than ``distance``, shape (m, 2)."""
    return _pairs_where(points, lambda distances: distances < distance, source)


def _pairs_where(points: Floats | Spacing, test: Comparison, source: str) -> Indices:
    """Compare distances in blocks of rows, so that no n x n array is held; ``source`` says who asks for it."""
    spacing = Spacing.of(points)
    n = spacing.n_points
    rows = max(1, BLOCK_ENTRIES // n)
    found: list[Indices] = [np.empty((0, 2), np.intp)]
    total = 0
    for start in range(0, n, rows):
        left, right = np.nonzero(test(spacing.rows(start, min(start + rows, n))))
        later = right > left
        found.append(np.column_stack([left[later], right[later]]) + start)
        total += len(found[-1])
        if total > MAX_PAIRS:
            raise InputError(
                f"{source}, which makes more than {MAX_PAIRS} pairs of these points; give a distance that concerns "
                "fewer pairs"
            )
    return np.concatenate(found)
