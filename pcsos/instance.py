"""The instance: points, weights, the number of clusters and the pairwise constraints."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.coercion import real_numbers, spelled_out
from pcsos.constraints import Constraints, Pairs
from pcsos.cost import cluster_cost
from pcsos.exceptions import InputError
from pcsos.labelled_pairs import positions
from pcsos.limits import NAMES, Limits
from pcsos.names import Labels, PointNames, column_names, refuse_other_index, row_labels
from pcsos.penalties import Penalty, soft_pairs_of
from pcsos.soft_pairs import SoftPairs
from pcsos.typing import Floats, Indices

#: Coordinates beyond these magnitudes (after centring) would overflow or underflow when squared and summed.
LARGEST_COORDINATE = 1e140
SMALLEST_SPREAD = 1e-140
#: Sums of squares of all points beyond these would overflow, or lose more than digits where parts of them underflow.
LARGEST_COST = 1e280
SMALLEST_COST = 1e-280


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Instance:
    """A semi-supervised minimum sum-of-squares clustering problem, validated once and immutable afterwards.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Finite coordinates, one row a point. A one-dimensional array is n points with one feature.
    n_clusters : int
        Number of clusters k, ``1 <= k <= n``; every cluster must hold at least one point.
    must_link, cannot_link : array_like of int, shape (m, 2), or iterable of pairs, optional
        What becomes the :class:`Constraints`.
    weights : array_like, shape (n,), optional
        Positive finite weights w_i of the objective ``sum_i w_i ||p_i - centre||^2``; 1 unless given.
    names : PointNames, optional
        What the points are called: by default what the index of a pandas DataFrame says, else their indices. Pairs name
        the rows of such a DataFrame by the labels of its index.
    feature_names : sequence of str, length d, optional
        What the features are called: by default the columns of a DataFrame.
    size_min, size_max, weight_min, weight_max, sizes : optional
        What every cluster must hold (:class:`pcsos.limits.Limits`): numbers of points, weights, or the numbers of
        points of the k clusters in any order.
    soft_must_link, soft_cannot_link : array_like, shape (m, 2) or (m, 3), optional
        Pairs that may be broken at a penalty: rows ``(i, j)`` or ``(i, j, value)``.
    penalty : float, "distance" or "confidence", optional
        With a number or none, values are penalties, and the number is that of pairs without one. With "distance" a
        broken must-link costs the squared distance of its points and a broken cannot-link the largest squared distance
        of two points less that, each times its value, 1 unless given. With "confidence" values are probabilities from
        0.5 to 1 that the pair is right, and breaking it costs their log odds times twice the variance within clusters
        of k-means. Pairs of an infinite penalty, and of probability 1, must hold; penalties of one pair add up.

    Attributes
    ----------
    points, weights : ndarray, shapes (n, d) and (n,)
        As given, in double precision.
    constraints : Constraints
        The pairs, by indices.
    limits : Limits or None
        What every cluster must hold.
    soft : SoftPairs
        The soft pairs, by indices; those of an infinite penalty are among the constraints.
    names : PointNames
        What the points are called.
    feature_names : tuple of str or None
        What the features are called.

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

    points: Floats
    n_clusters: int
    constraints: Constraints
    weights: Floats
    names: PointNames
    feature_names: tuple[str, ...] | None
    limits: Limits | None
    soft: SoftPairs

    def __init__(
        self,
        points: ArrayLike,
        n_clusters: int,
        must_link: Pairs = (),
        cannot_link: Pairs = (),
        weights: ArrayLike | None = None,
        *,
        names: PointNames | None = None,
        feature_names: Sequence[str] | None = None,
        size_min: int | None = None,
        size_max: int | None = None,
        weight_min: float | None = None,
        weight_max: float | None = None,
        sizes: Sequence[int] | None = None,
        soft_must_link: ArrayLike = (),
        soft_cannot_link: ArrayLike = (),
        penalty: Penalty = None,
    ) -> None:
        rows = _checked_points(points)
        labels = row_labels(points)
        refuse_other_index(points, weights, "weights")
        if labels is not None:
            must_link = positions(must_link, labels, "must_link")
            cannot_link = positions(cannot_link, labels, "cannot_link")
        masses = _checked_weights(weights, len(rows))
        _refuse_extreme_costs(rows, masses)
        for array in (rows, masses):
            array.setflags(write=False)
        k = _checked_n_clusters(n_clusters, len(rows))
        soft, hard = soft_pairs_of(rows, masses, k, soft_must_link, soft_cannot_link, penalty, labels)
        object.__setattr__(self, "points", rows)
        object.__setattr__(self, "n_clusters", k)
        constraints = Constraints(len(rows), must_link, cannot_link)
        object.__setattr__(self, "constraints", constraints.with_pairs(*hard) if any(map(len, hard)) else constraints)
        object.__setattr__(self, "weights", masses)
        object.__setattr__(self, "names", names or _names_of(labels, len(rows)))
        features = column_names(points) if feature_names is None else tuple(feature_names)
        object.__setattr__(self, "feature_names", _checked_features(features, rows.shape[1]))
        given = dict(zip(NAMES, (size_min, size_max, weight_min, weight_max, sizes), strict=True))
        object.__setattr__(self, "limits", Limits.of(given, masses, self.n_clusters))
        object.__setattr__(self, "soft", soft)

    def __repr__(self) -> str:
        names = ("n_points", "n_features", "n_clusters")
        pairs = f"{len(self.must_link)} must-links, {len(self.cannot_link)} cannot-links"
        more = f", {len(self.soft)} soft pairs" if len(self.soft) else ""
        limits = "" if self.limits is None else f", {self.limits}"
        return f"Instance({', '.join(f'{name}={getattr(self, name)}' for name in names)}: {pairs}{more}{limits})"

    @property
    def is_plain(self) -> bool:
        """Whether there are neither limits of clusters nor soft pairs."""
        return self.limits is None and len(self.soft) == 0

    @property
    def conditions(self) -> dict[str, Any]:
        """Limits of clusters and soft pairs with their penalties apart and together, as JSON may hold them."""
        pairs, penalties = self.soft.pairs.tolist(), np.column_stack([self.soft.apart, self.soft.together]).tolist()
        soft = [[*pair, *own] for pair, own in zip(pairs, penalties, strict=True)]
        limits = {} if self.limits is None else {"limits": self.limits.to_dict()}
        return limits | ({"soft": soft} if soft else {})

    def without_conditions(self) -> "Instance":
        """Return the instance without limits of clusters and soft pairs."""
        return Instance(
            self.points, self.n_clusters, self.must_link, self.cannot_link, self.weights,
            names=self.names, feature_names=self.feature_names,
        )  # fmt: skip

    @property
    def must_link(self) -> Indices:
        """Pairs that must share a cluster, shape (m, 2)."""
        return self.constraints.must_link

    @property
    def cannot_link(self) -> Indices:
        """Pairs that cannot share a cluster, shape (m, 2)."""
        return self.constraints.cannot_link

    @property
    def feature_titles(self) -> tuple[str, ...]:
        """What the features are called, by numbers from 1 where they have no names."""
        return self.feature_names or tuple(f"feature {number}" for number in range(1, self.n_features + 1))

    @property
    def n_points(self) -> int:
        """Number of points n."""
        return int(self.points.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return int(self.points.shape[1])


def instance_of(
    points: ArrayLike | Instance,
    n_clusters: int | None,
    must_link: Pairs,
    cannot_link: Pairs,
    weights: ArrayLike | None,
    **conditions: Any,
) -> Instance:
    """Return the instance that a user gives, whole or in its parts, but not both."""
    if not isinstance(points, Instance):
        return Instance(points, n_clusters, must_link, cannot_link, weights, **conditions)  # type: ignore[arg-type]
    given = {"n_clusters": n_clusters, "must_link": must_link, "cannot_link": cannot_link, "weights": weights}
    given |= conditions
    for name, value in given.items():
        if value is not None and not (isinstance(value, tuple) and not value):
            raise InputError(f"{name} is given beside an Instance, which has its own; put it into the Instance")
    return points


def _names_of(labels: Labels | None, n: int) -> PointNames:
    """Return names of rows by their labels, where these are different."""
    is_different = labels is not None and len(set(labels)) == n
    return PointNames(n, ids=labels if is_different else None)


def _checked_features(names: tuple[str, ...] | None, d: int) -> tuple[str, ...] | None:
    if names is None or len(names) == d:
        return names
    raise InputError(f"feature_names are {len(names)} for {d} features; give one name a feature")


def _checked_points(points: ArrayLike) -> Floats:
    points = spelled_out(points, "points", "give an array with a row a point")
    try:
        array = real_numbers(points)
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


def _checked_weights(weights: ArrayLike | None, n: int) -> Floats:
    if weights is None:
        return np.ones(n)
    weights = spelled_out(weights, "weights", "give one positive number a point")
    try:
        array = real_numbers(weights)
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
