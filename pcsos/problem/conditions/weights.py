"""Weights: what a cluster may weigh at least and at most."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.role import Capacity, Condition, Limit, Place, Spelling
from pcsos.problem.validation.arrays import LARGEST_AMOUNT, number_between
from pcsos.problem.validation.texts import amount

#: By this share a weight may exceed its limit, or fall short of it: sums of decimal fractions are rounded.
SLACK = 2.0**-30


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
        for field, name in (("at_least", "weight_min"), ("at_most", "weight_max")):
            if (given := getattr(self, field)) is not None:
                weight = number_between(name, given, 0.0, LARGEST_AMOUNT, "a finite weight of at least 0")
                object.__setattr__(self, field, weight)
        low, high = self.at_least, self.at_most
        if low is not None and high is not None and low > high:
            raise InputError(f"weight_min is {low:g}, more than weight_max = {high:g}; exchange or correct them")

    def asks(self, place: Place) -> Iterator[Condition]:
        """Yield the same without a least weight of 0."""
        yield replace(self, at_least=self.at_least or None)

    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why no points fill k such clusters, None where they may."""
        total, k, low, high = math.fsum(weights.tolist()), n_clusters, self.at_least, self.at_most
        if low is not None and k * low * (1.0 - SLACK) > total:
            what = f"{k} clusters of weight_min = {low:g} need {k * low:g} of weight in all"
            return f"{what}, but there are {total:g}; give at most {total / k:.15g}"
        if high is not None and k * high * (1.0 + SLACK) < total:
            what = f"{k} clusters of weight_max = {high:g} hold {k * high:g} of weight in all"
            return f"{what}, but there are {total:g}; give at least {total / k:.15g}"
        return None

    def violation(self, labels: Indices, weights: Floats) -> str | None:
        """Return one sentence on the first cluster of labels ``0..k-1`` that breaks a limit, None if none does."""
        slack = Fraction(SLACK)
        for cluster in range(int(labels.max()) + 1):
            own = sum(map(Fraction, weights[labels == cluster].tolist()), Fraction(0))
            if self.at_least is not None and own < Fraction(self.at_least) * (1 - slack):
                return f"cluster {cluster} weighs {float(own):.10g}, less than weight_min = {self.at_least}"
            if self.at_most is not None and own > Fraction(self.at_most) * (1 + slack):
                return f"cluster {cluster} weighs {float(own):.10g}, more than weight_max = {self.at_most}"
        return None

    def weight_range(self, weights: Floats) -> tuple[float, float]:
        """Return bounds on the weight of every cluster, infinity where there is no greatest."""
        low, high = self.at_least or 0.0, math.inf if self.at_most is None else self.at_most
        return low * (1.0 - SLACK), high * (1.0 + SLACK)

    def capacities(self, component: Indices, weights: Floats) -> Iterator[Capacity]:
        """Yield the weight if it is limited."""
        if self.to_dict():
            yield Capacity(weights, *self.weight_range(weights), "of weight", is_rounded=True)
