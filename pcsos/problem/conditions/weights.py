"""Weights: what a cluster may weigh at least and at most; and what is asked of all that is measured like them."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, NamedTuple

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.role import ROUNDING, Capacity, Condition, Limit, Place, Spelling
from pcsos.problem.validation.arrays import LARGEST_AMOUNT, number_between
from pcsos.problem.validation.texts import amount

#: By this share a weight may exceed its limit, or fall short of it: sums of decimal fractions are rounded.
SLACK = 2.0**-30


class Measure(NamedTuple):
    """What every cluster holds at least and at most of something that is measured, to one part in 2^30."""

    amounts: Floats  #: shape (n,): what each point brings; not negative
    at_least: float | None
    at_most: float | None
    name: str = "weight"  #: what messages call its limits by
    unit: str = "of weight"  #: and what it is

    @property
    def ends(self) -> tuple[float, float]:
        """The bounds with their slack, infinity where there is no greatest."""
        low, high = self.at_least or 0.0, math.inf if self.at_most is None else self.at_most
        return low * (1.0 - SLACK), high * (1.0 + SLACK)

    def shortage(self, n_clusters: int) -> str | None:
        """Return one sentence on why there is too little or too much for k clusters, None where there may not be."""
        total, k, (least, most) = math.fsum(self.amounts.tolist()), n_clusters, self.ends
        if k * least > total * (1.0 + ROUNDING):
            what = f"{k} clusters of {self.name}_min = {self.at_least:g} need {k * (self.at_least or 0.0):g}"
            return f"{what} {self.unit} in all, but there are {total:g}; give at most {total / k:.15g}"
        if k * most < total * (1.0 - ROUNDING):
            what = f"{k} clusters of {self.name}_max = {self.at_most:g} hold {k * (self.at_most or 0.0):g}"
            return f"{what} {self.unit} in all, but there are {total:g}; give at least {total / k:.15g}"
        return None

    def violation(self, labels: Indices) -> str | None:
        """Return one sentence on the first cluster of labels ``0..k-1`` that breaks a limit, None if none does."""
        slack = Fraction(SLACK)
        for cluster in range(int(labels.max()) + 1):
            held = sum(map(Fraction, self.amounts[labels == cluster].tolist()), Fraction(0))
            has = f"cluster {cluster} has {float(held):.10g} {self.unit}"
            if self.at_least is not None and held < Fraction(self.at_least) * (1 - slack):
                return f"{has}, less than {self.name}_min = {self.at_least}"
            if self.at_most is not None and held > Fraction(self.at_most) * (1 + slack):
                return f"{has}, more than {self.name}_max = {self.at_most}"
        return None

    def capacity(self, amounts: Floats) -> Capacity:
        """Return what clusters hold of it, given what super-points bring."""
        return Capacity(amounts, *self.ends, self.unit, is_rounded=True)


def checked_ends(name: str, low: object, high: object) -> tuple[float | None, float | None]:
    """Return the least and the greatest amount of a cluster as numbers; refuse what is none, and ends that cross."""
    what = f"a finite {name} of at least 0"
    least, most = (
        None if end is None else number_between(f"{name}_{side}", end, 0.0, LARGEST_AMOUNT, what)
        for side, end in (("min", low), ("max", high))
    )
    if least is not None and most is not None and least > most:
        raise InputError(f"{name}_min is {least:g}, more than {name}_max = {most:g}; exchange or correct them")
    return least, most


@dataclass(frozen=True)
class Weights(Limit):
    """What every cluster must weigh, to one part in 2^30.

    Parameters
    ----------
    at_least, at_most : float, optional
        Least and greatest weight of a cluster.

    Raises
    ------
    InputError
        If one is no weight, or contradicts the other one.

    Examples
    --------
    >>> import pcsos
    >>> weights = [1.0, 1.0, 1.0, 3.0]
    >>> pcsos.solve([0.0, 1.0, 8.0, 9.0], 2, weights=weights, conditions=[pcsos.Weights(at_most=3.0)]).labels.tolist()
    [0, 0, 0, 1]
    """

    SPELLINGS: ClassVar[Mapping[str, Spelling]] = {
        "at_least": Spelling("weight_min", "minimum weight of a cluster", amount("weight"), "X"),
        "at_most": Spelling("weight_max", "maximum weight of a cluster", amount("weight"), "X"),
    }

    at_least: float | None = None
    at_most: float | None = None

    def __post_init__(self) -> None:
        for field, end in zip(self.SPELLINGS, checked_ends("weight", self.at_least, self.at_most), strict=True):
            object.__setattr__(self, field, end)

    def asks(self, place: Place) -> Iterator[Condition]:
        """Yield the same without a least weight of 0."""
        yield replace(self, at_least=self.at_least or None)

    def _of(self, weights: Floats) -> Measure:
        return Measure(weights, self.at_least, self.at_most)

    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why no points fill k such clusters, None where they may."""
        return self._of(weights).shortage(n_clusters)

    def violation(self, labels: Indices, weights: Floats) -> str | None:
        """Return one sentence on the first cluster of labels ``0..k-1`` that breaks a limit, None if none does."""
        return self._of(weights).violation(labels)

    def weight_range(self, weights: Floats) -> tuple[float, float]:
        """Return bounds on the weight of every cluster, infinite where there is no greatest."""
        return self._of(weights).ends

    def capacities(self, component: Indices, weights: Floats) -> Iterator[Capacity]:
        """Yield the weight if it is limited."""
        if self.to_dict():
            yield self._of(weights).capacity(weights)
