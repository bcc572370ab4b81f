"""Sizes: what a cluster may hold at least and at most, as numbers of points, as weights, or as a list of sizes."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Self, TypedDict

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.role import Capacity, Limit
from pcsos.problem.validation.signatures import Option, family
from pcsos.problem.validation.texts import weight, whole_number, whole_numbers
from pcsos.verify.reading.structures import NULL, Shape

#: By this share a weight may exceed its limit, or fall short of it: sums of decimal fractions are rounded.
SLACK = 2.0**-30


@family
class SizeKeywords(TypedDict, total=False):
    """What every cluster must hold.

    Parameters
    ----------
    size_min : int, optional
        Least number of points of a cluster.
    size_max : int, optional
        Greatest number of points of a cluster.
    weight_min : float, optional
        Least weight of a cluster, to one part in 2^30.
    weight_max : float, optional
        Greatest weight of a cluster, to one part in 2^30.
    sizes : sequence of int, length k, optional
        The numbers of points of the clusters, in any order.
    """

    size_min: Annotated[int | None, Option("minimum number of points in a cluster", whole_number(1), "N")]
    size_max: Annotated[int | None, Option("maximum number of points in a cluster", whole_number(1), "N")]
    weight_min: Annotated[float | None, Option("minimum weight of a cluster", weight, "X")]
    weight_max: Annotated[float | None, Option("maximum weight of a cluster", weight, "X")]
    sizes: Annotated[
        Sequence[int] | None,
        Option("sizes of the K clusters, in any order", whole_numbers, "N,N,..."),
    ]


@dataclass(frozen=True)
class SizeLimits(Limit):
    """What every cluster must hold.

    Parameters
    ----------
    size_min, size_max : int or None
        Least and greatest number of points of a cluster.
    weight_min, weight_max : float or None
        Least and greatest weight of a cluster, to one part in 2^30.
    sizes : tuple of int or None
        The numbers of points of the clusters, increasing, whichever cluster has which.

    """

    MEANINGS: ClassVar[Mapping[str, str]] = {
        "size_min": "least number of points of a cluster",
        "size_max": "greatest number of points of a cluster",
        "weight_min": "least weight of a cluster",
        "weight_max": "greatest weight of a cluster",
        "sizes": "numbers of points of the clusters",
    }
    SHAPE: ClassVar[Shape] = {
        **dict.fromkeys(("size_min", "size_max"), (int, NULL)),
        **dict.fromkeys(("weight_min", "weight_max"), (int, float, NULL)),
        "sizes": (list, NULL),
    }
    ITEMS: ClassVar[Shape] = {"sizes": (int,)}

    size_min: int | None = None
    size_max: int | None = None
    weight_min: float | None = None
    weight_max: float | None = None
    sizes: tuple[int, ...] | None = None

    @classmethod
    def read(cls, given: Mapping[str, Any], n: int) -> Self:
        """Return the limits that a user gives; what says nothing of n points is left out."""
        low, high = (_number(given.get(name), name) for name in ("size_min", "size_max"))
        light, heavy = (_weight(given.get(name), name) for name in ("weight_min", "weight_max"))
        _refuse_crossed("size", low, high)
        _refuse_crossed("weight", light, heavy)
        sizes = _listed(given.get("sizes"))
        if sizes:
            for name, limit, end in (("size_min", low, sizes[0]), ("size_max", high, sizes[-1])):
                if limit is not None and (end < limit if name == "size_min" else end > limit):
                    raise InputError(f"sizes has {end}, but {name} is {limit}; correct one of them")
        return cls(
            None if low is None or low <= 1 else low, None if high is None or high >= n else high, light or None, heavy,
            sizes,
        )  # fmt: skip

    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why no n points of these weights fill k such clusters, None where they may."""
        n, k, total = weights.size, n_clusters, math.fsum(weights.tolist())
        if self.sizes is not None and len(self.sizes) != k:
            return f"sizes are {len(self.sizes)} for {k} clusters; give one per cluster"
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

    def weight_range(self, weights: Floats) -> tuple[float, float]:
        """Return bounds on the weight of every cluster.

        A cluster of so many points weighs at least as much as the lightest ones and at most as much as the heaviest.
        """
        ordered = np.sort(weights).tolist()
        low = max(self.lightest, math.fsum(ordered[: self.fewest]))
        return low, min(self.heaviest, math.fsum(ordered[-int(min(self.most, weights.size)) :]))

    def capacities(self, component: Indices, weights: Floats) -> Iterator[Capacity]:
        """Yield the number of points, and the weight if it is limited."""
        counts = np.bincount(component, minlength=weights.size).astype(np.float64)
        yield Capacity(counts, self.fewest, self.most)
        if self.has_weights:
            yield Capacity(weights, self.lightest, self.heaviest, "of weight", is_rounded=True)

    @property
    def asks_for_least(self) -> bool:
        """Whether a part of a cluster may break what the whole of it keeps."""
        return self.size_min is not None or self.weight_min is not None or self.sizes is not None

    def violation(self, labels: Indices, weights: Floats) -> str | None:
        """Return one sentence on the first cluster of labels ``0..k-1`` that breaks a limit, None if none does."""
        counts = np.bincount(labels).tolist()
        if self.sizes is not None and sorted(counts) != list(self.sizes):
            return f"the clusters have {_shown(sorted(counts))} points instead of {_shown(self.sizes)}"
        for cluster, count in enumerate(counts):
            own = [Fraction(mass) for mass in weights[labels == cluster].tolist()] if self.has_weights else []
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
        named = {name: getattr(self, name) for name in self.MEANINGS}
        return {name: list(value) if name == "sizes" else value for name, value in named.items() if value is not None}


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
