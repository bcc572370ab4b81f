"""Penalties: what breaking a soft pair costs, by feature or in total."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.soft.pairs import WeightedPairs
from pcsos.problem.conditions.pairs import broken_pairs
from pcsos.problem.conditions.spread import largest_square


class Incidence(NamedTuple):
    """The pairs of each point: those of point i are the entries from ``start[i]`` to ``start[i + 1]``.

    Parameters
    ----------
    start : ndarray of int, shape (n + 1,)
        Where the pairs of each point begin.
    partner, pair : ndarray of int, shape (2 m + 2 c,)
        The other point of each pair, and the number of the pair: must-links first.
    """

    start: Indices
    partner: Indices
    pair: Indices


@dataclass(frozen=True, eq=False)
class Penalties:
    """What breaking each pair costs, a column a feature; one column where features do not count apart.

    Columns are weighed as their features, unless costs are fixed.

    Parameters
    ----------
    n_points : int
        Number of points n.
    must_link, cannot_link : ndarray of int, shapes (m, 2) and (c, 2)
        The pairs.
    must, cannot : ndarray, shapes (m, q) and (c, q)
        The costs of breaking them, at least 0.
    is_fixed : bool
        Whether the costs, in one column, are what they are whatever features weigh.
    """

    n_points: int
    must_link: Indices
    cannot_link: Indices
    must: Floats
    cannot: Floats
    is_fixed: bool = False

    def column_weights(self, feature_weights: Floats) -> Floats:
        """Return what the columns weigh, shape (q,)."""
        return np.ones(1) if self.is_fixed else feature_weights

    def of(self, labels: Indices) -> Floats:
        """Return the costs of the pairs that labels break, summed in each column, shape (q,)."""
        apart, together = broken_pairs(self.must_link, self.cannot_link, labels)
        total: Floats = self.must[apart].sum(axis=0) + self.cannot[together].sum(axis=0)
        return total

    def changes(self, weights: Floats) -> Floats:
        """Return by how much each pair changes the cost of a point that goes to the cluster of its partner.

        Must-links lower it, cannot-links raise it; shape (m + c,), for columns that weigh ``weights``, shape (q,).
        """
        return np.concatenate([-(self.must @ weights), self.cannot @ weights])

    @cached_property
    def incidence(self) -> Incidence:
        """The pairs of each point."""
        pairs = np.vstack([self.must_link, self.cannot_link])
        ends = pairs.T.ravel()
        order = np.argsort(ends, kind="stable")
        start = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=self.n_points))])
        number = np.tile(np.arange(len(pairs)), 2)
        return Incidence(start.astype(np.intp), pairs[:, ::-1].T.ravel()[order], number[order])


def by_feature(points: Floats, pairs: WeightedPairs) -> Penalties:
    """Return the penalties with a column for each feature (the paper's f and f-bar).

    With d the difference of a pair in a feature and R the range of the feature, a broken must-link costs d^2 and a
    broken cannot-link R^2 - d^2, each times its weight.
    """
    ranges = points.max(axis=0) - points.min(axis=0)
    return Penalties(
        len(points),
        pairs.must_link,
        pairs.cannot_link,
        pairs.must_link_weight[:, None] * _squares(points, pairs.must_link),
        pairs.cannot_link_weight[:, None] * np.maximum(ranges**2 - _squares(points, pairs.cannot_link), 0.0),
    )


def in_total(points: Floats, pairs: WeightedPairs, separation: str = "box") -> Penalties:
    """Return the penalties of :func:`by_feature` in one column.

    Parameters
    ----------
    separation : {"box", "diameter"}
        A broken cannot-link costs D^2 - d^2, where D^2 is the squared diagonal of the box around the points or the
        largest squared distance of two points.
    """
    together, squares = (_squares(points, own).sum(axis=1) for own in (pairs.must_link, pairs.cannot_link))
    most = largest_square(points) if separation == "diameter" else float((np.ptp(points, axis=0) ** 2).sum())
    must, cannot = pairs.must_link_weight * together, pairs.cannot_link_weight * np.maximum(most - squares, 0.0)
    return Penalties(len(points), pairs.must_link, pairs.cannot_link, must[:, None], cannot[:, None])


def alike(n_points: int, pairs: WeightedPairs, costs: Floats, *, is_fixed: bool = False) -> Penalties:
    """Return penalties that are the same for all pairs of weight 1.

    Parameters
    ----------
    n_points : int
        Number of points.
    pairs : WeightedPairs
        The pairs.
    costs : ndarray, shape (q,)
        What each column costs.
    is_fixed : bool
        Whether they are that whatever features weigh.
    """
    must, cannot = np.outer(pairs.must_link_weight, costs), np.outer(pairs.cannot_link_weight, costs)
    return Penalties(n_points, pairs.must_link, pairs.cannot_link, must, cannot, is_fixed)


def log_odds(confidence: Any) -> float:
    """Return twice the log odds of a pair: what breaking it costs in units of the variance within clusters.

    Raises
    ------
    InputError
        If the confidence is no number between 0.5 and 1.
    """
    is_number = isinstance(confidence, int | float | np.number) and not isinstance(confidence, bool)
    if not is_number or not 0.5 < confidence < 1.0:
        raise InputError(f"confidence is {confidence!r}; give a number above 0.5 and below 1, such as 0.95")
    return float(2.0 * np.log(confidence / (1.0 - confidence)))


def without_costs(n_points: int, n_columns: int = 1) -> Penalties:
    """Return the penalties where there are no pairs."""
    no_pairs, nothing = np.empty((0, 2), np.intp), np.empty((0, n_columns))
    return Penalties(n_points, no_pairs, no_pairs, nothing, nothing)


def _squares(points: Floats, pairs: Indices) -> Floats:
    """Return the squared difference of each pair in each feature, shape (m, p)."""
    squares: Floats = (points[pairs[:, 0]] - points[pairs[:, 1]]) ** 2
    return squares
