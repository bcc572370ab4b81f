"""The instance: points, weights, the number of clusters and the pairwise constraints."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

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

Pairs = ArrayLike | Iterable[Sequence[int]] | None


@dataclass(frozen=True, eq=False)
class Instance:
    """A semi-supervised minimum sum-of-squares clustering problem, validated once and immutable afterwards.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Finite coordinates, one row a point. A one-dimensional array is n points with one feature.
    n_clusters : int
        Number of clusters k, ``1 <= k <= n``; every cluster must hold at least one point.
    must_link, cannot_link : array_like of int, shape (m, 2), or iterable of pairs, optional
        Pairs of point indices, from 0. Duplicates and either order are fine; a must-link of a point with
        itself says nothing and is dropped. None is no pairs.
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

    Examples
    --------
    >>> from pcsos import Instance
    >>> instance = Instance([[0.0, 1.0], [2.0, 1.0], [9.0, 4.0]], 2, cannot_link={(2, 0)})
    >>> instance.n_points, instance.n_features, instance.cannot_link.tolist()
    (3, 2, [[0, 2]])
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
    points = _spelled_out(points, "points", "give an array with a row a point")
    try:
        array = _real_numbers(points)
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


def _spelled_out(values: Any, name: str, remedy: str, *, ordered: bool = True) -> Any:
    """Return array-like values as they are and those of an iterator or a set as a list; refuse the rest by name.

    Parameters
    ----------
    ordered : bool
        Whether the order of the values matters, so that a set is refused.
    """
    kind = type(values).__name__
    if hasattr(values, "toarray"):
        change = "convert it with .toarray(), or" if ordered else "list its entries with numpy.argwhere, or"
        raise InputError(f"{name} is a sparse matrix ({kind}); {change} {remedy}")
    if np.ma.is_masked(values):
        raise InputError(f"{name} has masked values, which are no real numbers; fill or remove them")
    if values is None or isinstance(values, Mapping | str | bytes) or (ordered and isinstance(values, Set)):
        raise InputError(f"{name} is of type {kind}; {remedy}")
    is_array_like = hasattr(values, "__array__") or hasattr(values, "__getitem__")
    return list(values) if isinstance(values, Iterable) and not is_array_like else values


def _real_numbers(values: Any) -> NDArray[np.float64]:
    """Return a new array of what is numbers already; text, dates and complex numbers are not."""
    if np.iscomplexobj(values):
        raise TypeError("they are complex")
    if np.asarray(values).dtype.kind in "mMSU":
        raise TypeError(f"they are {np.asarray(values).dtype}")
    return np.array(values, dtype=np.float64, order="C")


def _checked_pairs(pairs: Pairs, n: int, name: str) -> NDArray[np.intp]:
    """Return the pairs sorted within and among themselves, without duplicates."""
    if pairs is None:
        return np.empty((0, 2), np.intp)
    pairs = _spelled_out(pairs, name, "give pairs of point indices such as [(0, 5), (2, 3)]", ordered=False)
    try:
        array = np.asarray(pairs)
    except ValueError as error:
        raise InputError(f"{name} must be pairs of point indices: {error}; give rows of two whole numbers") from error
    if array.size == 0:
        return np.empty((0, 2), np.intp)
    if array.ndim == 1 and array.dtype.kind == "O":
        raise InputError(f"{name}[0] is of type {type(array[0]).__name__}; give a pair of point indices such as (0, 5)")
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"{name} has shape {array.shape}; give rows of two point indices")
    _refuse_other_than_whole(array, n, name)
    outside = (array < 0) | (array >= n)
    if outside.any():
        row = int(np.argwhere(outside)[0, 0])
        pair = tuple(int(v) for v in array[row])
        raise InputError(f"{name}[{row}] is {pair}, but point indices go from 0 to {n - 1}; correct the index")
    array = np.sort(array.astype(np.int64), axis=1)
    loops = array[:, 0] == array[:, 1]
    if name == "cannot_link" and loops.any():
        row = int(np.argmax(loops))
        raise InputError(f"{name}[{row}] links point {array[row, 0]} to itself; remove that pair")
    codes = np.sort(array[~loops] @ [n, 1])  # n * n is far below 2^63 for points that fit into a memory
    codes = codes[np.diff(codes, prepend=-1) > 0]  # an order of magnitude faster than numpy.unique
    return np.column_stack([codes // n, codes % n]).astype(np.intp)


def _refuse_other_than_whole(array: NDArray[Any], n: int, name: str) -> None:
    if array.dtype.kind == "O":
        is_whole = all(isinstance(value, int | np.integer) and not isinstance(value, bool) for value in array.flat)
    else:
        is_real = array.dtype.kind == "f"
        is_whole = array.dtype.kind in "iu" or (
            is_real and bool(np.all(np.isfinite(array) & (array == np.floor(array))))
        )
    if not is_whole:
        raise InputError(f"{name} holds values that are not whole numbers; give point indices from 0 to {n - 1}")


def _checked_weights(weights: ArrayLike | None, n: int) -> NDArray[np.float64]:
    if weights is None:
        return np.ones(n)
    weights = _spelled_out(weights, "weights", "give one positive number a point")
    try:
        array = _real_numbers(weights)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"weights must be numbers: {error}; give one positive number a point") from error
    if array.size == 0:
        return np.ones(n)
    if array.shape != (n,):
        raise InputError(f"weights have shape {array.shape} but there are {n} points; give one weight a point")
    bad = ~(np.isfinite(array) & (array > 0.0) & (array < 1.0 / SMALLEST_SPREAD) & (array > SMALLEST_SPREAD))
    if bad.any():
        row = int(np.argmax(bad))
        within = "" if not np.isfinite(array[row]) or array[row] <= 0.0 else f" between {SMALLEST_SPREAD:g} and 1e140"
        raise InputError(
            f"weights[{row}] is {array[row]}; give positive finite weights{within} and leave out points without any"
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
