"""Limits: what a cluster may hold at least and at most, as numbers of points, as weights, or as a list of sizes."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from pcsos.exceptions import InputError
from pcsos.typing import Floats

#: By this share a weight may exceed its limit, or fall short of it: sums of decimal fractions are rounded.
SLACK = 2.0**-30
#: More than sums of weights can be rounded by, relative to the total.
ROUNDING = 2.0**-44


@dataclass(frozen=True)
class Limits:
    """What every cluster must hold.

    Parameters
    ----------
    size_min, size_max : int or None
        Least and greatest number of points of a cluster.
    weight_min, weight_max : float or None
        Least and greatest weight of a cluster, to one part in 2^30.
    sizes : tuple of int or None
        The numbers of points of the clusters, increasing, whichever cluster has which.

    Examples
    --------
    >>> from pcsos.limits import Limits
    >>> Limits(size_min=2, size_max=3).violation([0, 0, 0, 0, 1], [1.0] * 5)
    'cluster 0 has 4 points, more than size_max = 3'
    """

    size_min: int | None = None
    size_max: int | None = None
    weight_min: float | None = None
    weight_max: float | None = None
    sizes: tuple[int, ...] | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any], weights: Floats, n_clusters: int) -> Self | None:
        """Return the limits that a user gives by their names, None without any that says something.

        Raises
        ------
        InputError
            If one is no limit, or no n points of these weights can satisfy them in k clusters.
        """
        limits = cls.read(given, weights.size)
        why = None if limits is None else limits.shortage(weights, n_clusters)
        if why is not None:
            raise InputError(why)
        return limits

    @classmethod
    def read(cls, given: Mapping[str, Any], n: int) -> Self | None:
        """Return the same for n points, whatever they weigh and however many clusters there are.

        Raises
        ------
        InputError
            If one is no limit, or contradicts another one.
        """
        low, high = (_number(given[name], name) for name in ("size_min", "size_max"))
        light, heavy = (_weight(given[name], name) for name in ("weight_min", "weight_max"))
        _refuse_crossed("size", low, high)
        _refuse_crossed("weight", light, heavy)
        sizes = _listed(given["sizes"])
        if sizes:
            for name, limit, end in (("size_min", low, sizes[0]), ("size_max", high, sizes[-1])):
                if limit is not None and (end < limit if name == "size_min" else end > limit):
                    raise InputError(f"sizes has {end}, but {name} is {limit}; correct one of them")
        limits = cls(
            None if low is None or low <= 1 else low, None if high is None or high >= n else high, light or None, heavy,
            sizes,
        )  # fmt: skip
        return None if limits == cls() else limits

    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why no n points of these weights fill k such clusters, None where they may."""
        n, k, total = weights.size, n_clusters, math.fsum(weights.tolist())
        if self.sizes is not None and len(self.sizes) != k:
            return f"sizes are {len(self.sizes)} for {k} clusters; give one a cluster"
        if self.sizes is not None and sum(self.sizes) != n:
            return f"sizes add up to {sum(self.sizes)}, but there are {n} points; correct one of them"
        return _shortage("size", self.size_min, self.size_max, n, k) or _shortage(
            "weight", self.weight_min, self.weight_max, total, k
        )

    @property
    def fewest(self) -> int:
        """Least number of points of a cluster."""
        return max(self.size_min or 1, 1 if self.sizes is None else self.sizes[0])

    @property
    def most(self) -> float:
        """Greatest number of points of a cluster, infinity without a limit."""
        return min(math.inf if self.size_max is None else self.size_max, math.inf if not self.sizes else self.sizes[-1])

    @property
    def lightest(self) -> float:
        """Least weight of a cluster."""
        return 0.0 if self.weight_min is None else self.weight_min * (1.0 - SLACK)

    @property
    def heaviest(self) -> float:
        """Greatest weight of a cluster, infinity without a limit."""
        return math.inf if self.weight_max is None else self.weight_max * (1.0 + SLACK)

    def weight_range(self, weights: Floats, n_clusters: int) -> tuple[float, float]:
        """Return bounds on the weight of every cluster, rounded outwards.

        A cluster of so many points weighs at least as much as the lightest ones and at most as much as the heaviest;
        and what the other clusters may and must take away leaves it a share of the total E: with L and U the bounds so
        far, at least ``E - (k - 1) U`` and at most ``E - (k - 1) L``.

        Parameters
        ----------
        weights : ndarray, shape (n,)
            Weights of the points.
        """
        ordered, total = np.sort(weights).tolist(), math.fsum(weights.tolist())
        low = max(self.lightest, math.fsum(ordered[: self.fewest]))
        high = min(self.heaviest, math.fsum(ordered[-int(min(self.most, weights.size)) :]))
        others = n_clusters - 1
        low, high = max(low, total - others * high), min(high, total - others * low)
        return max(low - ROUNDING * total, 0.0), high + ROUNDING * total

    def violation(self, labels: ArrayLike, weights: ArrayLike) -> str | None:
        """Return one sentence on the first cluster of labels ``0..k-1`` that breaks a limit, None if none does."""
        clusters, masses = np.asarray(labels), np.asarray(weights, np.float64)
        counts = np.bincount(clusters).tolist()
        if self.sizes is not None and sorted(counts) != list(self.sizes):
            return f"the clusters have {_shown(sorted(counts))} points instead of {_shown(self.sizes)}"
        for cluster, count in enumerate(counts):
            own = [Fraction(mass) for mass in masses[clusters == cluster].tolist()] if self.has_weights else []
            weight = sum(own, Fraction(0))
            for name, value, what in (
                ("size_min", count, f"has {count} points"),
                ("size_max", count, f"has {count} points"),
                ("weight_min", weight, f"weighs {float(weight):.10g}"),
                ("weight_max", weight, f"weighs {float(weight):.10g}"),
            ):
                if not self._holds(name, value):
                    side = "less" if name.endswith("min") else "more"
                    return f"cluster {cluster} {what}, {side} than {name} = {getattr(self, name)}"
        return None

    @property
    def has_weights(self) -> bool:
        """Whether weights are limited."""
        return self.weight_min is not None or self.weight_max is not None

    def _holds(self, name: str, value: int | Fraction) -> bool:
        if getattr(self, name) is None:
            return True
        limit = Fraction(getattr(self, name))
        slack = Fraction(SLACK) * limit if name.startswith("weight") else 0
        return value >= limit - slack if name.endswith("min") else value <= limit + slack

    def to_dict(self) -> dict[str, Any]:
        """Return the limits that there are, by their names."""
        named = {name: getattr(self, name) for name in NAMES}
        return {name: list(value) if name == "sizes" else value for name, value in named.items() if value is not None}


