"""Sizes: how many points a cluster may hold at least and at most, or a list of the sizes of all clusters."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.role import Capacity, Condition, Limit, Place, Spelling
from pcsos.problem.validation.arrays import whole_number as number_of_points
from pcsos.problem.validation.texts import whole_number, whole_numbers


@dataclass(frozen=True)
class Sizes(Limit):
    """How many points every cluster must hold.

    Parameters
    ----------
    at_least, at_most : int, optional
        Least and greatest number of points of a cluster.
    exactly : sequence of int, length k, optional
        The numbers of points of the clusters, in any order.

    Raises
    ------
    InputError
        If one is no number of points, or contradicts another one.

    Examples
    --------
    >>> import pcsos
    >>> pcsos.solve([0.0, 1.0, 2.0, 9.0], 2, conditions=[pcsos.Sizes(2, 2)]).labels.tolist()
    [0, 0, 1, 1]
    """

    SPELLINGS: ClassVar[Mapping[str, Spelling]] = {
        "at_least": Spelling("size_min", "minimum number of points in a cluster", whole_number(1), "N"),
        "at_most": Spelling("size_max", "maximum number of points in a cluster", whole_number(1), "N"),
        "exactly": Spelling("sizes", "sizes of the clusters, in any order", whole_numbers, "N,N,..."),
    }

    at_least: int | None = None
    at_most: int | None = None
    exactly: Sequence[int] | None = None

    def __post_init__(self) -> None:
        for field, name in (("at_least", "size_min"), ("at_most", "size_max")):
            if getattr(self, field) is not None:
                object.__setattr__(self, field, number_of_points(name, getattr(self, field), 1))
        object.__setattr__(self, "exactly", _listed(self.exactly))
        low, high, sizes = self.at_least, self.at_most, self.exactly
        if low is not None and high is not None and low > high:
            raise InputError(f"size_min is {low}, more than size_max = {high}; exchange or correct them")
        if sizes and low is not None and sizes[0] < low:
            raise InputError(f"sizes has {sizes[0]}, but size_min is {low}; correct one of them")
        if sizes and high is not None and sizes[-1] > high:
            raise InputError(f"sizes has {sizes[-1]}, but size_max is {high}; correct one of them")

    def asks(self, place: Place) -> Iterator[Condition]:
        """Yield the same without what says nothing of so many points."""
        low, high = self.at_least, self.at_most
        yield replace(
            self,
            at_least=None if low is None or low <= 1 else low,
            at_most=None if high is None or high >= place.n_points else high,
        )

    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why no points fill k such clusters, None where they may."""
        n, k, low, high, sizes = weights.size, n_clusters, self.at_least, self.at_most, self.exactly
        if sizes is not None and len(sizes) != k:
            return f"sizes are {len(sizes)} for {k} clusters; give one per cluster"
        if sizes is not None and sum(sizes) != n:
            return f"sizes add up to {sum(sizes)}, but there are {n} points; correct one of them"
        if low is not None and k * low > n:
            what = f"{k} clusters of size_min = {low} need {k * low} points"
            return f"{what}, but there are {n}; give at most {n // k}"
        if high is not None and k * high < n:
            what = f"{k} clusters of size_max = {high} hold {k * high} points"
            return f"{what}, but there are {n}; give at least {-(-n // k)}"
        return None

    def violation(self, labels: Indices, weights: Floats) -> str | None:
        """Return one sentence on the first cluster of labels ``0..k-1`` that breaks a limit, None if none does."""
        counts = np.bincount(labels).tolist()
        if self.exactly is not None and sorted(counts) != list(self.exactly):
            return f"the clusters have {_shown(sorted(counts))} points instead of {_shown(self.exactly)}"
        for cluster, count in enumerate(counts):
            if self.at_least is not None and count < self.at_least:
                return f"cluster {cluster} has {count} points, less than size_min = {self.at_least}"
            if self.at_most is not None and count > self.at_most:
                return f"cluster {cluster} has {count} points, more than size_max = {self.at_most}"
        return None

    @property
    def fewest(self) -> int:
        """Least number of points of a cluster."""
        return max(self.at_least or 1, self.exactly[0] if self.exactly else 1)

    @property
    def most(self) -> float:
        """Greatest number of points of a cluster, infinity without a limit."""
        return min(self.at_most or math.inf, self.exactly[-1] if self.exactly else math.inf)

    def weight_range(self, weights: Floats) -> tuple[float, float]:
        """Return bounds on the weight of every cluster.

        A cluster of so many points weighs at least as much as the lightest ones and at most as much as the heaviest.
        """
        ordered = np.sort(weights).tolist()
        return math.fsum(ordered[: self.fewest]), math.fsum(ordered[-int(min(self.most, weights.size)) :])

    def capacities(self, component: Indices, weights: Floats) -> Iterator[Capacity]:
        """Yield the number of points."""
        counts = np.bincount(component, minlength=weights.size).astype(np.float64)
        yield Capacity(counts, self.fewest, self.most)

    @property
    def asks_for_least(self) -> bool:
        """Whether a part of a cluster may break what the whole of it keeps."""
        return self.at_least is not None or self.exactly is not None


def _listed(sizes: Iterable[int] | None) -> tuple[int, ...] | None:
    if sizes is None:
        return None
    listed = np.atleast_1d(np.asarray(sizes, dtype=object))
    return tuple(sorted(number_of_points(f"sizes[{position}]", size, 1) for position, size in enumerate(listed)))


def _shown(sizes: Iterable[int]) -> str:
    return ", ".join(map(str, sizes))
