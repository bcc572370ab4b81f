"""The instance: points, weights, the number of clusters and the pairwise constraints."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos import tolerances
from pcsos.coercion import numbers, real_numbers, spelled_out
from pcsos.constraints import Constraints, Pairs
from pcsos.cost import cluster_cost
from pcsos.exceptions import InputError
from pcsos.gram import Gram, symmetric
from pcsos.labelled_pairs import positions
from pcsos.limits import NAMES, Limits
from pcsos.names import Labels, PointNames, column_names, refuse_other_index, row_labels
from pcsos.penalties import Penalty, soft_pairs_of
from pcsos.similarity import Kernel, inner_products, kernel_matrix
from pcsos.soft_pairs import SoftPairs
from pcsos.spacing import Spacing
from pcsos.thresholds import limited
from pcsos.typing import Floats, Indices

#: Coordinates beyond these magnitudes (after centring) would overflow or underflow when squared and summed.
LARGEST_COORDINATE = 1e140
SMALLEST_SPREAD = 1e-140
#: Sums of squares of all points beyond these would overflow, or lose more than digits where parts of them underflow.
LARGEST_COST = 1e280
SMALLEST_COST = 1e-280

#: The arguments that leave an instance without limits of clusters, and without soft pairs too.
NO_LIMITS: dict[str, Any] = dict.fromkeys(NAMES)
NO_CONDITIONS: dict[str, Any] = NO_LIMITS | {"soft_must_link": (), "soft_cannot_link": ()}


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Instance:
    """A semi-supervised minimum sum-of-squares clustering problem, validated once and immutable afterwards.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Finite coordinates, one row a point. A one-dimensional array is n points with one feature. With ``distances``,
        a matrix of shape (n, n); none with ``gram``.
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
    max_diameter : float, optional
        Greatest Euclidean distance within a cluster: points farther apart become cannot-links. With ``gram``,
        ``kernel`` or ``distances`` it is that in the feature space, ``sqrt(K_ii + K_jj - 2 K_ij)``: the root of what
        ``distances`` holds.
    min_split : float, optional
        Least Euclidean distance between points of different clusters, likewise: points closer become must-links.
    gram : array_like, shape (n, n), optional
        Inner products of the points, instead of their coordinates.
    kernel : {"linear", "rbf"} or callable, optional
        What computes the inner products from the coordinates (:func:`pcsos.similarity.kernel_matrix`).
    gamma : float, optional
        Of the kernel ``rbf``; by default 1 / (d times the variance of all coordinates).
    distances : {"sqeuclidean"}, optional
        What ``points`` holds instead of coordinates: squared Euclidean distances, shape (n, n).

    Attributes
    ----------
    points, weights : ndarray, shapes (n, d) and (n,)
        As given, in double precision. With inner products, points that have almost the same ones.
    constraints : Constraints
        The pairs, by indices, with those that the limits of distance stand for.
    limits : Limits or None
        What every cluster must hold.
    soft : SoftPairs
        The soft pairs, by indices; those of an infinite penalty are among the constraints.
    gram : Gram or None
        The inner products that costs are computed from, where they are not those of the points.
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
    gram: Gram | None

    def __init__(
        self,
        points: ArrayLike | None = None,
        n_clusters: int | None = None,
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
        max_diameter: float | None = None,
        min_split: float | None = None,
        gram: ArrayLike | Gram | None = None,
        kernel: Kernel | None = None,
        gamma: float | None = None,
        distances: str | None = None,
    ) -> None:
        table = _table_of(points, gram, kernel, gamma, distances)
        rows, inner = _rows_of(table, gram, kernel, gamma, distances)
        labels = row_labels(table)
        refuse_other_index(table, weights, "weights")
        if labels is not None:
            must_link = positions(must_link, labels, "must_link")
            cannot_link = positions(cannot_link, labels, "cannot_link")
        masses = _checked_weights(weights, len(rows))
        if inner is not None:
            inner = _factored(inner, masses, "gram" if distances is None else "distances")
            rows = inner.factor
        _refuse_extreme_costs(rows, masses)
        for array in (rows, masses):
            array.setflags(write=False)
        k = _checked_n_clusters(n_clusters, len(rows))
        soft, hard = soft_pairs_of(rows, masses, k, soft_must_link, soft_cannot_link, penalty, labels)
        object.__setattr__(self, "points", rows)
        object.__setattr__(self, "n_clusters", k)
        pairs = Constraints(len(rows), must_link, cannot_link)
        pairs = pairs.with_pairs(*hard) if any(map(len, hard)) else pairs
        spacing = rows if inner is None else Spacing.of_products(len(rows), lambda: inner.matrix)
        object.__setattr__(self, "constraints", limited(pairs, spacing, max_diameter, min_split))
        object.__setattr__(self, "weights", masses)
        object.__setattr__(self, "names", names or _names_of(labels, len(rows)))
        features = column_names(table) if feature_names is None else tuple(feature_names)
        features = None if inner is not None else _checked_features(features, rows.shape[1])
        object.__setattr__(self, "feature_names", features)
        given = dict(zip(NAMES, (size_min, size_max, weight_min, weight_max, sizes), strict=True))
        object.__setattr__(self, "limits", Limits.of(given, masses, self.n_clusters))
        object.__setattr__(self, "soft", soft)
        object.__setattr__(self, "gram", inner)

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
    def cost_error(self) -> float:
        """By how much costs may differ from those of the points: 0 but where there is a Gram matrix."""
        return 0.0 if self.gram is None else self.gram.error(self.n_clusters)

    def proved(self, lower_bound: float) -> float:
        """Return what a lower bound on the costs of the points proves for those of the instance."""
        error = self.cost_error
        return lower_bound if error == 0.0 else math.nextafter(lower_bound - error, -math.inf)

    def gap(self, objective: float, lower_bound: float) -> float:
        """Return the relative gap between the cost of a partition and a lower bound.

        With a Gram matrix costs may fall below 0 by its rounding: infinity where one of 0 is not known to be the least.
        """
        if self.cost_error > 0.0 and lower_bound < objective <= 0.0:
            return math.inf
        return tolerances.relative_gap(objective, lower_bound)

    @property
    def conditions(self) -> dict[str, Any]:
        """Limits of clusters and soft pairs with their penalties apart and together, as JSON may hold them."""
        pairs, penalties = self.soft.pairs.tolist(), np.column_stack([self.soft.apart, self.soft.together]).tolist()
        soft = [[*pair, *own] for pair, own in zip(pairs, penalties, strict=True)]
        limits = {} if self.limits is None else {"limits": self.limits.to_dict()}
        return limits | ({"soft": soft} if soft else {})

    def with_(self, **changes: Any) -> "Instance":
        """Return the problem with some of its arguments changed, and everything else as it is.

        Parameters
        ----------
        **changes
            Arguments of :class:`Instance` by name, which stand in place of what the instance has. Other ``points``
            replace inner products too, and ``gram`` replaces points; what is kept has to fit them. Pairs that limits
            of distance stand for are pairs like others, to which ``max_diameter`` and ``min_split`` add; ``penalty``
            is about the soft pairs named beside it.

        Raises
        ------
        InputError
            If the changed problem cannot be used, or ``penalty`` would be about soft pairs that are kept.

        Examples
        --------
        >>> from pcsos import Instance
        >>> instance = Instance([0.0, 1.0, 5.0, 6.0], 2, size_min=2, soft_must_link=[(0, 3, 0.5)])
        >>> changed = instance.with_(cannot_link=[(0, 1)])
        >>> changed.cannot_link.tolist(), changed.conditions
        ([[0, 1]], {'limits': {'size_min': 2}, 'soft': [[0, 3, 0.5, 0.0]]})
        """
        if "penalty" in changes and not {"soft_must_link", "soft_cannot_link"} <= changes.keys():
            raise InputError("penalty is named without soft pairs, whose penalties are kept; name both kinds beside it")
        is_elsewhere = any(changes.get(name) is not None for name in ("points", "gram"))
        place = {} if is_elsewhere else self._place(is_measured="weights" not in changes)
        return Instance(**place | self._asked | changes)

    def _place(self, *, is_measured: bool) -> dict[str, Any]:
        """Return points or inner products as arguments, with their factor if what that is wrong by is known."""
        if self.gram is None:
            return {"points": self.points}
        return {"gram": self.gram if is_measured else self.gram.matrix}

    @property
    def _asked(self) -> dict[str, Any]:
        """What is asked of the points, as arguments that ask the same."""
        (i, j), soft = self.soft.pairs.T.tolist(), self.soft
        return {
            "n_clusters": self.n_clusters,
            "must_link": self.must_link,
            "cannot_link": self.cannot_link,
            "weights": self.weights,
            "names": self.names,
            "feature_names": self.feature_names,
            "soft_must_link": zip(i, j, soft.apart.tolist(), strict=True),
            "soft_cannot_link": zip(i, j, soft.together.tolist(), strict=True),
            **({} if self.limits is None else self.limits.to_dict()),
        }

    def without_conditions(self) -> "Instance":
        """Return the instance without limits of clusters and soft pairs."""
        return self.with_(**NO_CONDITIONS)

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
        word = "feature" if self.gram is None else "coordinate"
        return self.feature_names or tuple(f"{word} {number}" for number in range(1, self.n_features + 1))

    @property
    def n_points(self) -> int:
        """Number of points n."""
        return int(self.points.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return int(self.points.shape[1])


def instance_of(
    points: ArrayLike | Instance | None,
    n_clusters: int | None,
    must_link: Pairs,
    cannot_link: Pairs,
    weights: ArrayLike | None,
    **conditions: Any,
) -> Instance:
    """Return the instance that a user gives, whole or in its parts, but not both."""
    if not isinstance(points, Instance):
        return Instance(points, n_clusters, must_link, cannot_link, weights, **conditions)
    given = {"n_clusters": n_clusters, "must_link": must_link, "cannot_link": cannot_link, "weights": weights}
    for name, value in (given | conditions).items():
        if value is not None and not (isinstance(value, tuple) and not value):
            raise InputError(f"{name} is given beside an Instance, which has its own; put it into the Instance")
    return points


def _table_of(points: Any, gram: Any, kernel: Any, gamma: Any, distances: Any) -> Any:
    """Return what stands for the points, with a row for each, where no two arguments contradict one another."""
    own, excluded = "gram", {"points": points, "distances": distances, "kernel": kernel, "gamma": gamma}
    if gram is None:
        own, excluded = "distances", {"kernel": kernel, "gamma": gamma} if distances is not None else {}
    for name, value in excluded.items():
        if value is not None:
            raise InputError(f"{name} is given beside {own}, which says all there is; leave one of them out")
    if gamma is not None and kernel is None:
        raise InputError(f"gamma is {gamma!r}, but there is no kernel; give kernel='rbf' too")
    return points if gram is None else gram


def _rows_of(
    table: Any, gram: Any, kernel: Kernel | None, gamma: float | None, distances: str | None
) -> tuple[Floats, Gram | Floats | None]:
    """Return an array with a row for each point, and the inner products if there are any."""
    if isinstance(gram, Gram):
        return gram.factor, gram
    if gram is not None or distances is not None:
        inner = symmetric(table, "gram") if distances is None else inner_products(table, distances)
        return inner, inner
    rows = _checked_points(table)
    return rows, None if kernel is None else kernel_matrix(rows, kernel, gamma)


def _factored(inner: Gram | Floats, weights: Floats, name: str) -> Gram:
    return inner if isinstance(inner, Gram) else Gram.of(inner, weights, name)


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
        _refuse_a_column(points)
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


def _refuse_a_column(table: Any) -> None:
    """Refuse the first column of a table that holds something else than numbers; do nothing where there is none."""
    for name in getattr(table, "columns", ()):
        try:
            real_numbers(table[name])
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(
                f"the column {name!r} of points does not hold real numbers: {error}; leave it out with "
                f"drop(columns={name!r}), or make it the index with set_index({name!r}) if it names the points"
            ) from error


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
    array = numbers(weights, "weights", "give one positive number a point")
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