#: The limits as arguments.
NAMES = ("size_min", "size_max", "weight_min", "weight_max", "sizes")


def _number(value: object, name: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InputError(f"{name} is {value!r}; give a whole number of points of at least 1")
    return int(value)


def _weight(value: object, name: str) -> float | None:
    if value is None:
        return None
    is_real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    number = float(value) if is_real else math.nan  # type: ignore[arg-type]
    if not 0.0 <= number < math.inf:
        raise InputError(f"{name} is {value!r}; give a finite weight of at least 0")
    return number


def _refuse_crossed(what: str, low: float | None, high: float | None) -> None:
    if low is not None and high is not None and low > high:
        raise InputError(f"{what}_min is {low:g}, more than {what}_max = {high:g}; exchange or correct them")


def _shortage(what: str, low: float | None, high: float | None, total: float, k: int) -> str | None:
    slack = SLACK if what == "weight" else 0.0
    unit = "points" if what == "size" else "of weight in all"
    if low is not None and k * low * (1.0 - slack) > total:
        most = total // k if what == "size" else total / k
        return (
            f"{k} clusters of {what}_min = {low:g} need {k * low:g} {unit}, but there are {total:g}; give at most "
            f"{most:g}"
        )
    if high is not None and k * high * (1.0 + slack) < total:
        least = -(-total // k) if what == "size" else total / k
        return (
            f"{k} clusters of {what}_max = {high:g} hold {k * high:g} {unit}, but there are {total:g}; give at least "
            f"{least:g}"
        )
    return None


def _listed(sizes: Iterable[int] | None) -> tuple[int, ...] | None:
    if sizes is None:
        return None
    listed = list(np.atleast_1d(np.asarray(sizes, dtype=object)))
    for position, size in enumerate(listed):
        if _number(size, f"sizes[{position}]") is None:
            raise InputError(f"sizes[{position}] is None; give a whole number of points of at least 1")
    return tuple(sorted(int(size) for size in listed))


def _shown(sizes: Iterable[int]) -> str:
    return ", ".join(map(str, sizes))
