"""The instance: points, weights, the number of clusters and the pairwise constraints."""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base import tolerances
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.problem.conditions.conditions import Conditions, checked, stated
from pcsos.problem.conditions.limits import Limits
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.conditions.role import Condition, Place
from pcsos.problem.conditions.sizes import Sizes
from pcsos.problem.geometry import Geometry, table_of
from pcsos.problem.gram import FactoredGram
from pcsos.problem.validation.arrays import is_whole_number
from pcsos.problem.validation.names import Labels, PointNames, column_names, index_name
from pcsos.verify.reading.text import number_of


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Instance:
    """A semi-supervised minimum sum-of-squares clustering problem, validated once and immutable afterwards.

    Parameters
    ----------
    points : array_like, shape (n, d), or Gram, Distances or Kernel
        Finite coordinates, one row per point; a one-dimensional array is n points with one feature. Or what stands in
        their place. Numbers that no double is are rounded, which is charged to every bound, or refused
        (:class:`pcsos.problem.validation.rounding.Rounded`).
    n_clusters : int
        Number of clusters k, ``1 <= k <= n``; every cluster must hold at least one point.
    must_link : array_like of int, shape (m, 2), or iterable of pairs, optional
        Pairs of point indices, from 0, that must share a cluster; with a pandas DataFrame, of labels of its index.
    cannot_link : array_like of int, shape (m, 2), or iterable of pairs, optional
        Pairs that cannot share a cluster, likewise.
    weights : array_like, shape (n,), optional
        Positive finite weights w_i of the objective ``sum_i w_i ||p_i - centre||^2``; 1 unless given.
    size_min, size_max : int, optional
        Least and greatest number of points of a cluster.
    conditions : list of conditions, optional
        What is asked besides (:func:`pcsos.solve`).
    names : PointNames, optional
        What the points are called: by default what the index of a pandas DataFrame says, else their indices. Pairs name
        the rows of such a DataFrame by the labels of its index.
    feature_names : sequence of str, length d, optional
        What the features are called: by default the columns of a DataFrame.

    Raises
    ------
    InputError
        With one sentence that names the argument, the place, the value and the remedy.

    Notes
    -----
    Contradictory constraints make an instance infeasible, not invalid: they are found by
    :func:`pcsos.problem.reduction.reduce_instance`.

    Examples
    --------
    >>> from pcsos import Instance
    >>> instance = Instance([[0.0, 1.0], [2.0, 1.0], [9.0, 4.0]], 2, cannot_link={(2, 0)})
    >>> instance.n_points, instance.n_features, instance.cannot_link.tolist()
    (3, 2, [[0, 2]])
    """

    geometry: Geometry
    n_clusters: int
    asked: Conditions
    names: PointNames
    feature_names: tuple[str, ...] | None

    def __init__(
        self,
        points: Any = None,
        n_clusters: int | None = None,
        must_link: Pairs = (),
        cannot_link: Pairs = (),
        weights: ArrayLike | None = None,
        *,
        size_min: int | None = None,
        size_max: int | None = None,
        conditions: Iterable[Condition] = (),
        names: PointNames | None = None,
        feature_names: Sequence[str] | None = None,
    ) -> None:
        table = table_of(points)
        geometry = Geometry.of(points, weights)
        n, d = geometry.points.shape
        k = _checked_n_clusters(n_clusters, n)
        place = Place(table, geometry, k)
        features = column_names(table) if feature_names is None else tuple(feature_names)
        asked = Conditions.read(must_link, cannot_link, [Sizes(size_min, size_max), *checked(conditions)], place)
        shortage = asked.limits and asked.limits.shortage(geometry.weights, k)
        if shortage:
            raise InputError(shortage)
        values = {
            "geometry": geometry,
            "n_clusters": k,
            "asked": asked,
            "names": names or _names_of(place.labels, n, index_name(table)),
            "feature_names": None if geometry.gram is not None else _checked_features(features, d),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        names = ("n_points", "n_features", "n_clusters")
        pairs = f"{len(self.must_link)} must-links, {len(self.cannot_link)} cannot-links"
        more = f", {len(self.soft)} soft pairs" if len(self.soft) else ""
        limits = "" if self.limits is None else f", {self.limits}"
        return f"Instance({', '.join(f'{name}={getattr(self, name)}' for name in names)}: {pairs}{more}{limits})"

    @property
    def points(self) -> Floats:
        """Coordinates in double precision, shape (n, d); with inner products, of points that have almost the same."""
        return self.geometry.points

    @property
    def weights(self) -> Floats:
        """Weights of the points, shape (n,)."""
        return self.geometry.weights

    @property
    def gram(self) -> FactoredGram | None:
        """The inner products that costs are computed from, where they are not those of the points."""
        return self.geometry.gram

    @property
    def constraints(self) -> Constraints:
        """The pairs that must hold, by indices, with those of limits of distance and of infinite penalties."""
        return self.asked.constraints

    @property
    def soft(self) -> PenalisedPairs:
        """The pairs that may be broken at a penalty, by indices."""
        return self.asked.soft

    @property
    def limits(self) -> Limits | None:
        """What every cluster must hold."""
        return self.asked.limits

    @property
    def outliers(self) -> int:
        """How many points may be left out of all clusters; their label is -1."""
        return self.asked.outliers

    @property
    def is_plain(self) -> bool:
        """Whether there are neither limits of clusters nor soft pairs."""
        return self.limits is None and len(self.soft) == 0

    @property
    def is_free(self) -> bool:
        """Whether there are no cannot-links, limits of clusters or soft pairs."""
        return self.is_plain and not len(self.cannot_link)

    @property
    def line(self) -> Floats | None:
        """The only feature that is not constant, shape (n,); None where there are others.

        Where all points are equal it is the first feature.
        """
        varies = (self.points != self.points[0]).any(axis=0)
        return None if varies.sum() > 1 else self.points[:, int(np.argmax(varies))]

    @property
    def is_line(self) -> bool:
        """Whether the best clusters are known to be intervals of a line (Mathematics 8).

        They are where nothing is asked but must-links, or, of points that weigh the same, their least and greatest
        number in a cluster.
        """
        has_pairs = len(self.must_link) + len(self.cannot_link) + len(self.soft) > 0
        is_limited = self.limits is not None and self.limits.is_of_numbers and np.ptp(self.weights) == 0.0
        return self.line is not None and (self.is_free or (is_limited and not has_pairs))

    @property
    def gram_error(self) -> float:
        """By how much costs may differ from those of the points: 0 but where there is a Gram matrix."""
        return 0.0 if self.gram is None else self.cost_error(0.0)

    def cost_error(self, cost: float) -> float:
        """Return by how much a cost of the points may differ from that of what was given (Mathematics 13, 14)."""
        error = self.geometry.cost_error(self.n_clusters, cost)
        return error + 2.0 * tolerances.EPS * cost if self.soft.may_be_rounded else error

    def proved(self, lower_bound: float) -> float:
        """Return what a lower bound on the costs of the points proves for those of the instance."""
        if not math.isfinite(lower_bound):
            return lower_bound
        error = self.cost_error(lower_bound)
        lowered = lower_bound if error == 0.0 else math.nextafter(lower_bound - error, -math.inf)
        return lowered if self.gram is not None else max(lowered, min(lower_bound, 0.0))

    def gap(self, objective: float, lower_bound: float) -> float:
        """Return the relative gap between the cost of a partition and a lower bound.

        The cost is that of doubles, and may be more for what they stand for. With a Gram matrix costs may fall below 0
        by its rounding: infinity where one of 0 is not known to be the least.
        """
        if self.gram_error > 0.0 and lower_bound < objective <= 0.0:
            return math.inf
        most = objective if math.isinf(objective) else objective + self.cost_error(objective)
        return tolerances.relative_gap(most if objective > 0.0 else objective, lower_bound)

    @property
    def conditions(self) -> list[Condition]:
        """Conditions that ask the same as the limits of clusters and the soft pairs do."""
        return stated(self.asked.to_dict())

    def with_(self, **changes: Any) -> "Instance":
        """Return the problem with some of its arguments changed, and everything else as it is.

        Parameters
        ----------
        **changes
            Arguments of :class:`Instance` by name, which stand in place of what the instance has; what is kept has to
            fit them. Pairs that limits of distance stand for are pairs like others. Other ``conditions`` stand in place
            of all limits and soft pairs, those of sizes included.

        Raises
        ------
        InputError
            If the changed problem cannot be used.

        Examples
        --------
        >>> from pcsos import Instance, Sizes
        >>> instance = Instance([0.0, 1.0, 5.0, 6.0], 2, conditions=[Sizes(2)])
        >>> changed = instance.with_(cannot_link=[(0, 1)])
        >>> changed.cannot_link.tolist(), changed.conditions
        ([[0, 1]], [Sizes(at_least=2, at_most=None, exactly=None)])
        """
        sizes = {field: None for field, own in Sizes.SPELLINGS.items() if own.name in changes}
        kept: dict[str, Any] = {
            "points": self.geometry.place(is_measured="weights" not in changes),
            "n_clusters": self.n_clusters,
            "must_link": self.must_link,
            "cannot_link": self.cannot_link,
            "weights": self.weights,
            "conditions": [replace(own, **sizes) if isinstance(own, Sizes) else own for own in self.conditions],
            "names": self.names,
            "feature_names": self.feature_names,
        }
        return Instance(**kept | changes)

    def without_conditions(self) -> "Instance":
        """Return the instance without limits of clusters and soft pairs."""
        return self.with_(conditions=())

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


def instance_of(points: Any, n_clusters: int | None, **asked: Any) -> Instance:
    """Return the instance that a user gives, whole or in its parts (:class:`Instance`), but not both."""
    if not isinstance(points, Instance):
        return Instance(points, n_clusters, **asked)
    for name, value in {"n_clusters": n_clusters, **asked}.items():
        if value is not None and not (isinstance(value, tuple | list) and not value):
            raise InputError(f"{name} is given beside an Instance, which has its own; put it into the Instance")
    return points


def refuse_outliers(number: int, what: str) -> None:
    """Refuse what puts every point into a cluster, where so many points may be left out."""
    if number:
        raise InputError(
            f"outliers is {number}, but {what} leaves no point out; use pcsos.solve, or leave outliers out"
        )


def _names_of(labels: Labels | None, n: int, called: Hashable) -> PointNames:
    """Return names of rows by their labels in an index, where these are different."""
    if labels is None or len(set(labels)) < n:
        return PointNames(n)
    return PointNames(n, ids=labels, index_name=called)


def _checked_features(names: tuple[str, ...] | None, d: int) -> tuple[str, ...] | None:
    if names is None or len(names) == d:
        return names
    raise InputError(f"feature_names are {len(names)} for {d} features; give one name a feature")


def _checked_n_clusters(n_clusters: Any, n: int) -> int:
    if not is_whole_number(n_clusters) or not 1 <= n_clusters <= n:
        given = f"n_clusters is {n_clusters!r} for {number_of(n, 'point')}"
        raise InputError(f"{given}; give a whole number from 1 to the number of points")
    return int(n_clusters)
