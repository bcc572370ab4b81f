"""The instance: points, weights, the number of clusters and the pairwise constraints."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.cost import cluster_cost
from pcsos.exceptions import InputError

#: Coordinates beyond these magnitudes (after centring) would overflow or underflow when squared and summed.
LARGEST_COORDINATE = 1e140
SMALLEST_SPREAD = 1e-140
#: Sums of squares of all points beyond these would overflow, or lose more than digits where parts of them underflow.
LARGEST_COST = 1e280
SMALLEST_COST = 1e-280

Pairs = ArrayLike | Sequence[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Instance:
    """A semi-supervised minimum sum-of-squares clustering problem, validated once and immutable afterwards.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Finite coordinates, one row a point. A one-dimensional array is n points with one feature.
    n_clusters : int
        Number of clusters k, ``1 <= k <= n``; every cluster must hold at least one point.
    must_link, cannot_link : array_like of int, shape (m, 2)
        Pairs of point indices, from 0. Duplicates and either order are fine; a must-link of a point with
        itself says nothing and is dropped.
    weights : array_like, shape (n,), optional
        Positive finite weights w_i of the objective ``sum_i w_i ||p_i - centre||^2``; 1 unless given.

    Raises
    ------
    InputError
        With one sentence that names the argument, the place, the value and the remedy.

    Notes
    -----
    Contradictory constraints make an instance infeasible, not invalid: they are found by
    :func:`pcsos.reduction.reduce_instance`.
    """

    points: NDArray[np.float64]
    n_clusters: int
    must_link: NDArray[np.intp] = field(default_factory=lambda: np.empty((0, 2), np.intp))
    cannot_link: NDArray[np.intp] = field(default_factory=lambda: np.empty((0, 2), np.intp))
    weights: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        points = _checked_points(self.points)
        n = points.shape[0]
        weights = _checked_weights(self.weights, n)
        _refuse_extreme_costs(points, weights)
        values = {
            "points": points,
            "n_clusters": _checked_n_clusters(self.n_clusters, n),
            "must_link": _checked_pairs(self.must_link, n, "must_link"),
            "cannot_link": _checked_pairs(self.cannot_link, n, "cannot_link"),
            "weights": weights,
        }
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)

    @property
    def n_points(self) -> int:
        """Number of points n."""
        return int(self.points.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return int(self.points.shape[1])


def _checked_points(points: ArrayLike) -> NDArray[np.float64]:
    try:
        if np.iscomplexobj(points):
            raise TypeError("they are complex")
        if np.ma.is_masked(points):
            raise TypeError("some are masked")
        if np.asarray(points).dtype.kind in "mMSU":
            raise TypeError(f"they are {np.asarray(points).dtype}")
        array = np.array(points, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"points must be a rectangular array of real numbers: {error}; mend the rows and try again"
        ) from error
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise InputError(f"points must have two dimensions (points, features), not {array.ndim}; reshape them")
    if array.size == 0:
        raise InputError(f"points are empty (shape {array.shape}); give at least one point with one feature")
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise InputError(
            f"points[{row}, {column}] is {array[row, column]}; remove or impute values that are not finite numbers"
        )
    if np.abs(array).max() > LARGEST_COORDINATE:
        row, column = np.unravel_index(np.abs(array).argmax(), array.shape)
        raise InputError(
            f"points[{row}, {column}] is {array[row, column]:g}, too large to be squared; divide the data by a constant"
        )
    spread = (array.max(axis=0) - array.min(axis=0)).max()
    if 0.0 < spread < SMALLEST_SPREAD:
        raise InputError(
            f"points differ by at most {spread:g}, too little to be squared; multiply the data by a constant"
        )
    return array


def _checked_n_clusters(n_clusters: object, n: int) -> int:
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, int | np.integer):
        raise InputError(f"n_clusters is {n_clusters!r}; give a whole number from 1 to the number of points ({n})")
    if n_clusters < 1:
        raise InputError(f"n_clusters is {n_clusters}; give at least 1")
    if n_clusters > n:
        raise InputError(f"n_clusters is {n_clusters} but there are only {n} points; give at most {n}")
    return int(n_clusters)


def _checked_pairs(pairs: ArrayLike, n: int, name: str) -> NDArray[np.intp]:
    """Return the pairs sorted within and among themselves, without duplicates."""
    try:
        array = np.asarray(pairs)
    except ValueError as error:
        raise InputError(f"{name} must be pairs of point indices: {error}; give rows of two whole numbers") from error
    if array.size == 0:
        return np.empty((0, 2), np.intp)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"{name} has shape {array.shape}; give rows of two point indices")
    if not np.issubdtype(array.dtype, np.integer):
        real = np.issubdtype(array.dtype, np.floating)
        whole = real and bool(np.all(np.isfinite(array) & (array == np.floor(array))))
        if not whole:
            raise InputError(f"{name} holds values that are not whole numbers; give point indices from 0 to {n - 1}")
    outside = (array < 0) | (array >= n)
    if outside.any():
        row = int(np.argwhere(outside)[0, 0])
        pair = tuple(int(v) for v in array[row])
        raise InputError(f"{name}[{row}] is {pair}, but point indices go from 0 to {n - 1}; correct the index")
    array = np.sort(array.astype(np.intp), axis=1)
    loops = array[:, 0] == array[:, 1]
    if name == "cannot_link" and loops.any():
        row = int(np.argmax(loops))
        raise InputError(f"{name}[{row}] links point {array[row, 0]} to itself; remove that pair")
    return np.ascontiguousarray(np.unique(array[~loops], axis=0))


def _checked_weights(weights: ArrayLike, n: int) -> NDArray[np.float64]:
    try:
        array = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"weights must be numbers: {error}; give one positive number a point") from error
    if array.size == 0:
        return np.ones(n)
    if array.shape != (n,):
        raise InputError(f"weights have shape {array.shape} but there are {n} points; give one weight a point")
    bad = ~(np.isfinite(array) & (array > 0.0) & (array < 1.0 / SMALLEST_SPREAD) & (array > SMALLEST_SPREAD))
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(
            f"weights[{row}] is {array[row]}; give positive finite weights and leave out points without any"
        )
    return array


def _refuse_extreme_costs(points: NDArray[np.float64], weights: NDArray[np.float64]) -> None:
    """Refuse points whose sum of squares is out of the range in which double precision loses nothing but digits."""
    spread = float((points.max(axis=0) - points.min(axis=0)).max())
    if spread * spread * float(weights.max()) > LARGEST_COST:
        raise InputError(
            f"weights of up to {weights.max():g} times squares of distances of up to {spread:g} are too large for "
            "double precision; divide weights or points by a constant"
        )
    total = cluster_cost(points, weights)
    if 0.0 < total < SMALLEST_COST:
        raise InputError(
            f"the sum of squares of all points about their mean is {total:.3g}, too little for double precision; "
            "multiply points or weights by a constant"
        )
