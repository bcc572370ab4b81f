"""Spacing: the Euclidean distances of points, from their coordinates or, in a feature space, from inner products."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np

from pcsos.base.typing import Floats


@dataclass(frozen=True, eq=False)
class Spacing:
    """The distances of n points, some rows at a time, so that no n x n array of them need be held.

    Parameters
    ----------
    n_points : int
        Number of points n.
    rows : callable
        Returns the distances of the points from ``start`` to before ``stop`` to those from ``start`` on, shape
        (stop - start, n - start).

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.problem.spacing import Spacing
    >>> points = np.array([[0.0, 0.0], [3.0, 4.0]])
    >>> Spacing.of(points).between(0, 1), Spacing.of_products(2, lambda: points @ points.T).between(0, 1)
    (5.0, 5.0)
    """

    n_points: int
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

    def between(self, i: int, j: int) -> float:
        """Return the distance of two points, i < j."""
        return float(self.rows(i, i + 1)[0, j - i])
