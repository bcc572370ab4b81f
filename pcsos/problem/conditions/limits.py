"""Limits: what every cluster must hold, as families ask for it."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.groups import GroupLimits
from pcsos.problem.conditions.loads import LoadLimits
from pcsos.problem.conditions.outliers import Outliers
from pcsos.problem.conditions.role import Capacity, Limit
from pcsos.problem.conditions.sizes import Sizes
from pcsos.problem.conditions.weights import Weights

#: All families. The first one counts points, and is there even where it asks nothing.
FAMILIES: tuple[type[Limit], ...] = (Sizes, Weights, LoadLimits, GroupLimits, Outliers)

#: More than sums of weights can be rounded by, relative to the total.
ROUNDING = 2.0**-44


@dataclass(frozen=True)
class Limits:
    """What every cluster must hold.

    Examples
    --------
    >>> from pcsos.problem.conditions.limits import Limits
    >>> from pcsos.problem.conditions.sizes import Sizes
    >>> limits = Limits.of([Sizes(2, 3)])
    >>> limits.violation([0, 0, 0, 0, 1], [1.0] * 5)
    'cluster 0 has 4 points, more than size_max = 3'
    """

    #: one of each of :data:`FAMILIES`, in that order
    families: tuple[Limit, ...] = tuple(family() for family in FAMILIES)

    @classmethod
    def of(cls, limits: Iterable[Limit]) -> Self | None:
        """Return limits of all families together, None without any that says something.

        Raises
        ------
        InputError
            If one of them is given twice, or points may be left out beside other limits.
        """
        joined = {family: family() for family in FAMILIES}
        for limit in limits:
            joined[type(limit)] = joined[type(limit)].joined(limit)
        found = cls(tuple(joined.values()))
        if found.outliers and len(found.to_dict()) > 1:
            raise InputError(f"outliers is {found.outliers} beside limits of clusters; leave one or the other out")
        return found if found.to_dict() else None

    def to_dict(self) -> dict[str, Any]:
        """Return the limits that there are, by their names."""
        return {name: value for family in self.families for name, value in family.to_dict().items()}

    def shown(self) -> dict[str, str]:
        """Return the limits that there are by their names, for people."""
        return {name: words for family in self.families for name, words in family.shown().items()}

    def __str__(self) -> str:
        return ", ".join(f"{name} = {words}" for name, words in self.shown().items())

    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why no n points of these weights fill k such clusters, None where they may."""
        own = next(filter(None, (family.shortage(weights, n_clusters) for family in self.families)), None)
        return own or self._sizes_beyond(weights.size)

    def _sizes_beyond(self, n: int) -> str | None:
        """Return one sentence on a size of the list that the other families rule out, None without one."""
        lows, highs = zip(*(family.size_range(n) for family in self.families), strict=True)
        low, high = max(lows), min(highs)
        for size in self.sizes or ():
            if not low <= size <= high:
                asked = f"at least {low:g}" if size < low else f"at most {high:g}"
                return (
                    f"sizes has {size}, but the other limits ask for {asked} points of a cluster; correct one of them"
                )
        return None

    def violation(self, labels: ArrayLike, weights: ArrayLike) -> str | None:
        """Return one sentence on the first limit that labels, -1 outside of clusters, break, None without one."""
        clusters, masses = np.asarray(labels), np.asarray(weights, np.float64)
        families = self.families[-1:] if self.outliers else self.families
        return next(filter(None, (family.violation(clusters, masses) for family in families)), None)

    def weight_range(self, weights: Floats, n_clusters: int) -> tuple[float, float]:
        """Return bounds on the weight of every cluster, rounded outwards, from the weights of the points, shape (n,).

        What the other clusters may and must take away leaves a share of the total E: with L and U the bounds so far,
        at least ``E - (k - 1) U`` and at most ``E - (k - 1) L``.
        """
        lows, highs = zip(*(family.weight_range(weights) for family in self.families), strict=True)
        total, others = math.fsum(weights.tolist()), n_clusters - 1
        low, high = max(lows), min(highs)
        low, high = max(low, total - others * high), min(high, total - others * low)
        return max(low - ROUNDING * total, 0.0), high + ROUNDING * total

    def capacities(self, component: Indices, weights: Floats) -> Iterator[Capacity]:
        """Yield what clusters hold, numbers of points first; see :meth:`Limit.capacities`."""
        return chain.from_iterable(family.capacities(component, weights) for family in self.families)

    @property
    def sizes(self) -> tuple[int, ...] | None:
        """The numbers of points of the clusters, increasing, whichever cluster has which; None where they are open."""
        first = self.families[0]
        assert isinstance(first, Sizes)
        return None if first.exactly is None else tuple(first.exactly)

    @property
    def is_of_numbers(self) -> bool:
        """Whether they are but the least and the greatest number of points of a cluster."""
        return self.to_dict().keys() <= {"size_min", "size_max"}

    @property
    def outliers(self) -> int:
        """How many points may be left out of all clusters."""
        last = self.families[-1]
        assert isinstance(last, Outliers)
        return last.at_most or 0

    @property
    def asks_for_least(self) -> bool:
        """Whether a part of a cluster may break what the whole of it keeps."""
        return any(family.asks_for_least for family in self.families)
