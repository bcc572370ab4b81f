"""Geometry: where points lie and what they count, by coordinates or by inner products."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import EPS, SMALLEST_SPREAD
from pcsos.base.typing import Floats, Indices
from pcsos.problem.cost import cluster_cost, clusters_of, gram_cost, partition_cost
from pcsos.problem.gram import FactoredGram
from pcsos.problem.similarity import Distances, Gram, Kernel, inner_products, kernel_matrix
from pcsos.problem.validation.arrays import (
    numbers,
    real_numbers,
    refuse_not_finite,
    refuse_too_close,
    refuse_too_large,
    spelled_out,
    symmetric,
)
from pcsos.problem.validation.names import refuse_other_index
from pcsos.problem.validation.rounding import Rounded, doubles_of, may_be_rounded, show_rounding

#: Distances held at a time.
BLOCK_ENTRIES = 4_000_000


@dataclass(frozen=True, eq=False)
class Spacing:
    """The distances of n points, some rows at a time, so that no n x n array of them need be held.

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.problem.geometry import Spacing
    >>> points = np.array([[0.0, 0.0], [3.0, 4.0]])
    >>> Spacing.of(points).between(0, 1), Spacing.of_products(2, lambda: points @ points.T).between(0, 1)
    (5.0, 5.0)
    """

    n_points: int  #: number of points n
    #: returns the distances of the points from ``start`` to before ``stop`` to those from ``start`` on, shape (stop -
    #: start, n - start)
    rows: Callable[[int, int], Floats]

    @classmethod
    def of(cls, points: "Floats | Spacing") -> "Spacing":
        """Return the distances of points by their coordinates, shape (n, d)."""
        if isinstance(points, Spacing):
            return points
        own = points

        def rows(start: int, stop: int) -> Floats:
            from scipy.spatial.distance import cdist

            return np.asarray(cdist(own[start:stop], own[start:]), np.float64)

        return cls(len(points), rows)

    @classmethod
    def of_products(cls, n_points: int, matrix: Callable[[], Floats]) -> Self:
        """Return the distances of points by their inner products K, shape (n, n), which are asked for when needed.

        They are ``sqrt(K_ii + K_jj - 2 K_ij)``: exactly the roots of what a matrix of squared distances holds.
        """
        products = cache(matrix)

        def rows(start: int, stop: int) -> Floats:
            own, lengths = products()[start:stop, start:], products().diagonal()
            squares = lengths[start:stop, None] + lengths[None, start:] - 2.0 * own
            return np.asarray(np.sqrt(np.maximum(squares, 0.0)), np.float64)

        return cls(n_points, rows)

    def blocks(self) -> Iterator[tuple[int, Floats]]:
        """Yield the first of some points, and the distances of these to all from it on."""
        step = max(1, BLOCK_ENTRIES // self.n_points)
        for start in range(0, self.n_points, step):
            yield start, self.rows(start, min(start + step, self.n_points))

    def between(self, i: int, j: int) -> float:
        """Return the distance of two points, i < j."""
        return float(self.rows(i, i + 1)[0, j - i])


#: Sums of squares of all points beyond these would overflow, or lose more than digits where parts of them underflow.
LARGEST_COST = 1e280
SMALLEST_COST = 1e-280


@dataclass(frozen=True, eq=False)
class Geometry:
    """Weighted points, or inner products and points that have almost the same ones."""

    #: shapes (n, d) and (n,): coordinates, and positive weights
    points: Floats
    weights: Floats
    #: the inner products that costs are computed from, where they are not those of the points
    gram: FactoredGram | None
    off: float = 0.0  #: at least the distance of any point from what was given, which may be no doubles

    @classmethod
    def of(cls, points: Any, weights: ArrayLike | None) -> Self:
        """Return what a user gives: a table of points, or what stands in its place, and weights; all in range."""
        rows, inner, off = _rows_of(points)
        refuse_other_index(table_of(points), weights, "weights")
        masses = _checked_weights(weights, len(rows))
        if inner is not None and not isinstance(inner, FactoredGram):
            inner = FactoredGram.of(inner, masses, "distances" if isinstance(points, Distances) else "gram")
        rows = rows if inner is None else inner.factor
        _refuse_extreme_costs(rows, masses)
        for array in (rows, masses):
            array.setflags(write=False)
        return cls(rows, masses, inner, off)

    @property
    def spacing(self) -> Spacing:
        """The distances between points."""
        gram = self.gram
        return Spacing.of(self.points) if gram is None else Spacing.of_products(len(self.points), lambda: gram.matrix)

    def cost(self, labels: Indices) -> float:
        """Return the weighted sum of squares within the clusters of labels (Paper (1)), to 12 digits or more."""
        clusters = clusters_of(labels)
        if self.gram is not None:
            return gram_cost(self.gram.matrix, self.weights, clusters)
        return partition_cost(self.points, self.weights, clusters)

    def cost_error(self, n_clusters: int, cost: float) -> float:
        """Return by how much a cost of k clusters may differ from what is meant (Mathematics 14).

        With inner products, from the costs for these; else by what doubles do not hold of what was given.
        """
        if self.gram is not None:
            return self.gram.error(n_clusters)
        cost = max(cost, 0.0)
        off = self.off * math.sqrt(math.fsum(self.weights.tolist())) if self.off else 0.0  # the root of a cost
        error = off * (2.0 * math.sqrt(cost) + off) if off else 0.0
        error += EPS * cost if may_be_rounded(self.weights).any() else 0.0
        return math.nextafter(error * (1.0 + 16.0 * EPS), math.inf) if error > 0.0 else 0.0

    def place(self, *, is_measured: bool) -> Any:
        """Return points, or inner products with their factor if what that is wrong by is known, as users give them."""
        if self.gram is None:
            return Rounded(self.points, self.off) if self.off else self.points
        return self.gram if is_measured else Gram(self.gram.matrix)


def table_of(points: Any) -> Any:
    """Return the table that holds what a user gives as points, with a row for each."""
    if isinstance(points, Kernel):
        return points.points
    return points.matrix if isinstance(points, Gram | Distances | FactoredGram) else points


def _rows_of(points: Any) -> tuple[Floats, FactoredGram | Floats | None, float]:
    """Return an array with a row for each point, the inner products if there are any, and how far points are off."""
    if isinstance(points, FactoredGram):
        return points.factor, points, 0.0
    if isinstance(points, Gram | Distances):
        is_gram = isinstance(points, Gram)
        inner = symmetric(points.matrix, "gram") if is_gram else inner_products(points.matrix)
        return inner, inner, 0.0
    rows, off = _checked_points(table_of(points))
    if isinstance(points, Kernel):
        return rows, kernel_matrix(rows, points.function, points.gamma), 0.0
    return rows, None, off


def _checked_points(points: ArrayLike | Rounded) -> tuple[Floats, float]:
    """Return an array with a row for each point, and how far they are off what was given."""
    if isinstance(points, Rounded):
        return _checked_points(points.values)[0], points.off
    dense: Any = points.toarray() if hasattr(points, "toarray") else points
    points = spelled_out(dense, "points", "give an array with one row per point")
    refuse_missing(points, "points")
    try:
        held = doubles_of(points, "points")
    except InputError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        _refuse_a_column(points)
        raise InputError(
            f"points must be a rectangular array of real numbers: {error}; mend the rows and try again"
        ) from error
    array = held.values[:, None] if held.values.ndim == 1 else held.values
    if array.ndim != 2:
        raise InputError(f"points must have two dimensions (points, features), not {array.ndim}; reshape them")
    if array.size == 0:
        raise InputError(f"points are empty (shape {array.shape}); give at least one point with one feature")
    refuse_not_finite(array, "points", "remove or impute values that are not finite numbers")
    refuse_too_large(array, "points")
    refuse_too_close(array, "points")
    return array, held.off


def refuse_missing(table: Any, called: str) -> None:
    """Refuse the first value that a DataFrame lacks, by the names of its row and column."""
    if not hasattr(table, "isna") or not hasattr(table, "columns"):
        return
    missing = np.argwhere(np.asarray(table.isna()))
    if len(missing):
        row, column = table.index[missing[0][0]], table.columns[missing[0][1]]
        raise InputError(
            f"{called}: the row {row!r} has no value in the column {column!r}; remove that row or impute the value"
        )


def _refuse_a_column(table: Any) -> None:
    """Refuse the first column of a table that holds something else than numbers; do nothing where there is none."""
    for name in getattr(table, "columns", ()):
        try:
            real_numbers(table[name])
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(
                f"the column {name!r} of points does not hold real numbers: {error}; leave it out with "
                f"drop(columns={name!r}), encode categories with pandas.get_dummies, or make it the index with "
                f"set_index({name!r}) if it names the points"
            ) from error


def _checked_weights(weights: ArrayLike | None, n: int) -> Floats:
    if weights is None:
        return np.ones(n)
    remedy = "give one positive number per point"
    given = spelled_out(weights, "weights", remedy)
    array = numbers(given, "weights", remedy)
    if array.size == 0:
        return np.ones(n)
    if array.shape != (n,):
        raise InputError(f"weights have shape {array.shape} but there are {n} points; give one weight per point")
    bad = ~(np.isfinite(array) & (array > 0.0) & (array < 1.0 / SMALLEST_SPREAD) & (array > SMALLEST_SPREAD))
    if bad.any():
        row = int(np.argmax(bad))
        within = "" if not np.isfinite(array[row]) or array[row] <= 0.0 else f" between {SMALLEST_SPREAD:g} and 1e140"
        raise InputError(
            f"weights[{row}] is {array[row]}; give positive finite weights{within} and leave out points without any"
        )
    kind = np.asarray(given).dtype
    if kind.kind not in "biuf" or kind.itemsize > 8:
        show_rounding(array, lambda: list(np.asarray(given)))
    return array


def _refuse_extreme_costs(points: Floats, weights: Floats) -> None:
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
