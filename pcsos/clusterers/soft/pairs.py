"""Soft pairs: constraints on rows, what each of them weighs, and what breaking them costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.estimators.samples import known_positions
from pcsos.problem.conditions.pairs import broken_pairs
from pcsos.problem.conditions.spread import largest_square
from pcsos.problem.validation.arrays import numbers, spelled_out
from pcsos.problem.validation.names import Labels


@dataclass(frozen=True, eq=False)
class WeightedPairs:
    """Pairs that should share a cluster, or should not, and their weights."""

    #: shapes (m, 2) and (c, 2): the pairs, each once
    must_link: Indices
    cannot_link: Indices
    #: shapes (m,) and (c,): by how much the cost of breaking each of them is multiplied, at least 0
    must_link_weight: Floats
    cannot_link_weight: Floats

    @property
    def are_any(self) -> bool:
        """Whether there are any pairs that weigh something."""
        return bool(self.must_link_weight.any() or self.cannot_link_weight.any())


@dataclass(frozen=True, eq=False)
class Given:
    """Pairs of one kind as a user gives them, in that order."""

    name: str  #: which kind they are of: ``must_link`` or ``cannot_link``
    pairs: Pairs  #: pairs of positions, without those that name a row which is not there
    missing: list[int]  #: the numbers of those that do

    @classmethod
    def of(cls, pairs: Pairs, name: str, labels: Labels | None) -> "Given":
        """Return pairs of positions, or of labels where rows have some.

        Raises
        ------
        InputError
            If they are no pairs.
        """
        if labels is None or pairs is None:
            remedy = "give pairs of point indices such as [(0, 5), (2, 3)]"  # listed, so that they can be read twice
            return cls(name, () if pairs is None else spelled_out(pairs, name, remedy, ordered=False), [])
        found, missing = known_positions(pairs, labels, name)
        return cls(name, found, [number for number, _ in missing])

    def weights(self, weight: ArrayLike, pairs: Indices, n_rows: int) -> Floats:
        """Return the weight of each of the pairs, which are these, sorted and without duplicates.

        A pair that is given twice counts once, with the larger of its weights.

        Raises
        ------
        InputError
            If there is neither one weight for all nor one per pair, or one is negative.
        """
        weights = _checked(weight, self.name)
        if weights.ndim == 0:
            return np.full(len(pairs), weights)
        positions = np.asarray(self.pairs)
        num_given = len(positions) + len(self.missing)
        if weights.shape != (num_given,):
            raise InputError(
                f"{self.name}_weight has shape {weights.shape} but there are {num_given} pairs in {self.name}; "
                "give one number, or one per pair"
            )
        weights = np.delete(weights, self.missing)
        ends = np.sort(positions.astype(np.intp).reshape(-1, 2), axis=1)
        is_pair = ends[:, 0] != ends[:, 1]
        place = np.searchsorted(pairs @ [n_rows, 1], ends[is_pair] @ [n_rows, 1])
        largest = np.zeros(len(pairs))
        np.maximum.at(largest, place, weights[is_pair])
        return largest


def _checked(weight: ArrayLike, name: str) -> Floats:
    remedy = "give one finite number of at least 0, or one per pair"
    weights = numbers(weight, f"{name}_weight", remedy)
    is_good = np.isfinite(weights) & (weights >= 0.0)
    if not is_good.all():
        worst = weights[~is_good].flat[0]
        raise InputError(f"{name}_weight holds {worst}; {remedy} (pairs that must hold are those of pcsos.solve)")
    return weights


#: Starts that such clusterings have at most.
NUM_STARTS = 3


def most_agreeable(candidates: Sequence[Indices], pairs: WeightedPairs) -> int:
    """Return the number of the labels that break the least weight of pairs.

    The first, the simplest, is left only for labels that break less by more than the standard error of the difference:
    the root of the sum of the squared differences of the pairs. Candidates, shape (n,) each, were found without the
    pairs; what has seen them keeps them in any way.
    """
    broken = np.array([broken_weights(labels, pairs) for labels in candidates])
    best = int(broken.sum(axis=1).argmin())
    difference = broken[0] - broken[best]
    return best if difference.sum() > np.sqrt((difference**2).sum()) else 0


def broken_weights(labels: Indices, pairs: WeightedPairs) -> Floats:
    """Return the weight of each pair that labels break, and 0 for the others, shape (m + c,)."""
    apart, together = broken_pairs(pairs.must_link, pairs.cannot_link, labels)
    return np.concatenate([pairs.must_link_weight * apart, pairs.cannot_link_weight * together])


class Incidence(NamedTuple):
    """The pairs of each point: those of point i are the entries from ``start[i]`` to ``start[i + 1]``."""

    start: Indices  #: shape (n + 1,): where the pairs of each point begin
    #: shape (2 m + 2 c,): the other point of each pair, and the number of the pair: must-links first
    partner: Indices
    pair: Indices


@dataclass(frozen=True, eq=False)
class Penalties:
    """What breaking each pair costs, a column a feature; one column where features do not count apart.

    Columns are weighed as their features, unless costs are fixed.
    """

    n_points: int  #: number of points n
    #: must-links and cannot-links, shapes (m, 2) and (c, 2)
    must_link: Indices
    cannot_link: Indices
    #: what breaking each of them costs, shapes (m, q) and (c, q), at least 0
    must: Floats
    cannot: Floats
    is_fixed: bool = False  #: whether the costs, in one column, are what they are whatever features weigh

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

    A broken cannot-link costs D^2 - d^2, where D^2 is the squared diagonal of the box around the points (``box``) or
    the largest squared distance of two points (``diameter``).
    """
    together, squares = (_squares(points, own).sum(axis=1) for own in (pairs.must_link, pairs.cannot_link))
    most = largest_square(points) if separation == "diameter" else float((np.ptp(points, axis=0) ** 2).sum())
    must, cannot = pairs.must_link_weight * together, pairs.cannot_link_weight * np.maximum(most - squares, 0.0)
    return Penalties(len(points), pairs.must_link, pairs.cannot_link, must[:, None], cannot[:, None])


def alike(n_points: int, pairs: WeightedPairs, costs: Floats, *, is_fixed: bool = False) -> Penalties:
    """Return penalties that are the same for all pairs of weight 1: what each column costs, shape (q,).

    ``is_fixed`` says whether they are that whatever features weigh.
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
